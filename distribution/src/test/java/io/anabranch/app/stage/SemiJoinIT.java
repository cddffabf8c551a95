package io.anabranch.app.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Staged statements copy of a large table the rows that a small one asks for, not all. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class SemiJoinIT {

  /** Less than any of the large tables has. */
  private static final String LIMIT = "proxy-stage-max-rows: 300";

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = ShardedFixture.start(servers, "it_semijoin", LIMIT);
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      for (String sql :
          List.of(
              "CREATE TABLE t_order (order_id INT NOT NULL, user_id INT NOT NULL, status VARCHAR(10), price INT, PRIMARY KEY (order_id, user_id))",
              "CREATE TABLE t_log (id INT NOT NULL PRIMARY KEY, order_id INT, line VARCHAR(20), KEY (order_id))",
              "CREATE TABLE t_country (code INT NOT NULL PRIMARY KEY, name VARCHAR(20))",
              rows(
                  "t_order",
                  2000,
                  "(%1$d, %1$d %% 7, IF(%1$d %% 400 = 0, 'rare', 'open'), %1$d %% 50)"),
              rows("t_log", 4000, "(%1$d, %1$d %% 2100, 'line %1$d')"),
              rows("t_country", 5, "(%1$d, 'country %1$d')"))) {
        Transcript expected = Transcript.of(plain, sql);
        assertThat(expected.isError()).as(expected.head()).isFalse();
        assertThat(Transcript.of(proxied, sql).isError()).as(sql.substring(0, 40)).isFalse();
      }
    }
  }

  private static String rows(String table, int count, String row) {
    var sql = new StringBuilder("INSERT INTO " + table + " VALUES ");
    for (int i = 1; i <= count; i++) {
      sql.append(i == 1 ? "" : ", ").append(row.formatted(i));
    }
    return sql.toString();
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT o.order_id, l.line FROM t_log l JOIN t_order o ON l.order_id = o.order_id WHERE o.status = 'rare' ORDER BY 1, 2",
        "SELECT o.order_id, l.line FROM t_order o LEFT JOIN t_log l ON l.order_id = o.order_id WHERE o.status = 'rare' ORDER BY 1, 2",
        "SELECT o.order_id FROM t_order o WHERE o.status = 'rare' AND NOT EXISTS (SELECT 1 FROM t_log l WHERE l.order_id = o.order_id AND l.id < 1500) ORDER BY 1",
        "SELECT c.name, COUNT(*) FROM t_country c JOIN t_log l ON l.order_id = c.code GROUP BY c.name ORDER BY 1",
        "SELECT a.line, b.id, o.price FROM t_order o JOIN t_log a ON a.order_id = o.order_id JOIN t_log b ON b.order_id = a.id WHERE o.order_id IN (5, 6, 7) ORDER BY 1, 2",
        "SELECT l.id FROM t_order o JOIN t_log l ON l.order_id = o.order_id WHERE o.status = 'none' ORDER BY 1",
        "SELECT (SELECT COUNT(*) FROM t_log l WHERE l.order_id = o.order_id) AS n, o.order_id FROM t_order o WHERE o.price = 49 AND o.user_id = 2 ORDER BY 2"
      })
  void copiesWhatIsAskedFor(String sql) throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy();
        Connection binary = fixture.throughProxy("useServerPrepStmts=true")) {
      Transcript expected = Transcript.of(plain, sql);
      assertThat(Transcript.of(proxied, sql)).as(sql).isEqualTo(expected);
      assertThat(Transcript.prepared(binary, sql).rows()).as(sql).isEqualTo(expected.rows());
    }
  }

  /** What shows that the limit counts. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM t_log l JOIN t_order o ON l.order_id = o.order_id + 0 WHERE o.status = 'rare'",
        "SELECT COUNT(*) FROM t_log l LEFT JOIN t_order o ON l.order_id = o.order_id AND o.status = 'rare'",
        "SELECT COUNT(*) FROM t_log l JOIN t_order o ON l.order_id = o.order_id"
      })
  void copiesAllWhereKeysDoNotTell(String sql) throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      assertThat(Transcript.of(proxied, sql).head()).contains("300 rows in temporary tables");
    }
  }
}
