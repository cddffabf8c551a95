package io.anabranch.rules.planner.query;

import io.anabranch.rules.function.SqlFunctions;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.ReadViews;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Where {@code /} and AVG stand in a query: servers compute them with more digits than they tell,
 * and columns and variables that are given one keep them all. MariaDB does so with both, MySQL with
 * AVG.
 *
 * @param tokens of the query
 * @param padded whether what may have fewer digits than it is told with counts, too: {@code IF(a,
 *     1.5, 1.25)} is told as 1.50, and 1.5 for a text or a variable
 * @param names lower-case columns of derived tables and views that may have other digits
 * @param any whether any of their columns may
 */
public record Quotients(SqlTokens tokens, boolean padded, Set<String> names, boolean any) {

  /** Their results have as many digits as servers tell, whatever they are given. */
  private static final Set<String> SETTLING =
      Set.of(
          "CAST",
          "CEIL",
          "CEILING",
          "CONCAT",
          "CONCAT_WS",
          "CONVERT",
          "COUNT",
          "FLOOR",
          "FORMAT",
          "GROUP_CONCAT",
          "ROUND",
          "SIGN",
          "SQRT",
          "TRUNCATE");

  /** Their results are told with the most digits that one of them may have. */
  private static final Set<String> PADDING =
      Set.of(
          "CASE",
          "COALESCE",
          "GREATEST",
          "IF",
          "IFNULL",
          "LEAST",
          "NVL",
          "NVL2",
          "TIME_TO_SEC",
          "UNIX_TIMESTAMP");

  public Quotients {
    names = Set.copyOf(names);
  }

  /** Those of an expression that reads no derived table. */
  public static Quotients of(SqlTokens tokens) {
    return new Quotients(tokens, false, Set.of(), false);
  }

  /**
   * Those of a query.
   *
   * @param body tokens in which derived tables stand: FROM and WITH
   * @param views whether a view that is read has quotients
   */
  public static Quotients of(SqlTokens tokens, List<Span> body, boolean padded, boolean views) {
    var none = new Quotients(tokens, padded, Set.of(), false);
    boolean divides = body.stream().anyMatch(none::divides);
    if (!divides) {
      return new Quotients(tokens, padded, Set.of(), views);
    }
    var names = new HashSet<String>();
    boolean any = views;
    int before = -1;
    while (before < names.size() && !any) {
      before = names.size();
      var known = new Quotients(tokens, padded, names, false);
      for (Span span : body) {
        any |= known.collect(span, names);
      }
    }
    return new Quotients(tokens, padded, names, any);
  }

  /**
   * Which select items of a query may have other digits than are told.
   *
   * @param columns how many the query has
   * @return their positions; those of a star are all that it may give
   */
  static Set<Integer> selected(Analysis analysis, int columns) {
    SqlTokens tokens = analysis.source().tokens();
    var found = new HashSet<Integer>();
    SelectSpans select = SelectSpans.main(tokens);
    if (select == null || select.isCombined(tokens)) {
      return found;
    }
    boolean views = new ReadViews(analysis).divide(true);
    Quotients quotients = of(tokens, select.body(), true, views);
    List<Span> items = select.items(tokens);
    if (items.stream().anyMatch(item -> quotients.mentions(item, "OVER"))) {
      return found;
    }
    boolean listed = items.size() == columns && items.stream().noneMatch(quotients::isStar);
    for (int i = 0; i < items.size(); i++) {
      if (quotients.mayHaveMore(items.get(i))) {
        for (int column = listed ? i : 0; column < (listed ? i + 1 : columns); column++) {
          found.add(column);
        }
      }
    }
    return found;
  }

  /** Adds what quotients are called in the SELECTs of a span; true where one has no name. */
  private boolean collect(Span span, Set<String> into) {
    boolean nameless = false;
    for (int token = span.first(); token < span.behind(); token++) {
      if (!tokens.isWord(token, "SELECT") || tokens.isPunctuation(token - 1, '.')) {
        continue;
      }
      List<Span> items = SelectSpans.at(tokens, token).items(tokens);
      boolean kept = isKept(token, items);
      for (Span item : items) {
        if (!kept && mayHaveMore(item)) {
          int last = item.behind() - 1;
          boolean named = tokens.isName(last) && item.behind() - item.first() > 1;
          nameless |= !named && !isStar(item);
          into.add(named ? tokens.name(last).toLowerCase(Locale.ROOT) : "");
        }
      }
    }
    // Columns of a derived table may have names of their own: y (a, b) AS (…), (…) AS y (a, b).
    for (int token = span.first() + 1; token < span.behind(); token++) {
      boolean list = tokens.isPunctuation(token, '(') && tokens.isName(token - 1);
      int behind = list ? tokens.closing(token) + 1 : 0;
      boolean before = list && tokens.isWord(behind, "AS") && tokens.isPunctuation(behind + 1, '(');
      boolean after = list && isAliasOfDerived(token - 1);
      nameless |= before || after;
    }
    return nameless;
  }

  /** Whether a server keeps the rows of a derived table, with the digits that it tells. */
  private boolean isKept(int select, List<Span> items) {
    int depth = tokens.depth(select);
    boolean kept = tokens.isWord(select + 1, "DISTINCT");
    for (int i = select; i < tokens.size() && tokens.depth(i) >= depth; i++) {
      boolean own = tokens.depth(i) == depth;
      kept |= own && (tokens.isWord(i, "GROUP") || tokens.isWord(i, "LIMIT"));
      kept |= own && (tokens.isWord(i, "UNION") || tokens.isWord(i, "OVER"));
    }
    return kept || items.stream().anyMatch(this::aggregates);
  }

  private boolean isAliasOfDerived(int token) {
    int before = tokens.isWord(token - 1, "AS") ? token - 2 : token - 1;
    return tokens.isPunctuation(before, ')');
  }

  /** {@code *} or {@code t.*}. */
  public boolean isStar(Span item) {
    int last = item.behind() - 1;
    return tokens.isOperator(last, "*")
        && (last == item.first() || tokens.isPunctuation(last - 1, '.'));
  }

  /** Whether a value of these tokens may have more digits than a server tells. */
  public boolean mayHaveMore(Span span) {
    return divides(span) || mentionsOne(span);
  }

  /** Whether a quotient stands in these tokens, and nothing around it cuts its digits. */
  public boolean divides(Span span) {
    for (int token = span.first(); token < span.behind(); token++) {
      if (tokens.isOperator(token, "/") || isCall(token, "AVG") || pads(token)) {
        return true;
      }
      token = behindSettled(token);
    }
    return false;
  }

  private boolean pads(int token) {
    if (!padded || tokens.kind(token) != TokenKind.WORD || tokens.isPunctuation(token - 1, '.')) {
      return false;
    }
    boolean call = tokens.isPunctuation(token + 1, '(');
    if (isCall(token, "ROUND") || isCall(token, "TRUNCATE")) {
      return !roundsToKnownDigits(token + 1);
    }
    boolean pads = PADDING.contains(tokens.text(token).toUpperCase(Locale.ROOT));
    return pads && (call || tokens.isWord(token, "CASE"));
  }

  /** Else it is told with as many digits as what it rounds. */
  private boolean roundsToKnownDigits(int open) {
    int close = tokens.closing(open);
    boolean alone = true;
    alone &=
        tokens
            .between(open + 1, close)
            .consistsOf(
                token ->
                    tokens.depth(token) > tokens.depth(open) + 1
                        || !tokens.isPunctuation(token, ','));
    int sign = tokens.isOperator(close - 2, "-") ? close - 2 : close - 1;
    boolean literal =
        tokens.kind(close - 1) == TokenKind.NUMBER || tokens.kind(close - 1) == TokenKind.MARKER;
    return alone || (literal && tokens.isPunctuation(sign - 1, ','));
  }

  /** Whether a column of a derived table or view that may have more digits is named there. */
  public boolean mentionsOne(Span span) {
    if (names.isEmpty() && !any) {
      return false;
    }
    if (isStar(span)) {
      return true;
    }
    for (int token = span.first(); token < span.behind(); token++) {
      boolean column = tokens.isName(token) && !tokens.isPunctuation(token + 1, '(');
      if (column && (any || names.contains(tokens.name(token).toLowerCase(Locale.ROOT)))) {
        return true;
      }
      token = behindSettled(token);
    }
    return false;
  }

  private int behindSettled(int token) {
    boolean call =
        tokens.kind(token) == TokenKind.WORD
            && tokens.isPunctuation(token + 1, '(')
            && !tokens.isPunctuation(token - 1, '.')
            && SETTLING.contains(tokens.text(token).toUpperCase(Locale.ROOT));
    return call ? tokens.closing(token + 1) : token;
  }

  private boolean isCall(int token, String function) {
    return tokens.isWord(token, function) && tokens.isPunctuation(token + 1, '(');
  }

  /** Whether an aggregate function stands in it that is no window function, and in no subquery. */
  public boolean aggregates(Span span) {
    return aggregate(span, false);
  }

  /** Whether what an aggregate is given may have more digits. */
  public boolean aggregatesQuotients(Span item) {
    return aggregate(item, true);
  }

  /** Whether a part of it is computed without aggregates, and may have more digits. */
  public boolean dividesBesideAggregates(Span item) {
    for (int token = item.first(); token < item.behind(); token++) {
      boolean call = tokens.isPunctuation(token + 1, '(');
      if (call && SqlFunctions.isAggregate(tokens.text(token))) {
        token = tokens.closing(token + 1);
      } else if (tokens.isOperator(token, "/") && !aggregatesAround(item, token)) {
        return true;
      } else if (!call && tokens.isName(token) && mentionsOne(new Span(token, token + 1))) {
        return true;
      }
    }
    return false;
  }

  /** Whether one of both operands has an aggregate. */
  private boolean aggregatesAround(Span item, int slash) {
    int depth = tokens.depth(slash);
    int start = slash;
    while (start > item.first()
        && tokens.depth(start - 1) >= depth
        && !isTermEnd(start - 1, depth)) {
      start--;
    }
    int behind = slash + 1;
    if (tokens.isPunctuation(behind + 1, '(')) {
      behind++;
    }
    behind = tokens.isPunctuation(behind, '(') ? tokens.closing(behind) + 1 : behind + 1;
    return aggregates(new Span(start, slash)) || aggregates(new Span(slash + 1, behind));
  }

  private boolean isTermEnd(int token, int depth) {
    return tokens.depth(token) == depth
        && (tokens.isOperator(token, "+")
            || tokens.isOperator(token, "-")
            || tokens.isPunctuation(token, ','));
  }

  private boolean aggregate(Span span, boolean ofQuotients) {
    for (int token = span.first(); token < span.behind(); token++) {
      if (tokens.isPunctuation(token, '(') && tokens.isWord(token + 1, "SELECT")) {
        token = tokens.closing(token);
      } else if (tokens.kind(token) == TokenKind.WORD
          && tokens.isPunctuation(token + 1, '(')
          && SqlFunctions.isAggregate(tokens.text(token))) {
        int close = tokens.closing(token + 1);
        boolean windowed = tokens.isWord(close + 1, "OVER");
        if (!windowed && (!ofQuotients || mayHaveMore(new Span(token + 2, close)))) {
          return true;
        }
        token = close;
      }
    }
    return false;
  }

  /** Whether a subquery in it groups quotients. */
  public boolean groupsWithin(Span span) {
    boolean query = false;
    boolean groups = false;
    boolean divides = false;
    for (int token = span.first(); token < span.behind(); token++) {
      query |= tokens.isWord(token, "SELECT");
      groups |= query && (tokens.isWord(token, "GROUP") || tokens.isWord(token, "DISTINCT"));
      divides |= query && tokens.isOperator(token, "/");
    }
    return groups && divides;
  }

  /** Whether a name of a column may stand in it. */
  public boolean mentionsNames(Span span) {
    for (int token = span.first(); token < span.behind(); token++) {
      if (tokens.isName(token) && !tokens.isPunctuation(token + 1, '(')) {
        return true;
      }
    }
    return false;
  }

  public boolean mentions(Span span, String word) {
    return has(span, token -> tokens.isWord(token, word));
  }

  /** Whether such a column may be meant, quoted or not. */
  public boolean mentionsColumn(Span span, String name) {
    return has(span, token -> tokens.isName(token) && tokens.name(token).equalsIgnoreCase(name));
  }

  private static boolean has(Span span, IntPredicate such) {
    for (int token = span.first(); token < span.behind(); token++) {
      if (such.test(token)) {
        return true;
      }
    }
    return false;
  }
}
