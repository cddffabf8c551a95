package io.anabranch.rules.need;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import java.util.Set;

/**
 * A statement's tokens without optimizer hints. Immutable. Positions outside of the statement have
 * no token.
 */
final class Words {

  private final SqlTokens tokens;
  private final SqlTokens kept;

  /**
   * @throws RefusedException if some of it may run or not: the caller has taken such comments away
   */
  Words(SqlTokens tokens) {
    this.tokens = tokens;
    this.kept = tokens.withoutHints();
    if (kept.all().has(token -> kept.kind(token).isMark())) {
      throw doubt("executable comments");
    }
  }

  static RefusedException doubt(String what) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        what + ", by users with grants", "write it more plainly, or ask for all rights");
  }

  SqlTokens tokens() {
    return tokens;
  }

  /** What the positions count. */
  SqlTokens kept() {
    return kept;
  }

  int size() {
    return kept.size();
  }

  TokenRange from(int i) {
    return kept.from(i);
  }

  TokenRange between(int from, int to) {
    return kept.between(from, to);
  }

  /** Its number in the statement. */
  int token(int i) {
    return tokens.at(kept.start(i));
  }

  boolean isName(int i) {
    return kept.isName(i);
  }

  String name(int i) {
    return isName(i) ? kept.name(i) : "";
  }

  /** The token as it is written, quotes included. */
  String text(int i) {
    return kept.text(i);
  }

  boolean isPunctuation(int i, char c) {
    return kept.isPunctuation(i, c);
  }

  /** {@code *}, {@code =}. */
  boolean isOperator(int i, String operator) {
    return kept.isOperator(i, operator);
  }

  /** The unquoted word in upper case, unless it is a member of another name; empty otherwise. */
  String word(int i) {
    boolean isMember =
        isPunctuation(i - 1, '.') && (isName(i - 2) || kept.kind(i - 2) == TokenKind.VARIABLE);
    return isMember ? "" : kept.word(i);
  }

  boolean isWord(int i, String word) {
    return word(i).equals(word);
  }

  boolean isOneOf(int i, Set<String> words) {
    return words.contains(word(i));
  }

  /** The first position from {@code i} on that has none of the words. */
  int behind(int i, Set<String> words) {
    return from(i).skip(at -> isOneOf(at, words));
  }

  int depth(int i) {
    return kept.depth(i);
  }

  /** Where the parenthesis at {@code i} is closed; {@link #size()} if it is not. */
  int closing(int i) {
    return i >= 0 && i < size() ? kept.closing(i) : size();
  }

  /** The first such word outside of parentheses from {@code i} on; -1: there is none. */
  int find(int i, String word) {
    return from(i).find(at -> depth(at) == 0 && isWord(at, word));
  }
}
