package io.anabranch.rules.planner;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.plan.StatementPlan;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Hands each statement to the planner of its kind and keeps the plans. Thread-safe. */
public final class StatementPlanner implements Planner {

  private final Function<LogicalDatabase, SchemaCatalog> catalogs;
  private final RuleSet rules;
  private final KindPlanner passThrough = new PassThroughPlanner();
  private final Map<StatementKind, KindPlanner> byKind = new EnumMap<>(StatementKind.class);

  /**
   * @param catalogs the catalog of each logical database; called on virtual threads, once per plan
   */
  public StatementPlanner(RuleSet rules, Function<LogicalDatabase, SchemaCatalog> catalogs) {
    this.rules = rules;
    this.catalogs = catalogs;
    KindPlanner queries = new QueryPlanner();
    KindPlanner writes = new WritePlanner();
    byKind.put(StatementKind.SELECT, queries);
    byKind.put(StatementKind.QUERY_EXPRESSION, queries);
    byKind.put(StatementKind.UPDATE, writes);
    byKind.put(StatementKind.DELETE, writes);
  }

  @Override
  public @Nullable StatementPlan cached(Scan scan, PlanScope scope) {
    return null;
  }

  @Override
  public StatementPlan plan(Scan scan, PlanScope scope) {
    var database = scope.database();
    var task = new PlanTask(scan, scope, catalogs.apply(database), rules);
    return plannerOf(scan.kind(), database).plan(task);
  }

  @Override
  public void invalidate() {}

  private KindPlanner plannerOf(StatementKind kind, LogicalDatabase database) {
    if (database.isPassThrough()) {
      return passThrough;
    }
    KindPlanner planner = byKind.get(kind);
    if (planner == null) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          kind.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " in a sharded database",
          "run it on the data source itself");
    }
    return planner;
  }
}
