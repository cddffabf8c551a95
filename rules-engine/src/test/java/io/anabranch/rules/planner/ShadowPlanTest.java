package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.model.TransactionSettings;
import io.anabranch.rules.model.encrypt.EncryptRule;
import io.anabranch.rules.model.protection.Masks;
import io.anabranch.rules.model.shadow.ShadowAlgorithm;
import io.anabranch.rules.model.shadow.ShadowAlgorithm.Operation;
import io.anabranch.rules.model.shadow.ShadowRule;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.planner.shadow.ShadowDatabases;
import io.anabranch.rules.task.PlanScope;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Statements of load tests, and all others while the shadow is away. */
class ShadowPlanTest {

  private static final Map<String, List<String>> TABLES =
      Map.of("t_order", List.of("id", "user_id"));

  private final LogicalDatabase database = database(Map.of(), "ds", "test");
  private final FakeCatalog catalog = new FakeCatalog(Map.of("ds", TABLES, "test", TABLES));
  private final StatementPlanner planner =
      new StatementPlanner(
          new RuleSet(
              1,
              Map.of("shop", database),
              new Authority(List.of(), true, Map.of()),
              ProxyProperties.DEFAULTS,
              TransactionSettings.DEFAULTS),
          _ -> catalog);

  private static LogicalDatabase database(Map<String, ShardedTable> tables, String... sources) {
    return new LogicalDatabase(
        "shop",
        Stream.of(sources)
            .collect(Collectors.toMap(Function.identity(), ShadowPlanTest::definition)),
        Map.of(),
        tables,
        Map.of(),
        new LogicalDatabase.SingleTables(List.of("*.*"), null),
        LogicalDatabase.KeyPolicy.DEFAULTS,
        LogicalDatabase.Creation.NONE,
        EncryptRule.NONE,
        Masks.NONE,
        new ShadowRule(
            Map.of("ds", "test"),
            Map.of(
                "t_order",
                new ShadowRule.Table(
                    "t_order",
                    List.of(
                        new ShadowAlgorithm.Column("user_id", Operation.SELECT, "900"::equals)))),
            null,
            Set.of("test")));
  }

  private static DataSourceDefinition definition(String name) {
    return new DataSourceDefinition(
        name, "jdbc:mariadb://h/x", "u", "p", 1, 1, 1, 1, 1, false, Map.of());
  }

  private static Scan scan(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    return new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
  }

  private String run(String sql) {
    var scope = new PlanScope(database, UTF_8, false, false);
    StatementPlan known = planner.cached(scan(sql), scope);
    StatementPlan plan = known == null ? planner.plan(scan(sql), scope) : known;
    return PlanPrinter.print(
        plan.bind(new TextSlotValues().over(scan(sql), UTF_8, LexerMode.DEFAULT)));
  }

  private boolean isKept(String sql) {
    return planner.cached(scan(sql), new PlanScope(database, UTF_8, false, false)) != null;
  }

  @Test
  void productionsPlanIsKeptUntilTheShadowIsBack() {
    String ofProduction = "SELECT id FROM t_order WHERE user_id = 1";
    String ofTest = "SELECT id FROM t_order WHERE user_id = 900";
    catalog.noticed.add("test");
    assertThat(run(ofProduction)).contains("ds").doesNotContain("test");
    assertThat(isKept(ofProduction)).isTrue();
    assertThatThrownBy(() -> run(ofTest)).hasMessageContaining("AB3001");
    catalog.noticed.clear();
    assertThat(run(ofTest)).contains("test");
    assertThat(run(ofProduction)).contains("ds").doesNotContain("test");
    assertThat(isKept(ofProduction)).isTrue();
  }

  @Test
  void theShadowHasNothingOfProductions() {
    var tables =
        Map.of("t_order", table("t_order", "ds"), "t_half", table("t_half", "ds", "other"));
    LogicalDatabase shadow = ShadowDatabases.of(database(tables, "ds", "test", "other")).shadow();
    assertThat(shadow.endpoints()).containsExactly("test");
    assertThat(shadow.shardedTables().keySet()).containsExactly("t_order");
    assertThat(shadow.shardedTables().values())
        .allSatisfy(
            table ->
                assertThat(table.nodes())
                    .allSatisfy(node -> assertThat(node.dataSource()).isEqualTo("test")));
  }

  private static ShardedTable table(String name, String... sources) {
    return new ShardedTable(
        name,
        Stream.of(sources).map(source -> new DataNode(source, name)).toList(),
        ShardingStrategy.None.NONE,
        ShardingStrategy.None.NONE,
        null,
        -1);
  }
}
