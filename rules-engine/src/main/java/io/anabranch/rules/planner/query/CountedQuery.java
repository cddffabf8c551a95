package io.anabranch.rules.planner.query;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.planner.scatter.LimitRule;
import io.anabranch.rules.planner.strategy.Attempt;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.sql.SelectFacts.LimitFacts;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * SQL_CALC_FOUND_ROWS: the query is planned without it and without its LIMIT, and its rows are
 * counted while those within the LIMIT go to the client. See <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/information-functions.html#function_found-rows">FOUND_ROWS()</a>.
 *
 * @param limit of the whole statement
 */
record CountedQuery(RowSource rows, LimitRule limit) implements Detour {

  private static final String ASKS = "SQL_CALC_FOUND_ROWS";

  /**
   * Concerns statements that ask for it, in forms that are taken.
   *
   * @param statements plans the query
   */
  static Attempt of(PlanTask task, KindPlanner statements) {
    if (!task.scan().countsFoundRows()) {
      return new Attempt.Unconcerned();
    }
    SourceText source = task.source();
    SqlTokens tokens = source.tokens();
    int asks = AssignedQuery.clause(tokens, ASKS, 0);
    if (asks < 0 || asks > setOperation(tokens, 0) || isAsked(tokens, asks + 1)) {
      return new Attempt.Unconcerned();
    }
    int limit = AssignedQuery.clause(tokens, "LIMIT", asks);
    LimitFacts facts = null;
    int behind = limit;
    if (limit >= 0) {
      boolean isPair = isPair(tokens, limit);
      behind = limit + (isPair ? 4 : 2);
      facts = limit(tokens, limit, isPair);
    }
    boolean ends =
        limit < 0
            || behind >= tokens.size()
            || tokens.isWord(behind, "FOR")
            || tokens.isWord(behind, "LOCK");
    boolean isKnown = limit < 0 || facts != null;
    if (!isKnown
        || !ends
        || AssignedQuery.clause(tokens, "FETCH", asks) >= 0
        || AssignedQuery.clause(tokens, "INTO", asks) >= 0) {
      return new Attempt.Unconcerned();
    }
    var query = new Substatement.Builder(task, source).tokens(0, asks).text(" ");
    if (limit < 0) {
      query.tokens(asks + 1, tokens.size());
    } else {
      query.tokens(asks + 1, limit).text(" ").tokens(behind, tokens.size());
    }
    return new CountedQuery(RowSource.of(query.build(), statements), new LimitRule(facts)).taken();
  }

  /** {@code LIMIT 5, 10} or {@code LIMIT 10 OFFSET 5}. */
  private static boolean isPair(SqlTokens tokens, int limit) {
    return tokens.isPunctuation(limit + 2, ',') || tokens.isWord(limit + 2, "OFFSET");
  }

  /** Null where they are no numbers. */
  private static @Nullable LimitFacts limit(SqlTokens tokens, int limit, boolean isPair) {
    int first = slot(tokens, limit + 1);
    int second = isPair ? slot(tokens, limit + 3) : -1;
    if (first < 0 || (isPair && second < 0)) {
      return null;
    }
    if (!isPair) {
      return new LimitFacts(operand(first), null);
    }
    boolean isOffsetFirst = tokens.isPunctuation(limit + 2, ',');
    return new LimitFacts(
        operand(isOffsetFirst ? second : first), operand(isOffsetFirst ? first : second));
  }

  private static Operand operand(int slot) {
    return new Operand.Slot(slot, false);
  }

  private static int slot(SqlTokens tokens, int token) {
    boolean isValue =
        token < tokens.size()
            && (tokens.kind(token) == TokenKind.NUMBER || tokens.kind(token) == TokenKind.MARKER);
    return isValue ? tokens.slot(token) : -1;
  }

  /** Where the first set operation outside of parentheses stands; behind the end: nowhere. */
  static int setOperation(SqlTokens tokens, int from) {
    return tokens
        .from(from)
        .skip(token -> tokens.depth(token) > 0 || !ClauseEnds.isSetOperator(tokens, token));
  }

  static boolean isAsked(SqlTokens tokens) {
    return isAsked(tokens, 0);
  }

  private static boolean isAsked(SqlTokens tokens, int from) {
    return tokens.from(from).hasWord(ASKS);
  }

  @Override
  public PlanNode root(BitSet legs, SlotValues values) {
    return new PlanNode.Counted(rows.rows(values), limit.offset(values), limit.count(values));
  }
}
