package io.anabranch.rules.qualifier;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/**
 * A statement's tokens but for the marks of comments: what stands in executable comments may run.
 * Immutable. Positions outside of the statement have no token.
 */
final class BareTokens {

  private final SqlTokens tokens;
  private final int[] bare;
  private final boolean hasMarks;

  BareTokens(SqlTokens tokens) {
    this.tokens = tokens;
    int[] kept = new int[tokens.size()];
    int count = 0;
    boolean marks = false;
    for (int token = 0; token < tokens.size(); token++) {
      switch (tokens.kind(token)) {
        case EXECUTABLE_START, EXECUTABLE_END -> marks = true;
        case OPTIMIZER_HINT -> {}
        default -> kept[count++] = token;
      }
    }
    this.bare = Arrays.copyOf(kept, count);
    this.hasMarks = marks;
  }

  int size() {
    return bare.length;
  }

  /** Whether some of it may not run: what a place is cannot be told then. */
  boolean hasMarks() {
    return hasMarks;
  }

  /** Its number in the statement. */
  int token(int i) {
    return bare[i];
  }

  private boolean exists(int i) {
    return i >= 0 && i < bare.length;
  }

  /** How many parentheses are open around the token. */
  int depth(int i) {
    return tokens.depth(bare[i]);
  }

  /** The innermost parenthesis that is open at the token; -1: none is. */
  int around(int i) {
    int open = tokens.around(bare[i]);
    return open < 0 ? -1 : Math.max(-1, Arrays.binarySearch(bare, open));
  }

  boolean isName(int i) {
    return exists(i) && tokens.isName(bare[i]);
  }

  /** The name in lower case; empty for other tokens. */
  String name(int i) {
    return isName(i) ? tokens.name(bare[i]).toLowerCase(Locale.ROOT) : "";
  }

  /** The unquoted word in upper case, if no point is beside it; empty for other tokens. */
  String word(int i) {
    return exists(i)
            && tokens.kind(bare[i]) == TokenKind.WORD
            && !isPunctuation(i - 1, '.')
            && !isPunctuation(i + 1, '.')
        ? tokens.text(bare[i]).toUpperCase(Locale.ROOT)
        : "";
  }

  boolean isWord(int i, String word) {
    return exists(i) && tokens.isWord(bare[i], word) && !isPunctuation(i - 1, '.');
  }

  boolean isOneOf(int i, Set<String> words) {
    return words.contains(word(i));
  }

  boolean isPunctuation(int i, char c) {
    return exists(i) && tokens.isPunctuation(bare[i], c);
  }

  boolean isOperator(int i) {
    return exists(i) && tokens.kind(bare[i]) == TokenKind.OPERATOR;
  }

  boolean isOperator(int i, String operator) {
    return exists(i) && tokens.isOperator(bare[i], operator);
  }
}
