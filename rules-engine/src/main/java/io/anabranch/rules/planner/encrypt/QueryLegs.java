package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Queries and the SELECTs that they are made of: {@code (SELECT 1 UNION (SELECT 2))} is one query
 * of two legs. A query is known by its parenthesis.
 */
final class QueryLegs {

  /** The whole statement, where queries in parentheses are known by these. */
  static final int TOP = -1;

  private final SqlTokens tokens;
  private final Scopes scopes;

  /** By their queries' parentheses; empty: nobody has asked yet. */
  private final Map<Integer, List<Scope>> legs = new HashMap<>();

  /** What is known of queries, by their parentheses. */
  private final Map<Integer, Around> known = new HashMap<>();

  /**
   * What stands in a query's parenthesis.
   *
   * @param isUnionAll whether no set operator but UNION ALL is in it
   * @param order the least depth of a word ORDER
   */
  private record Around(boolean isUnionAll, int order) {}

  QueryLegs(SqlTokens tokens, Scopes scopes) {
    this.tokens = tokens;
    this.scopes = scopes;
  }

  /** The parenthesis around the query that a SELECT is a leg of; {@link #TOP}: there is none. */
  int query(SelectSpans select) {
    int open = tokens.around(select.select());
    while (open >= 0 && isLeg(open)) {
      open = tokens.around(open);
    }
    return open;
  }

  /** Whether a parenthesis holds a leg of a query, or again the whole of what is in another. */
  private boolean isLeg(int open) {
    int close = tokens.closing(open);
    boolean isDoubled = tokens.isPunctuation(open - 1, '(') && tokens.isPunctuation(close + 1, ')');
    boolean isBehindSet =
        isSet(open - 1)
            || ((tokens.isWord(open - 1, "ALL") || tokens.isWord(open - 1, "DISTINCT"))
                && isSet(open - 2));
    return open == 0 || isDoubled || isBehindSet || isSet(close + 1);
  }

  private boolean isSet(int token) {
    return ClauseEnds.isSetOperator(tokens, token);
  }

  /** The legs of a query. */
  List<Scope> legs(int open) {
    if (legs.isEmpty()) {
      for (Scope scope : scopes.selects()) {
        SelectSpans select = scope.select;
        if (select != null) {
          legs.computeIfAbsent(query(select), _ -> new ArrayList<>()).add(scope);
        }
      }
    }
    return legs.getOrDefault(open, List.of());
  }

  boolean isUnionAll(int open) {
    return around(open).isUnionAll();
  }

  /** Whether a query is sorted outside of SELECTs of a depth. */
  boolean isSorted(int open, int depth) {
    return around(open).order() < depth;
  }

  private Around around(int open) {
    return known.computeIfAbsent(open, this::read);
  }

  private Around read(int open) {
    int from = open == TOP ? 0 : open + 1;
    int to = open == TOP ? tokens.size() : tokens.closing(open);
    TokenRange inside = tokens.between(from, to);
    boolean isOther =
        inside.has(
            token ->
                isSet(token)
                    && !(tokens.isWord(token, "UNION") && tokens.isWord(token + 1, "ALL")));
    int order =
        inside.words("ORDER").stream().mapToInt(tokens::depth).min().orElse(Integer.MAX_VALUE);
    return new Around(!isOther, order);
  }
}
