package io.anabranch.app.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is bound to a parameter decides the digits of what is added up over shards. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class SumsOfParametersIT {

  /** Exact in binary, so that the order of rows does not matter where they are floating. */
  private static final List<Object> VALUES =
      List.of(
          2, "2.25", "0.5", "7", new BigDecimal("2.25"), new BigDecimal("0.0625"), 2.5, 1L << 40);

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = ShardedFixture.start(servers, "it_sums");
    for (Connection each : List.of(fixture.onPlain(), fixture.throughProxy())) {
      try (each;
          Statement statement = each.createStatement()) {
        statement.execute(
            "CREATE TABLE t_order (order_id INT, user_id INT, price INT, d DECIMAL(8,2),"
                + " PRIMARY KEY (order_id, user_id))");
        statement.execute(
            "INSERT INTO t_order VALUES (1, 1, 10, 1.5), (2, 2, 20, 0.25), (3, 3, NULL, NULL),"
                + " (4, 4, 5, 8), (5, 1, 7, 16.25), (6, 2, 1, 100)");
      }
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT SUM(price * ?) FROM t_order",
        "SELECT SUM(price + ?), COUNT(*) FROM t_order",
        "SELECT user_id, SUM(price * ?) FROM t_order GROUP BY user_id ORDER BY user_id",
        "SELECT SUM(COALESCE(price, ?)) FROM t_order",
        "SELECT SUM(IF(price > 5, ?, 0)) FROM t_order",
        "SELECT SUM(CASE WHEN price > 5 THEN price ELSE ? END) FROM t_order",
        "SELECT SUM(d * ?) FROM t_order",
        "SELECT SUM(?) FROM t_order",
        "SELECT SUM(DISTINCT price * ?) FROM t_order",
        "SELECT SUM(price * ?) + 1 FROM t_order",
        "SELECT SUM(price > ?), SUM(price = ?), SUM(price IN (5, ?)) FROM t_order",
        "SELECT SUM(CAST(? AS DECIMAL(20,4)) * price) FROM t_order",
        "SELECT MAX(price * ?), MIN(price + ?) FROM t_order",
        "SELECT AVG(price + ?) FROM t_order WHERE price IN (10, 20, 5, 1)",
        "SELECT AVG(price) * ?, SQRT(AVG(price)) FROM t_order",
      })
  void haveTheDigitsOfWhatIsBound(String sql) throws SQLException {
    for (Object value : VALUES) {
      try (Connection plain = fixture.onPlain("useServerPrepStmts=true");
          Connection proxied = fixture.throughProxy("useServerPrepStmts=true")) {
        assertThat(rows(proxied, sql, value))
            .as("%s, %s %s", sql, value.getClass().getSimpleName(), value)
            .isEqualTo(rows(plain, sql, value));
      }
    }
  }

  private static List<String> rows(Connection connection, String sql, Object value)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int markers = (int) sql.chars().filter(c -> c == '?').count();
      for (int i = 1; i <= markers; i++) {
        statement.setObject(i, value);
      }
      var rows = new ArrayList<String>();
      try (ResultSet result = statement.executeQuery()) {
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
          var row = new ArrayList<String>();
          for (int i = 1; i <= columns; i++) {
            row.add(result.getMetaData().getColumnTypeName(i) + " " + result.getString(i));
          }
          rows.add(String.join(", ", row));
        }
      }
      return rows;
    }
  }
}
