package io.anabranch.rules.digest;

import io.anabranch.rules.lexer.ReservedWords;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Locale;
import java.util.Set;

/**
 * A statement without its values, for rules that people write: its tokens with one blank in
 * between, {@code ?} for each literal (with its sign) and parameter, in lower case, names without
 * quotes.
 */
public final class StatementDigest {

  private static final String VALUE = "?";

  /** Words in front of a string that are a part of the literal, besides {@code _charset}. */
  private static final Set<String> LITERAL_TYPES = words("b date n time timestamp x");

  private StatementDigest() {}

  private static Set<String> words(String text) {
    return Set.of(text.strip().split("\\s+"));
  }

  /** The digest of a statement's text, whose literals may be written as {@code ?}. */
  public static String of(String sql) {
    return of(SqlTokens.of(sql));
  }

  public static String of(SqlTokens tokens) {
    var digest = new StringBuilder();
    int token = 0;
    while (token < tokens.size()) {
      int behind = behindSigns(tokens, token);
      boolean isSigned = isValue(tokens, behind) && !ReservedWords.endsOperand(tokens, token - 1);
      for (int sign = token; sign < behind && !isSigned; sign++) {
        append(digest, tokens.text(sign));
      }
      if (behind < tokens.size() && !isPartOfNextLiteral(tokens, behind)) {
        append(digest, isValue(tokens, behind) ? VALUE : word(tokens, behind));
      }
      token = behind + 1;
    }
    return digest.toString();
  }

  private static void append(StringBuilder digest, String word) {
    digest.append(digest.isEmpty() ? "" : " ").append(word);
  }

  private static int behindSigns(SqlTokens tokens, int token) {
    int behind = token;
    while (tokens.isOperator(behind, "-") || tokens.isOperator(behind, "+")) {
      behind++;
    }
    return behind;
  }

  private static String word(SqlTokens tokens, int token) {
    String word = tokens.isName(token) ? tokens.name(token) : tokens.text(token);
    return word.toLowerCase(Locale.ROOT);
  }

  private static boolean isPartOfNextLiteral(SqlTokens tokens, int token) {
    TokenKind next = tokens.kind(token + 1);
    boolean isText = next == TokenKind.STRING || next == TokenKind.BINARY;
    String word = tokens.kind(token) == TokenKind.WORD ? word(tokens, token) : "";
    return isText && (word.startsWith("_") || LITERAL_TYPES.contains(word));
  }

  /** Literals, but for the words of IS NULL, NOT NULL and IS TRUE. */
  private static boolean isValue(SqlTokens tokens, int token) {
    return switch (tokens.kind(token)) {
      case NUMBER, STRING, BINARY, MARKER -> true;
      case WORD -> isNamedValue(tokens, token);
      default -> false;
    };
  }

  private static boolean isNamedValue(SqlTokens tokens, int token) {
    boolean isNamed =
        tokens.isWord(token, "NULL")
            || tokens.isWord(token, "TRUE")
            || tokens.isWord(token, "FALSE");
    boolean isPredicate =
        tokens.isWord(token - 1, "IS")
            || (tokens.isWord(token - 1, "NOT") && tokens.isWord(token - 2, "IS"));
    return isNamed && !isPredicate && !tokens.isPunctuation(token - 1, '.');
  }
}
