package io.anabranch.rules.planner.query;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.planner.scatter.ColumnDrift;
import io.anabranch.rules.planner.scatter.ScatterPlanner;
import io.anabranch.rules.planner.stage.ComputedGroups;
import io.anabranch.rules.planner.stage.StagePlanner;
import io.anabranch.rules.planner.strategy.Attempt;
import io.anabranch.rules.planner.strategy.Scatter;
import io.anabranch.rules.planner.strategy.Strategy;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.Auditing;
import io.anabranch.rules.resolve.PlacedStatement;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.syntax.HintedVariables;
import io.anabranch.rules.table.AccessChoice;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.StatementHints;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plans SELECT and other query expressions. */
public final class QueryPlanner implements KindPlanner {

  private final StatementReader reader = new StatementReader();

  @Override
  public StatementPlan plan(PlanTask task) {
    Analysis analysis = reader.read(task);
    refuseProcedures(analysis);
    if (ViewExpansion.isNeeded(analysis)) {
      return new ViewExpansion(analysis).plan(this);
    }
    PlacedStatement query = PlacedStatement.of(analysis);
    Auditing.check(analysis, query.placement());
    return new QueryPlan(
        task.scan().kind(),
        access(analysis),
        query.placement(),
        query.single(),
        overNodes(query),
        analysis.namedSlots(),
        analysis.tables().stream().anyMatch(PlacedTable.Catalogue.class::isInstance));
  }

  /** What is told of the data sources in the end does not concern who asks one of them. */
  private OverNodes overNodes(PlacedStatement query) {
    try {
      Analysis analysis = query.analysis();
      RefusedException drift = ColumnDrift.of(analysis);
      if (drift != null) {
        throw drift;
      }
      SqlTokens tokens = analysis.source().tokens();
      Refusal hinted = HintedVariables.refusal(tokens);
      Refusal refusal = hinted == null ? examined(tokens) : hinted;
      return refusal == null
          ? OverNodes.of(query, strategies(query))
          : OverNodes.none(query, new Scatter.Refused(refusal));
    } catch (RefusedException refusal) {
      boolean isOfNodes = refusal.isUnreachable() || refusal.is(ErrorCatalogue.DEFINITIONS_DIFFER);
      if (!isOfNodes) {
        throw refusal;
      }
      return OverNodes.none(query, new Scatter.Unreachable(refusal));
    }
  }

  /** MariaDB's bound of the rows that a server looks at: each node would have one of its own. */
  private static @Nullable Refusal examined(SqlTokens tokens) {
    int word = tokens.from(1).findName(token -> tokens.isWord(token, "EXAMINED"));
    return word > 0 && tokens.isWord(word - 1, "ROWS")
        ? new Refusal("LIMIT … ROWS EXAMINED of sharded tables", "leave it out")
        : null;
  }

  /** The ways to answer a query over several nodes, from the cheapest on. */
  private List<Strategy> strategies(PlacedStatement query) {
    PlanTask task = query.analysis().task();
    var stage = new StagePlanner(query);
    return List.of(
        new DetourStrategy("assign", () -> AssignedQuery.of(task, this, reader)),
        new DetourStrategy("count", () -> CountedQuery.of(task, this)),
        new ScatterPlanner(query),
        new ComputedGroups(query),
        stage,
        new DetourStrategy(
            "inline",
            () ->
                stage.isNamedTwice()
                    ? InlinedCommonTables.of(task, this)
                    : new Attempt.Unconcerned()));
  }

  /** Its rows tell names and values of actual tables. */
  private static void refuseProcedures(Analysis analysis) {
    SqlTokens tokens = analysis.source().tokens();
    int procedure =
        tokens
            .from(1)
            .findName(
                token -> tokens.isWord(token, "PROCEDURE") && tokens.isPunctuation(token + 2, '('));
    if (procedure >= 0 && !analysis.sharded().isEmpty()) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "SELECT … PROCEDURE " + tokens.text(procedure + 1),
          "run it on the data sources themselves");
    }
  }

  private static Access access(Analysis analysis) {
    var task = analysis.task();
    return AccessChoice.of(
        task, analysis.source(), StatementHints.of(task.scan(), task.scope().charset()));
  }
}
