package io.anabranch.app.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Views over sharded tables show what they show on one plain database. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class ViewsIT {

  private static final String[] DEFINITIONS = {
    "CREATE VIEW v_open AS SELECT order_id, user_id, status FROM t_order WHERE status = 'open' AND total > 3",
    "CREATE VIEW v_named (id, who, what) AS SELECT order_id, user_id, note FROM t_order",
    "CREATE VIEW v_items AS SELECT o.order_id, o.user_id, i.sku, d.name FROM t_order o"
        + " JOIN t_item i ON i.order_id = o.order_id AND i.user_id = o.user_id LEFT JOIN t_dict d ON d.code = o.order_id",
    "CREATE OR REPLACE VIEW v_sums AS SELECT user_id, COUNT(*) AS n, SUM(total) AS total FROM t_order GROUP BY user_id",
    "CREATE VIEW v_any AS SELECT order_id AS id FROM t_order UNION SELECT code FROM t_dict",
    "CREATE VIEW v_last AS SELECT order_id FROM t_order ORDER BY order_id DESC LIMIT 3",
    "CREATE VIEW v_over AS SELECT id, who FROM v_named WHERE id > 4",
    "CREATE VIEW v_most AS SELECT user_id FROM v_sums WHERE n > 4",
    "CREATE VIEW v_checked AS SELECT order_id, user_id, status FROM t_order WHERE status = 'open' WITH CHECK OPTION",
    "CREATE VIEW v_keyless AS SELECT order_id, note FROM t_order",
    "CREATE VIEW v_twice AS SELECT order_id, total * 2 AS twice, status AS state FROM t_order WHERE total > 3 OR user_id = 1",
    "CREATE VIEW v_large AS SELECT order_id AS nr, twice, state FROM v_twice WHERE twice < 40",
    "CREATE VIEW v_shares AS SELECT order_id, user_id, total / 7 AS share FROM t_order",
    "CREATE VIEW v_words AS SELECT name AS word, code FROM t_dict",
    "CREATE VIEW v_conf AS SELECT c.v, d.name FROM t_conf c JOIN t_dict d ON d.code = c.k",
  };

  private static WritesFixture fixture;
  private Connection plain;
  private Connection proxied;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_views");
    try (Connection direct = fixture.onPlain();
        Connection throughProxy = fixture.throughProxy()) {
      var comparison = new Comparison(throughProxy, direct);
      comparison.sameRows(fixture.rows().toArray(String[]::new));
      comparison.sameRows(DEFINITIONS);
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @BeforeEach
  void connect() throws SQLException {
    plain = fixture.onPlain();
    proxied = fixture.throughProxy();
  }

  @AfterEach
  void disconnect() throws SQLException {
    plain.close();
    proxied.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM v_open ORDER BY order_id",
        "SELECT COUNT(*), MAX(order_id) FROM v_open",
        "SELECT * FROM v_open WHERE order_id = 4 AND user_id = 4",
        "SELECT v.order_id, i.sku FROM v_open v JOIN t_item i ON i.order_id = v.order_id AND i.user_id = v.user_id ORDER BY 1",
        "SELECT v.order_id, l.level FROM v_open v JOIN t_log l ON l.id = v.order_id ORDER BY 1",
        "SELECT what FROM v_named WHERE id IN (1, 2, 30) ORDER BY what",
        "SELECT v_named.what FROM v_named WHERE v_named.id = 3 AND v_named.who = 3",
        "SELECT who, COUNT(*) FROM v_named GROUP BY who ORDER BY who",
        "SELECT * FROM v_items ORDER BY order_id LIMIT 5",
        "SELECT * FROM v_sums ORDER BY user_id",
        "SELECT s.n, o.order_id FROM v_sums s JOIN t_order o ON o.user_id = s.user_id WHERE s.total > 20 ORDER BY 2",
        "SELECT * FROM v_any ORDER BY id",
        "SELECT * FROM v_last ORDER BY 1",
        "SELECT * FROM v_over WHERE who = 2 ORDER BY id",
        "SELECT a.id FROM v_over a JOIN v_over b ON a.id = b.id + 1 ORDER BY 1",
        "SELECT * FROM v_most ORDER BY user_id",
        "SELECT order_id FROM t_order WHERE user_id IN (SELECT user_id FROM v_most) ORDER BY 1",
        "SELECT * FROM v_conf ORDER BY v",
        "SELECT SUM(o.total), SUM(v.order_id) FROM v_shares v JOIN t_order o ON o.order_id = v.order_id AND o.user_id = v.user_id",
        "SELECT SUM(v.user_id) FROM v_shares v JOIN t_log l ON l.id = v.order_id",
        "SELECT MIN(share), MAX(share), COUNT(share), SUM(ROUND(share, 2)) FROM v_shares",
        "SELECT SUM(share), AVG(share) FROM v_shares WHERE order_id = 4 AND user_id = 4",
        "SELECT * FROM (v_last) ORDER BY 1",
        "SELECT * FROM((v_over AS o))WHERE o.who = 2 ORDER BY id",
        "SELECT a.id FROM (v_over a) JOIN (v_over) ON a.id = v_over.id + 1 ORDER BY 1",
        "SELECT s.n, l.id FROM ((v_sums s), (t_log l)) WHERE l.id = s.user_id ORDER BY 1, 2",
        "SELECT COUNT(*) FROM (SELECT 1 FROM (v_named) UNION ALL SELECT 2 FROM (v_open JOIN v_last USING (order_id))) d",
        "SHOW CREATE VIEW v_open",
        "SHOW CREATE VIEW v_most",
        "DESCRIBE v_items",
        "SHOW FULL TABLES LIKE 'v%'",
        "SELECT table_name, is_updatable FROM information_schema.views WHERE table_schema = DATABASE() AND table_name = 'v_open'",
      })
  void showsTheSame(String sql) {
    // the two databases have different names
    Transcript expected = Transcript.of(plain, sql);
    assertThat(expected.isError()).as(expected.head()).isFalse();
    assertThat(Transcript.of(proxied, sql).rows())
        .as(sql)
        .isEqualTo(expected.rows().stream().map(row -> row.replace("_plain", "")).toList());
  }

  /** MariaDB adds quotients up with more digits than it tells; a shard tells its sum only. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT SUM(share) FROM v_shares",
        "SELECT user_id, AVG(share) FROM v_shares GROUP BY user_id ORDER BY user_id",
        "SELECT user_id, SUM(share) / COUNT(*) FROM v_shares GROUP BY user_id ORDER BY user_id",
        "SELECT SUM(v.share) FROM v_shares v JOIN t_log l ON l.id = v.order_id"
      })
  void addsNoQuotientsUpAsTheyAreTold(String sql) {
    Transcript answer = Transcript.of(proxied, sql);
    if (Transcript.of(plain, "SELECT VERSION()").rows().toString().contains("MariaDB")) {
      assertThat(answer.head()).contains("AB2001", "quotient");
    } else {
      assertThat(answer.rows()).isEqualTo(Transcript.of(plain, sql).rows());
    }
  }

  /** MySQL tells their queries with names in them that are no functions. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT user_id, status, SUM(total) AS s FROM t_order GROUP BY user_id, status WITH ROLLUP",
        "SELECT user_id + 1 AS a, COUNT(*) AS c, AVG(total) p, GROUPING(user_id + 1) g FROM t_order"
            + " GROUP BY user_id + 1 WITH ROLLUP",
        "SELECT user_id AS a, COUNT(*) AS c FROM t_order GROUP BY a WITH ROLLUP HAVING a IS NULL OR COUNT(*) > 4",
        "SELECT IFNULL(user_id, 'all') AS a, CONCAT(status, SUM(total)) AS c FROM t_order GROUP BY user_id, status WITH ROLLUP",
        "SELECT DISTINCT user_id AS a, SUM(order_id) OVER (PARTITION BY user_id) AS s FROM t_order"
            + " GROUP BY user_id, order_id WITH ROLLUP",
        "SELECT user_id, RANK() OVER (ORDER BY SUM(total)) k, COUNT(DISTINCT status) d FROM t_order GROUP BY user_id WITH ROLLUP",
      })
  void withRollupIsReadAsItWasWritten(String query) throws SQLException {
    assumeTrue(DatabaseServers.areMySql(), "MariaDB tells them as they were written");
    var comparison = new Comparison(proxied, plain);
    comparison.sameRows(
        "CREATE OR REPLACE VIEW v_rollup AS " + query,
        "SELECT * FROM v_rollup ORDER BY 1, 2",
        "SELECT COUNT(*) FROM v_rollup",
        "SELECT COUNT(*) FROM v_rollup v JOIN t_log l ON l.id = 1",
        "SHOW CREATE VIEW v_rollup",
        "DROP VIEW v_rollup");
  }

  @Test
  void isReadInParenthesesBehindItsDatabase() {
    for (String view : List.of("v_open", "v_last", "v_over")) {
      String named = "SELECT COUNT(*) FROM ((" + fixture.schema + "." + view + " AS v))";
      Transcript expected = Transcript.of(plain, "SELECT COUNT(*) FROM " + view);
      assertThat(Transcript.of(proxied, named).rows()).as(named).isEqualTo(expected.rows());
    }
  }

  @Test
  void isPreparedWithItsOwnLiterals() {
    String sql =
        "SELECT order_id FROM v_sums s JOIN t_order o USING (user_id) WHERE s.n > ? AND o.order_id < ? ORDER BY 1";
    assertThat(Transcript.of(proxied, sql, 4, 9).rows())
        .hasSizeGreaterThan(2)
        .isEqualTo(Transcript.of(plain, sql, 4, 9).rows());
  }

  @Test
  void feedsInserts() {
    for (String sql :
        new String[] {
          "INSERT INTO t_far SELECT id + 100, what FROM v_named",
          "INSERT INTO t_far SELECT user_id + 200, n FROM v_sums",
          "SELECT * FROM t_far ORDER BY k",
          "DELETE FROM t_far WHERE k >= 100",
        }) {
      new Comparison(proxied, plain).sameRows(sql);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO v_checked VALUES (99, 1, 'open')",
        "UPDATE v_checked SET status = 'paid'",
        "UPDATE v_open SET status = 'x' WHERE order_id IN (SELECT id FROM v_named)",
        "UPDATE v_keyless SET note = 'x' LIMIT 1",
        "UPDATE t_order o JOIN v_sums s ON s.user_id = o.user_id SET o.note = 'x'",
        "UPDATE v_words d JOIN t_conf c ON c.k = d.code SET d.word = 'x'",
        "UPDATE v_conf SET name = 'x'",
        "DELETE v FROM v_named v JOIN t_order o ON o.order_id = v.id",
        "DELETE FROM v_open WHERE order_id = 1 RETURNING order_id",
        "CREATE TRIGGER spreads AFTER INSERT ON t_conf FOR EACH ROW INSERT INTO v_words VALUES ('x', 9)",
        "CREATE PROCEDURE spread() INSERT INTO v_words VALUES ('x', 9)",
      })
  void isNotWrittenThrough(String sql) {
    assertThat(Transcript.of(proxied, sql).isRefusal()).as(sql).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO v_open VALUES (101, 1, 'x')",
        "INSERT INTO v_open (user_id, order_id) VALUES (3, 102), (4, 103)",
        "INSERT INTO v_open SET order_id = 104, user_id = 2, status = 'a' ON DUPLICATE KEY UPDATE status = 'b'",
        "INSERT INTO v_named VALUES (3, 3, 'x'), (105, 5, 'y') ON DUPLICATE KEY UPDATE what = CONCAT(what, id, VALUES(what))",
        "INSERT INTO v_named (what, id, who) SELECT note, order_id + 200, user_id FROM v_named n JOIN t_order ON id = order_id AND who = user_id",
        "REPLACE INTO v_named VALUES (4, 4, 'replaced'), (106, 1, 'new')",
        "INSERT INTO v_open VALUES (1, 1, 'x')",
        "INSERT INTO v_open (order_id, user_id, note) VALUES (1, 1, 'x')",
        "INSERT INTO v_open VALUES (1, 2)",
        "INSERT INTO v_sums VALUES (1, 2, 3)",
        "UPDATE v_named SET what = CONCAT(what, '!') WHERE id IN (1, 2, 3) AND who > 1 OR what LIKE '%7'",
        "UPDATE v_named AS n SET n.what = 'y', what = CONCAT(n.what, id) WHERE n.id = 6",
        "UPDATE v_named SET who = who + 1 WHERE id BETWEEN 4 AND 6",
        "UPDATE v_open SET status = 'late' WHERE order_id < 6 OR user_id = 2",
        "UPDATE v_open SET status = 'late' ORDER BY order_id DESC LIMIT 3",
        "UPDATE v_twice SET state = 'big' WHERE twice > 30 /* twice the total */ -- or 15",
        "UPDATE v_large SET state = CONCAT(state, twice) WHERE nr > 2 AND `twice` > 9",
        "UPDATE v_open SET total = 1",
        "UPDATE v_open SET status = 'x' WHERE total = 4",
        "UPDATE v_last SET order_id = 1",
        "UPDATE v_checked SET user_id = 4 WHERE order_id = 1",
        "DELETE FROM v_checked WHERE order_id IN (1, 2)",
        "DELETE FROM v_open",
        "DELETE FROM v_named WHERE v_named.id > 20",
        "DELETE FROM v_named ORDER BY id DESC LIMIT 2",
        "DELETE FROM v_large WHERE twice = 16.5 OR state = 'paid'",
        "DELETE FROM v_sums",
        "INSERT INTO v_words VALUES ('ten', 10), ('twenty', 20)",
        "INSERT INTO v_words (code) SELECT 30",
        "UPDATE v_words SET word = CONCAT(word, code) WHERE code > 1",
        "DELETE FROM v_words WHERE word = 'two'",
      })
  void isWrittenThrough(String sql) throws SQLException {
    for (Connection connection : new Connection[] {plain, proxied}) {
      connection.setAutoCommit(false);
    }
    Transcript expected = Transcript.of(plain, sql);
    Transcript answer = Transcript.of(proxied, sql);
    assertThat(answer.isRefusal()).as(answer.head()).isFalse();
    assertThat(answer.withoutMessage().head()).isEqualTo(expected.withoutMessage().head());
    for (String table : new String[] {"t_order", "t_dict"}) {
      new Comparison(proxied, plain).sameRows("SELECT * FROM " + table + " ORDER BY 1, 2");
    }
    plain.rollback();
    proxied.rollback();
  }

  @Test
  void changesEachCopyOfABroadcastTable(DatabaseServers servers) {
    for (String sql :
        new String[] {
          "INSERT INTO v_words VALUES ('forty', 40), ('fifty', 50)",
          "UPDATE v_words SET word = 'vierzig' WHERE code = 40",
          "DELETE FROM v_words WHERE code = 50",
        }) {
      new Comparison(proxied, plain).sameRows(sql);
    }
    String copies = "SELECT GROUP_CONCAT(code, ':', name ORDER BY code) FROM it_views.t_dict";
    assertThat(servers.primaryA().queryOne(copies))
        .contains("40:vierzig")
        .isEqualTo(servers.primaryB().queryOne(copies));
    new Comparison(proxied, plain).sameRows("DELETE FROM v_words WHERE code = 40");
  }

  @Test
  void isWrittenThroughPrepared() throws SQLException {
    plain.setAutoCommit(false);
    proxied.setAutoCommit(false);
    Object[][] values = {{"p", 3, 2}, {"q", 4, 30}};
    for (Object[] row : values) {
      String sql = "UPDATE v_twice SET state = CONCAT(?, 'x') WHERE order_id > ? AND twice > ?";
      assertThat(Transcript.of(proxied, sql, row).head())
          .isEqualTo(Transcript.of(plain, sql, row).head());
    }
    String insert = "INSERT INTO v_named (what, id, who) VALUES (?, ?, 3)";
    assertThat(Transcript.of(proxied, insert, "p", 300).head())
        .isEqualTo(Transcript.of(plain, insert, "p", 300).head());
    new Comparison(proxied, plain).sameRows("SELECT * FROM t_order ORDER BY 1, 2");
    plain.rollback();
    proxied.rollback();
  }

  @Test
  void isReplacedAndDropped() {
    for (String sql :
        new String[] {
          "CREATE VIEW v_brief AS SELECT order_id FROM t_order",
          "CREATE VIEW v_brief AS SELECT 1",
          "CREATE VIEW IF NOT EXISTS v_brief AS SELECT 1",
          "CREATE VIEW t_order AS SELECT 1",
          "SELECT COUNT(*) FROM v_brief",
          "ALTER VIEW v_brief AS SELECT user_id, COUNT(*) AS n FROM t_order GROUP BY 1",
          "SELECT * FROM v_brief ORDER BY 1",
          "CREATE OR REPLACE VIEW v_brief AS SELECT 7 AS seven",
          "SELECT * FROM v_brief",
          "DROP VIEW v_brief",
          "SELECT * FROM v_brief",
          "DROP VIEW v_brief",
        }) {
      new Comparison(proxied, plain).sameRows(sql);
    }
  }
}
