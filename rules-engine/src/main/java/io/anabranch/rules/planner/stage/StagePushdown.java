package io.anabranch.rules.planner.stage;

import io.anabranch.rules.lexer.ReservedWords;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.syntax.query.Conjunction;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Which conditions of a statement may be asked when a reference's rows are read, because rows that
 * do not meet them cannot matter. The statement itself asks them again, so what is left out costs
 * time only: whatever is not surely right is left out.
 *
 * <p>A condition must be about columns of this one reference, literals and functions that give the
 * same for the same arguments. It may come out of WHERE if no outer join may leave the reference
 * without a row; out of ON of an inner join likewise; out of ON of a LEFT JOIN if the reference
 * stands on its right side. A name without a table in ON may only mean what that join joins, and
 * one that USING or NATURAL makes one column of two tables may mean either.
 */
final class StagePushdown {

  /** Functions whose value depends on nothing but their arguments and the session's settings. */
  private static final Set<String> FUNCTIONS =
      Set.of(
          "ABS",
          "ADDDATE",
          "ASCII",
          "BINARY",
          "BIT_COUNT",
          "BIT_LENGTH",
          "CAST",
          "CEIL",
          "CEILING",
          "CHAR",
          "CHARACTER_LENGTH",
          "CHAR_LENGTH",
          "COALESCE",
          "CONCAT",
          "CONCAT_WS",
          "CONVERT",
          "CRC32",
          "DATE",
          "DATEDIFF",
          "DATE_ADD",
          "DATE_FORMAT",
          "DATE_SUB",
          "DAY",
          "DAYOFMONTH",
          "DAYOFWEEK",
          "DAYOFYEAR",
          "DECIMAL",
          "ELT",
          "EXP",
          "EXTRACT",
          "FIELD",
          "FIND_IN_SET",
          "FLOOR",
          "FROM_DAYS",
          "GREATEST",
          "HEX",
          "HOUR",
          "IF",
          "IFNULL",
          "INSTR",
          "INTERVAL",
          "ISNULL",
          "JSON_CONTAINS",
          "JSON_EXTRACT",
          "JSON_UNQUOTE",
          "JSON_VALUE",
          "LAST_DAY",
          "LCASE",
          "LEAST",
          "LEFT",
          "LENGTH",
          "LN",
          "LOCATE",
          "LOG",
          "LOG10",
          "LOG2",
          "LOWER",
          "LPAD",
          "LTRIM",
          "MAKEDATE",
          "MD5",
          "MICROSECOND",
          "MID",
          "MINUTE",
          "MOD",
          "MONTH",
          "NULLIF",
          "OCTET_LENGTH",
          "ORD",
          "POSITION",
          "POW",
          "POWER",
          "QUARTER",
          "REPEAT",
          "REPLACE",
          "REVERSE",
          "RIGHT",
          "ROUND",
          "ROW",
          "RPAD",
          "RTRIM",
          "SECOND",
          "SHA1",
          "SIGN",
          "SQRT",
          "STRCMP",
          "STR_TO_DATE",
          "SUBDATE",
          "SUBSTR",
          "SUBSTRING",
          "SUBSTRING_INDEX",
          "TIME",
          "TIMESTAMPADD",
          "TIMESTAMPDIFF",
          "TO_DAYS",
          "TRIM",
          "TRUNCATE",
          "UCASE",
          "UNHEX",
          "UPPER",
          "VARCHAR",
          "WEEK",
          "WEEKDAY",
          "YEAR");

  private static final Set<String> OPERATORS =
      Set.of(
          "AND", "AS", "BETWEEN", "BINARY", "CASE", "DIV", "ELSE", "END", "ESCAPE", "FROM", "IN",
          "IS", "LIKE", "MOD", "NOT", "OR", "REGEXP", "RLIKE", "THEN", "WHEN", "XOR");

  private static final Set<String> WORDS =
      Set.of(
          "BOTH",
          "CHARACTER",
          "COLLATE",
          "FALSE",
          "FOR",
          "INTEGER",
          "INTERVAL",
          "LEADING",
          "NULL",
          "SET",
          "SIGNED",
          "TRAILING",
          "TRUE",
          "UNKNOWN",
          "UNSIGNED",
          "USING");

  /** In front of a literal, or behind AS. */
  private static final Set<String> TYPES =
      Set.of("CHAR", "DATE", "DATETIME", "DECIMAL", "DOUBLE", "TIME", "TIMESTAMP", "YEAR");

  private static final Set<String> UNITS =
      Set.of(
          "DAY",
          "DAY_HOUR",
          "DAY_MINUTE",
          "DAY_SECOND",
          "HOUR",
          "HOUR_MINUTE",
          "HOUR_SECOND",
          "MICROSECOND",
          "MINUTE",
          "MINUTE_SECOND",
          "MONTH",
          "QUARTER",
          "SECOND",
          "WEEK",
          "YEAR",
          "YEAR_MONTH");

  /** Functions whose first argument is a unit or a type. */
  private static final String[] OF_UNITS = {
    "EXTRACT", "GET_FORMAT", "TIMESTAMPADD", "TIMESTAMPDIFF"
  };

  private static final Set<String> BEFORE_FREE_NAMES = Set.of("COLLATE", "USING", "SET");

  private final SqlTokens tokens;
  private final List<SelectSpans> selects;
  private final List<StagedReference> references;

  /** ON conditions by the position of their SELECT. */
  private final Map<Integer, List<JoinConditions.On>> joins = new HashMap<>();

  StagePushdown(SqlTokens tokens, List<SelectSpans> selects, List<StagedReference> references) {
    this.tokens = tokens;
    this.selects = selects;
    this.references = references;
  }

  /** Conditions that may be asked where {@code reference} is read. */
  List<Span> of(StagedReference reference) {
    SelectSpans select = selects.get(reference.select());
    var found = new ArrayList<Span>();
    if (reference.outerJoins() == 0) {
      collect(select.where(), reference, name -> merges(select.from(), name), found);
    }
    for (JoinConditions.On on : joins(reference.select())) {
      boolean allowed =
          switch (on.side()) {
            case BOTH -> reference.outerJoins() == 0;
            case RIGHT ->
                reference.outerJoins() == 1
                    && on.join() < reference.ref().nameToken()
                    && reference.ref().nameToken() < on.condition().first();
            case UNKNOWN -> false;
          };
      if (allowed) {
        boolean isKnown = isOperand(reference, on.condition().first());
        collect(on.condition(), reference, _ -> !isKnown, found);
      }
    }
    return found;
  }

  private List<JoinConditions.On> joins(int select) {
    return joins.computeIfAbsent(select, any -> new JoinConditions(tokens, select).all());
  }

  /**
   * @param isDoubtful whether the name at a token, which has no table, may mean another's column
   */
  private void collect(
      Span condition, StagedReference reference, IntPredicate isDoubtful, List<Span> to) {
    for (Span part : Conjunction.parts(tokens, condition)) {
      if (isAbout(part, reference) && !mentions(part, reference, isDoubtful)) {
        to.add(part);
      }
    }
  }

  private boolean mentions(Span part, StagedReference reference, IntPredicate isDoubtful) {
    return tokens
        .in(part)
        .has(
            token ->
                isMentioned(token, reference)
                    && tokens.lastOfName(token) == token
                    && isDoubtful.test(token));
  }

  /** Whether USING or NATURAL may make one column of several of that name. */
  private boolean merges(Span from, int name) {
    TokenRange range = tokens.in(from);
    return range.hasWord("NATURAL") || (range.hasWord("USING") && range.hasName(tokens.name(name)));
  }

  /** Whether the reference is among the tables of the join whose condition begins there. */
  private boolean isOperand(StagedReference reference, int condition) {
    int depth = tokens.depth(condition);
    int name = reference.ref().nameToken();
    return name < condition
        && tokens
            .between(name, condition)
            .consistsOf(
                token ->
                    tokens.depth(token) > depth
                        || (tokens.depth(token) == depth && !tokens.isPunctuation(token, ',')));
  }

  /** Whether nothing but the reference's columns decides, and at least one of them does. */
  private boolean isAbout(Span part, StagedReference reference) {
    TokenRange range = tokens.in(part);
    return range.has(token -> isMentioned(token, reference))
        && range.consistsOf(token -> isMentioned(token, reference) || isFree(token, reference));
  }

  /** Whether the name of one of the reference's columns begins here. */
  private boolean isMentioned(int token, StagedReference reference) {
    int last = tokens.lastOfName(token);
    if (!tokens.isName(token) || isOfQualified(token) || tokens.isPunctuation(last + 1, '.')) {
      return false;
    }
    boolean isCalled = tokens.isPunctuation(last + 1, '(');
    return last == token
        ? (!isCalled || isOperatorWord(token)) && isOwn(token, reference)
        : !isCalled
            && reference.isNamed(tokens.name(last - 2))
            && reference.hasColumn(tokens.name(last));
  }

  /** Whether the token names no column. */
  private boolean isFree(int token, StagedReference reference) {
    if (!tokens.isName(token)) {
      return isHarmless(token);
    }
    if (isOfQualified(token)) {
      return true;
    }
    if (tokens.isPunctuation(token + 1, '(') && !isOperatorWord(token)) {
      return isFunction(token);
    }
    return !tokens.isPunctuation(token + 1, '.')
        && !isColumn(token, reference.select())
        && isWord(token);
  }

  /**
   * Whether a name, which is one of a column, may be a type, a unit or a collation where it stands:
   * {@code CAST(… AS date)}, {@code INTERVAL 1 day}, {@code date '2024-01-01'}.
   */
  static boolean mayBeWord(SqlTokens tokens, int token) {
    if (tokens.kind(token) != TokenKind.WORD) {
      return false;
    }
    String before = tokens.word(token - 1);
    if (before.equals("AS") || BEFORE_FREE_NAMES.contains(before)) {
      return true;
    }
    String word = tokens.word(token);
    if (!UNITS.contains(word) && !TYPES.contains(word)) {
      return false;
    }
    boolean isArgument =
        tokens.isPunctuation(token - 1, '(')
            && (tokens.isWord(token + 1, "FROM") || tokens.isAnyWord(token - 2, OF_UNITS));
    boolean isLast = tokens.isPunctuation(token - 1, ',') && tokens.isPunctuation(token + 1, ')');
    return isArgument
        || isLast
        || ReservedWords.endsOperand(tokens, token - 1)
        || tokens.kind(token + 1) == TokenKind.STRING;
  }

  /** Whether the name in front tells what the token means. */
  private boolean isOfQualified(int token) {
    return tokens.isPunctuation(token - 1, '.');
  }

  private boolean isHarmless(int token) {
    return switch (tokens.kind(token)) {
      case NUMBER, STRING, BINARY, MARKER, PUNCTUATION -> true;
      case OPERATOR -> !tokens.isOperator(token, ":=");
      case WORD, QUOTED -> true;
      case VARIABLE, OPTIMIZER_HINT, EXECUTABLE_START, EXECUTABLE_END, NONE -> false;
    };
  }

  private boolean isOperatorWord(int token) {
    return OPERATORS.contains(tokens.word(token));
  }

  private boolean isFunction(int token) {
    return FUNCTIONS.contains(tokens.word(token));
  }

  /** Whether a name that is no column of the SELECT's tables is a word of the grammar. */
  private boolean isWord(int token) {
    boolean named = BEFORE_FREE_NAMES.contains(tokens.word(token - 1));
    if (tokens.kind(token) != TokenKind.WORD || named) {
      return named;
    }
    TokenKind next = token + 1 < tokens.size() ? tokens.kind(token + 1) : TokenKind.PUNCTUATION;
    boolean literal = next == TokenKind.STRING || next == TokenKind.BINARY;
    String word = tokens.word(token);
    if (word.startsWith("_") || TYPES.contains(word)) {
      return literal || tokens.isWord(token - 1, "AS") || (UNITS.contains(word) && isUnit(token));
    }
    return UNITS.contains(word) ? isUnit(token) : OPERATORS.contains(word) || WORDS.contains(word);
  }

  /** {@code INTERVAL 1 DAY}, {@code EXTRACT(DAY FROM …)}, {@code TIMESTAMPDIFF(DAY, …)}. */
  private boolean isUnit(int token) {
    boolean first =
        tokens.isPunctuation(token - 1, '(')
            && (tokens.isWord(token + 1, "FROM") || tokens.isPunctuation(token + 1, ','));
    return first
        || switch (tokens.kind(token - 1)) {
          case NUMBER, STRING, MARKER -> true;
          case PUNCTUATION -> tokens.isPunctuation(token - 1, ')');
          default -> false;
        };
  }

  private boolean isOwn(int token, StagedReference reference) {
    return reference.hasColumn(tokens.name(token)) && owners(token, reference.select()) == 1;
  }

  private boolean isColumn(int token, int select) {
    return owners(token, select) > 0;
  }

  private long owners(int token, int select) {
    String name = tokens.name(token);
    return references.stream()
        .filter(each -> each.select() == select && each.hasColumn(name))
        .count();
  }
}
