package io.anabranch.rules.planner.endpoint;

import io.anabranch.rules.catalog.OwnTables;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.TemplatePlan;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Statements that are not about tables (views, routines, CALL, DO, server information): they go to
 * the default endpoint, unless they name a sharded table or another object of the rules.
 */
public final class DefaultEndpointPlanner implements KindPlanner {

  /** What every data source answers alike. */
  private static final Set<StatementKind> ANYWHERE =
      EnumSet.of(
          StatementKind.SELECT,
          StatementKind.QUERY_EXPRESSION,
          StatementKind.SHOW,
          StatementKind.DO,
          StatementKind.UNLOCK_TABLES);

  @Override
  public StatementPlan plan(PlanTask task) {
    return plan(task, task.source());
  }

  public StatementPlan plan(PlanTask task, SourceText source) {
    String standard = new TableDirectory(task).defaultEndpoint();
    boolean isAnywhere =
        ANYWHERE.contains(task.scan().kind()) && !task.catalog().isReachable(standard);
    return at(task, source, isAnywhere ? task.nearest(task.database().endpoints()) : standard);
  }

  /** The same on another endpoint. */
  public StatementPlan at(PlanTask task, SourceText source, String endpoint) {
    refuseDatabases(source.tokens());
    refuseSharded(task, source.tokens());
    if (CatalogueFilter.concerns(task, source.tokens())) {
      return new CatalogueFilter(task, new SourceEdits(source), endpoint).plan(Access.WRITE);
    }
    var template = new TableRewriting(source, task.database().name(), List.of()).template();
    return new TemplatePlan(
        task.scan().kind(),
        NameMapping.ofSchema(task.database().name()),
        List.of(template.aimedAt(endpoint, List.of())),
        false);
  }

  private static void refuseDatabases(SqlTokens tokens) {
    boolean ddl =
        tokens.isWord(0, "CREATE") || tokens.isWord(0, "DROP") || tokens.isWord(0, "ALTER");
    if (ddl && (tokens.isWord(1, "DATABASE") || tokens.isWord(1, "SCHEMA"))) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          tokens.text(0) + " DATABASE", "add or remove its database-*.yaml");
    }
  }

  public static void refuseSharded(PlanTask task, SqlTokens tokens) {
    if (tokens.isWord(0, "SHOW") && tokens.isWord(1, "CREATE") && tokens.isWord(2, "USER")) {
      // an account may be called like a table
      return;
    }
    var actual = new TableDirectory(task).actualNames();
    for (int i : tokens.all().names()) {
      String name = tokens.lowerName(i);
      if (OwnTables.has(task.rules(), name)) {
        throw new TableDirectory(task).unknown(tokens.name(i));
      }
      if (task.database().shardedTables().containsKey(name) || actual.contains(name)) {
        StatementReader.requireSyntax(task);
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "the sharded table '" + tokens.name(i) + "' in this statement",
            "use SELECT, INSERT, UPDATE, DELETE and table DDL for it");
      }
    }
  }
}
