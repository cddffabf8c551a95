package io.anabranch.rules.planner.mask;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Whether servers read a text as it is read here: names and comments. Stateless. */
final class MaskedText {

  /** MariaDB takes what is behind it for the name of a file. */
  private static final String OLD_FILE = "#mysql50#";

  /** MySQL's, with or without {@code NO_}, and those that choose an index by themselves. */
  private static final Pattern INDEX_HINT =
      Pattern.compile("INDEX|RANGE|MRR|SKIP_SCAN|ICP", Pattern.CASE_INSENSITIVE);

  private static final int ASCII = 0x80;
  private static final char DELETE = 0x7f;

  private MaskedText() {}

  /**
   * @throws io.anabranch.rules.error.RefusedException if a server might find other tokens
   */
  static void check(SqlTokens tokens, String text) {
    String doubt = tokens.all().search(token -> doubt(tokens, token, text));
    if (doubt != null) {
      throw MaskedQuery.refusal(doubt);
    }
  }

  /** What a server might not take for the token; null: all take it so. */
  private static @Nullable String doubt(SqlTokens tokens, int token, String text) {
    if (tokens.kind(token) == TokenKind.EXECUTABLE_START && !isOfDump(tokens, token)) {
      return "a comment that some servers execute";
    }
    if (tokens.lowerName(token).startsWith(OLD_FILE)) {
      return "a name of a file";
    }
    if (tokens.kind(token) == TokenKind.WORD && hasBlank(tokens.text(token))) {
      return "a blank that is no ASCII";
    }
    boolean mayComment =
        tokens.isOperator(token, "-")
            && tokens.isOperator(token + 1, "-")
            && tokens.end(token) == tokens.start(token + 1)
            && tokens.end(token + 1) < text.length()
            && text.charAt(tokens.end(token + 1)) >= DELETE;
    return mayComment ? "-- in front of what is no ASCII" : null;
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
   * Beside a masked column, whatever it says.
   *
   * @throws io.anabranch.rules.error.RefusedException if there is a comment that servers execute
   */
  static void refuseExecuted(SqlTokens tokens) {
    if (tokens.all().hasKind(TokenKind.EXECUTABLE_START)) {
      throw MaskedQuery.refusal("a comment that some servers execute");
    }
  }

  /**
   * What is in a partition may be told by a masked column.
   *
   * @throws io.anabranch.rules.error.RefusedException if the statement chooses one
   */
  static void refusePartitions(SqlTokens tokens) {
    boolean isChosen =
        tokens
            .all()
            .has(
                token ->
                    tokens.isWord(token, "PARTITION")
                        && tokens.isPunctuation(token + 1, '(')
                        && !tokens.isPunctuation(token - 1, '.'));
    if (isChosen) {
      throw MaskedQuery.refusal("PARTITION");
    }
  }

  /**
   * Rows come in the order of the index that is read.
   *
   * @param tokens with optimizer hints
   * @throws io.anabranch.rules.error.RefusedException if the statement chooses one
   */
  static void refuseIndexHints(SqlTokens tokens) {
    boolean isChosen =
        tokens.all().has(token -> isIndexClause(tokens, token) || isIndexHint(tokens, token));
    if (isChosen) {
      throw MaskedQuery.refusal("an index hint");
    }
  }

  private static boolean isIndexClause(SqlTokens tokens, int token) {
    return tokens.isAnyWord(token, "INDEX", "KEY")
        && tokens.isAnyWord(token - 1, "USE", "FORCE", "IGNORE");
  }

  private static boolean isIndexHint(SqlTokens tokens, int token) {
    return tokens.kind(token) == TokenKind.OPTIMIZER_HINT
        && INDEX_HINT.matcher(tokens.text(token)).find();
  }
}
