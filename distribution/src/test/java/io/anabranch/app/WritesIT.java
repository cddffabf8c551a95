package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that write answer as on one plain database, and leave the same rows. */
@ExtendWith(MariaDbServers.Resolver.class)
class WritesIT {

  private static WritesFixture fixture;
  private Connection plain;
  private Connection proxied;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_writes");
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

  private void both(String sql, Object... parameters) {
    Transcript expected = Transcript.of(plain, sql, parameters);
    assertThat(expected.isError()).as("%s: %s", sql, expected.head()).isFalse();
    assertThat(Transcript.of(proxied, sql, parameters)).as(sql).isEqualTo(expected);
  }

  private void sameRows() {
    WritesFixture.CONTENTS.forEach(this::both);
  }

  static Stream<String> insertsOfQueries() {
    return Stream.of(
        "INSERT INTO t_order SELECT order_id + 100, user_id, status, total, weight, placed, note FROM t_order",
        "INSERT INTO t_order (order_id, user_id, total) SELECT id, 3, flags FROM t_log WHERE id > 20 ON DUPLICATE KEY UPDATE note = 'twice', total = VALUES(total)",
        "REPLACE INTO t_order (order_id, user_id, note) SELECT order_id, user_id, CONCAT(note, '\u00e9') FROM t_order WHERE order_id < 12",
        "INSERT INTO t_log SELECT id + 50, level, line, data, flags, day, doc, ratio, taken FROM t_log",
        "INSERT INTO t_log (id, line) SELECT user_id + 1000, GROUP_CONCAT(order_id ORDER BY order_id) FROM t_order WHERE user_id = 2 AND order_id = 2 GROUP BY user_id",
        "INSERT INTO t_log (id, ratio) SELECT 1000 + user_id, SUM(total) FROM t_order GROUP BY user_id",
        "INSERT INTO t_conf (v) SELECT note FROM t_order ORDER BY order_id LIMIT 7",
        "INSERT INTO t_conf (v) SELECT v FROM t_conf",
        "INSERT INTO t_far SELECT k + 10, v FROM t_conf",
        "INSERT INTO t_far SELECT order_id + 10, status FROM t_order WHERE user_id = 1",
        "INSERT INTO t_dict (code, name) SELECT order_id + 10, status FROM t_order",
        "INSERT INTO t_order (order_id, user_id) SELECT code + 200, code FROM t_dict",
        "INSERT INTO t_order (order_id, user_id) SELECT 300, 4",
        "INSERT INTO t_order (order_id, user_id, note) SELECT 300, 4, 'x' FROM t_order WHERE order_id > 1000",
        "INSERT INTO t_order (order_id, user_id) (SELECT 301, 1) UNION ALL (SELECT 302, 2)");
  }

  @ParameterizedTest
  @MethodSource("insertsOfQueries")
  void insertsTheRowsOfQueries(String sql) {
    both(sql);
    sameRows();
  }

  @ParameterizedTest
  @MethodSource("insertsOfQueries")
  void preparedInsertsOfQueriesDoTheSame(String sql) throws SQLException {
    try (Connection plainBinary = fixture.onPlain("useServerPrepStmts=true");
        Connection proxiedBinary = fixture.throughProxy("useServerPrepStmts=true")) {
      String prepared =
          sql.contains(" WHERE ") ? sql.replaceFirst(" WHERE ", " WHERE ? = 1 AND ") : sql;
      Object[] one = sql.equals(prepared) ? new Object[0] : new Object[] {1};
      Transcript expected = Transcript.of(plainBinary, prepared, one);
      assertThat(Transcript.of(proxiedBinary, prepared, one)).as(prepared).isEqualTo(expected);
    }
    sameRows();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t_order (order_id, user_id) SELECT order_id, user_id FROM t_order",
        "INSERT INTO t_order (order_id, user_id, status) SELECT order_id + 100, user_id, IF(order_id = 20, NULL, 'x') FROM t_order",
        "INSERT INTO t_order (order_id, user_id) SELECT 1, 2, 3",
        "INSERT INTO t_log (id, line) SELECT order_id + 100, REPEAT('long', 40) FROM t_order",
      })
  void leavesNothingBehindWhenAQueryCannotBeInserted(String sql) throws SQLException {
    Transcript expected = Transcript.of(plain, sql).withoutMessage();
    assertThat(expected.isError()).isTrue();
    assertThat(Transcript.of(proxied, sql).withoutMessage()).as(sql).isEqualTo(expected);
    sameRows();
    plain.setAutoCommit(false);
    proxied.setAutoCommit(false);
    both("UPDATE t_order SET note = 'kept' WHERE order_id < 5");
    assertThat(Transcript.of(plain, sql).withoutMessage()).isEqualTo(expected);
    assertThat(Transcript.of(proxied, sql).withoutMessage()).as(sql).isEqualTo(expected);
    sameRows();
    plain.setAutoCommit(true);
    proxied.setAutoCommit(true);
    sameRows();
  }
}
