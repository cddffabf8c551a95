package io.anabranch.rules.planner.mask;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.syntax.query.PlainList;
import java.util.TreeSet;

/**
 * A masked column compared as a whole with texts that the client gives, as in {@code WHERE phone =
 * ?}: whoever knows a value may look for it. Orders, patterns and calculations would tell more than
 * was known, and so would numbers: databases turn the column's text into one, and warn of what it
 * was.
 *
 * <p>Used once, by one thread.
 */
final class MaskedComparison {

  private final SqlTokens tokens;
  private final TreeSet<Integer> slots = new TreeSet<>();

  MaskedComparison(SqlTokens tokens) {
    this.tokens = tokens;
  }

  /** Slots of the texts of all comparisons that were found. */
  int[] slots() {
    return slots.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * Whether a column stands in such a comparison, which is by itself in a condition.
   *
   * @param column the last token of its name
   */
  boolean isAt(int column) {
    return begins(tokens.firstOfName(column) - 1) && compares(column + 1);
  }

  /** Whether nothing in front binds more tightly than the comparison. */
  private boolean begins(int before) {
    if (tokens.isPunctuation(before, '(')) {
      return begins(before - 1);
    }
    // id BETWEEN 1 AND phone = '2' compares the order with '2'
    boolean isAnd = tokens.isWord(before, "AND") && !tokens.mention("BETWEEN");
    return isAnd || tokens.isWord(before, "WHERE") || tokens.isWord(before, "OR");
  }

  private boolean compares(int token) {
    if (tokens.isWord(token, "IS")) {
      int value = tokens.isWord(token + 1, "NOT") ? token + 2 : token + 1;
      return tokens.isWord(value, "NULL") && ends(value + 1);
    }
    int in = tokens.isWord(token, "NOT") ? token + 1 : token;
    if (tokens.isWord(in, "IN") && tokens.isPunctuation(in + 1, '(')) {
      return isList(in + 1);
    }
    boolean isEqual =
        tokens.isOperator(token, "=")
            || tokens.isOperator(token, "<=>")
            || tokens.isOperator(token, "<>")
            || tokens.isOperator(token, "!=");
    return isEqual && isText(token + 1) && ends(token + 2);
  }

  private boolean isList(int open) {
    int close = tokens.closing(open);
    return PlainList.is(tokens.between(open + 1, close), this::isText)
        && (close - open) % 2 == 0
        && tokens.isPunctuation(close, ')')
        && ends(close + 1);
  }

  /** What a parameter is will be known when there are values. */
  private boolean isText(int token) {
    boolean is =
        token < tokens.size()
            && (tokens.kind(token) == TokenKind.STRING || tokens.kind(token) == TokenKind.MARKER)
            && tokens.slot(token) >= 0;
    if (is) {
      slots.add(tokens.slot(token));
    }
    return is;
  }

  private boolean ends(int token) {
    return token >= tokens.size()
        || tokens.isPunctuation(token, ')')
        || tokens.isPunctuation(token, ';')
        || tokens.isAnyWord(token, "AND", "OR", "XOR")
        || ClauseEnds.endsCondition(tokens, token);
  }
}
