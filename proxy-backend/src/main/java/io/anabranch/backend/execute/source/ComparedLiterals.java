package io.anabranch.backend.execute.source;

import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.syntax.query.ClauseWords;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The strings that a statement compares with something. Servers convert them once, before they read
 * rows; strings elsewhere, such as in sums and BETWEEN, are converted for each row.
 */
public final class ComparedLiterals {

  /** A value may have quotes itself; behind it stands the name of a column or a function. */
  private static final int LAST_QUOTES = 8;

  private final PlanNode root;
  private final ExecuteParameters parameters;
  private final Set<String> literals = new HashSet<>();

  /** Values of parameters, and how often a query compares them. */
  private final Map<String, Integer> bound = new HashMap<>();

  private int queries;

  /**
   * @param parameters of a prepared statement
   */
  public ComparedLiterals(PlanNode root, ExecuteParameters parameters) {
    this.root = root;
    this.parameters = parameters;
  }

  /**
   * Whether the message is about one of them, and not about rows.
   *
   * @param times how often a query has said it: MySQL converts parameters for each row
   */
  boolean isMentioned(String message, int times) {
    read();
    int first = message.indexOf('\'') + 1;
    int last = message.length();
    for (int quote = 0; quote < LAST_QUOTES; quote++) {
      last = message.lastIndexOf('\'', last - 1);
      if (first == 0 || last < first) {
        return false;
      }
      String value = message.substring(first, last);
      if (literals.contains(value) || times <= bound.getOrDefault(value, 0)) {
        return true;
      }
    }
    return false;
  }

  /** How many statements were made of the text. */
  int queries() {
    read();
    return queries;
  }

  private void read() {
    if (queries == 0) {
      List<ShardQuery> all = PlanPrinter.queries(root);
      all.forEach(this::read);
      queries = Math.max(1, all.size());
    }
  }

  private void read(ShardQuery query) {
    SqlTokens tokens = SqlTokens.of(query.sqlText());
    var clauses = new ClauseWords(tokens);
    var compared = new HashMap<String, Integer>();
    int markers = 0;
    var list = new StringList(0, 0, false);
    for (int token : tokens.all().where(each -> isValue(tokens, each))) {
      boolean isMarker = tokens.kind(token) == TokenKind.MARKER;
      list = token < list.close() ? list : StringList.around(tokens, token);
      if (isCompared(tokens, clauses, token, list.isOfIn())) {
        String value = isMarker ? bound(query, markers) : unquoted(tokens.text(token));
        if (!isMarker) {
          literals.add(value);
        } else if (!value.isEmpty()) {
          compared.merge(value, 1, Integer::sum);
        }
      }
      markers += isMarker ? 1 : 0;
    }
    compared.forEach((value, times) -> bound.merge(value, times, Math::max));
  }

  private static String unquoted(String literal) {
    return literal.substring(1, literal.length() - 1);
  }

  /** The value of a marker; empty for NULL, and where there is none. */
  private String bound(ShardQuery query, int marker) {
    int[] taken = query.parameters();
    int parameter = marker < taken.length ? taken[marker] : parameters.count();
    byte[] value = parameter < parameters.count() ? parameters.content(parameter) : null;
    return value == null ? "" : new String(value, StandardCharsets.UTF_8);
  }

  private static boolean isCompared(
      SqlTokens tokens, ClauseWords clauses, int literal, boolean isInList) {
    int clause = clauses.nearest(literal);
    boolean inserts = tokens.isAnyWord(0, "INSERT", "REPLACE");
    // what is assigned is converted for each row
    if (tokens.isWord(clause, "SET") || (inserts && !tokens.isAnyWord(clause, "WHERE", "HAVING"))) {
      return false;
    }
    return tokens.isComparison(literal - 1) || tokens.isComparison(literal + 1) || isInList;
  }

  /**
   * Strings with commas between them, each gone through once.
   *
   * @param open in front of them
   * @param close behind them
   * @param isOfIn {@code IN ('x', …)}, of strings alone: other lists are compared anew for each row
   */
  private record StringList(int open, int close, boolean isOfIn) {

    static StringList around(SqlTokens tokens, int literal) {
      int open = tokens.between(0, literal).findLast(token -> !isOfStrings(tokens, token));
      int close = tokens.from(literal).skip(token -> isOfStrings(tokens, token));
      boolean isOfIn =
          tokens.isPunctuation(open, '(')
              && tokens.isWord(open - 1, "IN")
              && tokens.isPunctuation(close, ')');
      return new StringList(open, close, isOfIn);
    }

    private static boolean isOfStrings(SqlTokens tokens, int token) {
      return isValue(tokens, token) || tokens.isPunctuation(token, ',');
    }
  }

  private static boolean isValue(SqlTokens tokens, int token) {
    return tokens.kind(token) == TokenKind.STRING || tokens.kind(token) == TokenKind.MARKER;
  }
}
