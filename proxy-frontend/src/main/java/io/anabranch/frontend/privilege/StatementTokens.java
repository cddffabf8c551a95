package io.anabranch.frontend.privilege;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Locale;
import java.util.Set;

/**
 * A statement's tokens but for the marks of comments, because what stands in executable comments
 * may run, and but for parentheses in front. Immutable.
 */
final class StatementTokens {

  private final SqlTokens tokens;
  private final int[] significant;
  private final int count;

  StatementTokens(SourceText source) {
    this.tokens = source.tokens();
    this.significant = new int[tokens.size()];
    int kept = 0;
    for (int i = 0; i < tokens.size(); i++) {
      switch (tokens.kind(i)) {
        case EXECUTABLE_START, EXECUTABLE_END, OPTIMIZER_HINT -> {}
        default -> {
          if (kept > 0 || !tokens.isPunctuation(i, '(')) {
            significant[kept++] = i;
          }
        }
      }
    }
    this.count = kept;
  }

  int size() {
    return count;
  }

  /** How many parentheses are open around the token. */
  int depth(int i) {
    return tokens.depth(significant[i]);
  }

  /** The token's text, quotes included. */
  String text(int i) {
    return tokens.text(significant[i]);
  }

  /** The unquoted word in upper case; empty for other tokens. */
  String word(int i) {
    return i >= 0 && i < count && tokens.kind(significant[i]) == TokenKind.WORD
        ? tokens.text(significant[i]).toUpperCase(Locale.ROOT)
        : "";
  }

  boolean isWord(int i, String word) {
    return i >= 0 && i < count && tokens.isWord(significant[i], word);
  }

  boolean isOneOf(int i, Set<String> words) {
    return words.contains(word(i));
  }

  boolean isPunctuation(int i, char c) {
    return i >= 0 && i < count && tokens.isPunctuation(significant[i], c);
  }

  boolean isOperator(int i) {
    return i < count && tokens.kind(significant[i]) == TokenKind.OPERATOR;
  }

  /** The name in lower case; empty for other tokens. */
  String name(int i) {
    return i >= 0 && i < count && tokens.isName(significant[i])
        ? tokens.name(significant[i]).toLowerCase(Locale.ROOT)
        : "";
  }
}
