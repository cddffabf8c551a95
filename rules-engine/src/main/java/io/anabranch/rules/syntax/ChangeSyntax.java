package io.anabranch.rules.syntax;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an UPDATE or DELETE, as token numbers; an end is exclusive. See <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/update.html">UPDATE</a> and <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/delete.html">DELETE</a>.
 *
 * @param ignores whether IGNORE stands in front
 * @param tables the table references, joins included
 * @param deleted names in front of FROM or USING of a DELETE of several tables; empty otherwise
 * @param assignments of an UPDATE
 * @param where the word WHERE, or where it would stand
 * @param order the words ORDER BY, or where they would stand
 * @param limit the word LIMIT, or where it would stand
 * @param end of what the database is to read of the rows: RETURNING, or the end
 */
public record ChangeSyntax(
    boolean ignores,
    Span tables,
    List<TableMention> deleted,
    List<Assignment> assignments,
    int where,
    int order,
    int limit,
    int end) {

  /**
   * @param qualifier table or alias in front of the column
   */
  public record Assignment(@Nullable String qualifier, String column, Span value) {}

  public static ChangeSyntax read(SourceText source) {
    return new Reader(source).read();
  }

  /** {@code a = 1, t.b = 2} in the tokens {@code [from, to)}. */
  static List<Assignment> assignments(SourceText source, int from, int to) {
    return new Reader(source).assignments(from, to);
  }

  /** Whether RETURNING stands at {@link #end}. */
  public boolean returns(SqlTokens tokens) {
    return end < tokens.size();
  }

  public boolean isOrdered() {
    return order < limit;
  }

  public boolean isLimited() {
    return limit < end;
  }

  private static final class Reader {

    private final SourceText source;
    private final SqlTokens tokens;
    private boolean ignores;

    Reader(SourceText source) {
      this.source = source;
      this.tokens = source.tokens();
    }

    ChangeSyntax read() {
      int at = tokens.behindVerb();
      while (tokens.isWord(at, "LOW_PRIORITY")
          || tokens.isWord(at, "QUICK")
          || tokens.isWord(at, "IGNORE")) {
        ignores |= tokens.isWord(at, "IGNORE");
        at++;
      }
      return tokens.isWord(0, "UPDATE") ? update(at) : delete(at);
    }

    private ChangeSyntax update(int from) {
      int set = find(from, "SET");
      int where = find(set, "WHERE");
      int order = order(Math.min(where, tokens.size()) == tokens.size() ? set : where);
      int limit = find(order < tokens.size() ? order : set, "LIMIT");
      where = Math.min(where, Math.min(order, limit));
      order = Math.min(order, limit);
      return new ChangeSyntax(
          ignores,
          new Span(from, set),
          List.of(),
          assignments(set + 1, where),
          where,
          order,
          limit,
          tokens.size());
    }

    private ChangeSyntax delete(int from) {
      var deleted = new ArrayList<TableMention>();
      int first = from;
      if (tokens.isWord(from, "FROM")) {
        int using = find(from, "USING");
        if (using < tokens.size()) {
          names(from + 1, using, deleted);
          first = using + 1;
        } else {
          first = from + 1;
        }
      } else {
        int keyword = find(from, "FROM");
        names(from, keyword, deleted);
        first = keyword + 1;
      }
      int end = InsertSyntax.findReturning(tokens, first);
      int where = Math.min(end, find(first, "WHERE"));
      int order = Math.min(end, order(where < end ? where : first));
      int limit = Math.min(end, find(order < end ? order : where < end ? where : first, "LIMIT"));
      order = Math.min(order, limit);
      where = Math.min(where, order);
      return new ChangeSyntax(
          ignores, new Span(first, where), deleted, List.of(), where, order, limit, end);
    }

    /** The next token of that word outside of parentheses; the number of tokens if none follows. */
    private int find(int from, String word) {
      int found = tokens.from(from).findClause(0, word);
      return found < 0 ? tokens.size() : found;
    }

    private int order(int from) {
      int order = find(from, "ORDER");
      while (order < tokens.size() && !tokens.isWord(order + 1, "BY")) {
        order = find(order + 1, "ORDER");
      }
      return order;
    }

    private void names(int from, int to, List<TableMention> into) {
      int at = from;
      while (at < to) {
        boolean starred = tokens.isName(at) && tokens.isOperator(at + 2, "*");
        TableMention mention =
            starred
                ? new TableMention(null, tokens.name(at), at, at + 1)
                : TableMention.at(source, at);
        into.add(mention);
        at = mention.behind();
        while (at < to && !tokens.isPunctuation(at, ',')) {
          at++;
        }
        at++;
      }
    }

    private List<Assignment> assignments(int from, int to) {
      var found = new ArrayList<Assignment>();
      int start = from;
      for (int i = from; i <= to; i++) {
        boolean ends = i == to || (tokens.depth(i) == 0 && tokens.isPunctuation(i, ','));
        if (ends && i > start) {
          found.add(assignment(start, i));
          start = i + 1;
        }
      }
      return found;
    }

    private Assignment assignment(int from, int to) {
      int equal = from;
      while (equal < to && !tokens.isOperator(equal, "=") && !tokens.isOperator(equal, ":=")) {
        equal++;
      }
      if (equal == to || equal == from || !tokens.isName(equal - 1)) {
        throw TableMention.syntaxError(source, from);
      }
      boolean qualified = equal - 2 > from && tokens.isPunctuation(equal - 2, '.');
      return new Assignment(
          qualified ? tokens.name(equal - 3) : null,
          tokens.name(equal - 1),
          new Span(equal + 1, to));
    }
  }
}
