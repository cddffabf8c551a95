package io.anabranch.rules.digest;

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

  /** Words that an operand follows, so that a sign behind them is a literal's. */
  private static final Set<String> BEFORE_OPERANDS =
      words(
          """
          all and between by case distinct distinctrow div else escape from having in interval is
          like limit mod not offset on or regexp return rlike select set then union using values
          when where xor
          """);

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
    for (int token = 0; token < tokens.size(); token++) {
      if (isPartOfNextLiteral(tokens, token)) {
        continue;
      }
      if (!digest.isEmpty()) {
        digest.append(' ');
      }
      digest.append(isValue(tokens, token) ? VALUE : word(tokens, token));
    }
    return digest.toString();
  }

  private static String word(SqlTokens tokens, int token) {
    String word = tokens.isName(token) ? tokens.name(token) : tokens.text(token);
    return word.toLowerCase(Locale.ROOT);
  }

  private static boolean isPartOfNextLiteral(SqlTokens tokens, int token) {
    if (token + 1 >= tokens.size()) {
      return false;
    }
    boolean isSign = tokens.isOperator(token, "-") || tokens.isOperator(token, "+");
    if (isSign) {
      int last = token + 1;
      while (tokens.isOperator(last, "-") || tokens.isOperator(last, "+")) {
        last++;
      }
      return last < tokens.size() && isValue(tokens, last) && !endsOperand(tokens, token - 1);
    }
    TokenKind next = tokens.kind(token + 1);
    boolean isText = next == TokenKind.STRING || next == TokenKind.BINARY;
    String word = tokens.kind(token) == TokenKind.WORD ? word(tokens, token) : "";
    return isText && (word.startsWith("_") || LITERAL_TYPES.contains(word));
  }

  /** Whether what ends there is an operand, which an operator follows. */
  private static boolean endsOperand(SqlTokens tokens, int token) {
    if (token < 0) {
      return false;
    }
    return switch (tokens.kind(token)) {
      case WORD -> !BEFORE_OPERANDS.contains(word(tokens, token));
      case QUOTED, VARIABLE, NUMBER, STRING, BINARY, MARKER -> true;
      case PUNCTUATION -> tokens.isPunctuation(token, ')');
      case OPERATOR, OPTIMIZER_HINT, EXECUTABLE_START, EXECUTABLE_END, NONE -> false;
    };
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
