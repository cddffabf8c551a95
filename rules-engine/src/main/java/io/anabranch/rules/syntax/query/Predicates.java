package io.anabranch.rules.syntax.query;

import io.anabranch.rules.lexer.ReservedWords;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Which conditions of a statement name a column of some, or one that another condition ties to
 * such: {@code a = 1}, {@code a BETWEEN 1 AND 2}, {@code (a, b) IN ((1, 2))}, each between two of
 * AND, OR and the words that begin clauses. Immutable; made in a few passes.
 */
public final class Predicates {

  private static final Set<String> WORDS =
      Set.of(
          "AND", "BY", "FROM", "HAVING", "LIMIT", "ON", "OR", "SELECT", "SET", "VALUES", "WHERE",
          "XOR");

  private final SqlTokens tokens;
  private final int[] predicates;
  private final BitSet naming = new BitSet();
  private int count;

  /**
   * @param columns in lower case
   */
  public Predicates(SqlTokens tokens, Set<String> columns) {
    this.tokens = tokens;
    this.predicates = new int[tokens.size()];
    var open = new int[8];
    var ranges = new BitSet();
    int depth = 0;
    int predicate = 0;
    for (int token = 0; token < predicates.length; token++) {
      if (tokens.isPunctuation(token, '(')) {
        open = depth == open.length ? Arrays.copyOf(open, 2 * depth) : open;
        open[depth++] = predicate;
        ranges.clear(depth);
      } else if (tokens.isPunctuation(token, ')') && depth > 0) {
        ranges.clear(depth);
        predicate = open[--depth];
      } else if (tokens.isWord(token, "BETWEEN")) {
        ranges.set(depth);
      } else if (ranges.get(depth) && tokens.isWord(token, "AND")) {
        ranges.clear(depth);
      } else if (begins(token)) {
        ranges.clear(depth);
        predicate = ++count;
      }
      predicates[token] = predicate;
    }
    mark(columns);
    mark(beside(columns));
  }

  private void mark(Set<String> columns) {
    for (int token = 0; token < predicates.length; token++) {
      if (isColumn(token) && columns.contains(tokens.lowerName(token))) {
        naming.set(predicates[token]);
      }
    }
  }

  /** With those that stand in one condition with them: what is equal to one decides as well. */
  private Set<String> beside(Set<String> columns) {
    var all = new HashSet<>(columns);
    for (int token = 0; token < predicates.length; token++) {
      if (isColumn(token) && naming.get(predicates[token])) {
        all.add(tokens.lowerName(token));
      }
    }
    return all;
  }

  /** By its place: no qualifier, and no function. */
  private boolean isColumn(int token) {
    return tokens.isName(token)
        && !(tokens.kind(token) == TokenKind.WORD && ReservedWords.mayHave(tokens.text(token)))
        && !tokens.isPunctuation(token + 1, '.')
        && !tokens.isPunctuation(token + 1, '(');
  }

  private boolean begins(int token) {
    boolean isWord = WORDS.contains(tokens.word(token)) && !tokens.isPunctuation(token - 1, '.');
    return isWord || tokens.isOperator(token, "&&") || tokens.isOperator(token, "||");
  }

  /** Whether the condition that the token is a part of names one of the columns. */
  public boolean nameAny(int token) {
    return naming.get(predicates[token]);
  }
}
