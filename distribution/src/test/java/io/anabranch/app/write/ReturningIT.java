package io.anabranch.app.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes of several nodes answer with the rows of all of them. */
@ExtendWith(MariaDbServers.Resolver.class)
class ReturningIT {

  private static WritesFixture fixture;
  private Connection plain;
  private Connection proxied;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_returning");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @BeforeEach
  void connect() throws SQLException {
    plain = fixture.onPlain();
    proxied = fixture.throughProxy();
    fixture.rows().forEach(this::both);
  }

  @AfterEach
  void disconnect() throws SQLException {
    WritesFixture.EMPTYING.forEach(this::both);
    plain.close();
    proxied.close();
  }

  private void both(String sql) {
    Transcript expected = Transcript.of(plain, sql);
    assertThat(Transcript.of(proxied, sql)).as(sql).isEqualTo(expected);
  }

  private void sameRows() {
    WritesFixture.CONTENTS.forEach(this::both);
  }

  /** Rows of a DELETE come one node after the other, as nobody has said how they come. */
  private static Transcript unordered(String sql, Transcript answer) {
    return sql.startsWith("DELETE")
        ? new Transcript(answer.head(), answer.rows().stream().sorted().toList())
        : answer;
  }

  static Stream<String> statements() {
    return Stream.of(
        "INSERT INTO t_order (order_id, user_id) VALUES (101, 1), (102, 2), (103, 1), (104, 7) RETURNING order_id, status, order_id + 1, CONCAT(t_order.status, 'x') AS q",
        "INSERT INTO t_order (order_id, user_id) VALUES (101, 1) RETURNING *",
        "REPLACE INTO t_order (order_id, user_id) VALUES (1, 1), (102, 2), (102, 2), (103, 1) RETURNING order_id, user_id, note",
        "INSERT INTO t_order (order_id, user_id) VALUES (1, 1), (102, 2), (103, 1) ON DUPLICATE KEY UPDATE note = 'dup' RETURNING order_id, note",
        "INSERT INTO t_log SELECT id + 50, level, line, data, flags, day, doc, ratio, taken FROM t_log ORDER BY id RETURNING *",
        "REPLACE INTO t_order (order_id, user_id) SELECT order_id, user_id FROM t_order ORDER BY order_id RETURNING order_id, note",
        "INSERT INTO t_order (order_id, user_id) SELECT id, id FROM t_log WHERE id > 999 RETURNING order_id, status, order_id + 1 AS q",
        "DELETE FROM t_order WHERE order_id > 999 LIMIT 2 RETURNING order_id, status",
        "REPLACE INTO t_log SELECT * FROM t_log WHERE day > '2100-01-01' RETURNING *",
        "INSERT INTO t_dict (code, name) SELECT k, v FROM t_far WHERE k > 99 ON DUPLICATE KEY UPDATE name = 'x' RETURNING *",
        "INSERT INTO t_dict (code, name) VALUES (7, 'seven'), (8, 'eight') RETURNING code, name",
        "INSERT INTO t_dict (code, name) SELECT k + 10, v FROM t_far ORDER BY k RETURNING *",
        "INSERT INTO t_conf (v) VALUES ('p'), ('q') RETURNING v",
        "INSERT INTO t_far (k, v) VALUES (7, 'p') RETURNING k",
        "INSERT INTO t_far SELECT order_id, status FROM t_order WHERE order_id > 20 ORDER BY order_id RETURNING k, v",
        "DELETE FROM t_order WHERE order_id > 20 RETURNING order_id, t_order.user_id * 2, CONCAT(t_order.status, 'x'), note",
        "DELETE FROM t_order WHERE order_id = 2 AND user_id = 2 RETURNING *",
        "DELETE FROM t_log ORDER BY id DESC LIMIT 5 RETURNING *",
        "DELETE FROM t_order WHERE order_id IN (SELECT k FROM t_far) RETURNING order_id",
        "DELETE FROM t_order WHERE 1 = 0 RETURNING *",
        "DELETE FROM t_dict WHERE code > 1 RETURNING code, UPPER(name)",
        "DELETE FROM t_conf RETURNING v",
        "INSERT INTO t_order (order_id, user_id) VALUES (101, 1), (102, 2) RETURNING nothing",
        "INSERT INTO t_order (order_id, user_id) VALUES (101, 1), (102, 2) RETURNING COUNT(*)",
        "DELETE t_order FROM t_order WHERE order_id > 100 RETURNING *");
  }

  @ParameterizedTest
  @MethodSource("statements")
  void returnsTheRowsOfAllNodes(String sql) throws SQLException {
    Transcript expected = unordered(sql, Transcript.of(plain, sql));
    assertThat(unordered(sql, Transcript.of(proxied, sql))).as(sql).isEqualTo(expected);
    both("SELECT ROW_COUNT()");
    sameRows();
  }

  @ParameterizedTest
  @MethodSource("statements")
  void returnsThemToPreparedStatements(String sql) throws SQLException {
    try (Connection plainBinary = fixture.onPlain("useServerPrepStmts=true");
        Connection proxiedBinary = fixture.throughProxy("useServerPrepStmts=true")) {
      Transcript expected = unordered(sql, Transcript.prepared(plainBinary, sql));
      assertThat(unordered(sql, Transcript.prepared(proxiedBinary, sql)))
          .as(sql)
          .isEqualTo(expected);
    }
    sameRows();
  }

  @Test
  void takesParameters() throws SQLException {
    String sql =
        "INSERT INTO t_order (order_id, user_id, note) VALUES (?, ?, ?), (?, ?, ?) RETURNING order_id, CONCAT(note, ?)";
    Object[] values = {101, 1, "a", 102, 2, "b", "!"};
    try (Connection plainBinary = fixture.onPlain("useServerPrepStmts=true");
        Connection proxiedBinary = fixture.throughProxy("useServerPrepStmts=true")) {
      assertThat(Transcript.of(proxiedBinary, sql, values))
          .isEqualTo(Transcript.of(plainBinary, sql, values));
      String deletion = "DELETE FROM t_order WHERE order_id > ? RETURNING order_id + ?";
      assertThat(unordered(deletion, Transcript.of(proxiedBinary, deletion, 22, 5)))
          .isEqualTo(unordered(deletion, Transcript.of(plainBinary, deletion, 22, 5)));
    }
    sameRows();
  }

  @Test
  void leavesRowsOutThatIgnoreLeavesOut() {
    String sql =
        "INSERT IGNORE INTO t_order (order_id, user_id) VALUES (1, 1), (102, 2), (102, 2), (103, 1) RETURNING order_id, user_id";
    Transcript expected = Transcript.of(plain, sql);
    assertThat(Transcript.of(proxied, sql).rows())
        .containsExactlyInAnyOrderElementsOf(expected.rows());
    sameRows();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t_order (order_id, user_id) VALUES (101, 1), (2, 2) RETURNING order_id",
        "INSERT INTO t_order (order_id, user_id) SELECT order_id, user_id FROM t_order RETURNING order_id",
      })
  void leavesNothingBehindWhenItFails(String sql) {
    assertThat(Transcript.of(plain, sql).head()).startsWith("error 1062");
    assertThat(Transcript.of(proxied, sql).head()).startsWith("error 1062");
    sameRows();
  }

  /** Keys that databases have made, and of those that the proxy makes the first. */
  @Test
  void tellsKeys() throws SQLException {
    both("ALTER TABLE t_conf AUTO_INCREMENT = 50");
    for (String sql :
        List.of(
            "INSERT INTO t_conf (v) VALUES ('a'), ('b') RETURNING k",
            "SELECT LAST_INSERT_ID()",
            "INSERT INTO t_conf (v) SELECT note FROM t_order ORDER BY order_id LIMIT 3 RETURNING k, v",
            "SELECT LAST_INSERT_ID()",
            "INSERT INTO t_conf (k, v) VALUES (500, 'c') RETURNING k",
            "SELECT LAST_INSERT_ID()")) {
      both(sql);
    }
    try (Statement statement = proxied.createStatement()) {
      List<Long> keys = new ArrayList<>();
      String insert = "INSERT INTO t_key (name) VALUES ('a'), ('b'), ('c'), ('d') RETURNING id";
      try (ResultSet rows = statement.executeQuery(insert)) {
        while (rows.next()) {
          keys.add(rows.getLong(1));
        }
      }
      assertThat(new HashSet<>(keys)).hasSize(4);
      try (ResultSet last = statement.executeQuery("SELECT LAST_INSERT_ID()")) {
        assertThat(last.next()).isTrue();
        assertThat(last.getLong(1)).isEqualTo(keys.getFirst());
      }
      assertThat(statement.executeUpdate("DELETE FROM t_key")).isEqualTo(4);
    }
  }

  /** A transaction keeps its connections, and with them what an earlier statement's rows left. */
  @Test
  void takesNoEarlierKeyForItsOwn() {
    for (String sql :
        List.of(
            "BEGIN",
            "INSERT INTO t_conf (v) VALUES ('a'), ('b') RETURNING v",
            "SELECT LAST_INSERT_ID(0) FROM t_far WHERE k = 1",
            "DELETE FROM t_dict WHERE code > 2 RETURNING code",
            "SELECT LAST_INSERT_ID()",
            "COMMIT")) {
      both(sql);
    }
  }

  @Test
  void namesNoActualTable() {
    Transcript answer =
        Transcript.of(
            proxied,
            "INSERT INTO t_order (order_id, user_id) VALUES (101, 1) RETURNING CONCAT(t_order.note, 'x')");
    assertThat(answer.isRefusal()).as(answer.head()).isTrue();
    sameRows();
  }
}
