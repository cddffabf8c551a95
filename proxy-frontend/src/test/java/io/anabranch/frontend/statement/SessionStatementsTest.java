package io.anabranch.frontend.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.frontend.statement.KillStatement.Target;
import io.anabranch.frontend.statement.SetStatement.Assignment;
import io.anabranch.frontend.statement.SetStatement.Scope;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionStatementsTest {

  private static SourceText text(String sql) {
    return SourceText.of(sql, LexerMode.DEFAULT);
  }

  private static Assignment only(String sql) {
    var set = (SetStatement.Assignments) SetStatement.parse(text(sql));
    assertThat(set.list()).hasSize(1);
    return set.list().getFirst();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET sql_mode = 'ANSI'",
        "set SESSION SQL_MODE='ANSI'",
        "SET LOCAL sql_mode := 'ANSI'",
        "SET @@sql_mode = 'ANSI'",
        "SET @@session.sql_mode='ANSI'",
        "SET @@session . sql_mode = 'ANSI'",
        "SET @@session.`sql_mode` = 'ANSI'",
        "SET @@local. `SQL_MODE` = 'ANSI'",
        "SET @@local.sql_mode='ANSI'",
        "SET `sql_mode` = 'ANSI'"
      })
  void readsEveryWayToNameASystemVariable(String sql) {
    assertThat(only(sql)).isEqualTo(new Assignment.Variable(Scope.SESSION, "sql_mode", "'ANSI'"));
  }

  @Test
  void tellsGlobalFromSession() {
    assertThat(only("SET @@GLOBAL.max_connections = 5"))
        .isEqualTo(new Assignment.Variable(Scope.GLOBAL, "max_connections", "5"));
  }

  @Test
  void keepsExpressionsWholeAndAssignmentsApart() {
    var set =
        (SetStatement.Assignments)
            SetStatement.parse(
                text("SET @a = IF(1, 2, 3) , @`B` := 'x,y', GLOBAL x=1, y=2, NAMES 'UTF8MB4'"));
    assertThat(set.list())
        .containsExactly(
            new Assignment.UserVariable("a", "IF(1, 2, 3)"),
            new Assignment.UserVariable("b", "'x,y'"),
            new Assignment.Variable(Scope.GLOBAL, "x", "1"),
            new Assignment.Variable(Scope.GLOBAL, "y", "2"),
            new Assignment.Names("utf8mb4", null));
  }

  /** A keyword is for bare names, on all servers. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GLOBAL a = 1, b = 2 | GLOBAL GLOBAL",
        "GLOBAL a = 1, @@b = 2 | GLOBAL SESSION",
        "GLOBAL a = 1, @@session.b = 2 | GLOBAL SESSION",
        "SESSION a = 1, @@global.b = 2 | SESSION GLOBAL",
        "SESSION a = 1, GLOBAL b = 2 | SESSION GLOBAL",
        "@@global.a = 1, b = 2 | GLOBAL SESSION",
        "PERSIST a = 1, @@b = 2 | PERSIST SESSION",
        "GLOBAL a = 1, @@tx_isolation = 2 | GLOBAL NEXT",
        "a = 1, @@b = 2 | SESSION SESSION"
      })
  void scopesAreThoseOfServers(String list, String scopes) {
    var set = (SetStatement.Assignments) SetStatement.parse(text("SET " + list));
    var found = new ArrayList<String>();
    for (Assignment each : set.list()) {
      found.add(((Assignment.Variable) each).scope().name());
    }
    assertThat(String.join(" ", found)).isEqualTo(scopes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET autocommit = phone) FROM t WHERE (id = 7",
        "SET a = 1)",
        "SET a = )",
        "SET a = 1), b = 2",
        "SET a = (1)) , b = 2",
        "SET a = 1 /*!50000 ) + (1 */",
        "SET @@session . = 1",
        "SET ROLE NONE, sql_mode = 'ANSI_QUOTES'",
        "SET ROLE NONE, @a := 1",
        "SET DEFAULT ROLE NONE TO a, @b = 1",
        "SET PASSWORD FOR a = PASSWORD('x'), sql_mode = ''",
        "SET PASSWORD FOR a = CONCAT('x', 'y'), NAMES gbk"
      })
  void isNoFormOfIts(String sql) {
    assertThat(SetStatement.parse(text(sql))).isInstanceOf(SetStatement.Malformed.class);
  }

  @Test
  void readsNamesAndCharacterSet() {
    assertThat(only("SET NAMES utf8mb4 COLLATE utf8mb4_bin"))
        .isEqualTo(new Assignment.Names("utf8mb4", "utf8mb4_bin"));
    assertThat(only("SET NAMES DEFAULT")).isEqualTo(new Assignment.Names("default", null));
    assertThat(only("SET CHARACTER SET latin1")).isEqualTo(new Assignment.CharacterSet("latin1"));
    assertThat(only("SET CHARSET 'latin1'")).isEqualTo(new Assignment.CharacterSet("latin1"));
  }

  @Test
  void readsSetTransaction() {
    assertThat(SetStatement.parse(text("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")))
        .isEqualTo(new SetStatement.Transaction(Scope.NEXT, "READ-COMMITTED", null));
    assertThat(
            SetStatement.parse(
                text("SET SESSION TRANSACTION READ ONLY, ISOLATION LEVEL SERIALIZABLE")))
        .isEqualTo(new SetStatement.Transaction(Scope.SESSION, "SERIALIZABLE", true));
    assertThat(SetStatement.parse(text("SET TRANSACTION LEVEL 3")))
        .isEqualTo(new SetStatement.Malformed(16));
  }

  @Test
  void readsSetStatementFor() {
    String sql = "SET STATEMENT max_statement_time=1, lock_wait_timeout=2 FOR SELECT 1";
    var set = (SetStatement.ForStatement) SetStatement.parse(text(sql));
    assertThat(set.list()).hasSize(2);
    assertThat(sql.substring(set.statementOffset())).isEqualTo("SELECT 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SET ROLE admin", "SET PASSWORD FOR a = 'b'", "SET DEFAULT ROLE NONE TO a"})
  void leavesWhatIsNotAnAssignmentToTheDatabase(String sql) {
    assertThat(SetStatement.parse(text(sql))).isEqualTo(new SetStatement.Other());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SET|3",
        "SET a|5",
        "SET a =|7",
        "SET a = 1,|10",
        "SET NAMES|9",
        "SET PASSWORD|12",
        "SET NAMES latin1 a = 1|17",
        "SET TRANSACTION ISOLATION LEVEL NOSUCH|32",
        "SET TRANSACTION READ ONLY READ WRITE|26"
      })
  void knowsWhereAFormGoesWrong(String sql, int at) {
    assertThat(SetStatement.parse(text(sql))).isEqualTo(new SetStatement.Malformed(at));
  }

  @Test
  void readsTransactions() {
    assertThat(TransactionStatement.parse(text("begin work")))
        .isEqualTo(new TransactionStatement.Begin(null, false));
    assertThat(
            TransactionStatement.parse(
                text("START TRANSACTION READ ONLY, WITH CONSISTENT SNAPSHOT")))
        .isEqualTo(new TransactionStatement.Begin(true, true));
    assertThat(TransactionStatement.parse(text("START TRANSACTION READ ONLY, READ WRITE")))
        .isNull();
    assertThat(TransactionStatement.parse(text("COMMIT AND CHAIN NO RELEASE")))
        .isEqualTo(new TransactionStatement.Commit(new TransactionStatement.Ending(true, false)));
    assertThat(TransactionStatement.parse(text("ROLLBACK WORK AND NO CHAIN RELEASE")))
        .isEqualTo(new TransactionStatement.Rollback(new TransactionStatement.Ending(false, true)));
    assertThat(TransactionStatement.parse(text("ROLLBACK AND CHAIN RELEASE"))).isNull();
    assertThat(TransactionStatement.parse(text("ROLLBACK WORK TO SAVEPOINT `a b`")))
        .isEqualTo(new TransactionStatement.RollbackTo("a b"));
    assertThat(TransactionStatement.parse(text("SAVEPOINT s")))
        .isEqualTo(new TransactionStatement.Savepoint("s"));
    assertThat(TransactionStatement.parse(text("RELEASE SAVEPOINT s")))
        .isEqualTo(new TransactionStatement.ReleaseSavepoint("s"));
    assertThat(TransactionStatement.parse(text("COMMIT nonsense"))).isNull();
  }

  @Test
  void readsUseAndKill() {
    assertThat(UseStatement.parse(text("USE `my shop`"))).isEqualTo(new UseStatement("my shop"));
    assertThat(UseStatement.parse(text("USE a b"))).isNull();
    assertThat(KillStatement.parse(text("KILL 12")))
        .isEqualTo(new KillStatement(false, new Target.Connection(12)));
    assertThat(KillStatement.parse(text("KILL HARD QUERY 12")))
        .isEqualTo(new KillStatement(true, new Target.Connection(12)));
    assertThat(KillStatement.parse(text("KILL SOFT QUERY ID 12")))
        .isEqualTo(new KillStatement(true, new Target.Query(12)));
    assertThat(KillStatement.parse(text("KILL USER root")))
        .isEqualTo(new KillStatement(false, new Target.User("root", null)));
    assertThat(KillStatement.parse(text("KILL QUERY USER 'root'@'%'")))
        .isEqualTo(new KillStatement(true, new Target.User("root", "%")));
    assertThat(KillStatement.parse(text("KILL CONNECTION_ID()")))
        .isEqualTo(new KillStatement(false, new Target.Own()));
    assertThat(KillStatement.parse(text("KILL QUERY @`A b`")))
        .isEqualTo(new KillStatement(true, new Target.Variable("a b")));
    assertThat(KillStatement.parse(text("KILL CONNECTION_ID() + 1")))
        .isEqualTo(new KillStatement(false, new Target.Computed()));
    assertThat(KillStatement.parse(text("KILL (SELECT 7)")))
        .isEqualTo(new KillStatement(false, new Target.Computed()));
    assertThat(KillStatement.parse(text("KILL"))).isNull();
    assertThat(KillStatement.parse(text("KILL ID 12"))).isNull();
    assertThat(KillStatement.parse(text("KILL 12, 13"))).isNull();
  }

  @Test
  void recognisesSelectsOfTheSession() {
    assertThat(
            SessionSelect.parse(
                text("SELECT @@version_comment, @@session.autocommit AS a, DATABASE() d LIMIT 1")))
        .isEqualTo(
            new SessionSelect(
                List.of(
                    new SessionSelect.Item.Variable(null, "version_comment", "@@version_comment"),
                    new SessionSelect.Item.Variable(Scope.SESSION, "autocommit", "a"),
                    new SessionSelect.Item.Function("database", "d")),
                1));
    assertThat(SessionSelect.parse(text("SELECT last_insert_id( )")))
        .isEqualTo(
            new SessionSelect(
                List.of(new SessionSelect.Item.Function("last_insert_id", "last_insert_id( )")),
                1));
    assertThat(SessionSelect.parse(text("SELECT 1, 'x', 2 AS two")))
        .isEqualTo(
            new SessionSelect(
                List.of(
                    new SessionSelect.Item.Literal("1", "1"),
                    new SessionSelect.Item.Literal("'x'", "x"),
                    new SessionSelect.Item.Literal("2", "two")),
                1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1 + 1",
        "SELECT @a",
        "SELECT DATABASE() FROM t",
        "SELECT @@x + 1",
        "SELECT LAST_INSERT_ID(5)",
        "SELECT user",
        "SELECT DATABASE(), id FROM t",
        "SELECT"
      })
  void leavesOtherSelectsAlone(String sql) {
    assertThat(SessionSelect.parse(text(sql))).isNull();
  }
}
