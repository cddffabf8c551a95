package io.anabranch.app.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements of many rows and many levels over shards, as on one plain database. */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class LargeStatementsIT {

  private static final int ROWS = 30_000;

  /** A server's: syntax, nesting, stack; and not supported, by name. */
  private static final Set<Integer> TOO_DEEP = Set.of(1064, 1235, 1436, 1473, 3950);

  private static ShardedFixture shop;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    shop = ShardedFixture.start(servers, "it_large");
    for (Connection each : List.of(shop.throughProxy(), shop.onPlain())) {
      try (each;
          Statement statement = each.createStatement()) {
        statement.execute("CREATE TABLE t_log (id BIGINT PRIMARY KEY, name VARCHAR(40))");
      }
    }
  }

  @AfterAll
  static void stop() {
    shop.close();
  }

  private static String rows(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(i -> "(" + i + ", 'n" + i + "')")
        .collect(Collectors.joining(", "));
  }

  @Test
  void manyRows() throws SQLException {
    String markers = "(?, ?)" + ", (?, ?)".repeat(32_766);
    for (Connection each : List.of(shop.throughProxy(), shop.onPlain())) {
      try (each;
          Statement statement = each.createStatement();
          PreparedStatement prepared =
              each.prepareStatement("INSERT INTO t_log (id, name) VALUES " + markers)) {
        int inserted = statement.executeUpdate("INSERT INTO t_log VALUES " + rows(0, ROWS));
        assertThat(inserted).isEqualTo(ROWS);
        for (int i = 0; i < 32_767; i++) {
          prepared.setLong(2 * i + 1, 1_000_000 + i);
          prepared.setString(2 * i + 2, "p" + i);
        }
        assertThat(prepared.executeUpdate()).isEqualTo(32_767);
        statement.execute("DELETE FROM t_log WHERE id >= 1000000");
      }
    }
    same(
        "SELECT COUNT(*), SUM(id), MIN(name), MAX(name) FROM t_log",
        "SELECT COUNT(*) FROM t_log WHERE id IN ("
            + IntStream.range(0, 20_000)
                .mapToObj(i -> String.valueOf(3 * i))
                .collect(Collectors.joining(", "))
            + ")");
  }

  private static void same(String... statements) throws SQLException {
    try (Connection proxied = shop.throughProxy();
        Connection plain = shop.onPlain()) {
      new Comparison(proxied, plain).same(statements);
    }
  }

  @Test
  void longChains() throws SQLException {
    same(
        "SELECT COUNT(*) FROM t_log WHERE id > 0" + " AND id > 1".repeat(20_000),
        "SELECT COUNT(*) FROM t_log WHERE id = 0" + " OR id = 1".repeat(20_000),
        "SELECT COUNT(*) FROM t_log WHERE id = " + "(".repeat(5_000) + "7" + ")".repeat(5_000),
        "SELECT 1" + " UNION ALL SELECT 1".repeat(2_000),
        "SELECT id FROM t_log WHERE id IN (".repeat(70) + "1" + ")".repeat(70));
  }

  /** Ten thousand end a MariaDB that gets them. */
  @Test
  void patternsOfPercentSignsEndNoServer() throws SQLException {
    String many = "'" + "%".repeat(5_000) + "' '" + "%".repeat(5_000) + "'";
    String quoted = many.replace("'", "''");
    try (Connection proxied = shop.throughProxy();
        Statement statement = proxied.createStatement()) {
      for (String sql :
          List.of(
              "SHOW VARIABLES LIKE " + many,
              "SHOW GLOBAL STATUS LIKE " + many,
              "SHOW CHARACTER SET LIKE " + many,
              "SHOW TABLES LIKE " + many,
              "SHOW TABLES LIKE '" + "%".repeat(300) + "'",
              "SHOW TABLES FROM information_schema LIKE " + many,
              "SHOW FULL COLUMNS FROM t_log LIKE " + many,
              "DESCRIBE t_log " + many,
              "EXPLAIN t_log " + many,
              "PREPARE many FROM 'SHOW COLLATION LIKE " + quoted + "'",
              "EXECUTE IMMEDIATE 'SHOW COLLATION LIKE " + quoted + "'",
              "BEGIN NOT ATOMIC SHOW VARIABLES LIKE " + many + "; END")) {
        assertThatThrownBy(() -> statement.execute(sql))
            .as(sql.substring(0, 60))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getErrorCode()).isIn(1235, 1064));
      }
      try (ResultSet rows =
          statement.executeQuery("SHOW TABLES LIKE 't_l" + "%".repeat(200) + "'")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(1)).isEqualTo("t_log");
      }
    }
    same(
        "SHOW COLUMNS FROM t_log LIKE '" + "%".repeat(900) + "e'",
        "SELECT '" + "%".repeat(5_000) + "' LIKE '" + "%".repeat(5_000) + "' AS alike");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void deepStatementsEndInAnErrorThatServersKnow(boolean isSharded) throws SQLException {
    int n = 50_000;
    var statements =
        List.of(
            "SELECT id FROM %s WHERE id = " + "(".repeat(2 * n) + "1" + ")".repeat(2 * n),
            "SELECT " + "- ".repeat(n) + " id FROM %s",
            "SELECT " + "ABS(".repeat(n) + "id" + ")".repeat(n) + " FROM %s",
            "SELECT id FROM %s WHERE id IN (".repeat(3_000) + "1" + ")".repeat(3_000),
            "SELECT id FROM %s" + " UNION ALL SELECT id FROM %s".repeat(20_000),
            "SELECT " + "CASE WHEN 1 THEN ".repeat(n) + "id" + " END".repeat(n) + " FROM %s",
            "UPDATE t_log SET name = " + "CONCAT(".repeat(n) + "'a'" + ")".repeat(n));
    String database = isSharded ? "t_log" : "information_schema.tables";
    try (Connection proxied = shop.throughProxy();
        Statement statement = proxied.createStatement()) {
      for (String sql : statements) {
        try {
          statement.execute(sql.replace("%s", database));
        } catch (SQLException e) {
          assertThat(e.getMessage()).doesNotContain("AB9001");
          assertThat(TOO_DEEP).as(e.getMessage()).contains(e.getErrorCode());
        }
        try (ResultSet one = statement.executeQuery("SELECT 1")) {
          assertThat(one.next()).isTrue();
        }
      }
    }
  }

  /** What they wait for ends; what others ask is answered meanwhile, and nothing is half done. */
  @Test
  void clientsThatVanishLeaveNothingBehind() throws Exception {
    int clients = 8;
    int rows = 40_000;
    var vanishing = new ArrayList<Connection>();
    for (int client = 0; client < clients; client++) {
      Connection connection = shop.throughProxy();
      vanishing.add(connection);
      String sql = "INSERT INTO t_log VALUES " + rows(10_000_000 + client * rows, rows);
      Thread.ofVirtual()
          .start(
              () -> {
                try (Statement statement = connection.createStatement()) {
                  statement.execute(sql);
                } catch (SQLException gone) {
                  assertThat(gone.getMessage()).doesNotContain("AB9001");
                }
              });
    }
    try (Connection other = shop.throughProxy();
        Statement statement = other.createStatement()) {
      for (Connection each : vanishing) {
        each.abort(Runnable::run);
        statement.executeQuery("SELECT name FROM t_log WHERE id = 5").close();
      }
    }
    Eventually.holds(
        "each of the statements is done as a whole or not at all",
        () -> {
          try (Connection other = shop.throughProxy();
              Statement statement = other.createStatement();
              ResultSet found =
                  statement.executeQuery("SELECT COUNT(*) FROM t_log WHERE id >= 10000000")) {
            return found.next() && found.getLong(1) % rows == 0;
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }
}
