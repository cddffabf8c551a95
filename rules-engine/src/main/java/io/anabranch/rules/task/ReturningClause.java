package io.anabranch.rules.task;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;

/**
 * RETURNING of an INSERT, REPLACE or DELETE: what the rows look like when several nodes answer. See
 * <a href="https://mariadb.com/kb/en/insertreturning/">INSERT … RETURNING</a>.
 *
 * @param columns with logical names; none if the database tells them with the rows only, as it does
 *     for INSERT
 * @param guardedSlots slots whose literals are in the names of columns
 * @param unwritten the columns where no row is written, so that no database answers
 */
public record ReturningClause(
    List<ResultColumn> columns, int[] guardedSlots, List<ResultColumn> unwritten) {

  /**
   * Asks a database for the columns.
   *
   * @param from the word RETURNING
   * @param query the statement for one node, or one that returns the same
   */
  public static ReturningClause describe(
      PlanTask task, int from, ShardQuery query, NameMapping names) {
    SqlTokens tokens = task.source().tokens();
    if (tokens.from(from).hasWord("SELECT")) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "a subquery in RETURNING", "read its value by a statement of its own");
    }
    int[] literals =
        new Span(from, tokens.size())
            .literals(tokens).stream().mapToInt(Integer::intValue).toArray();
    List<ResultColumn> columns = names.logical(task.catalog().describe(query));
    return new ReturningClause(columns, literals, columns);
  }

  /**
   * The same of a statement that may have no rows.
   *
   * @param query gives the same columns, which a database tells in advance then
   */
  public ReturningClause orNone(PlanTask task, ShardQuery query, NameMapping names) {
    List<ResultColumn> told = names.logical(task.catalog().describe(query));
    return new ReturningClause(columns, guardedSlots, told);
  }

  /** An item that is no plain column is called by its text, in which no actual name may stand. */
  public static void refuseQualifiedExpressions(SqlTokens tokens, int from) {
    tokens.from(from + 1).parts().forEach(item -> refuseQualifiedExpression(tokens, item));
  }

  private static void refuseQualifiedExpression(SqlTokens tokens, Span item) {
    TokenRange range = tokens.in(item);
    boolean plain =
        range.consistsOf(
            i ->
                (i - item.first()) % 2 == 1
                    ? tokens.isPunctuation(i, '.')
                    : tokens.isName(i) || tokens.isOperator(i, "*"));
    boolean qualified = range.has(i -> tokens.isPunctuation(i, '.'));
    boolean named = range.hasName(i -> tokens.depth(i) == 0 && tokens.isWord(i, "AS"));
    if (qualified && !plain && !named) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "a table's name within an expression of RETURNING",
          "leave it out, or give the expression an alias with AS");
    }
  }

  /** The change with its rows. */
  public PlanNode of(PlanNode.Change change) {
    return new PlanNode.Returning(change, columns, unwritten);
  }
}
