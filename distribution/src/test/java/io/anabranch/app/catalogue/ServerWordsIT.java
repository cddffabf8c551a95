package io.anabranch.app.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.WritesFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
        "CREATE TABLE nope.t_new (a INT)",
        "CREATE TABLE IF NOT EXISTS nope.t_new (a INT)",
        "CREATE TABLE nope.t_new LIKE t_order",
        "CREATE TABLE nope.t_new AS SELECT 1 AS a",
        "CREATE TABLE w_new LIKE nope.t_order",
        "CREATE TABLE w_new AS SELECT * FROM nope.t_order",
        "ALTER TABLE nope.t_order ADD COLUMN a INT",
        "TRUNCATE TABLE nope.t_order",
        "DROP TABLE nope.t_order",
        "DROP TABLE nope.t_order, nope2.t_item",
        "RENAME TABLE nope.t_order TO nope.t_new",
        "CREATE INDEX i ON nope.t_order (a)",
        "DROP INDEX i ON nope.t_order",
        "CREATE VIEW nope.v AS SELECT 1 AS a",
        "ALTER VIEW nope.v AS SELECT 1 AS a",
        "DROP VIEW nope.v",
        "CREATE TRIGGER t BEFORE INSERT ON nope.t_order FOR EACH ROW SET @a = 1",
        "LOCK TABLES nope.t_order READ",
        "LOCK TABLES t_order READ x",
        "LOCK TABLES t_order READ WRITE",
        "LOCK TABLES t_order WRITE x, t_item READ",
        "LOCK TABLES t_order READ LOCAL x",
        "LOCK TABLES t_order AS o",
        "EXECUTE IMMEDIATE 'SELECT 1 AS one'",
        "EXECUTE  IMMEDIATE @w_unset",
        "EXECUTE IMMEDIATE 'SELECT ? AS one' USING @w_unset",
        "SET GLOBAL w_nope = 1",
        "SET @@`sql_notes=1,@b=(select 5),@@session.sql_notes` = 1",
        "SET `sql_notes=1,@b=7,@@session.sql_notes` = 1",
        "SET SESSION `sql_notes = 1 -- ` = 1",
        "SET @@global.w_nope = 1, @a = 1",
        "SET GLOBAL last_insert_id = 1",
        "SET SESSION sort_buffer_size = 40000, GLOBAL w_nope = 1",
      })
  void ofErrors(String sql) throws SQLException {
    fixture.same(sql);
  }

  /** Of rows that fail on several data sources the first is told. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "(1, 'x', 1, 9), (2, '', 2, 9)",
        "(2, '', 2, 9), (1, 'x', 1, 9)",
        "(4, '4', 4, 9), (3, '3', 3, 9), (2, 'w', 2, 9), (1, 'v', 1, 9)",
      })
  void ofTheFirstRowThatFails(String rows) throws SQLException {
    fixture.same("INSERT INTO t_item (order_id, quantity, user_id, item_id) VALUES " + rows);
  }

  /** Nothing of a SET is done where a part of it is refused. */
  @Test
  void ofAListWithAGlobalVariableThatIsNone() throws SQLException {
    fixture.same(
        "SET @a = 1",
        "SET @a = 2, GLOBAL w_nope = 1",
        "SELECT @a",
        "SET sort_buffer_size = 40000, @@global.w_nope = 1",
        "SELECT @@sort_buffer_size");
  }

  /** A column that is left out is said once. */
  @Test
  void ofColumnsWithoutADefault() throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      for (String sql :
          List.of(
              "SET sql_mode = ''",
              "CREATE TABLE t_auto (id INT NOT NULL PRIMARY KEY, c INT NOT NULL, r INT NOT NULL)",
              "INSERT INTO t_auto (id) VALUES (5), (6), (7)",
              "DROP TABLE t_auto")) {
        Transcript answer = Transcript.of(proxied, sql);
        Transcript expected = Transcript.of(plain, sql);
        assertThat(answer.withSortedWarnings().head())
            .as(sql)
            .isEqualTo(expected.withSortedWarnings().head());
      }
    }
  }

  /** Commands that are no statements leave counts and warnings as on a server. */
  @Test
  void ofCommands() throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      assertThat(behindCommands(proxied, fixture.schema))
          .isEqualTo(behindCommands(plain, fixture.schema + "_plain"));
    }
  }

  private static List<String> behindCommands(Connection connection, String schema)
      throws SQLException {
    var seen = new ArrayList<String>();
    String change = "UPDATE t_conf SET v = CONCAT(v, 'x')";
    String warn = "SELECT CAST('x' AS SIGNED)";
    for (String first : List.of(change, warn)) {
      Transcript.of(connection, first);
      assertThat(connection.isValid(10)).isTrue();
      seen.add(left(connection, first));
      Transcript.of(connection, first);
      connection.setCatalog(schema);
      seen.add(left(connection, first));
      Transcript.of(connection, first);
      assertThatThrownBy(() -> connection.setCatalog("w_nope")).isInstanceOf(SQLException.class);
      seen.add(left(connection, first));
    }
    return seen;
  }

  private static String left(Connection connection, String first) {
    return first.startsWith("UPDATE")
        ? Transcript.of(connection, "SELECT ROW_COUNT()").rows().toString()
        : Transcript.of(connection, "SHOW WARNINGS").rows().toString();
  }

  /** What MySQL calls deprecated is called so where no server sees it. */
  @Test
  void ofDeprecatedSyntax() throws SQLException {
    fixture.same(
        "SELECT SQL_CALC_FOUND_ROWS order_id FROM t_order ORDER BY order_id LIMIT 2",
        "SHOW WARNINGS",
        "SELECT FOUND_ROWS()",
        "SHOW WARNINGS",
        "SELECT SQL_CALC_FOUND_ROWS order_id FROM t_order WHERE user_id = 1 AND order_id = 1",
        "SELECT FOUND_ROWS() + 1 AS n",
        "SHOW WARNINGS");
  }

  /** Of names of tables. */
  @Test
  void ofPatternsOfNames() throws SQLException {
    sameRows(
        "SHOW TABLES LIKE 't\\_i%'",
        "SHOW TABLES LIKE 'T\\_i%'",
        "SHOW FULL TABLES LIKE 'T%'",
        "SHOW TABLE STATUS LIKE 'T%'",
        "SHOW TRIGGERS LIKE 'T%'");
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

  /** What is said of the text is said where there are no rows, too; the rest in its order. */
  @Test
  void ofWarningsOfTheTextAndOfRows() throws SQLException {
    fixture.same(
        "INSERT INTO t_dict (code, name) SELECT order_id, 'x' FROM t_order WHERE order_id = 99"
            + " ON DUPLICATE KEY UPDATE name = VALUES(name)",
        "SHOW WARNINGS",
        "INSERT INTO t_order (order_id, user_id) SELECT k, k + 1 FROM t_conf WHERE k = 99"
            + " ON DUPLICATE KEY UPDATE note = VALUES(note), weight = VALUES(weight)",
        "SHOW WARNINGS",
        "INSERT IGNORE INTO t_far (k, v) SELECT order_id, REPEAT('long ', order_id * 4) FROM t_order"
            + " WHERE order_id < 4 ORDER BY order_id",
        "SHOW WARNINGS",
        "INSERT INTO t_far (k, v) SELECT order_id, 'y' FROM t_order WHERE order_id < 4"
            + " ORDER BY order_id ON DUPLICATE KEY UPDATE v = VALUES(v)",
        "SHOW WARNINGS",
        "DELETE FROM t_far WHERE k > 2");
  }

  /** No data source has both of the tables. */
  @Test
  void ofVariablesAssignedFromTablesThatAreApart() throws SQLException {
    fixture.same(
        "SELECT c.v, COUNT(*) INTO @v, @n FROM t_conf c LEFT JOIN t_far f ON f.k = c.k"
            + " WHERE c.k = 1 GROUP BY c.v",
        "SELECT @v, @n",
        "SELECT SQL_CALC_FOUND_ROWS c.k FROM t_conf c LEFT JOIN t_far f ON f.k = c.k"
            + " ORDER BY c.k LIMIT 1",
        "SELECT FOUND_ROWS()",
        "SELECT c.k INTO @v FROM t_conf c LEFT JOIN t_far f ON f.k = c.k");
  }

  /** Servers commit in front of a definition, and only then see that it fails. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "DROP TABLE w_nope",
        "ALTER TABLE w_nope ADD x INT",
        "RENAME TABLE w_nope TO w_nope2",
        "CREATE TABLE w_nope LIKE w_nope2",
        "CREATE TABLE w_made AS SELECT * FROM w_nope",
        "CREATE INDEX i ON w_nope (a)",
        "CREATE VIEW w_view AS SELECT * FROM w_nope",
        "CREATE TRIGGER w_trigger BEFORE INSERT ON w_nope FOR EACH ROW SET @a = 1",
        "TRUNCATE w_nope",
        "DROP VIEW w_nope",
        "DROP PROCEDURE w_nope",
        "LOCK TABLES w_nope READ",
        "ALTER TABLE t_order DROP COLUMN w_nope",
      })
  void ofTransactionsBehindDefinitionsThatFail(String definition) throws SQLException {
    fixture.same(
        "BEGIN",
        "INSERT INTO t_far (k, v) VALUES (900, 'kept'), (901, 'kept')",
        definition,
        "ROLLBACK",
        "SELECT * FROM t_far WHERE k >= 900 ORDER BY k",
        "DELETE FROM t_far WHERE k >= 900");
  }

  /** MySQL drops all of them or none; MariaDB those that are there. */
  @Test
  void ofTablesThatAreDroppedTogether() throws SQLException {
    fixture.same(
        "CREATE TABLE w_one (a INT)",
        "INSERT INTO w_one VALUES (1)",
        "BEGIN",
        "INSERT INTO w_one VALUES (2)",
        "DROP TABLE w_one, w_nope, w_nope2",
        "ROLLBACK",
        "SELECT * FROM w_one",
        "DROP TABLE IF EXISTS w_one");
  }

  /** Columns are called by their marker, and numbers have the type of a parameter. */
  @Test
  void ofParametersThatAreSelected() throws SQLException {
    fixture.same(
        "SET @one = 3, @two = 1.50",
        "PREPARE w FROM 'SELECT order_id, MOD(order_id, ?) FROM t_order"
            + " WHERE order_id < ? ORDER BY order_id LIMIT ?'",
        "EXECUTE w USING @one, @one, @one");
    sameRows(
        "SET @one = 3, @two = 1.50",
        "PREPARE w FROM 'SELECT order_id, ?, ? + 1 FROM t_order ORDER BY order_id LIMIT ?'",
        "EXECUTE w USING @two, @two, @one",
        "PREPARE w FROM 'SELECT user_id, ?, COUNT(*) FROM t_order GROUP BY user_id, 2"
            + " HAVING COUNT(*) >= ? ORDER BY user_id'",
        "EXECUTE w USING @one, @one",
        "DEALLOCATE PREPARE w");
  }

  /** MariaDB takes literals for markers, MySQL variables alone. */
  @Test
  void ofLiteralsForMarkers() throws SQLException {
    fixture.same(
        "SET @one = 3",
        "PREPARE w FROM 'SELECT order_id FROM t_order WHERE order_id < ? ORDER BY order_id'",
        "EXECUTE w USING 3",
        "EXECUTE w USING -1",
        "EXECUTE w USING @one, 3",
        "EXECUTE w USING 'x', @one",
        "EXECUTE w USING @one",
        "DEALLOCATE PREPARE w");
  }

  /** What the proxy answers itself is read to its end. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SHOW PROCESSLIST LIMIT 1",
        "SHOW FULL PROCESSLIST x",
        "SHOW COUNT(*) ERRORS x",
        "SHOW WARNINGS x",
        "SHOW WARNINGS LIMIT 1 x",
        "SHOW WARNINGS LIMIT 1.5",
        "SHOW DATABASES x",
        "SHOW TRIGGERS x",
        "UNLOCK TABLES x",
      })
  void ofTextBehindStatements(String sql) throws SQLException {
    fixture.same(sql);
  }

  @Test
  void ofAsManyWarningsAsTheSessionKeeps() throws SQLException {
    fixture.same(
        "SET max_error_count = 1",
        "INSERT IGNORE INTO t_conf (k, v) SELECT k, 'x' FROM t_conf ORDER BY k",
        "SELECT @@warning_count",
        "SHOW COUNT(*) WARNINGS",
        "SET max_error_count = DEFAULT");
  }

  /** On MySQL they are unique in a schema: those of a node have other names. */
  @Test
  void ofConstraints() throws SQLException {
    fixture.same(
        "ALTER TABLE t_order ADD CHECK (weight < 5000), ADD CONSTRAINT w_big CHECK (weight < 9000)",
        "CREATE TABLE w_single (a INT, CHECK (a > 1), CONSTRAINT w_c CHECK (a < 10))",
        "INSERT INTO t_order (order_id, user_id, weight) VALUES (901, 901, 6000)",
        "INSERT INTO t_order (order_id, user_id, weight) VALUES (902, 902, 9500)",
        "SELECT COUNT(*) FROM t_order WHERE order_id > 900");
    // the plain server's own catalogue has those of the nodes
    assertThat(constraints("check_constraints", "constraint_name IN ('w_big', 'w_c')"))
        .containsExactly("'w_big'|", "'w_c'|");
    assertThat(constraints("check_constraints", "constraint_name LIKE '%\\_order\\_%'"))
        .hasSizeLessThan(2);
    assertThat(
            constraints(
                "table_constraints", "table_name = 't_order' AND constraint_type = 'CHECK'"))
        .hasSize(2)
        .contains("'w_big'|");
    sameRows("SHOW CREATE TABLE t_order");
    fixture.same(
        "ALTER TABLE t_order DROP CONSTRAINT w_big",
        "ALTER TABLE t_order DROP CHECK t_order_chk_1",
        "ALTER TABLE t_order DROP CONSTRAINT w_big",
        "DROP TABLE w_single",
        "ALTER TABLE t_order DROP CONSTRAINT CONSTRAINT_1");
    assertThat(constraints("table_constraints", "constraint_type = 'CHECK'"))
        .noneMatch(name -> name.contains("order"));
  }

  private static List<String> constraints(String table, String condition) throws SQLException {
    String sql =
        "SELECT constraint_name FROM information_schema."
            + table
            + " WHERE constraint_schema = 'it_words' AND "
            + condition
            + " ORDER BY constraint_name";
    try (Connection proxied = fixture.throughProxy()) {
      return Transcript.of(proxied, sql).rows();
    }
  }

  /** Servers add up a number of each row, wherever it lies. */
  @Test
  void ofChecksums() throws SQLException {
    fixture.same(
        "CHECKSUM TABLE t_order",
        "CHECKSUM TABLE t_order, t_dict, t_log, t_far",
        "CHECKSUM TABLE t_item, t_nowhere EXTENDED",
        "CHECKSUM TABLE t_order QUICK",
        "CHECKSUM TABLE t_order, t_conf, t_order",
        "BEGIN",
        "DELETE FROM t_log WHERE id > 9",
        "CHECKSUM TABLE t_log",
        "ROLLBACK");
  }

  /** By MariaDB's {@code sql_mode=ORACLE} BEGIN begins a block, and ROWNUM needs no parentheses. */
  @Test
  void asOracleReadsThem() throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      if (!plain.getMetaData().getDatabaseProductName().equals("MariaDB")) {
        return;
      }
      var answers = new ArrayList<List<String>>();
      for (Connection each : List.of(plain, proxied)) {
        var told = new ArrayList<String>();
        answers.add(told);
        for (String sql :
            List.of(
                "SET sql_mode = CONCAT(@@sql_mode, ',ORACLE')",
                "BEGIN",
                "BEGIN WORK",
                "DELETE FROM t_order WHERE order_id < 0",
                "UPDATE t_order SET note = 'x' WHERE order_id < 3",
                "UPDATE t_dict SET name = name WHERE code < 0",
                "START TRANSACTION",
                "UPDATE t_order SET note = 'y'",
                "DELETE FROM t_log WHERE id > 9",
                "ROLLBACK",
                "SET autocommit = 0",
                "UPDATE t_order SET note = 'z'",
                "SELECT COUNT(*) FROM t_order WHERE note = 'z'",
                "COMMIT AND CHAIN",
                "DELETE FROM t_order WHERE order_id < 0",
                "ROLLBACK",
                "SET autocommit = 1")) {
          Transcript answer = Transcript.of(each, sql);
          told.add(sql + ": " + answer.withoutMessage());
        }
      }
      assertThat(answers.get(1)).isEqualTo(answers.get(0));
      for (String sql :
          List.of(
              "DELETE FROM t_order WHERE ROWNUM <= 2",
              "UPDATE t_order SET note = ROWNUM",
              "SELECT order_id FROM t_order o WHERE rownum <= 3",
              "SELECT order_id, ROWNUM FROM t_order")) {
        assertThat(Transcript.of(proxied, sql).head()).contains("ROWNUM() of a sharded table");
      }
    }
  }

  /** MariaDB's bound of what a server looks at says nothing of several. */
  @Test
  void rowsExamined() throws SQLException {
    try (Connection proxied = fixture.throughProxy();
        Connection plain = fixture.onPlain()) {
      if (plain.getMetaData().getDatabaseProductName().equals("MariaDB")) {
        for (String all :
            List.of(
                "SELECT order_id FROM t_order LIMIT 3 ROWS EXAMINED 99",
                "SELECT order_id FROM t_order ORDER BY order_id LIMIT 3 ROWS EXAMINED 2")) {
          assertThat(Transcript.of(proxied, all).head())
              .contains("LIMIT … ROWS EXAMINED of sharded tables");
        }
      }
    }
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
        "DELETE FROM t_order WHERE ROWNUM() <= 2",
        "UPDATE t_order SET note = 'x' WHERE rownum () <= 2",
        "SELECT order_id FROM t_order WHERE ROWNUM() <= 3",
        "SELECT MAX(ROWNUM()) FROM t_order",
      })
  void ofRowsAsTheyWere(String sql) throws SQLException {
    String construct =
        sql.toUpperCase(Locale.ROOT).contains("ROWNUM")
            ? "ROWNUM()"
            : sql.startsWith("DELETE")
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
