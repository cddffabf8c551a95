package io.anabranch.rules.planner.stage;

import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.syntax.query.OpenOperands;
import java.util.Set;

/**
 * What AVG of merged groups is, written over their sum and count. MariaDB divides as AVG does.
 * MySQL's AVG has more digits than it tells, whole words of nine, while its {@code /} has those
 * that it tells: the quotient is computed further and cut behind the digits of AVG. Its value is
 * then the server's, but it shows more digits, so that it may stand only where values count.
 *
 * @param mariaDb whether the database that computes is MariaDB
 * @param increment {@code div_precision_increment}
 */
record Averages(boolean mariaDb, int increment) {

  /** Functions and words around an AVG that look at its value and not at its text. */
  private static final Set<String> VALUES =
      Set.of(
          "ABS",
          "AND",
          "AS",
          "ASC",
          "AVG",
          "BETWEEN",
          "BIT_AND",
          "BIT_OR",
          "BIT_XOR",
          "BY",
          "CASE",
          "CAST",
          "CEIL",
          "CEILING",
          "COALESCE",
          "COUNT",
          "DECIMAL",
          "DESC",
          "DIV",
          "DOUBLE",
          "ELSE",
          "END",
          "FLOOR",
          "GREATEST",
          "IF",
          "IFNULL",
          "IN",
          "IS",
          "LEAST",
          "MAX",
          "MIN",
          "MOD",
          "NOT",
          "NULL",
          "NULLIF",
          "OR",
          "ROUND",
          "SIGN",
          "SIGNED",
          "SUM",
          "THEN",
          "TRUNCATE",
          "UNSIGNED",
          "WHEN");

  private static final Set<String> ARITHMETIC = Set.of("+", "-", "*", "/", "%");

  /** Functions of floating numbers, to which an AVG is one: its sum through its count. */
  private static final Set<String> FLOATING =
      Set.of(
          "ACOS", "ASIN", "ATAN", "ATAN2", "COS", "COT", "DEGREES", "EXP", "LN", "LOG", "LOG10",
          "LOG2", "POW", "POWER", "RADIANS", "SIN", "SQRT", "TAN");

  private static final int WORD = 9;
  private static final int MOST_DIGITS = 65;
  static final int MOST_DECIMALS = 30;
  private static final int DECIMAL = 246;
  private static final int DOUBLE = 5;

  /**
   * @param setting of {@code div_precision_increment} as SQL; empty: the server's own
   */
  static Averages of(boolean mariaDb, String setting) {
    boolean known = setting.matches("\\d{1,2}");
    if (!mariaDb && !known && !setting.isEmpty()) {
      throw refused();
    }
    return new Averages(mariaDb, known ? Integer.parseInt(setting) : 4);
  }

  /** Also for an expression that is a floating number, of which an AVG is a part. */
  static NotMergeableException refused() {
    return new NotMergeableException("an expression over AVG", "select the plain average");
  }

  /** Refuses expressions that would show more digits than the server's. */
  void require(SqlTokens tokens, Span span) {
    boolean refuses =
        areIn(tokens, span)
            && ((!mariaDb && tokens.in(span).has(token -> isOther(tokens, token)))
                || isFloating(tokens, span));
    if (refuses) {
      throw refused();
    }
  }

  /** What may look at the text of an AVG. */
  private static boolean isOther(SqlTokens tokens, int token) {
    return switch (tokens.kind(token)) {
      case NUMBER, MARKER, PUNCTUATION, QUOTED -> false;
      case OPERATOR -> tokens.isOperator(token, "/");
      case WORD -> tokens.isPunctuation(token + 1, '(') && !VALUES.contains(tokens.word(token));
      default -> true;
    };
  }

  /** Whether a part of it is a floating number, or may be one: what is only compared counts not. */
  private static boolean isFloating(SqlTokens tokens, Span span) {
    return new OpenOperands(tokens).areIn(span)
        || tokens.in(span).has(token -> isFloating(tokens, token));
  }

  private static boolean isFloating(SqlTokens tokens, int token) {
    return switch (tokens.kind(token)) {
      case NUMBER -> isExponent(tokens.text(token)) && isOperand(tokens, token);
      case STRING -> isOperand(tokens, token);
      case WORD -> tokens.isPunctuation(token + 1, '(') && FLOATING.contains(tokens.word(token));
      default -> false;
    };
  }

  private static boolean isExponent(String number) {
    return number.indexOf('e') > 0 || number.indexOf('E') > 0;
  }

  /** Of {@code + - * / %}: not of a comparison, and no argument. */
  private static boolean isOperand(SqlTokens tokens, int token) {
    return ARITHMETIC.stream()
        .anyMatch(
            operator ->
                tokens.isOperator(token - 1, operator) || tokens.isOperator(token + 1, operator));
  }

  /** Whether an AVG stands in it. */
  static boolean areIn(SqlTokens tokens, Span span) {
    return tokens
        .in(span)
        .hasName(token -> tokens.isWord(token, "AVG") && tokens.isPunctuation(token + 1, '('));
  }

  /**
   * @param sum name of the column with the sum
   * @param count name of the column with the count
   * @param type of the sum
   */
  void append(Substatement.Builder to, String sum, String count, ResultColumn type) {
    if (mariaDb || type.type() == DOUBLE) {
      to.text(" (" + sum + "/" + count + ")");
      return;
    }
    int digits = digits(type.decimals());
    int further = digits + WORD;
    long whole = type.length() - 1 - (type.decimals() > 0 ? 1 : 0) - type.decimals();
    if (type.type() != DECIMAL || further > MOST_DECIMALS || whole + further > MOST_DIGITS) {
      throw refused();
    }
    to.text(" TRUNCATE(CAST(" + sum + " AS DECIMAL(" + MOST_DIGITS + "," + further + "))/");
    to.text(count + ",").number(digits).text(")");
  }

  /** Behind the point of an AVG, as the server computes it. */
  private int digits(int decimals) {
    int whole = words(decimals) * WORD;
    return words(whole + Math.max(0, increment - (whole - decimals))) * WORD;
  }

  private static int words(int digits) {
    return (digits + WORD - 1) / WORD;
  }
}
