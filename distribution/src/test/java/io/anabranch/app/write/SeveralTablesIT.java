package io.anabranch.app.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that change or drop several tables, which lie apart. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class SeveralTablesIT {

  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_several");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  /** MariaDB has one note for all, MySQL has one for each. */
  @Test
  void theUnknownOfAListAreToldAsByAServer() throws SQLException {
    fixture.same(
        "DROP TABLE IF EXISTS none, t_item_old, t_auto",
        "CREATE TABLE near (k INT PRIMARY KEY)",
        "DROP TABLE IF EXISTS none, near, t_item_old, nowhere",
        "CREATE TABLE near (k INT PRIMARY KEY)",
        "DROP TABLE IF EXISTS near, t_auto",
        "CREATE TABLE near (k INT PRIMARY KEY)",
        "CREATE TABLE beside (k INT PRIMARY KEY)",
        "DROP TABLE IF EXISTS near, beside",
        "DROP TABLE IF EXISTS none, nowhere",
        "DROP TABLE IF EXISTS none");
  }

  @Test
  void columnsOfUnboundTablesAreSetTogether() throws SQLException {
    fixture.same(WritesFixture.EMPTYING.toArray(String[]::new));
    fixture.same(fixture.rows().toArray(String[]::new));
    fixture.same(
        "UPDATE t_order o JOIN t_log l ON l.id = o.order_id SET o.note = l.line, l.ratio = o.total, l.day = NULL WHERE o.order_id < 9",
        "UPDATE t_far f JOIN t_order o ON o.order_id = f.k SET f.v = 'seen', o.note = CONCAT(o.note, 'far')",
        "UPDATE t_order o LEFT JOIN t_log l ON l.id = o.order_id + 20 SET o.note = 'l', l.level = 'warn' WHERE o.user_id = 1",
        "UPDATE t_conf c, t_far f SET c.v = CONCAT(c.v, 'c'), f.v = CONCAT(f.v, 'f') WHERE c.k = f.k");
    fixture.same(WritesFixture.CONTENTS.toArray(String[]::new));
  }

  /** Beside a derived table servers set old values or new ones, as they find the rows. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "order_id IN (SELECT order_id FROM (SELECT order_id FROM t_order WHERE user_id > 0) k)",
        "order_id >= (SELECT MIN(o) FROM (SELECT order_id o FROM t_order) k)",
        "order_id NOT IN (SELECT o + 900 FROM (SELECT order_id o FROM t_order LIMIT 9) k)",
        "EXISTS (SELECT 1 FROM (SELECT order_id o FROM t_order) k WHERE k.o = t_order.order_id)"
            + " ORDER BY order_id LIMIT 3"
      })
  void whatIsSetBesideADerivedTableOfTheSameRows(String condition) throws SQLException {
    fixture.same(WritesFixture.EMPTYING.toArray(String[]::new));
    fixture.same(fixture.rows().toArray(String[]::new));
    String sql = "UPDATE t_order SET note = 'z', status = CONCAT(note, 'y') WHERE " + condition;
    try (Connection proxied = fixture.throughProxy()) {
      assertThat(Transcript.of(proxied, sql).head()).contains("AB2001", "'note' in SET");
    }
    fixture.same("UPDATE t_order SET status = CONCAT(note, 'y'), note = 'z' WHERE " + condition);
    fixture.same(WritesFixture.CONTENTS.toArray(String[]::new));
  }

  /** Old values are set where a subquery reads the table, new ones elsewhere; MySQL refuses it. */
  @Test
  void whatIsSetFromAnotherColumnIsSetAsByAServer() throws SQLException {
    fixture.same(WritesFixture.EMPTYING.toArray(String[]::new));
    fixture.same(fixture.rows().toArray(String[]::new));
    fixture.same(
        "UPDATE t_order SET note = 'x', status = CONCAT(note, 'y')",
        "UPDATE t_order SET note = 'z', status = CONCAT(note, 'y') WHERE order_id > (SELECT MIN(order_id) FROM t_order q)",
        "UPDATE t_order SET total = total + (SELECT COUNT(*) FROM t_order q), weight = total",
        "UPDATE t_log SET level = 'warn', line = level WHERE id IN (SELECT id FROM t_log q) ORDER BY id LIMIT 2");
    fixture.same(WritesFixture.CONTENTS.toArray(String[]::new));
  }

  /** MySQL refuses what MariaDB only warns of where it deletes, or sorts the rows first. */
  @Test
  void warningsOfWhatFindsRowsAreErrorsWhereAServerSaysSo() throws SQLException {
    fill();
    for (String sql :
        List.of(
            "DELETE o FROM t_order o JOIN t_log l ON l.id = o.order_id WHERE o.note > 4",
            "DELETE FROM t_order WHERE note > 4 ORDER BY order_id LIMIT 3",
            "DELETE FROM t_order WHERE order_id IN (SELECT id FROM t_log WHERE line > 4)",
            "UPDATE t_order SET total = 9 WHERE note > 4 ORDER BY order_id LIMIT 3",
            "UPDATE t_order o JOIN t_log l ON l.id = o.order_id SET o.total = 8 WHERE o.note > 4",
            "UPDATE IGNORE t_order SET total = 7 WHERE note > 4 ORDER BY order_id LIMIT 3")) {
      try (Connection proxied = fixture.throughProxy();
          Connection direct = fixture.onPlain()) {
        boolean isRefused = Transcript.of(direct, sql).isError();
        assertThat(Transcript.of(proxied, sql).isError()).as(sql).isEqualTo(isRefused);
      }
      fixture.same(WritesFixture.CONTENTS.toArray(String[]::new));
    }
  }

  /** Servers that are told which rows to change see a key in each statement. */
  @Test
  void nothingIsChangedByKeysUnderSafeUpdates() throws SQLException {
    fill();
    try (Connection proxied = fixture.throughProxy()) {
      Transcript.of(proxied, "SET sql_safe_updates = 1");
      for (String sql :
          List.of(
              "UPDATE t_order o LEFT JOIN t_log l ON l.line = o.note SET o.total = 1",
              "DELETE o FROM t_order o LEFT JOIN t_log l ON l.line = o.note WHERE l.id IS NULL",
              "UPDATE t_order SET total = 1 WHERE NOT EXISTS (SELECT * FROM t_log WHERE line = note)",
              "DELETE FROM t_order",
              "UPDATE t_order SET total = 1")) {
        assertThat(Transcript.of(proxied, sql).isError()).as(sql).isTrue();
      }
      fixture.same(WritesFixture.CONTENTS.toArray(String[]::new));
      Transcript.of(proxied, "SET sql_safe_updates = 0");
      assertThat(
              Transcript.of(
                      proxied,
                      "UPDATE t_order o LEFT JOIN t_log l ON l.line = o.note SET o.total = o.total")
                  .isError())
          .isFalse();
    }
  }

  private static void fill() throws SQLException {
    fixture.same(WritesFixture.EMPTYING.toArray(String[]::new));
    fixture.same(fixture.rows().toArray(String[]::new));
    fixture.same(
        "UPDATE t_order SET note = order_id",
        "UPDATE t_order SET note = '5x' WHERE order_id = 2",
        "UPDATE t_log SET line = id");
  }
}
