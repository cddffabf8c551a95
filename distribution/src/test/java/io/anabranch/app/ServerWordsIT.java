package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

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

/** What the proxy answers itself, it answers as the kind of server that it stands for. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class ServerWordsIT {

  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_words");
    fixture.same(fixture.rows().toArray(String[]::new));
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM nope.t_order",
        "SELECT o.order_id FROM t_order o JOIN nope.t_item i ON i.order_id = o.order_id",
        "INSERT INTO nope.t_order (order_id) VALUES (1)",
        "UPDATE nope.t_order SET note = 'x'",
        "DELETE FROM nope.t_order",
        "SHOW GRANTS FOR nobody@nowhere",
      })
  void ofErrors(String sql) throws SQLException {
    fixture.same(sql);
  }

  /** MySQL tells the columns of the list apart from the query. */
  @Test
  void ofViewsWithAListOfColumns() throws SQLException {
    sameRows(
        "CREATE VIEW w_sums (st, n) AS SELECT status, COUNT(*) FROM t_order GROUP BY status",
        "SELECT * FROM w_sums ORDER BY st",
        "SELECT w.st FROM w_sums w WHERE w.n > 1 ORDER BY 1",
        "CREATE VIEW w_pairs (a, b) AS SELECT order_id, user_id FROM t_order WHERE order_id > 3",
        "SELECT a, b FROM w_pairs ORDER BY a",
        "SELECT b, COUNT(*) FROM w_pairs GROUP BY b ORDER BY b",
        "CREATE VIEW w_swapped (user_id, order_id) AS SELECT order_id, user_id FROM t_order",
        "SELECT user_id, order_id FROM w_swapped ORDER BY user_id",
        "CREATE VIEW w_top (who, many) AS SELECT user_id, COUNT(*) AS n FROM t_order GROUP BY user_id HAVING n > 4 ORDER BY n DESC, user_id",
        "SELECT who, many FROM w_top ORDER BY many, who",
        "DROP VIEW w_sums, w_pairs, w_swapped, w_top");
  }

  private static void sameRows(String... statements) throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      for (String sql : statements) {
        Transcript answer = Transcript.of(proxied, sql);
        Transcript expected = Transcript.of(plain, sql);
        assertThat(answer.isError()).as(sql + ": " + answer.head()).isEqualTo(expected.isError());
        assertThat(answer.rows()).as(sql).isEqualTo(expected.rows());
      }
    }
  }

  /** Warnings of a statement stay those of the statement. */
  @Test
  void ofWarningsBehindInsertSelect() throws SQLException {
    fixture.same(
        "SET sql_mode = ''",
        "INSERT INTO t_conf (k, v) SELECT k + 100, REPEAT('long ', 20) FROM t_conf WHERE k = 1",
        "SHOW WARNINGS",
        "INSERT INTO t_conf (k, v) SELECT k + 200, 'x' FROM t_conf WHERE k = 1",
        "SHOW WARNINGS",
        "DELETE FROM t_conf WHERE k > 100");
  }

  /** Constructs of MariaDB that stand between a table and its alias. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM t_order FOR SYSTEM_TIME ALL",
        "SELECT x.order_id FROM t_order FOR SYSTEM_TIME AS OF NOW() x WHERE x.order_id = 1",
        "SELECT 1 FROM t_order FOR SYSTEM_TIME FROM NOW() TO NOW()",
        "UPDATE t_order FOR PORTION OF p FROM '2020-01-01' TO '2021-01-01' SET note = 'x'",
        "DELETE HISTORY FROM t_order",
        "DELETE HISTORY FROM t_order BEFORE SYSTEM_TIME NOW()",
      })
  void ofRowsAsTheyWere(String sql) throws SQLException {
    String construct =
        sql.startsWith("DELETE")
            ? "DELETE HISTORY"
            : sql.startsWith("UPDATE") ? "FOR PORTION OF" : "FOR SYSTEM_TIME";
    try (Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      Transcript answer = Transcript.of(proxied, sql);
      if (plain.getMetaData().getDatabaseProductName().equals("MariaDB")) {
        assertThat(answer.head()).contains("AB2002").contains(construct + " of a sharded table");
      } else {
        assertThat(answer.withoutMessage().head())
            .isEqualTo(Transcript.of(plain, sql).withoutMessage().head());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SHOW WARNINGS",
        "SHOW ERRORS",
        "SHOW COUNT(*) WARNINGS",
        "SAVEPOINT a",
        "BEGIN",
        "ROLLBACK TO nothing",
        "CHECK TABLE t_conf",
      })
  void ofWhatCannotBePrepared(String sql) throws SQLException {
    try (Connection proxied = fixture.throughProxy("useServerPrepStmts=true");
        Connection plain = fixture.onPlain("useServerPrepStmts=true")) {
      var comparison =
          new Comparison(
              proxied, plain, answer -> answer.replace(fixture.schema + "_plain", fixture.schema));
      comparison.same("PREPARE p FROM '" + sql + "'", "SHOW WARNINGS", "ROLLBACK");
    }
  }
}
