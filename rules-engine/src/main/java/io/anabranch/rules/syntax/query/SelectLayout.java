package io.anabranch.rules.syntax.query;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.sql.SelectFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Where the clauses of a plain SELECT stand, in tokens. Clause words are reserved: outside of
 * parentheses and not behind a point they are nothing else.
 *
 * @param items without their commas, aliases included
 * @param from first token of FROM
 * @param body behind the last token of FROM … WHERE …
 * @param groupBy items of GROUP BY
 * @param having behind the word HAVING
 * @param orderBy items of ORDER BY without ASC and DESC
 * @param orderClause ORDER BY as a whole
 * @param tail FOR UPDATE and the like
 */
public record SelectLayout(
    List<Span> items,
    int from,
    int body,
    List<Span> groupBy,
    Span groupClause,
    Span having,
    List<Span> orderBy,
    Span orderClause,
    Span tail) {

  private static final Set<String> MODIFIERS =
      Set.of(
          "ALL",
          "DISTINCT",
          "DISTINCTROW",
          "HIGH_PRIORITY",
          "STRAIGHT_JOIN",
          "SQL_SMALL_RESULT",
          "SQL_BIG_RESULT",
          "SQL_BUFFER_RESULT",
          "SQL_CACHE",
          "SQL_NO_CACHE",
          "SQL_CALC_FOUND_ROWS");

  /** Modifiers that MariaDB takes in the first leg of a UNION only. */
  private static final Set<String> FIRST_LEG_ONLY =
      Set.of("SQL_NO_CACHE", "SQL_CACHE", "HIGH_PRIORITY", "SQL_BUFFER_RESULT");

  private static final Set<String> COMPARISONS = Set.of("=", "<>", "!=", "<", "<=", ">", ">=");

  private static final Set<String> CLAUSES =
      Set.of("FROM", "GROUP", "HAVING", "ORDER", "LIMIT", "FOR", "LOCK");

  /** Empty where the text is not a SELECT … FROM … of known clauses in their usual order. */
  public static Optional<SelectLayout> of(SqlTokens tokens) {
    if (!tokens.isWord(0, "SELECT")) {
      return Optional.empty();
    }
    int firstItem = behindModifiers(tokens, 1);
    int[] starts = {-1, -1, -1, -1, -1, -1};
    int last = -1;
    boolean limited = false;
    for (int token = firstItem; token < tokens.size(); token++) {
      if (tokens.depth(token) != 0
          || tokens.kind(token) != TokenKind.WORD
          || tokens.isPunctuation(token - 1, '.')) {
        continue;
      }
      String word = tokens.text(token).toUpperCase(Locale.ROOT);
      if (word.equals("FOR") && isIndexHint(tokens, token)) {
        token++;
      } else if (CLAUSES.contains(word)) {
        int clause = clause(word);
        if (clause <= last) {
          return Optional.empty();
        }
        starts[clause] = token;
        last = clause;
        limited |= word.equals("LIMIT");
      } else if (ClauseEnds.endsCondition(tokens, token) && !(limited && word.equals("OFFSET"))) {
        return Optional.empty();
      }
    }
    return starts[0] < 0 ? Optional.empty() : Optional.of(build(tokens, firstItem, starts));
  }

  /** The first token from {@code from} on that is not DISTINCT or the like. */
  public static int behindModifiers(SqlTokens tokens, int from) {
    int first = from;
    while (first < tokens.size() && isModifier(tokens, first)) {
      first++;
    }
    return first;
  }

  /** Whether the parser found as many items in each clause. */
  public boolean matches(SelectFacts select) {
    return items.size() == select.items().size()
        && groupBy.size() == select.groupBy().size()
        && orderBy.size() == select.orderBy().size();
  }

  /**
   * Whether ORDER BY or GROUP BY have an item that some servers take for the position of a column
   * although it is no plain number: {@code (2)}, {@code +2}, {@code ?}.
   */
  public boolean hasDisguisedPositions(SqlTokens tokens) {
    return orderBy.stream().anyMatch(item -> isDisguisedPosition(item, tokens))
        || groupBy.stream().anyMatch(item -> isDisguisedPosition(item, tokens));
  }

  private static boolean isDisguisedPosition(Span item, SqlTokens tokens) {
    int values = 0;
    for (int token = item.first(); token < item.behind(); token++) {
      TokenKind kind = tokens.kind(token);
      if (kind == TokenKind.NUMBER || kind == TokenKind.MARKER) {
        values++;
      } else if (!tokens.isPunctuation(token, '(')
          && !tokens.isPunctuation(token, ')')
          && !tokens.isOperator(token, "+")
          && !tokens.isWord(token, "ASC")
          && !tokens.isWord(token, "DESC")) {
        return false;
      }
    }
    boolean isPlain =
        tokens.kind(item.first()) == TokenKind.NUMBER && item.behind() == item.first() + 1;
    return values == 1 && !isPlain;
  }

  private static int clause(String word) {
    return switch (word) {
      case "FROM" -> 0;
      case "GROUP" -> 1;
      case "HAVING" -> 2;
      case "ORDER" -> 3;
      case "LIMIT" -> 4;
      default -> 5;
    };
  }

  private static boolean isModifier(SqlTokens tokens, int token) {
    return tokens.kind(token) != TokenKind.QUOTED
        && (tokens.kind(token) == TokenKind.OPTIMIZER_HINT
            || tokens.kind(token) == TokenKind.EXECUTABLE_START
            || tokens.kind(token) == TokenKind.EXECUTABLE_END
            || MODIFIERS.contains(tokens.word(token)));
  }

  /** Whether copies of the SELECT may be joined by UNION. */
  public boolean unites(SqlTokens tokens) {
    return !tokens
        .between(1, items.getFirst().first())
        .has(token -> FIRST_LEG_ONLY.contains(tokens.word(token)));
  }

  private static boolean isIndexHint(SqlTokens tokens, int token) {
    return tokens.isWord(token + 1, "JOIN")
        || tokens.isWord(token + 1, "ORDER")
        || tokens.isWord(token + 1, "GROUP");
  }

  private static SelectLayout build(SqlTokens tokens, int firstItem, int[] starts) {
    int[] ends = new int[starts.length];
    int end = tokens.size();
    for (int clause = starts.length - 1; clause >= 0; clause--) {
      ends[clause] = end;
      end = starts[clause] >= 0 ? starts[clause] : end;
    }
    var orderBy = new ArrayList<Span>();
    for (Span item : tokens.between(starts[3] + 2, starts[3] < 0 ? 0 : ends[3]).parts()) {
      boolean directed =
          tokens.isWord(item.behind() - 1, "ASC") || tokens.isWord(item.behind() - 1, "DESC");
      orderBy.add(directed ? new Span(item.first(), item.behind() - 1) : item);
    }
    return new SelectLayout(
        tokens.between(firstItem, starts[0]).parts(),
        starts[0],
        ends[0],
        tokens.between(starts[1] + 2, starts[1] < 0 ? 0 : ends[1]).parts(),
        span(starts[1], ends[1]),
        starts[2] < 0 ? Span.NONE : new Span(starts[2] + 1, ends[2]),
        orderBy,
        span(starts[3], ends[3]),
        span(starts[5], ends[5]));
  }

  private static Span span(int start, int end) {
    return start < 0 ? Span.NONE : new Span(start, end);
  }

  /** The parts of HAVING between ANDs outside of parentheses. */
  public List<Span> havingTerms(SqlTokens tokens) {
    var terms = new ArrayList<Span>();
    int first = having.first();
    for (int token = having.first(); token < having.behind(); token++) {
      if (tokens.depth(token) == 0
          && (tokens.isWord(token, "AND") || tokens.isOperator(token, "&&"))) {
        terms.add(new Span(first, token));
        first = token + 1;
      }
    }
    if (first < having.behind()) {
      terms.add(new Span(first, having.behind()));
    }
    return terms;
  }

  /** The left side of a comparison, which may stand in parentheses; none where it is no such. */
  public static Span comparedSpan(SqlTokens tokens, Span term) {
    TokenRange comparison = tokens.in(term).unwrapped();
    int depth = tokens.depth(comparison.first());
    int found =
        comparison.find(
            token ->
                tokens.depth(token) == depth
                    && tokens.kind(token) == TokenKind.OPERATOR
                    && COMPARISONS.contains(tokens.text(token)));
    return found < 0 ? Span.NONE : new Span(comparison.first(), found);
  }

  /** Whether an {@code IF(…)} or a CASE stands in the span. */
  public static boolean chooses(SqlTokens tokens, Span span) {
    return tokens.in(span).has(token -> tokens.isWord(token, "CASE") || isIf(tokens, token));
  }

  private static boolean isIf(SqlTokens tokens, int token) {
    return tokens.isWord(token, "IF") && tokens.isPunctuation(token + 1, '(');
  }

  /**
   * The values of which an {@code IF(…)} or a CASE gives one; empty where the span is neither as a
   * whole.
   */
  public static List<Span> choices(SqlTokens tokens, Span span) {
    int last = span.behind() - 1;
    if (isIf(tokens, span.first())) {
      return tokens.closing(span.first() + 1) == last
          ? values(tokens, new Span(span.first() + 2, last), 0)
          : List.of();
    }
    return tokens.isWord(span.first(), "CASE") && tokens.isWord(last, "END")
        ? values(tokens, new Span(span.first() + 1, last), 1)
        : List.of();
  }

  /**
   * @param cases 1 within a CASE, whose values stand behind THEN and ELSE; 0 in an argument list,
   *     where they stand behind commas
   */
  private static List<Span> values(SqlTokens tokens, Span within, int cases) {
    var values = new ArrayList<Span>();
    int depth = tokens.depth(within.first() - 1) + 1 - cases;
    int nested = 0;
    int begin = -1;
    for (int token = within.first(); token < within.behind(); token++) {
      if (tokens.depth(token) != depth) {
        continue;
      }
      nested += tokens.isWord(token, "CASE") ? 1 : tokens.isWord(token, "END") ? -1 : 0;
      if (nested < 0) {
        return List.of();
      }
      boolean begins =
          cases == 1
              ? tokens.isWord(token, "THEN") || tokens.isWord(token, "ELSE")
              : tokens.isPunctuation(token, ',');
      boolean ends = begins || (cases == 1 && tokens.isWord(token, "WHEN"));
      if (nested == 0 && ends) {
        if (begin >= 0) {
          values.add(new Span(begin, token));
        }
        begin = begins ? token + 1 : -1;
      }
    }
    if (begin >= 0) {
      values.add(new Span(begin, within.behind()));
    }
    return values;
  }
}
