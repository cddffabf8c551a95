package io.anabranch.app.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors of statements over shards are those of one plain database, word for word. */
@Tag("quick")
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class LogicalErrorsIT {

  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_errors");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DROP TABLE nosuch",
        "DROP TABLE nosuch, nothing",
        "SELECT nofunc(status) FROM t_order",
        "SELECT nofunc(status) FROM t_order WHERE user_id = 1 AND order_id = 1",
        "SELECT nofunc(a.sku) FROM t_item a JOIN t_item b ON a.quantity = b.quantity",
        "UPDATE t_order SET note = nofunc(status)",
        "SELECT nothing FROM t_order",
        "INSERT INTO t_order (nosuch) VALUES (13)",
        "INSERT INTO t_order (order_id, nosuch, user_id) VALUES (13, 1, 1), (14, 2, 2)",
        "INSERT INTO t_order (user_id) VALUES (13)",
        "INSERT INTO t_order SET order_id = 13",
        "INSERT INTO t_order (order_id, user_id) VALUES (DEFAULT, 1)",
        "INSERT INTO t_order (order_id, user_id) VALUES (NULL, 1)",
        "INSERT INTO t_order (order_id, user_id) VALUES (1, 2), (3, NULL)",
        "INSERT INTO t_order (order_id, user_id) VALUES (1, 2, 3)",
        "DROP VIEW nosuch",
        "SELEC * FROM t_order",
      })
  void areThoseOfOneDatabase(String sql) throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      Transcript expected = Transcript.of(plain, sql);
      assertThat(expected.isError()).as(expected.head()).isTrue();
      assertThat(Transcript.of(proxied, sql).head())
          .isEqualTo(expected.head().replace(fixture.schema + "_plain", fixture.schema));
    }
  }

  @Test
  void dropsTheTablesThatAreThereAndNamesTheOthers() throws SQLException {
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      dropSome(plain, fixture.schema + "_plain");
      dropSome(proxied, fixture.schema);
    }
  }

  private static void dropSome(Connection connection, String schema) {
    assertThat(Transcript.of(connection, "DROP TABLE nosuch, t_log, nothing").head())
        .isEqualTo(
            "error 1051 42S02 Unknown table '%s.nosuch,%s.nothing'".formatted(schema, schema));
    Transcript left = Transcript.of(connection, "SELECT * FROM t_log");
    if (DatabaseServers.areMySql()) {
      assertThat(left.isError()).as("MySQL drops all or none").isFalse();
      assertThat(Transcript.of(connection, "DROP TABLE t_log").isError()).isFalse();
    } else {
      assertThat(left.head()).contains("1146");
    }
    assertThat(Transcript.of(connection, "DROP TABLE IF EXISTS nosuch").head())
        .contains("Unknown table '" + schema + ".nosuch'");
    Transcript made = Transcript.of(connection, "CREATE TABLE t_log (id INT NOT NULL PRIMARY KEY)");
    assertThat(made.isError()).as(made.head()).isFalse();
  }

  @Test
  void constantsPlaceRows() throws SQLException {
    String insert =
        "INSERT INTO t_item (item_id, order_id, user_id) VALUES (1, 1 + 20, 2 * 3), (2, -(-22),"
            + " CAST('7' AS SIGNED)), (3, 7 DIV 2 + 30, 7 % 4), (4, 5*5, CAST(2.5 AS UNSIGNED)),"
            + " (5, (1 + 2) * 3 - 10, 7 MOD 2)";
    try (Connection plain = fixture.onPlain();
        Connection proxied = fixture.throughProxy()) {
      for (String sql :
          new String[] {
            insert,
            "SELECT * FROM t_item WHERE order_id = 21 AND user_id = 6",
            "SELECT * FROM t_item WHERE order_id = 22 AND user_id = 7",
            "SELECT * FROM t_item WHERE order_id = 33 AND user_id = 3",
            "SELECT * FROM t_item WHERE order_id = 25 AND user_id = 3",
            "SELECT * FROM t_item WHERE order_id = -1 AND user_id = 1",
            "SELECT * FROM t_item WHERE order_id = 1 + 20 AND user_id = 2 * 3",
            "SELECT * FROM t_item WHERE order_id = -(-22) AND user_id = CAST('7' AS SIGNED)",
          }) {
        assertThat(Transcript.of(proxied, sql)).as(sql).isEqualTo(Transcript.of(plain, sql));
      }
      for (String value : new String[] {"1/0", "9223372036854775807+1"}) {
        String sql = "INSERT INTO t_item (item_id, order_id, user_id) VALUES (9, " + value + ", 1)";
        assertThat(Transcript.of(proxied, sql).head()).as(sql).contains("AB2003");
      }
    }
  }
}
