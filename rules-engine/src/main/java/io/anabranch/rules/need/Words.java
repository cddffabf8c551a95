package io.anabranch.rules.need;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/**
 * A statement's tokens without optimizer hints. Immutable. Positions outside of the statement have
 * no token.
 */
final class Words {

  private final SqlTokens tokens;
  private final int[] kept;

  /**
   * @throws RefusedException if some of it may run or not: the caller has taken such comments away
   */
  Words(SqlTokens tokens) {
    this.tokens = tokens;
    int[] all = new int[tokens.size()];
    int count = 0;
    for (int token = 0; token < tokens.size(); token++) {
      switch (tokens.kind(token)) {
        case EXECUTABLE_START, EXECUTABLE_END -> throw doubt("executable comments");
        case OPTIMIZER_HINT -> {}
        default -> all[count++] = token;
      }
    }
    kept = Arrays.copyOf(all, count);
  }

  static RefusedException doubt(String what) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        what + ", by users with grants", "write it more plainly, or ask for all rights");
  }

  SqlTokens tokens() {
    return tokens;
  }

  int size() {
    return kept.length;
  }

  private boolean exists(int i) {
    return i >= 0 && i < kept.length;
  }

  /** Its number in the statement. */
  int token(int i) {
    return kept[i];
  }

  boolean isName(int i) {
    return exists(i) && tokens.isName(kept[i]);
  }

  String name(int i) {
    return isName(i) ? tokens.name(kept[i]) : "";
  }

  /** The token as it is written, quotes included. */
  String text(int i) {
    return exists(i) ? tokens.text(kept[i]) : "";
  }

  boolean isPunctuation(int i, char c) {
    return exists(i) && tokens.isPunctuation(kept[i], c);
  }

  /** {@code *}, {@code =}. */
  boolean isOperator(int i, String operator) {
    return exists(i) && tokens.isOperator(kept[i], operator);
  }

  /** The unquoted word in upper case, unless it is a member of another name; empty otherwise. */
  String word(int i) {
    boolean isMember = isPunctuation(i - 1, '.') && (isName(i - 2) || isVariable(i - 2));
    return exists(i) && tokens.kind(kept[i]) == TokenKind.WORD && !isMember
        ? tokens.text(kept[i]).toUpperCase(Locale.ROOT)
        : "";
  }

  private boolean isVariable(int i) {
    return exists(i) && tokens.kind(kept[i]) == TokenKind.VARIABLE;
  }

  boolean isWord(int i, String word) {
    return word(i).equals(word);
  }

  boolean isOneOf(int i, Set<String> words) {
    return words.contains(word(i));
  }

  /** The first position from {@code i} on that has none of the words. */
  int behind(int i, Set<String> words) {
    int at = i;
    while (isOneOf(at, words)) {
      at++;
    }
    return at;
  }

  int depth(int i) {
    return exists(i) ? tokens.depth(kept[i]) : 0;
  }

  /** Where the parenthesis at {@code i} is closed; {@link #size()} if it is not. */
  int closing(int i) {
    int closing = exists(i) ? tokens.closing(kept[i]) : tokens.size();
    int at = Arrays.binarySearch(kept, closing);
    return at < 0 ? kept.length : at;
  }

  /** The first such word outside of parentheses from {@code i} on; -1: there is none. */
  int find(int i, String word) {
    for (int at = i; at < kept.length; at++) {
      if (depth(at) == 0 && isWord(at, word)) {
        return at;
      }
    }
    return -1;
  }
}
