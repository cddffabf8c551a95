package io.anabranch.app.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.BrokenConnections;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Temporary tables of a sharded database behave as on one server, and are one session's alone. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class TemporaryTablesIT {

  private static final byte RESET_CONNECTION = 0x1f;

  private static WritesFixture fixture;
  private static DatabaseServer home;
  private Connection plain;
  private Connection proxied;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    home = servers.primaryA();
    fixture = WritesFixture.start(servers, "it_temporary");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @BeforeEach
  void connect() throws SQLException {
    plain = fixture.onPlain();
    proxied = fixture.throughProxy();
    same(fixture.rows().toArray(String[]::new));
  }

  @AfterEach
  void disconnect() throws SQLException {
    plain.close();
    proxied.close();
    try (Connection emptiedPlain = fixture.onPlain();
        Connection emptied = fixture.throughProxy()) {
      for (String sql : WritesFixture.EMPTYING) {
        assertThat(Transcript.of(emptiedPlain, sql).isError()).isFalse();
        assertThat(Transcript.of(emptied, sql).isError()).isFalse();
      }
    }
  }

  /** Texts of errors name the databases. */
  private void same(String... statements) {
    new Comparison(proxied, plain, answer -> answer.replace("_plain", ""))
        .sameRowsAndCounts(statements);
  }

  static List<List<String>> lives() {
    return List.of(
        List.of(
            "CREATE TEMPORARY TABLE tt (a INT NOT NULL, b VARCHAR(20) DEFAULT 'd', PRIMARY KEY (a))",
            "INSERT INTO tt VALUES (1, 'x'), (2, 'y'), (3, DEFAULT)",
            "SELECT * FROM tt ORDER BY a",
            "INSERT INTO tt (a, b) SELECT order_id + 10, note FROM t_order WHERE order_id < 5",
            "SELECT t.b, o.total FROM tt t JOIN t_order o ON o.order_id = t.a ORDER BY 2",
            "SELECT t.b, d.name FROM tt t JOIN t_dict d ON d.code = t.a ORDER BY 2",
            "SELECT COUNT(*) FROM t_order WHERE order_id IN (SELECT a FROM tt)",
            "UPDATE tt SET b = 'z' WHERE a > 2",
            "UPDATE t_order o JOIN tt ON tt.a = o.order_id SET o.note = tt.b",
            "INSERT INTO t_order (order_id, user_id, note) SELECT a + 500, 1, b FROM tt",
            "DELETE FROM tt WHERE a = 1",
            "SELECT * FROM tt ORDER BY a",
            "SELECT order_id, note FROM t_order ORDER BY order_id",
            "TRUNCATE TABLE tt",
            "SELECT COUNT(*) FROM tt",
            "DROP TABLE tt",
            "SELECT * FROM tt"),
        List.of(
            "CREATE TEMPORARY TABLE tt (a INT NOT NULL PRIMARY KEY)",
            "INSERT INTO tt VALUES (1), (2)",
            "SELECT EXP(order_id * 1000) FROM t_order",
            "SELECT SUM(EXP(order_id * 1000)) FROM t_order",
            "SELECT * FROM t_order WHERE EXP(order_id * 1000) > 1 ORDER BY order_id",
            "SELECT a FROM tt ORDER BY a",
            "DROP TEMPORARY TABLE tt"),
        List.of(
            "CREATE TEMPORARY TABLE tt (id INT AUTO_INCREMENT PRIMARY KEY, v INT)",
            "INSERT INTO tt (v) VALUES (7), (8)",
            "SELECT LAST_INSERT_ID()",
            "ALTER TABLE tt ADD COLUMN w VARCHAR(5) DEFAULT 'w', ADD KEY (v)",
            "SELECT w, COUNT(*) FROM tt GROUP BY w",
            "SHOW CREATE TABLE tt",
            "DESCRIBE tt",
            "CREATE TEMPORARY TABLE tt (a INT)",
            "CREATE TEMPORARY TABLE IF NOT EXISTS tt (a INT)",
            "CREATE OR REPLACE TEMPORARY TABLE tt (q INT)",
            "INSERT INTO tt VALUES (5)",
            "CREATE TEMPORARY TABLE tu AS SELECT q + 1 AS r FROM tt",
            "SELECT q, r FROM tt JOIN tu",
            "SELECT q FROM tt UNION SELECT code FROM t_dict ORDER BY 1",
            "DROP TEMPORARY TABLE IF EXISTS tt, tu, nowhere",
            "SELECT * FROM tu"),
        List.of(
            "CREATE TEMPORARY TABLE tt (a INT)",
            "UPDATE t_order SET note = CONCAT('a', IF(order_id % 2, 'b', '')) WHERE order_id < 6",
            "ALTER TABLE t_order MODIFY note VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
            "SELECT MIN(note), MAX(note), COUNT(DISTINCT note) FROM t_order",
            "SELECT note, order_id FROM t_order ORDER BY note, order_id LIMIT 3",
            "SELECT note, COUNT(*) FROM t_order GROUP BY note ORDER BY note DESC",
            "DROP TEMPORARY TABLE tt"),
        List.of(
            "CREATE TEMPORARY TABLE tt (a INT)",
            "CREATE TEMPORARY TABLE tu (a INT)",
            "LOCK TABLES t_order WRITE",
            "DROP TEMPORARY TABLE tt",
            "CREATE TEMPORARY TABLE tv (a INT, a INT)",
            "UPDATE t_order SET note = 'locked' WHERE order_id = 1",
            "SELECT * FROM t_dict",
            "DROP TABLE tu",
            "UNLOCK TABLES",
            "SELECT note FROM t_order WHERE order_id = 1"),
        List.of(
            "CREATE TEMPORARY TABLE t_order (x INT)",
            "CREATE TABLE t_order (a INT)",
            "CREATE TEMPORARY TABLE t_made (x INT)",
            "CREATE TABLE t_made (y INT)",
            "INSERT INTO t_made (x) VALUES (1)",
            "DROP TEMPORARY TABLE t_made, t_order",
            "SELECT y FROM t_made",
            "SELECT COUNT(*) FROM t_order",
            "DROP TABLE t_made"),
        List.of(
            "CREATE TEMPORARY TABLE t_order (x INT)",
            "INSERT INTO t_order VALUES (1), (2)",
            "SELECT * FROM t_order ORDER BY x",
            "SELECT i.sku FROM t_item i JOIN t_order o ON o.x = i.item_id ORDER BY 1",
            "DROP TEMPORARY TABLE t_order",
            "SELECT COUNT(*) FROM t_order",
            "CREATE TEMPORARY TABLE t_dict LIKE t_order",
            "INSERT INTO t_dict SELECT * FROM t_order WHERE order_id < 4",
            "SELECT * FROM t_dict ORDER BY order_id",
            "DROP TABLE t_dict",
            "SELECT * FROM t_dict ORDER BY code"),
        List.of(
            "CREATE TEMPORARY TABLE tt (a INT)",
            "BEGIN",
            "INSERT INTO tt VALUES (1)",
            "INSERT INTO t_order (order_id, user_id) VALUES (900, 1), (901, 2)",
            "CREATE TEMPORARY TABLE tu (a INT)",
            "ROLLBACK",
            "SHOW WARNINGS",
            "SHOW COUNT(*) WARNINGS",
            "BEGIN",
            "INSERT INTO t_order (order_id, user_id) VALUES (900, 1), (901, 2)",
            "CREATE TEMPORARY TABLE tv (a INT)",
            "DROP TEMPORARY TABLE tv",
            "ROLLBACK AND CHAIN",
            "SHOW WARNINGS",
            "ROLLBACK",
            "SHOW WARNINGS",
            "SELECT COUNT(*) FROM tt",
            "SELECT COUNT(*) FROM tu",
            "SELECT COUNT(*) FROM t_order",
            "DROP TEMPORARY TABLE tt",
            "DROP TEMPORARY TABLE tt"));
  }

  @ParameterizedTest
  @MethodSource("lives")
  void behavesAsOnOneServer(List<String> life) {
    same(life.toArray(String[]::new));
  }

  @Test
  void isOneSessionsAlone() throws SQLException {
    Transcript.of(proxied, "CREATE TEMPORARY TABLE t_item (x INT)");
    try (Connection other = fixture.throughProxy()) {
      assertThat(Transcript.of(other, "SELECT COUNT(*) FROM t_item").rows()).hasSize(1);
      assertThat(Transcript.of(proxied, "SELECT * FROM t_item").rows()).isEmpty();
      assertThat(Transcript.of(other, "SELECT item_id FROM t_item").rows()).hasSize(24);
    }
  }

  @Test
  void endsWithResetOfTheConnection() throws IOException {
    try (var client =
        new CommandProbe(
            fixture.proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, fixture.schema)) {
      assertThat(query(client, "CREATE TEMPORARY TABLE t_item (x INT)")).isEqualTo("OK");
      assertThat(query(client, "SELECT item_id FROM t_item")).isEqualTo("error 1054");
      assertThat(client.answer(RESET_CONNECTION)).isEqualTo("OK");
      assertThat(query(client, "SELECT item_id FROM t_item")).isEqualTo("a result");
    }
  }

  private static String query(CommandProbe client, String sql) throws IOException {
    return client.answer(("\u0003" + sql).getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void itsLossIsTold() throws SQLException {
    Transcript.of(proxied, "CREATE TEMPORARY TABLE t_item (x INT)");
    String connection = Transcript.of(proxied, "SELECT CONNECTION_ID(), x FROM t_item").head();
    assertThat(connection).doesNotStartWith("error");
    BrokenConnections.to("it_temporary", home);
    // nothing else than an error may come: t_item would mean the sharded table again
    for (int i = 0; i < 3; i++) {
      assertThat(Transcript.of(proxied, "SELECT * FROM t_item").isError()).isTrue();
    }
  }

  /** Servers look up what a view reads among the tables that last. */
  @ParameterizedTest
  @ValueSource(strings = {"t_dict", "T_Dict", "t_order", "v_named"})
  void noViewSeesThem(String name) throws SQLException {
    for (String sql :
        List.of(
            "CREATE VIEW v_named AS SELECT o.order_id, d.name FROM t_order o JOIN t_dict d ON"
                + " d.code = o.order_id",
            "CREATE VIEW v_counted AS SELECT name, COUNT(*) AS n FROM v_named GROUP BY name")) {
      assertThat(Transcript.of(proxied, sql).isError()).as(sql).isFalse();
    }
    try {
      List<String> reads =
          List.of(
              "SELECT * FROM v_named ORDER BY order_id",
              "SELECT name, n FROM v_counted ORDER BY name");
      List<Transcript> usual = reads.stream().map(sql -> Transcript.of(proxied, sql)).toList();
      Transcript.of(
          proxied,
          "CREATE TEMPORARY TABLE " + name + " (order_id INT, code INT, name VARCHAR(40))");
      for (int i = 0; i < reads.size(); i++) {
        boolean isNamed = reads.get(i).contains(name);
        Transcript beside = Transcript.of(proxied, reads.get(i));
        assertThat(isNamed || beside.isRefusal() || beside.equals(usual.get(i)))
            .as(reads.get(i) + " " + beside)
            .isTrue();
      }
      assertThat(Transcript.of(proxied, "DROP TEMPORARY TABLE " + name).isError()).isFalse();
      for (int i = 0; i < reads.size(); i++) {
        assertThat(Transcript.of(proxied, reads.get(i))).isEqualTo(usual.get(i));
      }
    } finally {
      Transcript.of(proxied, "DROP VIEW v_counted, v_named");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TEMPORARY TABLE t_order_1 (a INT)",
        "CREATE TEMPORARY TABLE tu AS SELECT o.order_id, tt.a FROM tt, t_order o",
        "CREATE TEMPORARY TABLE tu AS SELECT f.v FROM t_far f JOIN t_conf c ON c.k = f.k",
        "CREATE OR REPLACE TEMPORARY TABLE tt AS SELECT * FROM t_order",
        "CREATE TEMPORARY TABLE t_order AS SELECT * FROM t_order",
        "CREATE TABLE tt AS SELECT 1 AS a",
        "CREATE TABLE tt SELECT order_id FROM t_order",
        "CREATE TABLE IF NOT EXISTS tt (a INT) SELECT order_id AS a FROM t_order",
        "ALTER TABLE tt RENAME TO tu",
        "RENAME TABLE tt TO tu",
        "DROP TABLE tt, t_log",
      })
  void whatIsNotExactIsRefused(String sql) {
    Transcript.of(proxied, "CREATE TEMPORARY TABLE tt (a INT)");
    assertThat(Transcript.of(proxied, sql).isRefusal()).as(sql).isTrue();
    assertThat(Transcript.of(proxied, "SELECT * FROM tt").isError()).isFalse();
  }
}
