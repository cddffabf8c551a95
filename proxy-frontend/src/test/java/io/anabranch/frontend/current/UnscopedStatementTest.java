package io.anabranch.frontend.current;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.frontend.auth.Identity;
import io.anabranch.frontend.limit.SessionLimits;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.TestDeployment;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnscopedStatementTest {

  private final Deployment deployment = TestDeployment.create();
  private final Session session = session(deployment);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 1",
        "select now() from dual",
        "explain select 1",
        "explain format=json with a as (select 1) select * from a",
        "explain delete from shop.t_order",
        "select extract(year from now())",
        "select trim(both 'x' from 'xax')",
        "select * from (select 1 as a) d",
        "with a as (select 1 as x) select * from a",
        "select * from (with a as (select 1 as x) select x from a) d, json_table('[]', '$' columns (y int path '$')) j",
        "select * from shop.t_order",
        "select * from information_schema.tables",
        "show variables like 'x%'",
        "set names utf8mb4",
      })
  void needsNoSelectedDatabase(String sql) {
    assertThat(backend(sql)).isEqualTo("shop");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from t_order",
        "explain select * from t_order",
        "explain t_order",
        "explain update t_order set a = 1",
        "explain insert into t_order values (1)",
        "select * from (t_order)",
        "select * from (select 1) d, t_order",
        "table t_order",
        "select (select 1 from t_order)",
        "with a as (select 1 from t_order) select * from a",
        "insert into t values (1)",
        "show tables",
        "create table t (a int)",
      })
  void othersAreRefusedWith1046(String sql) {
    assertThatThrownBy(() -> backend(sql))
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.errno()).isEqualTo(1046));
  }

  @Test
  void aDatabaseThatIsNotPermittedIs1044() {
    assertThatThrownBy(() -> backend("select * from hidden.t_order"))
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.errno()).isEqualTo(1044));
  }

  private static Session session(Deployment deployment) {
    return new Session(
        7,
        new EmbeddedChannel(),
        new Identity(TestDeployment.ALICE, "alice", "10.0.0.1", 0, 45),
        () -> deployment,
        Runnable::run,
        MemoryBudget.unconfigured().session("test"),
        SessionLimits.none());
  }

  @Test
  void theDatabaseBehindItAnswersForAPassThroughDatabase() {
    assertThat(defined("create database if not exists `shop` charset utf8mb4")).isEqualTo("shop");
    assertThat(defined("CREATE OR REPLACE SCHEMA shop")).isEqualTo("shop");
    assertThat(defined("alter database shop charset latin1")).isEqualTo("shop");
    assertThat(defined("drop database if exists shop")).isEqualTo("shop");
  }

  @ParameterizedTest
  @ValueSource(strings = {"create database if not exists nowhere", "drop schema nowhere"})
  void otherDatabasesAreMadeByConfiguration(String sql) {
    assertThatThrownBy(() -> defined(sql))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused ->
                assertThat(refused).hasMessageContaining("AB2002").hasMessageContaining(".yaml"));
  }

  private String defined(String sql) {
    SourceText source = SourceText.of(sql, LexerMode.DEFAULT);
    var scan = new Scan();
    byte[] bytes = source.bytes();
    new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, scan);
    return DatabaseStatement.of(scan.kind(), source.tokens(), session).on().database().name();
  }

  private String backend(String sql) {
    return backend(sql, session);
  }

  private static String backend(String sql, Session session) {
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    var scan = new Scan();
    new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, scan);
    var source = SourceText.of(scan, StandardCharsets.UTF_8, LexerMode.DEFAULT);
    return UnscopedStatement.backend(source, scan.kind(), session).database().name();
  }
}
