package io.anabranch.rules.syntax;

import io.anabranch.rules.effort.Wish;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an INSERT or REPLACE, as token numbers; an end is exclusive. See <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/insert.html">INSERT</a>.
 *
 * @param targetEnd the token behind the table and its PARTITION (…)
 * @param columns null-free names; empty if the statement lists none
 * @param columnsEnd the parenthesis that closes the column list; -1 without a list
 * @param form what follows the table and columns
 * @param body first token of the rows or assignments, behind VALUES or SET; of the query
 * @param rows values of each row; one row for SET; empty for a query
 * @param tail first token behind the rows
 * @param updates columns that ON DUPLICATE KEY UPDATE assigns
 * @param returning the word RETURNING; -1 without it
 * @param ignores whether IGNORE stands in front
 */
public record InsertSyntax(
    TableMention table,
    int targetEnd,
    List<String> columns,
    int columnsEnd,
    Form form,
    int body,
    List<Row> rows,
    int tail,
    List<Assignment> updates,
    int returning,
    boolean ignores) {

  public enum Form {
    VALUES,
    SET,
    QUERY
  }

  /**
   * A row in parentheses, or all assignments of SET.
   *
   * @param open the parenthesis; the first token for SET
   * @param close the closing parenthesis; the token behind the last for SET
   * @param bounds of each value its first token and the one behind it: there may be a million rows
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Row(int open, int close, int[] bounds) {

    static Row of(int open, int close, List<Span> values) {
      var bounds = new int[2 * values.size()];
      for (int i = 0; i < values.size(); i++) {
        bounds[2 * i] = values.get(i).first();
        bounds[2 * i + 1] = values.get(i).behind();
      }
      return new Row(open, close, bounds);
    }

    /** A view. */
    public List<Span> values() {
      return new AbstractList<>() {
        @Override
        public Span get(int index) {
          return new Span(bounds[2 * index], bounds[2 * index + 1]);
        }

        @Override
        public int size() {
          return bounds.length / 2;
        }
      };
    }
  }

  public record Assignment(String column, Span value) {}

  /**
   * The parenthesis that closes the names in {@code AS row (a, b)}; -1: rows have no such names.
   */
  public int namesEnd(SqlTokens tokens) {
    boolean named =
        form != Form.QUERY && tokens.isWord(tail, "AS") && tokens.isPunctuation(tail + 2, '(');
    return named ? tokens.closing(tail + 2) : -1;
  }

  /** A name that a statement does not have: this one, or a longer one. */
  public static String unmentioned(SqlTokens tokens, String name) {
    var longer = new StringBuilder(name);
    while (tokens.mention(longer.toString())) {
      longer.append('_');
    }
    return longer.toString();
  }

  public boolean returns() {
    return returning >= 0;
  }

  /**
   * The query of {@link Form#QUERY}, which runs by itself: without the parentheses around a WITH,
   * where MariaDB takes them in an INSERT alone.
   */
  public Span query(SqlTokens tokens) {
    boolean isWrapped =
        columnsEnd < 0
            && tokens.isPunctuation(body, '(')
            && tokens.isWord(body + 1, "WITH")
            && tokens.closing(body) == tail - 1;
    return isWrapped ? new Span(body + 1, tail - 1) : new Span(body, tail);
  }

  /**
   * The tokens of {@code (VALUES (1, 2), (3, 4))} in the place of a query without what is around.
   */
  public @Nullable Span wrappedRows(SqlTokens tokens) {
    int values = body;
    int behind = tail;
    while (tokens.isPunctuation(values, '(') && tokens.closing(values) == behind - 1) {
      values++;
      behind--;
    }
    if (form != Form.QUERY || values == body || !tokens.isWord(values, "VALUES")) {
      return null;
    }
    int at = values;
    do {
      at = tokens.isWord(at + 1, "ROW") ? at + 2 : at + 1;
      if (!tokens.isPunctuation(at, '(')) {
        return null;
      }
      at = tokens.closing(at) + 1;
    } while (tokens.isPunctuation(at, ','));
    return at == behind ? new Span(values, behind) : null;
  }

  public static InsertSyntax read(SourceText source) {
    return new Reader(source).read();
  }

  private static final class Reader {

    private final SourceText source;
    private final SqlTokens tokens;
    private int at;
    private int targetEnd;
    private boolean ignores;

    Reader(SourceText source) {
      this.source = source;
      this.tokens = source.tokens();
    }

    InsertSyntax read() {
      at = tokens.behindVerb();
      while (word("LOW_PRIORITY") || word("DELAYED") || word("HIGH_PRIORITY") || word("IGNORE")) {
        ignores |= word("IGNORE");
        at++;
      }
      if (word("INTO")) {
        at++;
      }
      TableMention table = TableMention.at(source, at);
      at = table.behind();
      if (word("PARTITION")) {
        if (!tokens.isPunctuation(at + 1, '(')) {
          throw TableMention.syntaxError(source, at + 1);
        }
        at = Math.min(tokens.closing(at + 1) + 1, tokens.size());
      }
      targetEnd = at;
      var columns = new ArrayList<String>();
      int columnsEnd = -1;
      if (tokens.isPunctuation(at, '(') && !startsQuery(at + 1)) {
        columnsEnd = columns(columns);
      }
      if (word("VALUES") || word("VALUE")) {
        return values(table, columns, columnsEnd);
      }
      if (word("SET") && columnsEnd < 0) {
        return set(table);
      }
      if (startsQuery(at)) {
        return query(table, columns, columnsEnd);
      }
      throw TableMention.syntaxError(source, at);
    }

    private boolean word(String word) {
      return tokens.isWord(at, word);
    }

    private boolean startsQuery(int token) {
      int first = token;
      while (tokens.isPunctuation(first, '(')) {
        first++;
      }
      return tokens.isWord(first, "SELECT")
          || tokens.isWord(first, "WITH")
          || tokens.isWord(first, "TABLE")
          || tokens.isWord(first, "VALUES");
    }

    private int columns(List<String> columns) {
      int end = tokens.closing(at);
      var once = new HashSet<String>();
      for (int i = at + 1; i < end; i++) {
        boolean last = tokens.isPunctuation(i + 1, ',') || i + 1 == end;
        if (tokens.isName(i) && last) {
          columns.add(once(tokens.name(i), once));
        }
      }
      at = end + 1;
      return end;
    }

    /** A list that names columns again and again would be as long as a client likes. */
    private static String once(String column, Set<String> before) {
      if (!before.add(column.toLowerCase(Locale.ROOT))) {
        throw ErrorCatalogue.COLUMN_TWICE.refuse(column);
      }
      return column;
    }

    private InsertSyntax query(TableMention table, List<String> columns, int columnsEnd) {
      int tail = at;
      while (tail < tokens.size() && !endsRows(tail)) {
        tail++;
      }
      return new InsertSyntax(
          table,
          targetEnd,
          columns,
          columnsEnd,
          Form.QUERY,
          at,
          List.of(),
          tail,
          updates(tail),
          returning(tail),
          ignores);
    }

    private InsertSyntax values(TableMention table, List<String> columns, int columnsEnd) {
      int start = at;
      int body = ++at;
      var rows = new ArrayList<Row>();
      do {
        Wish.requireWanted();
        if (!rows.isEmpty()) {
          at++;
        }
        if (word("ROW")) {
          at++;
        }
        if (!tokens.isPunctuation(at, '(') || tokens.closing(at) == tokens.size()) {
          throw TableMention.syntaxError(source, at);
        }
        int close = tokens.closing(at);
        rows.add(Row.of(at, close, split(at + 1, close)));
        at = close + 1;
      } while (tokens.isPunctuation(at, ','));
      int tail = at;
      if (!endsStatement(behindAlias(tail))) {
        at = start;
        return query(table, columns, columnsEnd);
      }
      List<Assignment> updates = updates(tail);
      return new InsertSyntax(
          table,
          targetEnd,
          columns,
          columnsEnd,
          Form.VALUES,
          body,
          rows,
          tail,
          updates,
          returning(tail),
          ignores);
    }

    private InsertSyntax set(TableMention table) {
      int body = ++at;
      int tail = body;
      while (tail < tokens.size() && !endsSet(tail)) {
        tail++;
      }
      var columns = new ArrayList<String>();
      var values = new ArrayList<Span>();
      var once = new HashSet<String>();
      for (Assignment assignment : assignments(body, tail)) {
        columns.add(once(assignment.column(), once));
        values.add(assignment.value());
      }
      return new InsertSyntax(
          table,
          targetEnd,
          columns,
          -1,
          Form.SET,
          body,
          List.of(Row.of(body, tail, values)),
          tail,
          updates(tail),
          returning(tail),
          ignores);
    }

    /**
     * Rows end a statement but for an alias, ON DUPLICATE KEY UPDATE and RETURNING. With anything
     * else behind them (UNION, ORDER BY, LIMIT) they are the first part of a query.
     */
    private boolean endsStatement(int token) {
      return token == tokens.size() || endsRows(token);
    }

    private int behindAlias(int token) {
      if (!tokens.isWord(token, "AS") || !tokens.isName(token + 1)) {
        return token;
      }
      return tokens.isPunctuation(token + 2, '(') ? tokens.closing(token + 2) + 1 : token + 2;
    }

    private boolean endsSet(int token) {
      return endsRows(token) || (tokens.depth(token) == 0 && tokens.isWord(token, "AS"));
    }

    private boolean endsRows(int token) {
      return tokens.depth(token) == 0
          && (tokens.isWord(token, "RETURNING")
              || (tokens.isWord(token, "ON") && tokens.isWord(token + 1, "DUPLICATE")));
    }

    private List<Assignment> updates(int tail) {
      for (int i = tail; i + 3 < tokens.size(); i++) {
        if (tokens.isWord(i, "ON")
            && tokens.isWord(i + 1, "DUPLICATE")
            && tokens.isWord(i + 2, "KEY")
            && tokens.isWord(i + 3, "UPDATE")) {
          int end = i + 4;
          while (end < tokens.size()
              && !(tokens.depth(end) == 0 && tokens.isWord(end, "RETURNING"))) {
            end++;
          }
          return assignments(i + 4, end);
        }
      }
      return List.of();
    }

    private int returning(int from) {
      int found = findReturning(tokens, from);
      return found < tokens.size() ? found : -1;
    }

    private List<Assignment> assignments(int from, int to) {
      var found = new ArrayList<Assignment>();
      for (Span span : split(from, to)) {
        int equal = span.first();
        while (equal < span.behind()
            && !tokens.isOperator(equal, "=")
            && !tokens.isOperator(equal, ":=")) {
          equal++;
        }
        if (equal == span.behind() || equal == span.first() || !tokens.isName(equal - 1)) {
          throw TableMention.syntaxError(source, span.first());
        }
        found.add(new Assignment(tokens.name(equal - 1), new Span(equal + 1, span.behind())));
      }
      return found;
    }

    /** Cuts at the commas that are in no inner parentheses. */
    private List<Span> split(int from, int to) {
      var spans = new ArrayList<Span>();
      if (from >= to) {
        return spans;
      }
      int depth = tokens.depth(from);
      int start = from;
      for (int i = from; i < to; i++) {
        if (tokens.depth(i) == depth && tokens.isPunctuation(i, ',')) {
          spans.add(new Span(start, i));
          start = i + 1;
        }
      }
      spans.add(new Span(start, to));
      return spans;
    }
  }

  /** Where the word RETURNING stands; the number of tokens if it does not. */
  public static int findReturning(SqlTokens tokens, int from) {
    int found = tokens.from(from).findClause(0, "RETURNING");
    return found < 0 ? tokens.size() : found;
  }
}
