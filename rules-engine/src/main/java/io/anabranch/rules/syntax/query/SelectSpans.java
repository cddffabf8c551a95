package io.anabranch.rules.syntax.query;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One SELECT, wherever it is nested: where its clauses stand, in tokens. Found by words alone:
 * clause words are reserved, so in a SELECT's own parentheses and not behind a point they are
 * nothing else.
 *
 * @param select the word itself
 * @param behind of the SELECT as a whole
 * @param from what follows the word FROM, joins and their conditions included; may be empty
 * @param where what follows the word WHERE; may be empty
 */
public record SelectSpans(int select, int behind, Span from, Span where) {

  /** All of a statement, in the order of their first words. */
  public static List<SelectSpans> of(SqlTokens tokens) {
    var all = new ArrayList<SelectSpans>();
    for (int token = 0; token < tokens.size(); token++) {
      if (isClauseWord(tokens, token) && tokens.isWord(token, "SELECT")) {
        all.add(at(tokens, token));
      }
    }
    return List.copyOf(all);
  }

  /** The SELECT whose rows a query gives, the first one of a UNION; null: there is none. */
  public static @Nullable SelectSpans main(SqlTokens tokens) {
    int depth = tokens.all().skip(token -> tokens.isPunctuation(token, '('));
    int found =
        tokens
            .from(depth)
            .find(
                token ->
                    tokens.depth(token) == depth
                        && isClauseWord(tokens, token)
                        && tokens.isWord(token, "SELECT"));
    return found < 0 ? null : at(tokens, found);
  }

  /** The innermost one that {@code token} is part of; -1 if it is part of none. */
  public static int around(List<SelectSpans> all, int token) {
    for (int i = all.size() - 1; i >= 0; i--) {
      if (all.get(i).select <= token && token < all.get(i).behind) {
        return i;
      }
    }
    return -1;
  }

  /** How many subqueries stand within each other, at most. */
  public static int nesting(SqlTokens tokens) {
    int nesting = 0;
    int outermost = tokens.all().findWord("SELECT");
    var closings = new ArrayDeque<Integer>();
    for (int select : tokens.from(outermost + 1).words("SELECT")) {
      if (tokens.isPunctuation(select - 1, '(')) {
        while (!closings.isEmpty() && closings.element() < select) {
          closings.pop();
        }
        closings.push(tokens.closing(select - 1));
        nesting = Math.max(nesting, closings.size());
      }
    }
    return nesting;
  }

  /** For each token what {@link #around} says of it. */
  public static int[] owners(List<SelectSpans> all, int tokens) {
    int[] around = new int[all.size()];
    int[] owners = new int[tokens];
    int owner = -1;
    int next = 0;
    for (int token = 0; token < tokens; token++) {
      while (owner >= 0 && all.get(owner).behind <= token) {
        owner = around[owner];
      }
      if (next < all.size() && all.get(next).select == token) {
        around[next] = owner;
        owner = next++;
      }
      owners[token] = owner;
    }
    return owners;
  }

  /** The one whose first word stands there. */
  public static SelectSpans at(SqlTokens tokens, int select) {
    int depth = tokens.depth(select);
    Span from = Span.NONE;
    Span where = Span.NONE;
    String clause = "";
    int start = select;
    int token = select + 1;
    for (; token < tokens.size() && tokens.depth(token) >= depth; token++) {
      if (tokens.depth(token) > depth || !isClauseWord(tokens, token)) {
        continue;
      }
      String word = tokens.text(token).toUpperCase(Locale.ROOT);
      // another SELECT is one of a program, or of what is no statement
      if (ClauseEnds.isSetOperator(tokens, token) || word.equals("SELECT")) {
        break;
      }
      if (ClauseEnds.endsItems(tokens, token)) {
        from = clause.equals("FROM") ? new Span(start, token) : from;
        where = clause.equals("WHERE") ? new Span(start, token) : where;
        clause = word;
        start = token + 1;
      }
    }
    from = clause.equals("FROM") ? new Span(start, token) : from;
    where = clause.equals("WHERE") ? new Span(start, token) : where;
    return new SelectSpans(select, token, from, where);
  }

  private static boolean isClauseWord(SqlTokens tokens, int token) {
    return tokens.kind(token) == TokenKind.WORD && !tokens.isPunctuation(token - 1, '.');
  }

  /** Select items without their commas, aliases included. */
  public List<Span> items(SqlTokens tokens) {
    int depth = tokens.depth(select);
    int start = SelectLayout.behindModifiers(tokens, select + 1);
    var items = new ArrayList<Span>();
    int token = start;
    for (; token < behind; token++) {
      if (tokens.depth(token) > depth) {
        continue;
      }
      if (ClauseEnds.endsItems(tokens, token)) {
        break;
      }
      if (tokens.isPunctuation(token, ',')) {
        items.add(new Span(start, token));
        start = token + 1;
      }
    }
    items.add(new Span(start, token));
    return List.copyOf(items);
  }

  /**
   * Whether a list of columns stands behind the name of a table that a query gives: {@code d (a, b)
   * AS (SELECT …)} or {@code (SELECT …) AS d (a, b)}.
   *
   * @param name of what a parenthesis follows
   */
  public static boolean namesColumns(SqlTokens tokens, int name) {
    int behind = tokens.closing(name + 1) + 1;
    boolean isCommon = tokens.isWord(behind, "AS") && tokens.isPunctuation(behind + 1, '(');
    int before = tokens.isWord(name - 1, "AS") ? name - 2 : name - 1;
    return isCommon || tokens.isPunctuation(before, ')');
  }

  /** Where the derived tables that it reads may stand: in front of it (WITH) and in FROM. */
  public List<Span> body() {
    return List.of(new Span(0, select), from);
  }

  /** Whether its rows go through a table with those of others: UNION and the like. */
  public boolean isCombined(SqlTokens tokens) {
    return tokens
        .from(select)
        .has(
            token ->
                tokens.depth(token) <= tokens.depth(select)
                    && ClauseEnds.isSetOperator(tokens, token));
  }

  boolean contains(int token) {
    return select <= token && token < behind;
  }
}
