package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Views over sharded tables show what they show on one plain database. */
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
    "CREATE VIEW v_conf AS SELECT c.v, d.name FROM t_conf c JOIN t_dict d ON d.code = c.k",
  };

  private static WritesFixture fixture;
  private Connection plain;
  private Connection proxied;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_views");
    try (Connection direct = fixture.onPlain();
        Connection throughProxy = fixture.throughProxy()) {
      for (String sql : fixture.rows()) {
        same(direct, throughProxy, sql);
      }
      for (String sql : DEFINITIONS) {
        same(direct, throughProxy, sql);
      }
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

  private static void same(Connection direct, Connection throughProxy, String sql) {
    Transcript expected = Transcript.of(direct, sql);
    Transcript answer = Transcript.of(throughProxy, sql);
    assertThat(answer.rows()).as("%s: %s", sql, answer.head()).isEqualTo(expected.rows());
    assertThat(answer.isError()).as("%s: %s", sql, answer.head()).isEqualTo(expected.isError());
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
      same(plain, proxied, sql);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO v_open VALUES (99, 1, 'x')",
        "REPLACE INTO v_named VALUES (99, 1, 'x')",
        "UPDATE v_open SET status = 'x'",
        "UPDATE t_order o JOIN v_sums s ON s.user_id = o.user_id SET o.note = 'x'",
        "DELETE FROM v_open WHERE order_id = 1",
        "DELETE v FROM v_named v JOIN t_order o ON o.order_id = v.id",
      })
  void isNotWrittenThrough(String sql) {
    assertThat(Transcript.of(proxied, sql).isRefusal()).as(sql).isTrue();
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
      same(plain, proxied, sql);
    }
  }
}
