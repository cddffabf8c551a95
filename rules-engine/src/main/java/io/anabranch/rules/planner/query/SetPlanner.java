package io.anabranch.rules.planner.query;

import io.anabranch.rules.catalog.StoredCatalog;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.resolve.Quotients;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * {@code SET @a = …} of values that are read from tables: a SELECT of the same expressions, whose
 * row is given to the session. See <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/user-variables.html">User-Defined Variables</a>.
 */
public final class SetPlanner implements KindPlanner {

  private final KindPlanner statements;
  private final StatementReader reader = new StatementReader();

  /**
   * @param statements plans the query
   */
  public SetPlanner(KindPlanner statements) {
    this.statements = statements;
  }

  @Override
  public StatementPlan plan(PlanTask task) {
    SourceText source = task.source();
    SqlTokens tokens = source.tokens();
    var stored = task.of(task.scan(), task.scope(), new StoredCatalog(task.catalog()));
    var query = new Substatement.Builder(stored, source);
    var variables = new ArrayList<String>();
    int token = 1;
    for (Span part : tokens.from(1).parts()) {
      if (part.first() != token || !assigns(tokens, token)) {
        throw ofSystemVariable();
      }
      query.text(variables.isEmpty() ? "SELECT (" : ", (");
      query.tokens(token + 2, part.behind()).text(")");
      variables.add(tokens.text(token));
      token = part.behind() + 1;
    }
    Substatement select = query.build();
    List<String> names = List.copyOf(variables);
    Set<Integer> hidden = Quotients.selected(reader.read(select.task()), names.size());
    return new RowsPlan(
        StatementKind.SET,
        Access.WRITE,
        RowSource.of(select, statements),
        rows -> new PlanNode.Assignment(rows, names, false, hidden));
  }

  private static boolean assigns(SqlTokens tokens, int token) {
    return tokens.kind(token) == TokenKind.VARIABLE
        && !tokens.text(token).startsWith("@@")
        && (tokens.isOperator(token + 1, "=") || tokens.isOperator(token + 1, ":="));
  }

  private static RefusedException ofSystemVariable() {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "a subquery beside a system variable in SET",
        "give its value to a user variable first: SET @v = (SELECT …)");
  }
}
