package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.anabranch.rules.algorithm.audit.AuditedStatement;
import io.anabranch.rules.algorithm.audit.AuditedStatement.Kind;
import io.anabranch.rules.algorithm.audit.Auditor;
import io.anabranch.rules.algorithm.audit.AuditorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.TransactionSettings;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.routing.TestTables;
import io.anabranch.rules.task.PlanScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Auditors of {@code t_log}, sharded by {@code id}. */
class AuditingTest {

  private static final String HINT =
      "/* SHARDINGSPHERE_HINT: DISABLE_AUDIT_NAMES=other NEED_KEY */ ";

  private final PlannerFixture fixture = new PlannerFixture();

  private String planned(boolean hintAllowed, String sql) {
    Auditor conditions =
        new AuditorCatalogue(List.of()).auditor("DML_SHARDING_CONDITIONS", Map.of());
    return planned(new ShardedTable.Audit(Map.of("need_key", conditions), hintAllowed), sql);
  }

  private String planned(ShardedTable.Audit audit, String sql) {
    ShardedTable log = TestTables.oneLevel("t_log", 2, 4);
    var audited =
        new ShardedTable(
            log.name(), log.nodes(), log.databaseStrategy(), log.tableStrategy(), null, -1, audit);
    var database =
        new LogicalDatabase(
            "audited",
            fixture.shop.dataSources(),
            Map.of(),
            Map.of("t_log", audited),
            Map.of(),
            fixture.shop.single());
    var planner =
        new StatementPlanner(
            new RuleSet(
                1,
                Map.of("audited", database),
                new Authority(List.of(), true, Map.of()),
                ProxyProperties.DEFAULTS,
                TransactionSettings.DEFAULTS),
            any -> fixture.catalog);
    var plan = planner.plan(fixture.scan(sql), new PlanScope(database, UTF_8, false, false));
    return PlanPrinter.print(
        plan.bind(new TextSlotValues().over(fixture.scan(sql), UTF_8, LexerMode.DEFAULT)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delete from t_log",
        "update t_log set name = 'x' where name = 'y'",
        "select count(*) from t_log",
        "insert into t_log select * from t_log",
      })
  void refusesStatementsWithoutShardingConditions(String sql) {
    assertThatThrownBy(() -> planned(true, sql))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("'need_key'")
        .hasMessageContaining("'t_log'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delete from t_log where id = 1",
        "update t_log set name = 'x' where id in (1, 2)",
        "select * from t_log where id between 1 and 2",
        "insert into t_log values (1, 'a'), (2, 'b')",
      })
  void takesStatementsWithShardingConditions(String sql) {
    assertThat(planned(false, sql)).contains("t_log_1");
  }

  @Test
  void isSkippedWhereTheHintIsAllowed() {
    assertThat(planned(true, HINT + "delete from t_log")).contains("t_log_3");
    assertThatThrownBy(() -> planned(false, HINT + "delete from t_log"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("need_key");
  }

  private List<AuditedStatement> told(String sql) {
    var told = new ArrayList<AuditedStatement>();
    Auditor listening =
        statement -> {
          told.add(statement);
          return Optional.empty();
        };
    planned(new ShardedTable.Audit(Map.of("listening", listening), false), sql);
    return told;
  }

  private static AuditedStatement of(Kind kind, boolean hasShardingCondition, String text) {
    return new AuditedStatement(
        kind, "audited", "t_log", List.of("id"), hasShardingCondition, text);
  }

  @Test
  void tellsAuditorsOfEachStatementWithoutItsValues() {
    assertThat(told("select  name from T_LOG where id in (1, 2) and name <> 'x'"))
        .containsExactly(
            of(Kind.SELECT, true, "SELECT name FROM T_LOG WHERE id IN (...) AND name <> ?"));
    assertThat(told("update t_log set name = 'x' where name = 'y'"))
        .containsExactly(of(Kind.UPDATE, false, "UPDATE t_log SET name = ? WHERE name = ?"));
    assertThat(told("delete from t_log where id = 3"))
        .containsExactly(of(Kind.DELETE, true, "DELETE FROM t_log WHERE id = ?"));
    assertThat(told("insert into t_log values (1, 'a'), (2, 'b')"))
        .containsExactly(of(Kind.INSERT, true, "INSERT INTO t_log VALUES (...)"));
    assertThat(told("replace into t_log set id = 1, name = 'a'"))
        .containsExactly(of(Kind.REPLACE, true, "REPLACE INTO t_log SET id = ?, name = ?"));
    assertThat(told("insert into t_log select * from t_log where id = 1"))
        .extracting(AuditedStatement::kind)
        .containsExactly(Kind.INSERT, Kind.SELECT);
    assertThat(told("select id from t_log where id = 1 union select id from t_log"))
        .extracting(AuditedStatement::kind, AuditedStatement::hasShardingCondition)
        .contains(tuple(Kind.SELECT, true), tuple(Kind.SELECT, false));
  }

  @Test
  void tellsWhatAnAuditorObjectsTo() {
    Auditor strict =
        statement ->
            statement.text().contains("LIMIT")
                ? Optional.empty()
                : Optional.of("it has no LIMIT; add one");
    var audit = new ShardedTable.Audit(Map.of("limits", strict), true);
    assertThat(planned(audit, "delete from t_log where id = 1 limit 5")).contains("t_log_1");
    assertThatThrownBy(() -> planned(audit, "delete from t_log where id = 1"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("AB2008: auditor 'limits' does not allow this statement on table")
        .hasMessageContaining("'t_log': it has no LIMIT; add one, or the hint");
  }
}
