package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The auditor DML_SHARDING_CONDITIONS on {@code t_log}, sharded by {@code id}. */
class AuditingTest {

  private static final String HINT =
      "/* SHARDINGSPHERE_HINT: DISABLE_AUDIT_NAMES=other NEED_KEY */ ";

  private final PlannerFixture fixture = new PlannerFixture();

  private String planned(boolean hintAllowed, String sql) {
    ShardedTable log = TestTables.oneLevel("t_log", 2, 4);
    var audited =
        new ShardedTable(
            log.name(),
            log.nodes(),
            log.databaseStrategy(),
            log.tableStrategy(),
            null,
            -1,
            new ShardedTable.Audit(List.of("need_key"), hintAllowed));
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
}
