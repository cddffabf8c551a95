package io.anabranch.rules.planner.mask;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Locale;

/** Whether servers read a text as it is read here: names and comments. Stateless. */
final class MaskedText {

  /** MariaDB takes what is behind it for the name of a file. */
  private static final String OLD_FILE = "#mysql50#";

  private static final int ASCII = 0x80;
  private static final char DELETE = 0x7f;

  private MaskedText() {}

  /**
   * @throws io.anabranch.rules.error.RefusedException if a server might find other tokens
   */
  static void check(SqlTokens tokens, String text) {
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.kind(token) == TokenKind.EXECUTABLE_START && !isOfDump(tokens, token)) {
        throw MaskedQuery.refusal("a comment that some servers execute");
      }
      if (tokens.isName(token)
          && tokens.name(token).toLowerCase(Locale.ROOT).startsWith(OLD_FILE)) {
        throw MaskedQuery.refusal("a name of a file");
      }
      if (tokens.kind(token) == TokenKind.WORD && hasBlank(tokens.text(token))) {
        throw MaskedQuery.refusal("a blank that is no ASCII");
      }
      boolean mayComment =
          tokens.isOperator(token, "-")
              && tokens.isOperator(token + 1, "-")
              && tokens.end(token) == tokens.start(token + 1)
              && tokens.end(token + 1) < text.length()
              && text.charAt(tokens.end(token + 1)) >= DELETE;
      if (mayComment) {
        throw MaskedQuery.refusal("-- in front of what is no ASCII");
      }
    }
  }

  /** What mysqldump writes: {@code SELECT /*!40001 SQL_NO_CACHE *}{@code /}. */
  static boolean isOfDump(SqlTokens tokens, int token) {
    return tokens.isWord(token - 1, "SELECT")
        && tokens.isWord(token + 1, "SQL_NO_CACHE")
        && token + 2 < tokens.size()
        && tokens.kind(token + 2) == TokenKind.EXECUTABLE_END;
  }

  /** Some character sets have blanks of their own. */
  private static boolean hasBlank(String word) {
    return word.codePoints()
        .anyMatch(
            letter ->
                letter >= ASCII
                    && (Character.isSpaceChar(letter)
                        || Character.isWhitespace(letter)
                        || Character.isISOControl(letter)));
  }

  /**
   * In wide tables servers find columns by a collation: {@code ph\u00f6ne} is {@code phone} there,
   * and so is it with blanks at its end.
   *
   * @throws io.anabranch.rules.error.RefusedException if a name may be such a column's
   */
  static void refuseAlike(SqlTokens tokens, MaskedNames names) {
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.isName(token) && names.looksLike(tokens.name(token))) {
        throw MaskedQuery.refusal(
            "the name '" + tokens.name(token) + "', which servers may read as another,");
      }
    }
  }
}
