package io.anabranch.app.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Parameters of all types in all places of a query over shards: rows, types and errors are those of
 * one server, also where a statement of the same text has been executed with other types before.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class BoundTypesIT {

  private static final List<Object> VALUES =
      List.of(
          3,
          -1L << 40,
          (short) 2,
          true,
          2.5f,
          0.25,
          new BigDecimal("2.25"),
          new BigDecimal("-3"),
          "3",
          "3x",
          "",
          "apple",
          "2024-01-02",
          new byte[] {'a', 'b'},
          new byte[] {0, (byte) 0xFF},
          Date.valueOf("2024-01-02"),
          Timestamp.valueOf("2024-01-02 10:00:00"),
          Timestamp.valueOf("2024-01-02 10:00:00.125"),
          Time.valueOf("10:00:00"));

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = ShardedFixture.start(servers, "it_bound_types");
    for (Connection each : List.of(fixture.onPlain(), fixture.throughProxy())) {
      try (each;
          Statement statement = each.createStatement()) {
        statement.execute(
            "CREATE TABLE t_order (order_id INT, user_id INT, k INT, s VARCHAR(20), d DECIMAL(8,2),"
                + " t DATETIME(3), f DOUBLE, b VARBINARY(10), PRIMARY KEY (order_id, user_id))"
                + " DEFAULT CHARSET=utf8mb4");
        statement.execute(
            "INSERT INTO t_order VALUES (1, 1, 10, 'apple', 1.5, '2024-01-01 10:00:00.5', 1.5,"
                + " 'ab'), (2, 2, 20, 'pear', 0.25, '2024-01-02', 2.5, 'c'), (3, 3, NULL, NULL,"
                + " NULL, NULL, NULL, NULL), (4, 4, 5, '', 8, '2024-01-02 10:00:00', -1, ''), (5,"
                + " 1, 7, '3', 16.25, '2023-05-05 01:02:03.125', 0.25, x'00ff')");
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
        "SELECT ?, order_id FROM t_order ORDER BY order_id",
        "SELECT ? AS v, COUNT(*) FROM t_order GROUP BY v",
        "SELECT order_id, COALESCE(k, ?) v FROM t_order ORDER BY order_id",
        "SELECT order_id, IFNULL(t, ?) v FROM t_order ORDER BY order_id",
        "SELECT order_id, IF(k > 5, d, ?) v FROM t_order ORDER BY order_id",
        "SELECT COALESCE(k, ? + 1) v, COUNT(*) FROM t_order GROUP BY v ORDER BY MIN(order_id)",
        "SELECT order_id, k + ? FROM t_order ORDER BY order_id",
        "SELECT order_id, COALESCE(LAG(k) OVER (ORDER BY order_id), ?) FROM t_order ORDER BY"
            + " order_id",
        "SELECT order_id FROM t_order ORDER BY COALESCE(k, ?), order_id",
        "SELECT SUM(k + ?) FROM t_order",
        "SELECT AVG(k * ?) FROM t_order",
        "SELECT * FROM (SELECT order_id, ? v FROM t_order) x ORDER BY order_id",
        "SELECT COUNT(*), COUNT(?) FROM t_order",
        "SELECT order_id FROM t_order WHERE order_id = ?",
        "SELECT order_id FROM t_order WHERE k > ? ORDER BY order_id",
        "SELECT order_id FROM t_order WHERE s = ? ORDER BY order_id",
        "SELECT order_id FROM t_order WHERE t <= ? ORDER BY order_id",
        "SELECT order_id FROM t_order WHERE b = ? ORDER BY order_id",
        "SELECT order_id FROM t_order WHERE f IN (?, 2.5) ORDER BY order_id",
      })
  void answerAsOneServerDoes(String sql) throws SQLException {
    try (Connection plain = connect(fixture.onPlain("useServerPrepStmts=true"));
        Connection proxied = connect(fixture.throughProxy("useServerPrepStmts=true"))) {
      for (int time = 0; time < 2; time++) {
        for (Object value : VALUES) {
          assertThat(answer(proxied, sql, value)).isEqualTo(answer(plain, sql, value));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT k, COUNT(*) FROM t_order GROUP BY k HAVING k > ? ORDER BY k",
        "SELECT user_id, SUM(k) v FROM t_order GROUP BY user_id HAVING v < ? ORDER BY user_id",
        "SELECT order_id FROM t_order ORDER BY order_id LIMIT ?",
      })
  void answerAsOneServerDoesOrRefuse(String sql) throws SQLException {
    try (Connection plain = connect(fixture.onPlain("useServerPrepStmts=true"));
        Connection proxied = connect(fixture.throughProxy("useServerPrepStmts=true"))) {
      for (Object value : VALUES) {
        String answer = answer(proxied, sql, value);
        if (!answer.contains(" AB200")) {
          assertThat(answer).isEqualTo(answer(plain, sql, value));
        }
      }
    }
  }

  private static Connection connect(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET time_zone = '+00:00'");
    }
    return connection;
  }

  private static String answer(Connection connection, String sql, Object value) {
    String of = sql + " with " + value.getClass().getSimpleName() + " " + shown(value) + ": ";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, value);
      try (ResultSet result = statement.executeQuery()) {
        ResultSetMetaData columns = result.getMetaData();
        var rows = new ArrayList<String>();
        while (result.next()) {
          var row = new ArrayList<String>();
          for (int i = 1; i <= columns.getColumnCount(); i++) {
            row.add(columns.getColumnTypeName(i) + " " + shown(result.getObject(i)));
          }
          rows.add(String.join(", ", row));
        }
        return of + rows;
      }
    } catch (SQLException e) {
      return of
          + e.getErrorCode()
          + " "
          + String.valueOf(e.getMessage()).replaceAll("^\\(conn=\\d+\\)", "");
    }
  }

  private static String shown(@Nullable Object value) {
    return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value);
  }
}
