package io.anabranch.rules.syntax.query;

import io.anabranch.rules.lexer.ReservedWords;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Set;

/**
 * Words that are not reserved, so that columns may be called by them, where they are no columns but
 * words of an expression: {@code DATE} in {@code date + DATE '2000-01-01'}, {@code DAY} in {@code
 * INTERVAL day DAY}.
 */
public final class GrammarWords {

  /** Where an operand has ended, an operator or what belongs to the operand is due. */
  private static final Set<String> BEHIND_VALUES =
      Set.of(
          "MICROSECOND",
          "SECOND",
          "MINUTE",
          "HOUR",
          "DAY",
          "WEEK",
          "MONTH",
          "QUARTER",
          "YEAR",
          "MEMBER",
          "SOUNDS",
          "ESCAPE");

  /** A unit or a type is what such a function has first. */
  private static final String[] OF_UNITS = {
    "EXTRACT", "GET_FORMAT", "TIMESTAMPADD", "TIMESTAMPDIFF"
  };

  private static final String[] BEFORE_TYPES = {"AS", "COLLATE", "USING", "RETURNING", "CHARSET"};

  private GrammarWords() {}

  /** Whether such a word stands there, in an expression. */
  public static boolean isAt(SqlTokens tokens, int token) {
    boolean isMember = tokens.isPunctuation(token - 1, '.') || tokens.isPunctuation(token + 1, '.');
    if (tokens.kind(token) != TokenKind.WORD || isMember) {
      return false;
    }
    return isOfLiteral(tokens, token)
        || isType(tokens, token)
        || isUnit(tokens, token)
        || isTruth(tokens, token);
  }

  /** {@code DATE '2000-01-01'}, {@code _latin1 x'41'}. */
  private static boolean isOfLiteral(SqlTokens tokens, int token) {
    TokenKind next = tokens.kind(token + 1);
    return next == TokenKind.STRING || next == TokenKind.BINARY;
  }

  /** {@code CAST(x AS DATE)}, {@code CONVERT(x, DATE)}, {@code CONVERT(x USING utf8mb4)}. */
  private static boolean isType(SqlTokens tokens, int token) {
    boolean isConverted =
        tokens.isPunctuation(token - 1, ',')
            && tokens.isWord(tokens.around(token) - 1, "CONVERT")
            && (tokens.isPunctuation(token + 1, ')') || tokens.isPunctuation(token + 1, '('));
    boolean isCharset = tokens.isWord(token - 1, "SET") && tokens.isWord(token - 2, "CHARACTER");
    return isConverted || isCharset || tokens.isAnyWord(token - 1, BEFORE_TYPES);
  }

  /** {@code INTERVAL a DAY}, {@code EXTRACT(DAY FROM a)}. */
  private static boolean isUnit(SqlTokens tokens, int token) {
    boolean isFirst = tokens.isPunctuation(token - 1, '(') && tokens.isAnyWord(token - 2, OF_UNITS);
    return isFirst
        || (BEHIND_VALUES.contains(tokens.word(token))
            && ReservedWords.endsOperand(tokens, token - 1));
  }

  /** {@code a IS UNKNOWN}. */
  private static boolean isTruth(SqlTokens tokens, int token) {
    return tokens.isWord(token, "UNKNOWN")
        && (tokens.isWord(token - 1, "IS")
            || (tokens.isWord(token - 1, "NOT") && tokens.isWord(token - 2, "IS")));
  }
}
