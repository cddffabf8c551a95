package io.anabranch.rules.guard;

import io.anabranch.rules.lexer.ReservedWords;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.syntax.query.ClauseEnds;
import java.util.Set;

/**
 * Finds joins that multiply tables: those without ON, USING and NATURAL whose query has no WHERE
 * that compares two columns. What a comma joins that is no table (a derived table without FROM,
 * LATERAL, JSON_TABLE) multiplies nothing.
 */
final class JoinReader {

  private static final Set<String> QUERIES = Set.of("SELECT", "WITH", "VALUES", "TABLE");

  private final SqlTokens tokens;

  JoinReader(SqlTokens tokens) {
    this.tokens = tokens;
  }

  /** Whether there is one, in the statement or in a query inside of it. */
  boolean isWithoutCondition() {
    return tokens.all().has(token -> beginsTables(token) && multiplies(token + 1));
  }

  /** A list of tables begins behind the word. */
  private boolean beginsTables(int token) {
    if (tokens.isPunctuation(token - 1, '.')) {
      return false;
    }
    if (tokens.isWord(token, "UPDATE")) {
      return token == 0 || tokens.isPunctuation(token - 1, ')');
    }
    boolean isOfDelete = tokens.isWord(token, "USING") && !tokens.isPunctuation(token + 1, '(');
    return isOfDelete || (tokens.isWord(token, "FROM") && !isOfFunction(token));
  }

  /** {@code TRIM(… FROM …)}: its parenthesis has no SELECT. */
  private boolean isOfFunction(int from) {
    int depth = tokens.depth(from);
    int query =
        tokens
            .between(tokens.around(from) + 1, from)
            .findLast(
                token ->
                    tokens.depth(token) == depth && tokens.isAnyWord(token, "SELECT", "DELETE"));
    return query < 0;
  }

  private boolean multiplies(int first) {
    int depth = tokens.depth(first);
    int end = tokens.from(first).until(depth, token -> ClauseEnds.endsTables(tokens, token));
    int joins =
        tokens.between(first, end).outside(open -> !isNested(open)).stream()
            .mapToInt(this::joined)
            .sum();
    return joins > 0 && !isCompared(end, depth);
  }

  /** By how many tables more than conditions there are. */
  private int joined(int token) {
    if (tokens.isPunctuation(token, ',')) {
      return isTable(token + 1) ? 1 : 0;
    }
    boolean joins =
        (tokens.isWord(token, "JOIN") && !tokens.isWord(token - 1, "FOR"))
            || tokens.isWord(token, "STRAIGHT_JOIN");
    if (joins) {
      return isNatural(token) || !isTable(token + 1) ? 0 : 1;
    }
    boolean isCondition = tokens.isWord(token, "ON") || tokens.isWord(token, "USING");
    return isCondition ? -1 : 0;
  }

  private boolean isNatural(int join) {
    return tokens.between(join - 3, join).hasWord("NATURAL");
  }

  /** Whether more than one row may come from there, whatever the rows beside are. */
  private boolean isTable(int token) {
    if (tokens.isWord(token, "LATERAL") || tokens.isWord(token, "JSON_TABLE")) {
      return false;
    }
    if (!tokens.isPunctuation(token, '(') || !isOneOf(token + 1, QUERIES)) {
      return true;
    }
    int depth = tokens.depth(token + 1);
    return tokens
        .between(token + 1, tokens.closing(token))
        .has(
            inner ->
                tokens.depth(inner) == depth
                    && (tokens.isWord(inner, "FROM")
                        || tokens.isWord(inner, "TABLE")
                        || tokens.isWord(inner, "UNION")));
  }

  /** {@code (a, b)} among tables, not a query and nothing that belongs to a name. */
  private boolean isNested(int open) {
    boolean isFirst =
        tokens.isPunctuation(open - 1, ',')
            || tokens.isPunctuation(open - 1, '(')
            || tokens.isWord(open - 1, "FROM")
            || tokens.isWord(open - 1, "UPDATE")
            || (tokens.isWord(open - 1, "JOIN") && !tokens.isWord(open - 2, "FOR"))
            || tokens.isWord(open - 1, "STRAIGHT_JOIN");
    return isFirst && !isOneOf(open + 1, QUERIES);
  }

  // ---------------------------------------------------------------- WHERE

  /** Whether the WHERE of the same query compares two columns. */
  private boolean isCompared(int from, int depth) {
    int where =
        tokens
            .from(from)
            .until(
                depth,
                token -> tokens.isWord(token, "WHERE") || ClauseEnds.isSetOperator(tokens, token));
    if (tokens.depth(where) != depth || !tokens.isWord(where, "WHERE")) {
      return false;
    }
    int end = tokens.from(where + 1).until(depth, token -> ClauseEnds.endsCondition(tokens, token));
    return tokens
        .between(where + 1, end)
        .has(token -> tokens.isComparison(token) && compares(token));
  }

  private boolean compares(int operator) {
    int right = operator + 1;
    if (!isColumn(operator - 1) || !isColumn(right)) {
      return false;
    }
    boolean isLeftQualified = tokens.isPunctuation(operator - 2, '.');
    boolean isRightQualified = tokens.isPunctuation(right + 1, '.');
    boolean isCall = tokens.isPunctuation(right + 1, '(');
    return !isCall
        && !(isLeftQualified
            && isRightQualified
            && tokens.name(operator - 3).equalsIgnoreCase(tokens.name(right)));
  }

  private boolean isColumn(int token) {
    return tokens.isName(token)
        && (tokens.kind(token) == TokenKind.QUOTED
            || tokens.isPunctuation(token - 1, '.')
            || !ReservedWords.mayHave(tokens.text(token)));
  }

  private boolean isOneOf(int token, Set<String> words) {
    return !tokens.isPunctuation(token - 1, '.') && words.contains(tokens.word(token));
  }
}
