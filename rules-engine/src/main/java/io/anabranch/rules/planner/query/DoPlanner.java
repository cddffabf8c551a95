package io.anabranch.rules.planner.query;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.endpoint.DefaultEndpointPlanner;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.List;
import java.util.Set;

/**
 * DO: a SELECT of the same expressions whose row nobody sees, where it reads sharded tables. See <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/do.html">DO</a>.
 */
public final class DoPlanner implements KindPlanner {

  private final KindPlanner statements;
  private final KindPlanner others = new DefaultEndpointPlanner();

  /**
   * @param statements plans the query
   */
  public DoPlanner(KindPlanner statements) {
    this.statements = statements;
  }

  @Override
  public StatementPlan plan(PlanTask task) {
    SourceText source = task.source();
    SqlTokens tokens = source.tokens();
    if (!readsSharded(task, tokens)) {
      return others.plan(task);
    }
    String word = SessionWords.tiedToSession(tokens);
    if (!word.isEmpty()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "'" + word + "' beside a sharded table in DO", "use SELECT");
    }
    Substatement query =
        new Substatement.Builder(task, source).text("SELECT ").tokens(1, tokens.size()).build();
    RowSource rows = RowSource.of(query, statements);
    return new RowsPlan(
        StatementKind.DO, rows.plan().access(), rows, DoPlanner::readAndWrittenNowhere);
  }

  private static boolean readsSharded(PlanTask task, SqlTokens tokens) {
    Set<String> sharded = task.database().shardedTables().keySet();
    return tokens
        .from(1)
        .has(
            token ->
                sharded.contains(tokens.lowerName(token)) && !tokens.isPunctuation(token + 1, '('));
  }

  private static PlanNode readAndWrittenNowhere(PlanNode rows) {
    return new PlanNode.RowWrite(
        rows, List.of(), PlanNode.Summing.SUM, PlanNode.Verb.DELETE, false);
  }
}
