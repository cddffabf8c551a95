package io.anabranch.app.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CREATE TEMPORARY TABLE … SELECT over shards gives the session what one server would give it. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class TemporarySelectIT {

  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_temporary_select");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @BeforeEach
  void fill() throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      for (String sql : WritesFixture.EMPTYING) {
        assertThat(Transcript.of(plain, sql).isError()).isFalse();
        assertThat(Transcript.of(proxied, sql).isError()).isFalse();
      }
      for (String sql : fixture.rows()) {
        same(plain, proxied, sql);
      }
    }
  }

  /** Texts of errors name the databases; MySQL warns of ROLLBACK that the table itself stays. */
  private static void same(Connection plain, Connection proxied, String sql) {
    var comparison = new Comparison(proxied, plain, answer -> answer.replace("_plain", ""));
    if (sql.equals("ROLLBACK")) {
      comparison.sameRows(sql);
    } else {
      comparison.sameRowsAndCounts(sql);
    }
  }

  static List<List<String>> lives() {
    return List.of(
        List.of(
            "CREATE TEMPORARY TABLE tu AS SELECT * FROM t_order",
            "SELECT * FROM tu ORDER BY order_id",
            "SHOW CREATE TABLE tu",
            "CREATE TEMPORARY TABLE tu SELECT 1 FROM t_order",
            "CREATE TEMPORARY TABLE IF NOT EXISTS tu SELECT 1 AS x FROM t_order",
            "SHOW WARNINGS",
            "SELECT COUNT(*) FROM tu",
            "CREATE TEMPORARY TABLE IF NOT EXISTS tv (id INT AUTO_INCREMENT PRIMARY KEY, KEY (status)) COMMENT='c'"
                + " AS SELECT status, COUNT(*) AS n, SUM(total) AS s FROM t_order GROUP BY status ORDER BY status",
            "SELECT * FROM tv ORDER BY id",
            "INSERT INTO tv (id, status) VALUES (9, 'x')",
            "SELECT MAX(id) FROM tv",
            "SELECT t.n, o.note FROM tv t JOIN t_order o ON o.status = t.status ORDER BY 2",
            "UPDATE t_order o JOIN tu ON tu.order_id = o.order_id SET o.note = 'u' WHERE tu.order_id < 4",
            "SELECT note FROM t_order ORDER BY order_id",
            "DROP TEMPORARY TABLE tu, tv",
            "SELECT * FROM tu"),
        List.of(
            "CREATE TEMPORARY TABLE tz (a INT PRIMARY KEY) SELECT user_id AS a FROM t_order",
            "SELECT * FROM tz",
            "CREATE TEMPORARY TABLE tz (a INT PRIMARY KEY) IGNORE SELECT user_id AS a FROM t_order ORDER BY order_id",
            "SELECT * FROM tz ORDER BY a",
            "DROP TABLE tz",
            "CREATE TEMPORARY TABLE t_log WITH few AS (SELECT * FROM t_order WHERE order_id < 3)"
                + " SELECT o.order_id, d.name, f.v FROM few o JOIN t_dict d ON d.code = o.order_id"
                + " JOIN t_far f ON f.k = d.code",
            "SELECT * FROM t_log ORDER BY order_id",
            "DROP TABLE t_log",
            "SELECT COUNT(*) FROM t_log",
            "CREATE TEMPORARY TABLE far_copy SELECT * FROM t_far",
            "SELECT * FROM far_copy ORDER BY k"),
        List.of(
            "BEGIN",
            "INSERT INTO t_order (order_id, user_id) VALUES (900, 1), (901, 2)",
            "CREATE TEMPORARY TABLE tw SELECT order_id, user_id FROM t_order WHERE order_id >= 900",
            "SELECT * FROM tw ORDER BY order_id",
            "CREATE TEMPORARY TABLE tz (a INT PRIMARY KEY) SELECT 1 AS a FROM t_order",
            "SELECT COUNT(*) FROM t_order",
            "ROLLBACK",
            "SELECT * FROM tw ORDER BY user_id",
            "SELECT COUNT(*) FROM t_order",
            "SET autocommit = 0",
            "CREATE TEMPORARY TABLE tx SELECT order_id FROM t_order WHERE order_id < 3",
            "COMMIT",
            "SELECT * FROM tx ORDER BY order_id",
            "DROP TEMPORARY TABLE tw, tx"));
  }

  @ParameterizedTest
  @MethodSource("lives")
  void behavesAsOnOneServer(List<String> statements) throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      for (String sql : statements) {
        same(plain, proxied, sql);
      }
    }
  }
}
