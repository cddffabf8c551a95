package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.LogicalDatabase.SingleTables;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.TransactionSettings;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.task.PlanScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Plans queries of {@code information_schema} for a database that its server calls so, too: {@code
 * backend}, beside {@code other} on another server.
 */
public final class CatalogueWork implements UnaryOperator<String> {

  private final PlannerFixture fixture = new PlannerFixture();
  private final LogicalDatabase own = database("backend", "a");
  private final LogicalDatabase other = database("other", "b");
  private final List<String> asked = new ArrayList<>();
  private final StatementPlanner planner =
      new StatementPlanner(
          new RuleSet(
              1,
              Map.of(own.name(), own, other.name(), other),
              new Authority(List.of(), true, Map.of()),
              ProxyProperties.DEFAULTS,
              TransactionSettings.DEFAULTS),
          database -> {
            asked.add(database.name());
            return fixture.catalog;
          });

  private static LogicalDatabase database(String name, String server) {
    String url = "jdbc:mariadb://" + server + "/" + name;
    var source =
        new DataSourceDefinition("ds_" + name, url, "u", "p", 1, 1, 1, 1, 1, false, Map.of());
    return new LogicalDatabase(
        name,
        Map.of(source.name(), source),
        Map.of(),
        Map.of(),
        Map.of(),
        new SingleTables(List.of(), null));
  }

  /** The databases whose servers have been asked something. */
  List<String> asked() {
    return asked;
  }

  BoundPlan bound(String sql) {
    Scan scan = fixture.scan(sql);
    return planner
        .plan(scan, new PlanScope(own, UTF_8, false, false))
        .bind(new TextSlotValues().over(scan, UTF_8, LexerMode.DEFAULT));
  }

  @Override
  public String apply(String sql) {
    try {
      return bound(sql).toString();
    } catch (RefusedException refused) {
      return "refused: " + refused.getMessage();
    }
  }
}
