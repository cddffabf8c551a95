package io.anabranch.frontend.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.frontend.auth.Identity;
import io.anabranch.frontend.limit.SessionLimits;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.TestDeployment;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionFunctionsTest {

  private final Deployment deployment = TestDeployment.create();
  private final Session session =
      new Session(
          7,
          new EmbeddedChannel(),
          new Identity(TestDeployment.ALICE, "alice", "10.0.0.1", 0, 45),
          () -> deployment,
          Runnable::run,
          MemoryBudget.unconfigured().session("test"),
          SessionLimits.none());

  @BeforeEach
  void someHistory() {
    session.database().use("shop");
    session.diagnostics().done(2, 41, 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "select database()|select IF(0, database(), 'shop') AS `database()`",
        "SELECT Schema ( ) x|SELECT IF(0, Schema ( ), 'shop') x",
        "select connection_id() as id, 1|select 7 as id, 1",
        "select 1, user()|select 1, IF(0, user(), 'alice@10.0.0.1') AS `user()`",
        "select current_user|select IF(0, current_user, 'alice@%') AS `current_user`",
        "select concat(database(), '!')|select concat(IF(0, database(), 'shop'), '!') AS"
            + " `concat(database(), '!')`",
        "select last_insert_id() + 1 as n|select IF(0, last_insert_id(), (41 ^ 0)) + 1 as n",
        "select @@autocommit, @@sql_mode|select IFNULL(1, 9223372036854775807) AS `@@autocommit`,"
            + " @@sql_mode",
        "select @@anabranch_read_consistency c|select 'DEFAULT' c",
        "select row_count() x from t where a = found_rows()|select IF(0, row_count(), 2) x from t"
            + " where a = IF(0, found_rows(), 0)",
        "(select last_insert_id(), b from t)|(select IF(0, last_insert_id(), (41 ^ 0)) AS"
            + " `last_insert_id()`, b from t)",
        "with c as (select 1 a) select database(), a from c|with c as (select 1 a) select IF(0,"
            + " database(), 'shop') AS `database()`, a from c",
        "select * from (select row_count() from t) d|select * from (select IF(0, row_count(), 2) AS"
            + " `row_count()` from t) d",
        "create table u as select current_user a|create table u as select IF(0, current_user,"
            + " 'alice@%') a",
        "select database() = 'shop' ok, user() is null|select IF(0, database(), 'shop') = 'shop' ok,"
            + " IF(0, user(), 'alice@10.0.0.1') is null AS `user() is null`",
        "select case database() when 'a' then 1 end, case user() when 'a' then 1 end n|select case"
            + " IF(0, database(), 'shop') when 'a' then 1 end AS `case database() when 'a' then 1"
            + " end`, case IF(0, user(), 'alice@10.0.0.1') when 'a' then 1 end n",
        "select a.b = database(), database() = a.b from a|select a.b = IF(0, database(), 'shop') AS"
            + " `a.b = database()`, IF(0, database(), 'shop') = a.b AS `database() = a.b` from a",
        "select a from t order by @@autocommit, a|select a from t order by (1+0), a",
        "insert into t values (last_insert_id(), row_count())|insert into t values (41, 2)",
        "select is_used_lock('x') = connection_id() n|select IF(is_used_lock('x') <=>"
            + " CONNECTION_ID(), 7, is_used_lock('x')) = 7 n",
        "select a from t where b = user()|select a from t where b = IF(0, user(),"
            + " 'alice@10.0.0.1')",
        "create or replace table t (a int default (row_count())) as select row_count() a|create or"
            + " replace table t (a int default (row_count())) as select IF(0, row_count(), 2) a",
      })
  void literalsTakeThePlaceOfWhatOnlyTheProxyKnows(String sql, String replaced) {
    assertThat(SessionFunctions.replace(source(sql), session)).isEqualTo(replaced);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create procedure p() begin insert into t values (); select last_insert_id(); end",
        "create function f() returns int return (select @@warning_count)",
        "create trigger table before insert on t for each row set new.who = current_user()",
        "create view v as select * from t where who = user()",
        "create table t (a int default (connection_id()), b int check (b < row_count()))",
        "alter table t add column who varchar(90) default (current_user())",
        "begin not atomic insert into t values (); select last_insert_id(); end",
        "if 1 then select row_count(); end if",
        "a: loop select row_count(); leave a; end loop",
      })
  void whatTheServerRunsLaterKeepsItsCalls(String sql) {
    assertThat(SessionFunctions.replace(source(sql), session)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 1",
        "select user from mysql.user",
        "select last_insert_id(5)",
        "do is_used_lock(concat('x', ?))",
        "select 'database()'",
        "select t.database from t",
        "select 1 from information_schema.tables where table_schema = database()",
      })
  void allElseStaysAsItIs(String sql) {
    assertThat(SessionFunctions.replace(source(sql), session)).isNull();
  }

  /** Servers nest 63 of them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "select (|user()|)",
        "select * from (|select user()|) x",
        "select 1 + exists (|select user() = 'a' union select 2|)",
      })
  void nestedQueriesCostWhatTheirTextCosts(String open, String inner, String close) {
    int depth = 20_000;
    String sql = open.repeat(depth) + inner + close.repeat(depth);

    String replaced = SessionFunctions.replace(source(sql), session);

    assertThat(replaced).contains("IF(0, user(), 'alice@10.0.0.1')");
    assertThat(replaced).hasSizeLessThan(sql.length() + 50_000);
  }

  @Test
  void longItemsAreCalledAsAServerCutsThem() {
    String sum = "1 + ".repeat(200) + "row_count()";

    assertThat(SessionFunctions.replace(source("select " + sum), session))
        .endsWith(" AS `" + "1 + ".repeat(64).strip() + "`");
  }

  @Test
  void withoutDatabaseItIsNull() {
    var fresh =
        new Session(
            8,
            new EmbeddedChannel(),
            new Identity(TestDeployment.ALICE, "alice", "10.0.0.1", 0, 45),
            () -> deployment,
            Runnable::run,
            MemoryBudget.unconfigured().session("test"),
            SessionLimits.none());

    assertThat(SessionFunctions.replace(source("select database()"), fresh))
        .isEqualTo("select IF(0, database(), NULL) AS `database()`");
  }

  private static SourceText source(String sql) {
    return SourceText.of(sql, LexerMode.DEFAULT);
  }

  @Test
  void whatOnlyAConnectionKnowsIsRefused() {
    assertThatThrownBy(() -> SessionFunctions.replace(source("select @@last_gtid"), session))
        .hasMessageContaining("AB2002")
        .hasMessageContaining("session_track_system_variables");
  }
}
