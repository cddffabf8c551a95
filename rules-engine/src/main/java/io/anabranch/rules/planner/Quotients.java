package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.planner.SelectLayout.Span;
import io.anabranch.rules.sql.AggregateNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Where {@code /} and AVG stand in a query: servers compute them with more digits than they tell.
 *
 * @param tokens of the query
 * @param names lower-case columns of derived tables and views that may have more digits
 * @param any whether any of their columns may
 */
record Quotients(SqlTokens tokens, Set<String> names, boolean any) {

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

  Quotients {
    names = Set.copyOf(names);
  }

  /**
   * Those of a query.
   *
   * @param body tokens in which derived tables stand: FROM and WITH
   * @param views whether a view that is read has quotients
   */
  static Quotients of(SqlTokens tokens, List<Span> body, boolean views) {
    var none = new Quotients(tokens, Set.of(), false);
    boolean divides = body.stream().anyMatch(none::divides);
    if (!divides) {
      return new Quotients(tokens, Set.of(), views);
    }
    var names = new HashSet<String>();
    boolean any = views;
    int before = -1;
    while (before < names.size() && !any) {
      before = names.size();
      var known = new Quotients(tokens, names, false);
      for (Span span : body) {
        any |= known.collect(span, names);
      }
    }
    return new Quotients(tokens, names, any);
  }

  /** Adds what quotients are called in the SELECTs of a span; true where one has no name. */
  private boolean collect(Span span, Set<String> into) {
    boolean nameless = false;
    for (int token = span.first(); token < span.behind(); token++) {
      if (!tokens.isWord(token, "SELECT") || tokens.isPunctuation(token - 1, '.')) {
        continue;
      }
      List<Span> items = items(tokens, token);
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

  /** Select items without their commas, aliases included. */
  static List<Span> items(SqlTokens tokens, int select) {
    int depth = tokens.depth(select);
    int start = SelectLayout.behindModifiers(tokens, select + 1);
    var items = new ArrayList<Span>();
    int token = start;
    for (; token < tokens.size() && tokens.depth(token) >= depth; token++) {
      if (tokens.depth(token) > depth) {
        continue;
      }
      if (ends(tokens, token)) {
        break;
      }
      if (tokens.isPunctuation(token, ',')) {
        items.add(new Span(start, token));
        start = token + 1;
      }
    }
    items.add(new Span(start, token));
    return List.copyOf(items);
  }

  private static boolean ends(SqlTokens tokens, int token) {
    boolean isQualified = tokens.isPunctuation(token - 1, '.');
    return SelectSpans.isClause(tokens, token) || (!isQualified && isSetOperator(tokens, token));
  }

  static boolean isSetOperator(SqlTokens tokens, int token) {
    return tokens.isWord(token, "UNION")
        || tokens.isWord(token, "INTERSECT")
        || tokens.isWord(token, "EXCEPT");
  }

  /** {@code *} or {@code t.*}. */
  boolean isStar(Span item) {
    int last = item.behind() - 1;
    return tokens.isOperator(last, "*")
        && (last == item.first() || tokens.isPunctuation(last - 1, '.'));
  }

  /** Whether a value of these tokens may have more digits than a server tells. */
  boolean mayHaveMore(Span span) {
    return divides(span) || mentionsOne(span);
  }

  /** Whether a quotient stands in these tokens, and nothing around it cuts its digits. */
  boolean divides(Span span) {
    for (int token = span.first(); token < span.behind(); token++) {
      if (tokens.isOperator(token, "/") || isCall(token, "AVG")) {
        return true;
      }
      token = behindSettled(token);
    }
    return false;
  }

  /** Whether a column of a derived table or view that may have more digits is named there. */
  boolean mentionsOne(Span span) {
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
    if (!call) {
      return token;
    }
    int close = tokens.closing(token + 1);
    boolean rounds = tokens.isWord(token, "ROUND") || tokens.isWord(token, "TRUNCATE");
    return rounds && !roundsToKnownDigits(token + 1, close) ? token : close;
  }

  private boolean roundsToKnownDigits(int open, int close) {
    boolean alone = true;
    for (int token = open + 1; token < close; token++) {
      alone &= tokens.depth(token) > tokens.depth(open) + 1 || !tokens.isPunctuation(token, ',');
    }
    boolean literal =
        tokens.isPunctuation(close - 2, ',') && tokens.kind(close - 1) == TokenKind.NUMBER;
    return alone || literal;
  }

  private boolean isCall(int token, String function) {
    return tokens.isWord(token, function) && tokens.isPunctuation(token + 1, '(');
  }

  /** Whether an aggregate function stands in it that is no window function, and in no subquery. */
  boolean aggregates(Span span) {
    return aggregate(span, false);
  }

  /** Whether what an aggregate is given may have more digits. */
  boolean aggregatesQuotients(Span item) {
    return aggregate(item, true);
  }

  /** Whether a part of it is computed without aggregates, and may have more digits. */
  boolean dividesBesideAggregates(Span item) {
    for (int token = item.first(); token < item.behind(); token++) {
      boolean call = tokens.isPunctuation(token + 1, '(');
      if (call && AggregateNames.contain(tokens.text(token))) {
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
          && AggregateNames.contain(tokens.text(token))) {
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
  boolean groupsWithin(Span span) {
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
  boolean mentionsNames(Span span) {
    for (int token = span.first(); token < span.behind(); token++) {
      if (tokens.isName(token) && !tokens.isPunctuation(token + 1, '(')) {
        return true;
      }
    }
    return false;
  }

  boolean mentions(Span span, String word) {
    for (int token = span.first(); token < span.behind(); token++) {
      if (tokens.isWord(token, word)) {
        return true;
      }
    }
    return false;
  }
}
