package io.anabranch.rules.syntax.qualifier;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import java.util.List;
import java.util.Set;

/**
 * A statement's tokens but for the marks of comments: what stands in executable comments may run.
 * Immutable. Positions outside of the statement have no token.
 */
final class BareTokens {

  private final SqlTokens statement;
  private final SqlTokens bare;
  private final boolean hasMarks;

  BareTokens(SqlTokens tokens) {
    this.statement = tokens;
    this.bare = tokens.withoutMarks();
    this.hasMarks =
        tokens.all().hasKind(TokenKind.EXECUTABLE_START)
            || tokens.all().hasKind(TokenKind.EXECUTABLE_END);
  }

  /** How many there are. */
  int size() {
    return bare.size();
  }

  /** The tokens in front of {@code behind}. */
  TokenRange to(int behind) {
    return bare.between(0, behind);
  }

  /** All of them that are names. */
  List<Integer> names() {
    return bare.all().names();
  }

  /** Whether some of it may not run: what a place is cannot be told then. */
  boolean hasMarks() {
    return hasMarks;
  }

  /** Its number in the statement. */
  int token(int i) {
    return statement.at(bare.start(i));
  }

  /** How many parentheses are open around the token. */
  int depth(int i) {
    return bare.depth(i);
  }

  /** The innermost parenthesis that is open at the token; -1: none is. */
  int around(int i) {
    return bare.around(i);
  }

  /** The first token of the qualified name that ends at {@code i}. */
  int firstOfName(int i) {
    return bare.firstOfName(i);
  }

  boolean isName(int i) {
    return bare.isName(i);
  }

  /** The name in lower case; empty for other tokens. */
  String name(int i) {
    return bare.lowerName(i);
  }

  /** The unquoted word in upper case, if no point is beside it; empty for other tokens. */
  String word(int i) {
    return isPunctuation(i - 1, '.') || isPunctuation(i + 1, '.') ? "" : bare.word(i);
  }

  boolean isWord(int i, String word) {
    return bare.isWord(i, word) && !isPunctuation(i - 1, '.');
  }

  boolean isOneOf(int i, Set<String> words) {
    return words.contains(word(i));
  }

  boolean isPunctuation(int i, char c) {
    return bare.isPunctuation(i, c);
  }

  boolean isOperator(int i) {
    return bare.kind(i) == TokenKind.OPERATOR;
  }

  boolean isOperator(int i, String operator) {
    return bare.isOperator(i, operator);
  }
}
