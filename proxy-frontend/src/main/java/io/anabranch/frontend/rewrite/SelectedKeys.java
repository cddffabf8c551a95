package io.anabranch.frontend.rewrite;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.syntax.query.ClauseWords;
import java.util.ArrayList;
import java.util.List;

/**
 * Which expressions of GROUP BY and ORDER BY are those of a select list: {@code SELECT k * @x …
 * GROUP BY k * @x}. A server takes them for the same one as long as both are written alike. Used by
 * one thread.
 */
final class SelectedKeys {

  /** An item of a select list: tokens {@code [first, behind)}. */
  private record Item(int first, int behind, int depth) {}

  private final SqlTokens tokens;
  private final List<Item> items = new ArrayList<>();

  SelectedKeys(SqlTokens tokens) {
    this.tokens = tokens;
  }

  void add(int first, int behind, int depth) {
    items.add(new Item(first, behind, depth));
  }

  /** Whether the token is a part of such a key, and not the whole of it. */
  boolean hasKey(int token, ClauseWords clauses) {
    if (items.isEmpty() || !clauses.isKey(token)) {
      return false;
    }
    int by = clauses.nearest(token);
    int depth = tokens.depth(by);
    int comma =
        tokens
            .between(by + 1, token)
            .findLast(each -> tokens.depth(each) == depth && isComma(each));
    int from = Math.max(by, comma) + 1;
    int to = tokens.from(token + 1).skip(each -> !ends(each, depth));
    if (to - from < 2) {
      return false;
    }
    for (Item item : items) {
      if (item.depth == depth && isLike(item, from, to)) {
        return true;
      }
    }
    return false;
  }

  private boolean isComma(int token) {
    return tokens.isPunctuation(token, ',');
  }

  private boolean ends(int token, int depth) {
    if (tokens.depth(token) < depth || tokens.isPunctuation(token, ';')) {
      return true;
    }
    boolean ends =
        isComma(token)
            || tokens.isAnyWord(token, "ASC", "DESC", "RANGE", "ROWS", "WITH")
            || ClauseEnds.endsCondition(tokens, token);
    return tokens.depth(token) == depth && ends;
  }

  /** Whether the item is the key, with an alias or without one. */
  private boolean isLike(Item item, int from, int to) {
    int behind = item.first + to - from;
    boolean isWhole =
        behind == item.behind
            || (behind < item.behind && tokens.isWord(behind, "AS"))
            || (behind + 1 == item.behind && tokens.isName(behind));
    return isWhole
        && tokens
            .between(from, to)
            .consistsOf(
                token ->
                    tokens.text(token).equalsIgnoreCase(tokens.text(token - from + item.first)));
  }
}
