package io.anabranch.rules.syntax.query;

import io.anabranch.rules.lexer.ReservedWords;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Set;

/**
 * Words without quotes that are no columns in an expression, but words of it, whether columns may
 * be called by them or not: {@code DATE} in {@code date + DATE '2000-01-01'}, {@code DAY} in {@code
 * INTERVAL day DAY}. A word is a column where an operand begins, and nowhere else; listed are the
 * places alone where the words in front and behind do not tell.
 */
public final class GrammarWords {

  /** That both servers reserve, and that expressions are made of. */
  private static final Set<String> RESERVED =
      Set.of(
          """
          ALL AND AS ASC BETWEEN BINARY BOTH BY CASE CHAR CHARACTER COLLATE CONVERT CURRENT_DATE
          CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DAY_HOUR DAY_MICROSECOND DAY_MINUTE DAY_SECOND
          DECIMAL DEFAULT DESC DISTINCT DIV DOUBLE ELSE EXISTS FALSE FLOAT FOR FROM GROUP HAVING
          HOUR_MICROSECOND HOUR_MINUTE HOUR_SECOND IF IN INTERVAL INTO IS KEY LEADING LIKE LIMIT
          LOCALTIME LOCALTIMESTAMP MATCH MINUTE_MICROSECOND MINUTE_SECOND MOD NATURAL NOT NULL ON OR
          ORDER PARTITION REGEXP RLIKE SECOND_MICROSECOND SELECT SEPARATOR SET THEN TO TRAILING TRUE
          UNION UNSIGNED UPDATE USING UTC_DATE UTC_TIME UTC_TIMESTAMP VALUES WHEN WHERE WITH XOR
          YEAR_MONTH ZEROFILL
          """
              .strip()
              .split("\\s+"));

  /** That are not reserved and have an operand behind them where one has ended in front. */
  private static final String[] BETWEEN_OPERANDS = {"ESCAPE"};

  /** What begins no operand behind such a word, and no parenthesis. */
  private static final String[] BEFORE_WORDS = {
    "AS", "ASC", "CHAR", "CHARSET", "COLLATE", "DESC", "NATURAL", "OF", "UNSIGNED", "USING", "WITH"
  };

  /** In front of a text; any other word has an alias there. */
  private static final String[] BEFORE_TEXTS = {"DATE", "TIME", "TIMESTAMP"};

  /** In front of a text with a line below: {@code _latin1 'a'}. */
  private static final Set<String> CHARSETS =
      Set.of(
          """
          ARMSCII8 ASCII BIG5 BINARY CP1250 CP1251 CP1256 CP1257 CP850 CP852 CP866 CP932 DEC8 EUCJPMS
          EUCKR GB18030 GB2312 GBK GEOSTD8 GREEK HEBREW HP8 KEYBCS2 KOI8R KOI8U LATIN1 LATIN2 LATIN5
          LATIN7 MACCE MACROMAN SJIS SWE7 TIS620 UCS2 UJIS UTF16 UTF16LE UTF32 UTF8 UTF8MB3 UTF8MB4
          """
              .strip()
              .split("\\s+"));

  private static final String[] NUMBERS = {"NEXT", "PREVIOUS"};

  /** A unit or a type is what such a function has first. */
  private static final String[] OF_UNITS = {
    "EXTRACT", "GET_FORMAT", "TIMESTAMPADD", "TIMESTAMPDIFF"
  };

  private GrammarWords() {}

  /** Whether such a word stands there, in an expression. */
  public static boolean isAt(SqlTokens tokens, int token) {
    boolean isMember = tokens.isPunctuation(token - 1, '.') || tokens.isPunctuation(token + 1, '.');
    if (tokens.kind(token) != TokenKind.WORD || isMember) {
      return false;
    }
    return RESERVED.contains(tokens.word(token))
        || isBehindOperand(tokens, token)
        || isInFrontOfLiteral(tokens, token)
        || tokens.isAnyWord(token - 1, BEFORE_WORDS)
        || isOfPhrase(tokens, token)
        || isOfFunction(tokens, token)
        || (tokens.isWord(token - 1, "SET") && tokens.isWord(token - 2, "CHARACTER"))
        || isTruth(tokens, token);
  }

  /** {@code INTERVAL a DAY}, {@code a SOUNDS LIKE b}, {@code CASE a WHEN b THEN c END}. */
  private static boolean isBehindOperand(SqlTokens tokens, int token) {
    int before = token - 1;
    while (tokens.kind(before).isMark()) {
      before--;
    }
    boolean isOperator =
        tokens.isAnyWord(before, BETWEEN_OPERANDS) && ReservedWords.endsOperand(tokens, before - 1);
    return !isOperator && ReservedWords.endsOperand(tokens, before);
  }

  /** {@code DATE '2000-01-01'}, {@code _latin1 x'41'}. */
  private static boolean isInFrontOfLiteral(SqlTokens tokens, int token) {
    String word = tokens.word(token);
    boolean isCharset = word.startsWith("_") && CHARSETS.contains(word.substring(1));
    return isCharset
        ? tokens.kind(token + 1).isLiteral()
        : tokens.kind(token + 1) == TokenKind.STRING && tokens.isAnyWord(token, BEFORE_TEXTS);
  }

  /**
   * Words whose first stands where an operand might: {@code IN BOOLEAN MODE}, {@code NEXT VALUE}.
   */
  private static boolean isOfPhrase(SqlTokens tokens, int token) {
    boolean isMode =
        tokens.isWord(token, "BOOLEAN")
            && tokens.isWord(token - 1, "IN")
            && tokens.isWord(token + 1, "MODE");
    boolean isNumber =
        tokens.isAnyWord(token, NUMBERS)
            && tokens.isWord(token + 1, "VALUE")
            && tokens.isWord(token + 2, "FOR");
    boolean isSequence =
        tokens.isWord(token - 1, "FOR")
            && tokens.isWord(token - 2, "VALUE")
            && tokens.isAnyWord(token - 3, NUMBERS);
    return isMode || isNumber || isSequence;
  }

  /**
   * A unit, a type, or what happens without a value: {@code EXTRACT(DAY FROM a)}, {@code CONVERT(x,
   * DATE)}, {@code JSON_VALUE(a, '$' RETURNING DATE NULL ON ERROR)}.
   */
  private static boolean isOfFunction(SqlTokens tokens, int token) {
    int function = tokens.around(token) - 1;
    if (tokens.isPunctuation(function - 1, '.')) {
      return false;
    }
    boolean isUnit = function == token - 2 && tokens.isAnyWord(function, OF_UNITS);
    boolean isConverted =
        tokens.isPunctuation(token - 1, ',')
            && tokens.isWord(function, "CONVERT")
            && (tokens.isPunctuation(token + 1, ')') || tokens.isPunctuation(token + 1, '('));
    boolean isOfJson =
        tokens.isWord(function, "JSON_VALUE")
            && (tokens.isAnyWord(token - 1, "RETURNING", "ON") || tokens.isWord(token + 1, "ON"));
    return isUnit || isConverted || isOfJson;
  }

  /** {@code a IS UNKNOWN}. */
  private static boolean isTruth(SqlTokens tokens, int token) {
    return tokens.isWord(token - 1, "IS")
        || (tokens.isWord(token - 1, "NOT") && tokens.isWord(token - 2, "IS"));
  }
}
