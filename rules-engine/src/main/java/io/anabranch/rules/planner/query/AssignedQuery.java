package io.anabranch.rules.planner.query;

import io.anabranch.rules.catalog.StoredCatalog;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.planner.strategy.Attempt;
import io.anabranch.rules.resolve.Quotients;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * SELECT … INTO of user variables: the query without INTO is planned for itself, and its row is
 * given to the session. See <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/select-into.html">SELECT … INTO</a>.
 */
public record AssignedQuery(
    RowSource rows, List<String> variables, boolean isTrailing, Set<Integer> hidden)
    implements Detour {

  /**
   * Concerns statements with INTO and variables behind it.
   *
   * @param statements plans the query
   * @param reader finds its tables
   */
  static Attempt of(PlanTask task, KindPlanner statements, StatementReader reader) {
    if (!task.scan().mentionsInto()) {
      return new Attempt.Unconcerned();
    }
    var source = task.source();
    SqlTokens tokens = source.tokens();
    int into = clause(tokens, "INTO", 0);
    if (into < 0) {
      return new Attempt.Unconcerned();
    }
    int behind =
        tokens
            .from(into + 1)
            .skip(
                token ->
                    (token - into) % 2 == 1
                        ? isVariable(tokens, token)
                        : tokens.isPunctuation(token, ','));
    if ((behind - into) % 2 == 1) {
      return new Attempt.Unconcerned();
    }
    List<String> variables =
        tokens.between(into, behind).where(token -> isVariable(tokens, token)).stream()
            .map(tokens::text)
            .toList();
    if (CountedQuery.setOperation(tokens, 0) < tokens.size()) {
      // servers differ in where they take it then, none behind one of the first queries
      StatementReader.requireSyntax(task);
      if (CountedQuery.setOperation(tokens, behind) < tokens.size()) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "INTO in front of UNION, EXCEPT or INTERSECT", "put it at the end of the statement");
      }
    }
    if (CountedQuery.isAsked(tokens)) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "SQL_CALC_FOUND_ROWS beside INTO", "ask for COUNT(*) in a statement of its own");
    }
    var stored = task.of(task.scan(), task.scope(), new StoredCatalog(task.catalog()));
    Substatement query =
        new Substatement.Builder(stored, source)
            .tokens(0, into)
            .text(" ")
            .tokens(behind, tokens.size())
            .build();
    int from = clause(tokens, "FROM", 0);
    var assigned =
        new AssignedQuery(
            RowSource.of(query, statements),
            variables,
            from >= 0 && from < into,
            Quotients.selected(reader.read(query.task()), variables.size()));
    return assigned.taken();
  }

  private static boolean isVariable(SqlTokens tokens, int token) {
    return tokens.kind(token) == TokenKind.VARIABLE && !tokens.text(token).startsWith("@@");
  }

  /** The first such word outside of parentheses; -1: there is none. */
  public static int clause(SqlTokens tokens, String word, int first) {
    return tokens.from(first).findClause(0, word);
  }

  @Override
  public PlanNode root(BitSet legs, SlotValues values) {
    return new PlanNode.Assignment(rows.rows(values), variables, isTrailing, hidden);
  }
}
