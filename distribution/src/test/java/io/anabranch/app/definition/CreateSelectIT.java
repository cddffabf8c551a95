package io.anabranch.app.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** CREATE TABLE … SELECT over shards makes and fills the table that one plain database makes. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class CreateSelectIT {

  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_create_select");
    for (String sql : fixture.rows()) {
      same(sql);
    }
    same(
        "CREATE VIEW v_paid AS SELECT order_id, user_id, total FROM t_order WHERE status = 'paid'");
  }

  /** Free to be made. */
  @BeforeEach
  void dropTables() throws SQLException {
    try (Connection direct = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      for (String sql : List.of("DROP TABLE IF EXISTS t_new", "DROP TABLE IF EXISTS t_item")) {
        Transcript.of(direct, sql);
        Transcript.of(proxied, sql);
      }
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  private static Transcript same(String sql) throws SQLException {
    try (Connection direct = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      Transcript expected = Transcript.of(direct, sql);
      Transcript answer = Transcript.of(proxied, sql);
      assertThat(answer.toString())
          .as(sql)
          .isEqualTo(expected.toString().replace(fixture.schema + "_plain", fixture.schema));
      return answer;
    }
  }

  private static void sameTable(String name) throws SQLException {
    same("SHOW CREATE TABLE " + name);
    try (Connection direct = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      String all = "SELECT * FROM " + name;
      assertThat(Transcript.of(proxied, all).rows())
          .as(name)
          .containsExactlyInAnyOrderElementsOf(Transcript.of(direct, all).rows());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE t_new AS SELECT * FROM t_order",
        "CREATE TABLE t_new SELECT * FROM t_log",
        "CREATE TABLE t_new AS SELECT LAST_INSERT_ID() AS l, NULLIF(DATABASE(), DATABASE()) AS d FROM t_order",
        "CREATE TABLE t_new (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, status CHAR(9)) ENGINE=MyISAM COMMENT='c'"
            + " SELECT status, COUNT(*) AS c, SUM(total), AVG(weight) AS w FROM t_order GROUP BY status ORDER BY status",
        "CREATE TABLE t_new (KEY(order_id)) SELECT o.order_id, CONCAT(o.note, '!') AS n, d.name, o.total * 2 AS twice"
            + " FROM t_order o LEFT JOIN t_dict d ON d.code = o.order_id WHERE o.total > 3 LIMIT 100",
        "CREATE TABLE t_new AS (SELECT order_id FROM t_order WHERE order_id < 5 UNION SELECT k FROM t_conf)",
        "CREATE TABLE t_new AS WITH w AS (SELECT user_id, MAX(placed) AS p FROM t_order GROUP BY user_id)"
            + " SELECT w.user_id AS u, w.p, NOW() < '1999-01-01' AS x, NULL AS y, 'z' AS z, 1.50 AS q FROM w",
        "CREATE TABLE t_new IGNORE SELECT * FROM v_paid",
        "CREATE TABLE t_new (user_id INT PRIMARY KEY) REPLACE SELECT user_id FROM t_order",
        "CREATE TABLE t_new AS SELECT ROW_NUMBER() OVER (ORDER BY order_id) AS r FROM t_order",
        "CREATE TABLE t_new AS SELECT * FROM t_order WHERE user_id = 1 AND order_id = 1 FOR UPDATE",
        "CREATE TABLE t_new (SELECT DISTINCT status FROM t_order LIMIT 0)",
        "CREATE TABLE t_new AS SELECT 1 AS one, 'x' AS x",
        "CREATE TABLE IF NOT EXISTS t_new AS SELECT user_id FROM t_order",
        "CREATE OR REPLACE TABLE t_new AS SELECT user_id FROM t_order",
      })
  void makesSingleTables(String sql) throws SQLException {
    // with MyISAM it is not for GTIDs, FOR UPDATE not for a table in the making, and a collation
    // that is the default is shown where a column was given it
    boolean isOfMariaDb =
        sql.contains("MyISAM") || sql.endsWith("FOR UPDATE") || sql.contains("DATABASE()");
    assumeFalse(isOfMariaDb && DatabaseServers.areMySql(), "MySQL's own table is another one");
    same(sql);
    sameTable("t_new");
  }

  /** What a session has set decides which columns its query has. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "lc_time_names = 'de_DE'",
        "lc_time_names = 'ja_JP'",
        "group_concat_max_len = 700",
        "div_precision_increment = 9",
        "sql_mode = 'NO_UNSIGNED_SUBTRACTION'"
      })
  void makesColumnsAsTheSessionsSettingsSay(String setting) throws SQLException {
    String create =
        "CREATE TABLE t_new SELECT DAYNAME(placed) AS d, MONTHNAME(placed) AS m, DATE_FORMAT(placed,"
            + " '%M %W') AS f, GROUP_CONCAT(status) AS g, 1 / 3 AS q, order_id -"
            + " CAST(1 AS UNSIGNED) AS u FROM t_order GROUP BY 1, 2, 3, 6";
    try (Connection direct = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      for (String sql : List.of("SET " + setting, create)) {
        assertThat(Transcript.of(proxied, sql).head())
            .as(sql)
            .isEqualTo(Transcript.of(direct, sql).head());
      }
    }
    sameTable("t_new");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE t_item AS SELECT order_id, user_id, status FROM t_order",
        "CREATE TABLE t_item (PRIMARY KEY (order_id, user_id)) SELECT * FROM t_order WHERE user_id IN (1, 2)",
        "CREATE TABLE t_item (item_id INT DEFAULT 7, sku VARCHAR(3)) SELECT k AS order_id, k + 1 AS user_id, v AS sku FROM t_conf",
        "CREATE TABLE t_item SELECT id AS order_id, id AS user_id, line, data, flags, doc FROM t_log WHERE id > 3",
        "CREATE TABLE t_item (user_id INT, order_id INT UNIQUE) REPLACE SELECT user_id, user_id AS order_id FROM t_order",
        "CREATE TABLE t_item SELECT order_id, user_id, SUM(total) AS s FROM t_order GROUP BY user_id, order_id WITH ROLLUP"
            + " HAVING order_id IS NOT NULL",
        "CREATE OR REPLACE TABLE t_item AS SELECT order_id, user_id FROM v_paid",
      })
  void makesShardedTables(String sql) throws SQLException {
    same(sql);
    sameTable("t_item");
  }

  /** MariaDB itself forgets to warn of the last duplicate, so that its OK is not compared. */
  @Test
  void leavesOutDuplicates() throws SQLException {
    String sql =
        "CREATE TABLE t_new (status VARCHAR(20) PRIMARY KEY, n INT) IGNORE AS"
            + " SELECT status, user_id FROM t_order WHERE user_id = 1";
    try (Connection direct = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      Transcript.of(direct, sql);
      assertThat(Transcript.of(proxied, sql).head()).startsWith("affected 2 keys warning 1062");
    }
    sameTable("t_new");
  }

  @Test
  void makesBroadcastTables() throws SQLException {
    same("DROP TABLE t_dict");
    same(
        "CREATE TABLE t_dict AS SELECT order_id AS code, note AS name FROM t_order WHERE total > 5");
    try (Connection proxied = fixture.throughProxy()) {
      assertThat(
              Transcript.of(
                      proxied,
                      "SELECT COUNT(*) FROM t_dict d JOIN t_order o ON o.order_id = d.code")
                  .rows())
          .isEqualTo(Transcript.of(proxied, "SELECT COUNT(*) FROM t_order WHERE total > 5").rows());
    }
    sameTable("t_dict");
    same("DROP TABLE t_dict");
    same("CREATE TABLE t_dict (code INT NOT NULL PRIMARY KEY, name VARCHAR(40), touched DATETIME)");
    same("INSERT INTO t_dict (code, name) VALUES (1, 'one'), (2, 'two'), (3, 'three')");
  }

  @Test
  void leavesWhatExistsAlone() throws SQLException {
    same("CREATE TABLE t_log SELECT * FROM t_order");
    same("CREATE TABLE IF NOT EXISTS t_log SELECT * FROM t_order");
    same("CREATE TABLE t_conf SELECT * FROM t_order");
    same("CREATE TABLE IF NOT EXISTS t_conf SELECT * FROM t_order");
    same("SELECT * FROM t_log ORDER BY id");
    same("SELECT * FROM t_conf ORDER BY k");
  }

  @Test
  void leavesNothingBehindAFailure() throws SQLException {
    for (String sql :
        List.of(
            "CREATE TABLE t_item (order_id INT PRIMARY KEY) SELECT 1 AS order_id, user_id FROM t_order WHERE order_id <> 2",
            "CREATE TABLE t_new (status VARCHAR(9) PRIMARY KEY) SELECT status FROM t_order",
            "CREATE TABLE t_new (order_id TINYINT) SELECT order_id * 100 AS order_id FROM t_order",
            "CREATE TABLE t_new SELECT o.user_id, p.user_id FROM t_order o JOIN t_order p ON o.order_id = p.total",
            "CREATE TABLE t_new SELECT nothing FROM t_order")) {
      try (Connection direct = fixture.onPlain();
          Connection proxied = fixture.throughProxy()) {
        Transcript expected = Transcript.of(direct, sql);
        Transcript answer = Transcript.of(proxied, sql);
        assertThat(expected.isError()).as(expected.head()).isTrue();
        // which of several rows fails first is not told by the statement
        assertThat(answer.withoutMessage()).as(answer.head()).isEqualTo(expected.withoutMessage());
      }
      same("SELECT * FROM t_item");
      same("SELECT * FROM t_new");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE OR REPLACE TABLE t_log SELECT * FROM t_log",
        "CREATE TABLE t_item SELECT status FROM t_order",
        "CREATE TABLE t_new SELECT k FROM t_far JOIN t_conf USING (k)",
        "CREATE TABLE t_new (k INT REFERENCES t_conf (k)) SELECT order_id AS k FROM t_order",
        "CREATE TABLE t_item (id INT AUTO_INCREMENT PRIMARY KEY) SELECT order_id, user_id FROM t_order",
      })
  void refusesWhatItCannotMake(String sql) throws SQLException {
    try (Connection proxied = fixture.throughProxy()) {
      assertThat(Transcript.of(proxied, sql).isRefusal())
          .as(Transcript.of(proxied, sql).head())
          .isTrue();
    }
    same("SELECT * FROM t_new");
  }

  @Test
  void commitsTheTransactionAndItsRows() throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection other = fixture.throughProxy()) {
      proxied.setAutoCommit(false);
      Transcript.of(proxied, "INSERT INTO t_order (order_id, user_id) VALUES (900, 1), (901, 2)");
      String sql = "CREATE TABLE t_new SELECT order_id FROM t_order WHERE order_id >= 900";
      assertThat(Transcript.of(proxied, sql).head()).isEqualTo("affected 2 keys");
      proxied.rollback();
      assertThat(Transcript.of(other, "SELECT * FROM t_new ORDER BY 1").toString()).contains("901");
      Transcript.of(other, "DELETE FROM t_order WHERE order_id >= 900");
    }
  }
}
