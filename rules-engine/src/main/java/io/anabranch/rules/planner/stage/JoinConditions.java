package io.anabranch.rules.planner.stage;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.ArrayList;
import java.util.List;

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

  private final SqlTokens written;

  /** Without hints and marks of comments, which part what belongs together. */
  private final SqlTokens tokens;

  private final List<SelectSpans> selects;
  private final int select;

  /**
   * @param select its position among {@link SelectSpans}
   */
  JoinConditions(SqlTokens written, int select) {
    this.written = written;
    this.tokens = written.withoutMarks();
    this.selects = SelectSpans.of(tokens);
    this.select = select;
  }

  /** In the order of the text, by its own tokens. */
  List<On> all() {
    Span from = selects.get(select).from();
    boolean isDoubtful = isDoubtful(from);
    var found = new ArrayList<On>();
    for (int on : tokens.in(from).names(token -> tokens.isWord(token, "ON") && isOwnWord(token))) {
      int join = joinOf(on, from.first());
      int last = end(on, from.behind()) - 1;
      Span condition = new Span(inText(on) + 1, inText(last) + 1);
      found.add(new On(isDoubtful ? Side.UNKNOWN : side(join), inText(join), condition));
    }
    return found;
  }

  private int inText(int token) {
    return token < 0 ? token : written.at(tokens.start(token));
  }

  private boolean isOwnWord(int token) {
    return tokens.kind(token) == TokenKind.WORD
        && !tokens.isPunctuation(token - 1, '.')
        && SelectSpans.around(selects, token) == select;
  }

  private int end(int on, int limit) {
    int depth = tokens.depth(on);
    return tokens
        .between(on + 1, limit)
        .skip(
            token ->
                tokens.depth(token) > depth
                    || (tokens.depth(token) == depth && !endsCondition(token)));
  }

  private boolean endsCondition(int token) {
    return tokens.isPunctuation(token, ',')
        || ClauseEnds.isJoin(tokens, token)
        || (tokens.isWord(token, "ON") && !tokens.isPunctuation(token - 1, '.'));
  }

  /**
   * Each ON belongs to the last JOIN before it that has none yet; -1 if there is none.
   *
   * @param on or a JOIN, for the one before it
   */
  private int joinOf(int on, int first) {
    int before =
        tokens
            .between(Math.max(first, tokens.around(on) + 1), on)
            .findLast(
                token ->
                    tokens.depth(token) == tokens.depth(on)
                        && tokens.isAnyWord(token, "ON", "USING", "JOIN", "STRAIGHT_JOIN")
                        && isOwnWord(token));
    if (!tokens.isAnyWord(before, "ON", "USING")) {
      return before;
    }
    int taken = joinOf(before, first);
    return taken < 0 ? taken : joinOf(taken, first);
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
    return tokens.in(from).has(this::isOuter) && tokens.in(from).has(this::isBare);
  }

  private boolean isOuter(int token) {
    return tokens.isAnyWord(token, "LEFT", "RIGHT", "FULL") && isOwnWord(token);
  }

  private boolean isBare(int token) {
    return tokens.isPunctuation(token, ',')
        ? SelectSpans.around(selects, token) == select
        : tokens.isAnyWord(token, "CROSS", "NATURAL", "STRAIGHT_JOIN") && isOwnWord(token);
  }
}
