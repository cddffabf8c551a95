package io.anabranch.app.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A session sees nothing of the one before it, although both have the only connection that there
 * is: whatever state was left, all answers are those of a fresh connection.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class PooledConnectionIT {

  private static final String SCHEMA = "it_pooled";

  /** What waits for a lock that was left fails instead. */
  private static final String NOT_FOREVER = "socketTimeout=60000";

  private static final int SYNTAX = 1064;

  /** What a session can see of its connection. */
  private static final List<String> QUESTIONS =
      List.of(
          "SELECT LAST_INSERT_ID(), ROW_COUNT()",
          "SHOW WARNINGS",
          "SELECT @@last_insert_id, @@insert_id, @@identity, @@error_count",
          "SELECT @a, @b, @c",
          "SELECT REPLACE(@@sql_mode, 'IGNORE_SPACE,', ''), @@time_zone, @@max_join_size, @@sql_select_limit, @@lc_time_names",
          "SELECT @@tx_isolation, @@tx_read_only, @@in_transaction",
          "SELECT @@transaction_isolation, @@transaction_read_only",
          "SELECT @@autocommit",
          "SELECT @@unique_checks, @@foreign_key_checks, @@sql_safe_updates, @@div_precision_increment",
          "SELECT @@character_set_client, @@character_set_connection, @@character_set_results, @@collation_connection",
          "SELECT @@group_concat_max_len, @@wait_timeout, @@lock_wait_timeout, @@timestamp > 1000000",
          "SELECT 'a\\'b', 1/3, 'x' || 'y'",
          "SELECT DATABASE()",
          "SELECT * FROM temporary_one",
          "EXECUTE s",
          "SELECT IS_FREE_LOCK('pooled'), IS_USED_LOCK('pooled')",
          "INSERT INTO free VALUES (1)",
          "DELETE FROM free",
          "HANDLER h READ FIRST",
          "SELECT COUNT(*) FROM keyed");

  private static DatabaseServer behind;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    behind = servers.primaryB();
    behind.execute(
        "DROP DATABASE IF EXISTS " + SCHEMA,
        "CREATE DATABASE " + SCHEMA,
        "CREATE TABLE " + SCHEMA + ".keyed (id INT PRIMARY KEY AUTO_INCREMENT, a INT)",
        "CREATE TABLE " + SCHEMA + ".free (a INT)",
        "CREATE TABLE " + SCHEMA + ".triggered (a INT)",
        "CREATE FUNCTION "
            + SCHEMA
            + ".assigns() RETURNS INT READS SQL DATA BEGIN SET @a = 5; RETURN 1; END",
        "CREATE FUNCTION "
            + SCHEMA
            + ".makes() RETURNS INT READS SQL DATA BEGIN"
            + " CREATE TEMPORARY TABLE IF NOT EXISTS it_pooled.temporary_one (a INT); RETURN 1; END",
        "CREATE VIEW " + SCHEMA + ".viewed AS SELECT " + SCHEMA + ".assigns() AS a",
        "CREATE TRIGGER "
            + SCHEMA
            + ".t BEFORE INSERT ON "
            + SCHEMA
            + ".triggered FOR EACH ROW SET @b = NEW.a");
    String source =
        RunningProxy.source("ds_0", behind, SCHEMA).replace("maxPoolSize: 10", "maxPoolSize: 1");
    proxy =
        RunningProxy.start(
            List.of(), "databaseName: " + SCHEMA + "\ndataSources:\n" + source + "rules: []\n");
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1",
        "SET @a = 1, @b = 'x', @c = 1.5",
        "SELECT @a := 5, @b := 'y'",
        "SELECT 7 INTO @c",
        "SET sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES'",
        "SET time_zone = '+05:00', max_join_size = 77, sql_select_limit = 3, lc_time_names = 'de_DE'",
        "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ ONLY",
        "SET TRANSACTION READ ONLY",
        "SET autocommit = 0",
        "BEGIN; INSERT INTO keyed (a) VALUES (4)",
        "START TRANSACTION READ ONLY; SELECT * FROM keyed",
        "SET unique_checks = 0, foreign_key_checks = 0, sql_safe_updates = 1, div_precision_increment = 9",
        "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
        "SET collation_connection = latin1_german1_ci",
        "SET character_set_results = NULL",
        "SET group_concat_max_len = 9, wait_timeout = 99, lock_wait_timeout = 98",
        "SET timestamp = 1000",
        "CREATE TEMPORARY TABLE temporary_one (a INT)",
        "LOCK TABLES free READ",
        "FLUSH TABLES WITH READ LOCK",
        "SELECT GET_LOCK('pooled', 1)",
        "DO GET_LOCK('pooled', 1)",
        "PREPARE s FROM 'SELECT 1'",
        "INSERT INTO keyed (a) VALUES (1); ROLLBACK",
        "SELECT LAST_INSERT_ID(99)",
        "SET insert_id = 40",
        "SET last_insert_id = 41",
        "SELECT SQL_CALC_FOUND_ROWS * FROM free LIMIT 1",
        "SET @x = CAST('a' AS SIGNED)",
        "SELECT nonsense",
        "HANDLER free OPEN AS h",
        "USE information_schema",
        "XA START 'pooled'",
      })
  void nothingIsLeft(String statements) throws SQLException {
    nothingIsLeftBy(statements.split(";", -1));
  }

  /** The statement's text does not tell what it does to the connection. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT assigns()",
        "SELECT * FROM viewed",
        "UPDATE keyed SET a = assigns()",
        "INSERT INTO triggered VALUES (7)",
        "SET @c = assigns()",
        "SET @c = it_pooled.assigns() + 1",
        "SET STATEMENT lock_wait_timeout = 1 FOR SELECT assigns()",
        "SELECT makes()",
        "DO makes()",
        "EXECUTE IMMEDIATE 'SET @a = 3'",
        "EXECUTE IMMEDIATE 'SET autocommit = 0'",
        "EXECUTE IMMEDIATE 'SET NAMES utf8mb4 COLLATE utf8mb4_bin'",
        "EXECUTE IMMEDIATE 'LOCK TABLES free READ'",
        "EXECUTE IMMEDIATE 'CREATE TEMPORARY TABLE temporary_one (a INT)'",
        "EXECUTE IMMEDIATE 'USE mysql'",
        "EXECUTE IMMEDIATE 'DO GET_LOCK(''pooled'', 0)'",
        "BEGIN NOT ATOMIC SET @a = 7; END",
        "BEGIN NOT ATOMIC SET autocommit = 0; END",
        "BEGIN NOT ATOMIC CREATE TEMPORARY TABLE temporary_one (a INT); END",
        "BEGIN NOT ATOMIC PREPARE s FROM 'SELECT 1'; END",
        "BEGIN NOT ATOMIC START TRANSACTION; INSERT INTO keyed (a) VALUES (9); END",
        "IF 1 THEN SET sql_mode = 'ANSI_QUOTES'; END IF",
        "FOR i IN 1..1 DO SET @b = 9; END FOR",
        "WHILE @a IS NULL DO SET @a = 9; END WHILE",
        "REPEAT SET @a = 9; UNTIL 1 END REPEAT",
        "CASE 1 WHEN 1 THEN SET @a = 9; END CASE",
        "BEGIN NOT ATOMIC here: LOOP SET @c = 9; LEAVE here; END LOOP; END",
        "CREATE OR REPLACE TABLE free SELECT GET_LOCK('pooled', 0) AS a",
        "CREATE TABLE made SELECT GET_LOCK('pooled', 0) AS a",
        "SET @c = (SELECT GET_LOCK('pooled', 0))",
        "INSERT INTO keyed (a) VALUES (GET_LOCK('pooled', 0))",
        "DELETE FROM keyed WHERE GET_LOCK('pooled', 0) = 7",
        "SHOW STATUS WHERE GET_LOCK('pooled', 0)",
      })
  void nothingIsLeftByWhatRunsInside(String statement) throws SQLException {
    nothingIsLeftBy(statement);
  }

  private static void nothingIsLeftBy(String... statements) throws SQLException {
    try (Connection before = proxy.connect(SCHEMA, "allowMultiQueries=true")) {
      for (String sql : statements) {
        try (Statement statement = before.createStatement()) {
          statement.execute(sql);
        } catch (SQLException refused) {
          boolean isOfMariaDb = DatabaseServers.areMySql() && refused.getErrorCode() == SYNTAX;
          assertThat(sql.equals("SELECT nonsense") || isOfMariaDb).as(sql + refused).isTrue();
        }
      }
    }
    try (Connection after = proxy.connect(SCHEMA, NOT_FOREVER);
        Connection fresh =
            Driver.MARIADB.connect(
                behind.port(), SCHEMA, MariaDbServer.USER, MariaDbServer.PASSWORD, NOT_FOREVER)) {
      assertThat(answers(after)).isEqualTo(answers(fresh));
    }
  }

  /** The example of the manual's chapter on triggers. */
  @Test
  void whatATriggerSumsUpStaysWithTheSession() throws SQLException {
    try (Connection first = proxy.connect(SCHEMA);
        Statement statement = first.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS account");
      statement.execute("CREATE TABLE account (number INT, amount DECIMAL(10,2))");
      statement.execute(
          "CREATE TRIGGER ins_sum BEFORE INSERT ON account FOR EACH ROW"
              + " SET @sum = @sum + NEW.amount");
      statement.execute("SET @sum = 0");
      statement.execute("INSERT INTO account VALUES (137, 14.98), (141, 1937.50), (97, -100.00)");
      statement.execute("SET @other = 1");
      assertThat(Transcript.of(first, "SELECT @sum, @other").rows().toString()).contains("1852.48");
      statement.execute("INSERT INTO account VALUES (1, 1)");
      assertThat(Transcript.of(first, "SELECT @sum").rows().toString()).contains("1853.48");
    }
  }

  private static List<String> answers(Connection connection) {
    var answers = new ArrayList<String>();
    for (String question : QUESTIONS) {
      Transcript answer = Transcript.of(connection, question);
      answers.add(
          question + ": " + (answer.isError() ? answer.withoutMessage().head() : answer.rows()));
    }
    return answers;
  }
}
