package io.anabranch.rules.resolve;

import io.anabranch.rules.function.SqlFunctions;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.syntax.query.SelectSpans;
import io.anabranch.rules.task.PlanTask;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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

  /**
   * Derived tables in each other, or common tables in an odd order; beyond that any name is one.
   */
  private static final int MOST_PASSES = 16;

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
    for (int pass = 0; before < names.size() && !any; pass++) {
      any = pass == MOST_PASSES;
      before = names.size();
      var known = new Quotients(tokens, padded, names, false);
      for (Span span : body) {
        any |= known.collect(span, names);
      }
    }
    return new Quotients(tokens, padded, names, any);
  }

  /** Those of the columns that a query reads from derived tables and views. */
  public static Quotients read(Analysis analysis) {
    SqlTokens tokens = analysis.source().tokens();
    PlanTask task = analysis.task();
    if (!task.catalog().isMariaDb(task.nearest(task.database().endpoints()))) {
      // MySQL keeps more digits of AVG alone, and tells all that it keeps in a table
      return of(tokens);
    }
    SelectSpans select = SelectSpans.main(tokens);
    Quotients own = of(tokens, select == null ? List.of() : select.body(), false, false);
    var names = new HashSet<>(own.names);
    boolean any = own.any;
    for (String view : new ReadViews(analysis).queries()) {
      SqlTokens query = SqlTokens.of(view);
      any |= view.isEmpty() || of(query).collect(new Span(0, query.size()), names);
    }
    return new Quotients(tokens, false, names, any);
  }

  /**
   * Which select items of a query may have other digits than are told.
   *
   * @param columns how many the query has
   * @return their positions; those of a star are all that it may give
   */
  public static Set<Integer> selected(Analysis analysis, int columns) {
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
    for (int select :
        tokens
            .in(span)
            .names(
                token -> tokens.isWord(token, "SELECT") && !tokens.isPunctuation(token - 1, '.'))) {
      List<Span> items = SelectSpans.at(tokens, select).items(tokens);
      boolean kept = isKept(select, items);
      for (Span item : items) {
        if (!kept && mayHaveMore(item)) {
          int last = item.behind() - 1;
          boolean named = tokens.isName(last) && item.behind() - item.first() > 1;
          nameless |= !named && !isStar(item);
          into.add(named ? tokens.lowerName(last) : "");
        }
      }
    }
    return nameless
        || tokens.between(span.first(), span.behind() - 1).calls().stream()
            .anyMatch(name -> SelectSpans.namesColumns(tokens, name));
  }

  /** Whether a server keeps the rows of a derived table, with the digits that it tells. */
  private boolean isKept(int select, List<Span> items) {
    int depth = tokens.depth(select);
    int behind = tokens.from(select).skip(token -> tokens.depth(token) >= depth);
    return tokens.isWord(select + 1, "DISTINCT")
        || tokens
            .between(select, behind)
            .has(
                token ->
                    tokens.depth(token) == depth
                        && (tokens.isAnyWord(token, "GROUP", "LIMIT", "OVER")
                            || ClauseEnds.isSetOperator(tokens, token)))
        || items.stream().anyMatch(this::aggregates);
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
    return unsettled(span).stream()
        .anyMatch(token -> tokens.isOperator(token, "/") || isCall(token, "AVG") || pads(token));
  }

  private List<Integer> unsettled(Span span) {
    return tokens.in(span).outside(this::settles);
  }

  private boolean settles(int open) {
    return SETTLING.contains(tokens.word(open - 1)) && !tokens.isPunctuation(open - 2, '.');
  }

  private boolean pads(int token) {
    if (!padded || tokens.kind(token) != TokenKind.WORD || tokens.isPunctuation(token - 1, '.')) {
      return false;
    }
    boolean call = tokens.isPunctuation(token + 1, '(');
    if (isCall(token, "ROUND") || isCall(token, "TRUNCATE")) {
      return !roundsToKnownDigits(token + 1);
    }
    return PADDING.contains(tokens.word(token)) && (call || tokens.isWord(token, "CASE"));
  }

  /** Else it is told with as many digits as what it rounds. */
  private boolean roundsToKnownDigits(int open) {
    int close = tokens.closing(open);
    boolean alone = tokens.between(open + 1, close).parts().size() < 2;
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
    return unsettled(span).stream()
        .anyMatch(token -> isColumn(token) && (any || names.contains(tokens.lowerName(token))));
  }

  private boolean isColumn(int token) {
    return tokens.isName(token) && !tokens.isPunctuation(token + 1, '(');
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
    return tokens.in(item).outside(open -> SqlFunctions.isAggregate(tokens.text(open - 1))).stream()
        .anyMatch(
            token ->
                tokens.isOperator(token, "/")
                    ? !aggregatesAround(item, token)
                    : isColumn(token) && mentionsOne(new Span(token, token + 1)));
  }

  /** Whether one of both operands has an aggregate. */
  private boolean aggregatesAround(Span item, int slash) {
    int depth = tokens.depth(slash);
    int before =
        tokens
            .between(item.first(), slash)
            .findLast(token -> tokens.depth(token) < depth || isTermEnd(token, depth));
    int start = before < 0 ? item.first() : before + 1;
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
    return tokens
        .in(span)
        .outside(open -> tokens.isWord(open + 1, "SELECT") || isAggregate(open - 1))
        .stream()
        .anyMatch(token -> isAggregate(token) && counts(token + 1, ofQuotients));
  }

  private boolean isAggregate(int token) {
    return tokens.kind(token) == TokenKind.WORD
        && tokens.isPunctuation(token + 1, '(')
        && SqlFunctions.isAggregate(tokens.text(token));
  }

  private boolean counts(int open, boolean ofQuotients) {
    int close = tokens.closing(open);
    return !tokens.isWord(close + 1, "OVER")
        && (!ofQuotients || mayHaveMore(new Span(open + 1, close)));
  }

  /** Whether a subquery in it groups quotients. */
  public boolean groupsWithin(Span span) {
    int select = tokens.in(span).findWord("SELECT");
    TokenRange query = tokens.between(select, span.behind());
    return select >= 0
        && query.hasWord("GROUP", "DISTINCT")
        && query.has(token -> tokens.isOperator(token, "/"));
  }

  /** Whether a name of a column may stand in it. */
  public boolean mentionsNames(Span span) {
    return tokens.in(span).has(this::isColumn);
  }

  public boolean mentions(Span span, String word) {
    return tokens.in(span).hasWord(word);
  }

  /** Whether such a column may be meant, quoted or not. */
  public boolean mentionsColumn(Span span, String name) {
    return tokens.in(span).hasName(name);
  }
}
