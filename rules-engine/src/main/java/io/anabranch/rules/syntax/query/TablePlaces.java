package io.anabranch.rules.syntax.query;

import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.syntax.CommonTables;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Where names of tables stand in queries and in lists of tables: {@code t} and {@code u} in {@code
 * SELECT a FROM t, (SELECT EXTRACT(DAY FROM d) FROM u) v}. One walk over a range of tokens, from
 * left to right. A list of tables ends at words alone that both servers reserve, so that no alias
 * hides the rest of it. Used by one thread.
 */
public final class TablePlaces {

  /** What is asked for the tokens, one after the other. */
  public interface Reader {

    /**
     * The name of a table begins.
     *
     * @param isRead in a query; false: in the list of tables that a statement changes
     * @return the token behind the name
     */
    int table(int token, boolean isRead);

    /**
     * A word, a name or a literal that says nothing of tables.
     *
     * @return the token to go on with, which stands behind it
     */
    int other(int token);

    /** What stands there is none of the forms that are known. */
    void doubt(String what);
  }

  private enum Place {
    /** No table can stand here but behind a word that announces one. */
    EXPRESSION,
    /** A table begins here. */
    TABLE,
    /** The one table of {@code TABLE t} begins here. */
    ONE,
    /** In a list of tables: behind a comma the next one begins. */
    LIST
  }

  /** What is inside of one pair of parentheses. */
  private static final class Level {
    Place place;

    /** Tables are read only. */
    boolean isQuery;

    /** {@code TRIM(… FROM …)}. */
    final boolean isOfFunction;

    Level(Place place, boolean isQuery, boolean isOfFunction) {
      this.place = place;
      this.isQuery = isQuery;
      this.isOfFunction = isOfFunction;
    }
  }

  private final SqlTokens tokens;
  private final Reader reader;
  private final Deque<Level> levels = new ArrayDeque<>();

  /**
   * @param tokens without optimizer hints and marks of comments
   */
  public TablePlaces(SqlTokens tokens, Reader reader) {
    this.tokens = tokens;
    this.reader = reader;
  }

  /**
   * The first token of each name that stands as a table's in queries, common tables included, in
   * the order of the text.
   *
   * @param tokens with whatever comments they have
   */
  public static List<Integer> in(SqlTokens tokens) {
    SqlTokens plain = tokens.withoutMarks();
    var found = new ArrayList<Integer>();
    var places =
        new TablePlaces(
            plain,
            new Names(plain) {
              @Override
              void named(int token) {
                found.add(tokens.at(plain.start(token)));
              }
            });
    places.expressions(0, plain.size());
    return found;
  }

  /** Who wants to know of names only. */
  abstract static class Names implements Reader {

    private final SqlTokens tokens;

    Names(SqlTokens tokens) {
      this.tokens = tokens;
    }

    /** A name's first token. */
    abstract void named(int token);

    @Override
    public final int table(int token, boolean isRead) {
      if (tokens.isName(token)) {
        named(token);
      }
      return tokens.isPunctuation(token + 1, '.') ? token + 3 : token + 1;
    }

    @Override
    public final int other(int token) {
      return token + 1;
    }

    @Override
    public final void doubt(String what) {
      // a server says what it thinks of it
    }
  }

  // ---------------------------------------------------------------- ranges

  /** Expressions and queries. */
  public void expressions(int from, int to) {
    walk(from, to, Place.EXPRESSION, true);
  }

  /** A list of tables that the statement changes, and all behind it. */
  public void changed(int from, int to) {
    walk(from, to, Place.TABLE, false);
  }

  /** A list of tables that are read, and all behind it. */
  public void read(int from, int to) {
    walk(from, to, Place.TABLE, true);
  }

  private void walk(int from, int to, Place first, boolean isQuery) {
    levels.clear();
    levels.push(new Level(first, isQuery, false));
    int i = from;
    while (i < to) {
      i = step(i);
    }
    if (levels.size() != 1) {
      reader.doubt("parentheses that do not match");
    }
  }

  private Level level() {
    return levels.element();
  }

  // ---------------------------------------------------------------- tokens

  private int step(int i) {
    if (tokens.isPunctuation(i, '(')) {
      open(i);
      return i + 1;
    }
    if (tokens.isPunctuation(i, ')')) {
      close();
      return i + 1;
    }
    if (level().place == Place.TABLE) {
      return table(i);
    }
    if (level().place == Place.ONE && isCondition(i)) {
      return i + 1;
    }
    if (level().place == Place.ONE) {
      level().place = Place.EXPRESSION;
      return reader.table(i, true);
    }
    if (tokens.isPunctuation(i, ',')) {
      if (level().place == Place.LIST) {
        level().place = Place.TABLE;
      }
      return i + 1;
    }
    if (tokens.isPunctuation(i, ';')) {
      level().place = Place.EXPRESSION;
      return i + 1;
    }
    return word(i);
  }

  private void open(int i) {
    Level outer = level();
    boolean isTable = outer.place == Place.TABLE;
    levels.push(
        new Level(
            isTable ? Place.TABLE : Place.EXPRESSION,
            outer.isQuery,
            FunctionUses.hasOwnFrom(bare(i - 1))));
    if (!isTable) {
      level().isQuery = false;
    }
  }

  private void close() {
    if (levels.size() == 1) {
      reader.doubt("parentheses that do not match");
      return;
    }
    if (level().place == Place.TABLE) {
      reader.doubt("a list of tables that ends with none");
    }
    levels.pop();
    if (level().place == Place.TABLE) {
      level().place = Place.LIST;
    }
  }

  private int word(int i) {
    Level level = level();
    switch (bare(i)) {
      case "SELECT" -> query();
      case "VALUES" -> {
        // a function's in TRIM(VALUES(c) FROM 'x'), and in ON VALUES(c) = 1
        if (!level.isOfFunction && (level.place != Place.LIST || isBehindSetOperator(i))) {
          query();
        }
      }
      case "FROM" -> from(i);
      case "JOIN" -> {
        if (!isWord(i - 1, "FOR")) {
          level.place = Place.TABLE;
        }
      }
      case "STRAIGHT_JOIN" -> {
        if (level.place == Place.LIST) {
          level.place = Place.TABLE;
        }
      }
      case "WHERE", "HAVING", "LIMIT", "UNION", "PROCEDURE", "INTO", "SET" ->
          level.place = Place.EXPRESSION;
      case "WINDOW" -> {
        boolean isNamed = tokens.isName(i + 1) && isWord(i + 2, "AS");
        if (isNamed && tokens.isPunctuation(i + 3, '(')) {
          level.place = Place.EXPRESSION;
        }
      }
      case "GROUP", "ORDER" -> {
        if (!isWord(i - 1, "FOR")) {
          level.place = Place.EXPRESSION;
        }
      }
      case "TABLE" -> one();
      case "WITH" -> with(i);
      case "ON" -> {
        if (isWord(i + 1, "DUPLICATE") && isWord(i + 2, "KEY")) {
          level.place = Place.EXPRESSION;
        }
      }
      case "RETURNING" -> {
        // the parenthesis behind it is no call's
      }
      case "FOR" -> {
        boolean isOfSequence =
            isWord(i - 1, "VALUE") && (isWord(i - 2, "NEXT") || isWord(i - 2, "PREVIOUS"));
        if (!isOfSequence && (isWord(i + 1, "UPDATE") || isWord(i + 1, "SHARE"))) {
          level.place = Place.EXPRESSION;
        }
        return reader.other(i);
      }
      case "UPDATE", "DELETE", "INSERT", "REPLACE" -> change(i);
      default -> {
        return reader.other(i);
      }
    }
    return i + 1;
  }

  private boolean isBehindSetOperator(int i) {
    int operator = isWord(i - 1, "ALL") || isWord(i - 1, "DISTINCT") ? i - 2 : i - 1;
    return isWord(operator, "EXCEPT") || isWord(operator, "INTERSECT");
  }

  private void query() {
    level().isQuery = true;
    level().place = Place.EXPRESSION;
  }

  /** Behind the word there is no list: what follows a comma is of the statement around it. */
  private void one() {
    level().isQuery = true;
    level().place = Place.ONE;
  }

  /** IF EXISTS and IF NOT EXISTS, of definitions: words that both servers reserve. */
  private boolean isCondition(int i) {
    return isWord(i, "IF") || isWord(i, "NOT") || isWord(i, "EXISTS");
  }

  private void from(int i) {
    Level level = level();
    boolean isOfTime =
        level.place == Place.LIST && isWord(i - 1, "SYSTEM_TIME") && isWord(i - 2, "FOR");
    boolean isOfFunction = level.isOfFunction && !level.isQuery;
    boolean isOfPortion = isWord(i - 2, "OF") && isWord(i - 3, "PORTION") && isWord(i - 4, "FOR");
    if (!isOfTime && !isOfFunction && !isOfPortion) {
      level.place = Place.TABLE;
    }
  }

  /** Statements do not stand inside of queries, but their words do. */
  private void change(int i) {
    boolean isFunction = tokens.isPunctuation(i + 1, '(');
    boolean isClause = isWord(i - 1, "KEY") || isWord(i - 1, "FOR") || isWord(i - 1, "ON");
    if (!isFunction && !isClause) {
      reader.doubt(bare(i) + " in this place");
    }
  }

  private int table(int i) {
    Level level = level();
    switch (bare(i)) {
      case "SELECT", "VALUES" -> {
        query();
        return i + 1;
      }
      case "WITH" -> {
        if (CommonTables.query(tokens, firstCommonTable(i)) < 0) {
          reader.doubt("WITH in this place");
          level.place = Place.EXPRESSION;
        }
        with(i);
        return i + 1;
      }
      case "TABLE" -> {
        one();
        return i + 1;
      }
      case "LATERAL" -> {
        if (tokens.isPunctuation(i + 1, '(')) {
          return i + 1;
        }
      }
      case "JSON_TABLE" -> {
        if (tokens.isPunctuation(i + 1, '(')) {
          level.place = Place.LIST;
          return i + 1;
        }
      }
      case "DUAL" -> {
        level.place = Place.LIST;
        return i + 1;
      }
      default -> {}
    }
    level.place = Place.LIST;
    return reader.table(i, level.isQuery);
  }

  // ---------------------------------------------------------------- common table expressions

  private void with(int i) {
    if (behindCommonTables(i) > i + 2) {
      query();
    }
  }

  /** Where the statement goes on that begins with WITH at {@code with}. */
  public int behindCommonTables(int with) {
    int at = firstCommonTable(with);
    int body = CommonTables.query(tokens, at);
    while (body >= 0) {
      at = tokens.closing(body) + 1;
      if (!tokens.isPunctuation(at, ',')) {
        return at;
      }
      at++;
      body = CommonTables.query(tokens, at);
    }
    return at;
  }

  private int firstCommonTable(int with) {
    return isWord(with + 1, "RECURSIVE") ? with + 2 : with + 1;
  }

  // ---------------------------------------------------------------- words

  private boolean isWord(int i, String word) {
    return bare(i).equals(word);
  }

  /** The unquoted word in upper case, unless it is a member of another name; empty otherwise. */
  private String bare(int i) {
    boolean isMember =
        tokens.isPunctuation(i - 1, '.')
            && (tokens.isName(i - 2) || tokens.kind(i - 2) == TokenKind.VARIABLE);
    return isMember ? "" : tokens.word(i);
  }
}
