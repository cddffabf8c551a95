package io.anabranch.frontend.statement;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import org.jspecify.annotations.Nullable;

/** A position in a statement's tokens. Not thread-safe. */
final class TokenCursor {

  private final SourceText source;
  private final SqlTokens tokens;
  private int at;

  TokenCursor(SourceText source) {
    this.source = source;
    this.tokens = source.tokens();
  }

  boolean atEnd() {
    return at >= tokens.size();
  }

  int position() {
    return at;
  }

  void moveTo(int token) {
    at = token;
  }

  /** Consumes the words if all of them come next. */
  boolean accept(String... words) {
    for (int i = 0; i < words.length; i++) {
      if (!tokens.isWord(at + i, words[i])) {
        return false;
      }
    }
    at += words.length;
    return true;
  }

  boolean acceptPunctuation(char c) {
    if (tokens.isPunctuation(at, c)) {
      at++;
      return true;
    }
    return false;
  }

  boolean isPunctuation(char c) {
    return tokens.isPunctuation(at, c);
  }

  boolean acceptOperator(String operator) {
    if (tokens.isOperator(at, operator)) {
      at++;
      return true;
    }
    return false;
  }

  /** {@code =} or {@code :=}. */
  boolean acceptAssignment() {
    if (tokens.isOperator(at, "=") || tokens.isOperator(at, ":=")) {
      at++;
      return true;
    }
    return false;
  }

  boolean isName() {
    return tokens.isName(at);
  }

  boolean isKind(TokenKind kind) {
    return !atEnd() && tokens.kind(at) == kind;
  }

  /** The name at the cursor, unquoted; moves on. */
  String takeName() {
    return tokens.name(at++);
  }

  /** That the tokens were read by. */
  LexerMode mode() {
    return source.mode();
  }

  /** The token's text; moves on. */
  String take() {
    return tokens.text(at++);
  }

  /** A name, or a string without its quotes; moves on. */
  String takeNameOrString() {
    if (tokens.isName(at)) {
      return takeName();
    }
    String text = take();
    return text.length() >= 2 ? text.substring(1, text.length() - 1) : text;
  }

  /**
   * A variable of one or, as servers take it, of several tokens; moves on. Null: behind a point is
   * no name.
   */
  @Nullable VariableName takeVariable() {
    String text = take();
    boolean isSystem = text.startsWith("@@");
    while (isSystem && (text.endsWith(".") || acceptPunctuation('.'))) {
      if (!isName()) {
        return null;
      }
      text += (text.endsWith(".") ? "" : ".") + takeName();
    }
    return VariableName.of(text, mode());
  }

  /** Whether an assignment follows, however deep. */
  boolean hasAssignment() {
    return tokens
        .from(at)
        .has(token -> tokens.isOperator(token, "=") || tokens.isOperator(token, ":="));
  }

  /** Whether a comma outside of parentheses follows. */
  boolean hasComma() {
    return tokens
        .from(at)
        .has(token -> tokens.depth(token) <= 0 && tokens.isPunctuation(token, ','));
  }

  /**
   * Text of the expression at the cursor, up to a comma outside parentheses, the word {@code stop}
   * outside parentheses, a parenthesis that closes none of the expression's, or the end; moves
   * there.
   */
  String takeExpression(String stop) {
    int from = at;
    int depth = tokens.depth(from);
    at =
        tokens
            .from(from + 1)
            .skip(
                token ->
                    tokens.depth(token) > depth
                        || (tokens.depth(token) == depth
                            && !tokens.isPunctuation(token, ',')
                            && !tokens.isWord(token, stop)));
    return source.text().substring(tokens.start(from), tokens.end(at - 1));
  }

  /** Text from token {@code from} up to the cursor. */
  String textSince(int from) {
    return source.text().substring(tokens.start(from), tokens.end(at - 1));
  }

  /**
   * Offset of the token at the cursor within the statement, in characters; at the end its length.
   */
  int offset() {
    return atEnd() ? source.text().length() : tokens.start(at);
  }

  /** Byte offset of the token at the cursor within the statement. */
  int byteOffset() {
    return source.byteOffset(tokens.start(at));
  }
}
