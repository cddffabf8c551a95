package io.anabranch.rules.syntax.query;

import io.anabranch.rules.lexer.SqlTokens;
import java.util.HashSet;
import java.util.Set;

/**
 * What ends a part of a query, and begins the next: the one list of such words. Whether one is a
 * word of the clause or a name is told by its place: {@code t.limit} and {@code `group`} are names,
 * {@code FOR} and {@code ORDER} in {@code USE INDEX FOR ORDER BY (i)} belong to the table, and
 * {@code LEFT(a, 2)} is a function. Of {@code SELECT a FROM t u JOIN v ON b WHERE c LIMIT 1} the
 * table {@code t u} ends at JOIN, the list of tables at WHERE, the condition at LIMIT.
 *
 * <p>Depths are the caller's: a word inside of parentheses is told like any other.
 */
public final class ClauseEnds {

  private static final Set<String> SET_OPERATORS = Set.of("UNION", "EXCEPT", "INTERSECT", "MINUS");

  private static final Set<String> CONDITION =
      with(
          SET_OPERATORS,
          "GROUP",
          "HAVING",
          "WINDOW",
          "ORDER",
          "LIMIT",
          "OFFSET",
          "FETCH",
          "FOR",
          "LOCK",
          "INTO",
          "PROCEDURE",
          "RETURNING");

  private static final Set<String> ITEMS = with(CONDITION, "FROM", "WHERE");

  private static final Set<String> TABLES = with(CONDITION, "WHERE", "SET", "SELECT", "VALUES");

  private static final Set<String> JOINS =
      Set.of("JOIN", "INNER", "LEFT", "RIGHT", "CROSS", "NATURAL", "STRAIGHT_JOIN", "FULL");

  private static final Set<String> TABLE =
      with(
          with(TABLES, JOINS.toArray(String[]::new)),
          "ON",
          "USING",
          "USE",
          "FORCE",
          "IGNORE",
          "PARTITION");

  private ClauseEnds() {}

  private static Set<String> with(Set<String> some, String... more) {
    var all = new HashSet<>(some);
    all.addAll(Set.of(more));
    return Set.copyOf(all);
  }

  /** UNION and the like. */
  public static boolean isSetOperator(SqlTokens tokens, int token) {
    return SET_OPERATORS.contains(word(tokens, token));
  }

  /** Whether a query begins there for what stands in front: {@code UNION ALL}. */
  public static boolean isBehindSetOperator(SqlTokens tokens, int token) {
    return isSetOperator(tokens, token - 1) || tokens.isAnyWord(token - 1, "ALL", "DISTINCT");
  }

  /** A word of a JOIN, from its first on. */
  public static boolean isJoin(SqlTokens tokens, int token) {
    return JOINS.contains(word(tokens, token));
  }

  /** Of WHERE, and of all that has no list behind it. */
  public static boolean endsCondition(SqlTokens tokens, int token) {
    return CONDITION.contains(word(tokens, token));
  }

  /** Of a select list, or of RETURNING. */
  public static boolean endsItems(SqlTokens tokens, int token) {
    return ITEMS.contains(word(tokens, token));
  }

  /** Of all tables, with their joins. */
  public static boolean endsTables(SqlTokens tokens, int token) {
    return TABLES.contains(word(tokens, token));
  }

  /** Of one table: what stands there is no alias. */
  public static boolean endsTable(SqlTokens tokens, int token) {
    return TABLE.contains(word(tokens, token));
  }

  /** Empty for names and functions, and for words of an index hint or of a table's history. */
  private static String word(SqlTokens tokens, int token) {
    boolean isNone =
        tokens.isPunctuation(token - 1, '.')
            || (tokens.isPunctuation(token + 1, '(') && tokens.isAnyWord(token, "LEFT", "RIGHT"))
            || (tokens.isWord(token, "FOR")
                && (isIndex(tokens, token - 1) || tokens.isWord(token + 1, "SYSTEM_TIME")))
            || (tokens.isWord(token - 1, "FOR") && isIndex(tokens, token - 2));
    return isNone ? "" : tokens.word(token);
  }

  private static boolean isIndex(SqlTokens tokens, int token) {
    return tokens.isAnyWord(token, "INDEX", "KEY");
  }
}
