package io.anabranch.rules.planner.stage;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The ON conditions of one SELECT and whose rows they sort out. */
final class JoinConditions {

  /** Whose rows do not matter where the condition does not hold. */
  enum Side {
    BOTH,
    RIGHT,
    UNKNOWN
  }

  /**
   * @param join token of the word JOIN; what stands between it and the condition is the right side
   */
  record On(Side side, int join, Span condition) {}

  private static final Set<String> ENDS =
      Set.of(
          "JOIN",
          "INNER",
          "LEFT",
          "RIGHT",
          "CROSS",
          "NATURAL",
          "STRAIGHT_JOIN",
          "FULL",
          "ON",
          "USING");

  private final SqlTokens tokens;
  private final List<SelectSpans> selects;
  private final int select;

  JoinConditions(SqlTokens tokens, List<SelectSpans> selects, int select) {
    this.tokens = tokens;
    this.selects = selects;
    this.select = select;
  }

  List<On> all() {
    Span from = selects.get(select).from();
    boolean isDoubtful = isDoubtful(from);
    var found = new ArrayList<On>();
    for (int token = from.first(); token < from.behind(); token++) {
      if (isOwnWord(token) && tokens.isWord(token, "ON")) {
        int join = joinOf(token, from.first());
        found.add(
            new On(
                isDoubtful ? Side.UNKNOWN : side(join),
                join,
                new Span(token + 1, end(token, from.behind()))));
      }
    }
    return found;
  }

  private boolean isOwnWord(int token) {
    return tokens.kind(token) == TokenKind.WORD
        && !tokens.isPunctuation(token - 1, '.')
        && SelectSpans.around(selects, token) == select;
  }

  private int end(int on, int limit) {
    int depth = tokens.depth(on);
    int token = on + 1;
    while (token < limit
        && tokens.depth(token) >= depth
        && !(tokens.depth(token) == depth && endsCondition(token))) {
      token++;
    }
    return token;
  }

  private boolean endsCondition(int token) {
    return tokens.isPunctuation(token, ',')
        || (tokens.kind(token) == TokenKind.WORD
            && !tokens.isPunctuation(token - 1, '.')
            && !tokens.isPunctuation(token + 1, '(')
            && ENDS.contains(tokens.text(token).toUpperCase(Locale.ROOT)));
  }

  /** Each ON belongs to the last JOIN before it that has none yet; -1 if there is none. */
  private int joinOf(int on, int first) {
    int depth = tokens.depth(on);
    int taken = 0;
    for (int token = on - 1; token >= first && tokens.depth(token) >= depth; token--) {
      if (tokens.depth(token) > depth || !isOwnWord(token)) {
        continue;
      }
      if (tokens.isWord(token, "ON") || tokens.isWord(token, "USING")) {
        taken++;
      } else if (tokens.isWord(token, "JOIN") || tokens.isWord(token, "STRAIGHT_JOIN")) {
        if (taken == 0) {
          return token;
        }
        taken--;
      }
    }
    return -1;
  }

  private Side side(int join) {
    if (join < 0) {
      return Side.UNKNOWN;
    }
    int word = tokens.isWord(join - 1, "OUTER") ? join - 2 : join - 1;
    if (tokens.isWord(word, "LEFT")) {
      return Side.RIGHT;
    }
    boolean right = tokens.isWord(word, "RIGHT") || tokens.isWord(word, "FULL");
    return right ? Side.UNKNOWN : Side.BOTH;
  }

  /** Where joins without ON stand between, it is not plain which JOIN an ON belongs to. */
  private boolean isDoubtful(Span from) {
    boolean outer = false;
    boolean bare = false;
    for (int token = from.first(); token < from.behind(); token++) {
      if (isOwnWord(token)) {
        outer |= tokens.isWord(token, "LEFT") || tokens.isWord(token, "RIGHT");
        outer |= tokens.isWord(token, "FULL");
        bare |= tokens.isWord(token, "CROSS") || tokens.isWord(token, "NATURAL");
        bare |= tokens.isWord(token, "STRAIGHT_JOIN");
      }
      bare |= tokens.isPunctuation(token, ',') && SelectSpans.around(selects, token) == select;
    }
    return outer && bare;
  }
}
