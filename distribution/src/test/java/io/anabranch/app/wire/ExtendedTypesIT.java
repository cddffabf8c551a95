package io.anabranch.app.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the handshake says beyond MySQL: types that MariaDB alone tells, blanks behind functions.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class ExtendedTypesIT {

  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    sharded = ShardedFixture.start(servers, "it_extended_types");
    for (Connection each : List.of(sharded.onPlain(), sharded.throughProxy())) {
      try (each;
          Statement statement = each.createStatement()) {
        statement.execute(
            "CREATE TABLE t_order (order_id INT, user_id INT, j JSON, u UUID, i INET6, p POINT)");
        for (int row = 0; row < 8; row++) {
          statement.execute(
              "INSERT INTO t_order VALUES (%d, %d, '[%d]', UUID(), '::%d', POINT(1, %d))"
                  .formatted(row, row / 4, row, row, row));
        }
      }
    }
  }

  @AfterAll
  static void stop() {
    sharded.close();
  }

  private static List<String> types(Connection connection, String sql) throws SQLException {
    var types = new ArrayList<String>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      describe(types, statement.getMetaData());
      try (ResultSet rows = statement.executeQuery()) {
        describe(types, rows.getMetaData());
        while (rows.next()) {
          types.add("a row");
        }
      }
    }
    return types;
  }

  private static void describe(List<String> into, ResultSetMetaData columns) throws SQLException {
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      into.add(
          columns.getColumnName(i)
              + " "
              + columns.getColumnTypeName(i)
              + " "
              + columns.getColumnType(i));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // relayed, merged and staged
        "SELECT j, u, i, p, order_id FROM t_order WHERE user_id = 1 AND order_id = 5",
        "SELECT j, u, i, p FROM t_order ORDER BY order_id",
        "SELECT MAX(i), COUNT(*) FROM t_order",
        "SELECT o.j, o.u, o.p FROM t_order o JOIN t_order p ON o.order_id = p.user_id",
        "SELECT i, ROW_NUMBER() OVER (ORDER BY order_id) FROM t_order",
        "SELECT JSON_OBJECT('a', 1), POINT(1, 2)"
      })
  void typesAreCalledAsByTheServer(String sql) throws SQLException {
    for (String prepares : List.of("useServerPrepStmts=false", "useServerPrepStmts=true")) {
      try (Connection proxied = sharded.throughProxy(prepares);
          Connection direct = sharded.onPlain(prepares)) {
        assertThat(types(proxied, sql)).isEqualTo(types(direct, sql)).hasSizeGreaterThan(2);
      }
    }
  }

  /** The driver asks for IGNORE_SPACE. */
  @Test
  void functionsMayHaveABlank() throws SQLException {
    for (String sql :
        List.of(
            "SELECT @@sql_mode",
            "SELECT COUNT (*), SUM (order_id) FROM t_order",
            "SELECT user_id, MAX (order_id) FROM t_order GROUP BY user_id ORDER BY user_id",
            "SELECT COUNT (*) FROM t_order WHERE user_id = 1 AND order_id = 5",
            "SELECT o.order_id FROM t_order o WHERE order_id > (SELECT AVG (order_id) FROM t_order)"
                + " ORDER BY 1",
            "SET sql_mode = DEFAULT",
            "SELECT @@sql_mode",
            "SELECT COUNT (*) FROM t_order WHERE user_id = 1 AND order_id = 5")) {
      try (Connection proxied = sharded.throughProxy();
          Connection direct = sharded.onPlain()) {
        String expected =
            Transcript.of(direct, sql)
                .toString()
                .replace(sharded.schema() + "_plain", sharded.schema());
        assertThat(Transcript.of(proxied, sql).toString()).as(sql).isEqualTo(expected);
      }
    }
  }
}
