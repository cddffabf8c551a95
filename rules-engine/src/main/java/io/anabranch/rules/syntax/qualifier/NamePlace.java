package io.anabranch.rules.syntax.qualifier;

import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.syntax.qualifier.SchemaMention.Reading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the first part of a qualified name is by the place where it stands. Places of tables and of
 * columns are closed lists; whatever is in neither may be both.
 */
final class NamePlace {

  /** Directly in front of the name of a table, a routine or another object of a schema. */
  private static final Set<String> BEFORE_OBJECT =
      Set.of(
          "JOIN",
          "TABLE",
          "TABLES",
          "VIEW",
          "PROCEDURE",
          "FUNCTION",
          "TRIGGER",
          "EVENT",
          "SEQUENCE",
          "PACKAGE",
          "BODY",
          "LIBRARY",
          "REFERENCES",
          "CALL",
          "HANDLER",
          "DESCRIBE",
          "LOW_PRIORITY",
          "DELAYED",
          "QUICK",
          "IGNORE",
          "INSERT",
          "REPLACE",
          "DELETE",
          "TRUNCATE",
          "OJ",
          "CACHE",
          "CODE",
          "RENAME",
          "USING");

  /** Directly in front of a column. */
  private static final Set<String> BEFORE_COLUMN =
      Set.of(
          "SELECT",
          "WHERE",
          "AND",
          "OR",
          "XOR",
          "NOT",
          "HAVING",
          "BY",
          "SET",
          "WHEN",
          "ELSE",
          "ELSEIF",
          "CASE",
          "BETWEEN",
          "DIV",
          "MOD",
          "REGEXP",
          "RLIKE",
          "RETURN",
          "RETURNING",
          "LIMIT",
          "OFFSET",
          "INTERVAL",
          "BINARY",
          "DISTINCT",
          "DISTINCTROW",
          "ALL",
          "SQL_CALC_FOUND_ROWS",
          "SQL_NO_CACHE",
          "SQL_CACHE",
          "SQL_SMALL_RESULT",
          "SQL_BIG_RESULT",
          "SQL_BUFFER_RESULT",
          "WHILE",
          "UNTIL",
          "IF",
          "LEADING",
          "TRAILING",
          "BOTH");

  /** A parenthesis behind them holds tables. */
  private static final Set<String> OPENS_TABLES =
      Set.of(
          "FROM",
          "JOIN",
          "STRAIGHT_JOIN",
          "USING",
          "UPDATE",
          "UNION",
          "OJ",
          "LOW_PRIORITY",
          "IGNORE");

  /** Reserved words: a list behind them is one of expressions. */
  private static final Set<String> LISTS_COLUMNS =
      Set.of("SELECT", "WHERE", "SET", "VALUES", "HAVING", "LIMIT");

  private static final Set<String> BEFORE_TABLES =
      Set.of(
          "LOCK",
          "FLUSH",
          "DROP",
          "CHECK",
          "CHECKSUM",
          "ANALYZE",
          "OPTIMIZE",
          "REPAIR",
          "LOCAL",
          "NO_WRITE_TO_BINLOG",
          "TEMPORARY");

  /** Of sequences: their first argument is no column. */
  private static final Set<String> FUNCTIONS_OF_OBJECTS = Set.of("NEXTVAL", "LASTVAL", "SETVAL");

  private static final Set<String> CHANGES = Set.of("INSERT", "UPDATE", "DELETE");

  private static final Set<String> BEFORE_INTO =
      Set.of("INSERT", "REPLACE", "LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE");

  /** Between CREATE or DROP and INDEX. */
  private static final Set<String> BEFORE_INDEX =
      Set.of(
          "OR", "REPLACE", "ONLINE", "OFFLINE", "UNIQUE", "FULLTEXT", "SPATIAL", "VECTOR", "RTREE");

  private final BareTokens tokens;

  /** What the lists are of whose commas were asked for: others end where these begin. */
  private final Map<Integer, Reading> lists = new HashMap<>();

  /** The same of FROM, whether an expression has it. */
  private final Map<Integer, Boolean> expressions = new HashMap<>();

  private final boolean grants;
  private final boolean renames;
  private final boolean isShow;

  /** CREATE INDEX, DROP INDEX: the table of the index stands behind ON, wherever that is. */
  private final boolean isOfIndex;

  /**
   * @param grants whether there is GRANT or REVOKE in it, be it in the body of a program
   */
  NamePlace(BareTokens tokens, boolean grants) {
    this.tokens = tokens;
    this.grants = grants;
    this.renames = tokens.isWord(0, "RENAME") || tokens.isWord(0, "ALTER");
    this.isShow = tokens.isWord(0, "SHOW");
    this.isOfIndex = isOfIndex(tokens);
  }

  private static boolean isOfIndex(BareTokens tokens) {
    boolean changes = tokens.isWord(0, "CREATE") || tokens.isWord(0, "DROP");
    int object = tokens.to(tokens.size()).find(i -> i > 0 && !tokens.isOneOf(i, BEFORE_INDEX));
    return changes && tokens.isWord(object, "INDEX");
  }

  private boolean isBeforeColumn(int i) {
    return tokens.isOneOf(i, BEFORE_COLUMN);
  }

  /**
   * @param i the first part of a name of several
   */
  Reading of(int i) {
    if (tokens.isPunctuation(i + 3, '.')) {
      return Reading.SCHEMA;
    }
    if (tokens.isOperator(i + 2, "*")) {
      return tokens.isWord(i - 1, "ON") ? Reading.SCHEMA : Reading.COLUMN;
    }
    if (tokens.isPunctuation(i + 3, '(')) {
      return Reading.SCHEMA;
    }
    if (tokens.hasMarks()) {
      return Reading.EITHER;
    }
    return behind(i - 1);
  }

  /** What stands behind the token {@code at}. */
  private Reading behind(int at) {
    if (at < 0) {
      return Reading.EITHER;
    }
    if (tokens.isPunctuation(at, ',') || tokens.isPunctuation(at, '(')) {
      return enclosed(at);
    }
    if (tokens.isOperator(at)) {
      return tokens.isWord(at - 1, "RENAME") ? Reading.SCHEMA : Reading.COLUMN;
    }
    String word = tokens.word(at);
    if (BEFORE_OBJECT.contains(word)) {
      return Reading.SCHEMA;
    }
    return switch (word) {
      case "FROM" -> isOfExpression(at) ? Reading.COLUMN : Reading.SCHEMA;
      case "STRAIGHT_JOIN", "HIGH_PRIORITY" -> isOfSelect(at) ? Reading.COLUMN : Reading.SCHEMA;
      case "INTO" -> sure(tokens.isOneOf(at - 1, BEFORE_INTO));
      case "UPDATE" -> isOfKey(at) ? Reading.COLUMN : Reading.SCHEMA;
      case "AS" -> sure(tokens.isWord(at - 1, "RENAME"));
      case "EXISTS" -> sure(tokens.isWord(at - 1, "IF") || tokens.isWord(at - 1, "NOT"));
      case "DESC", "EXPLAIN" -> sure(at == 0);
      case "TO" -> sure(renames);
      case "IN" -> sure(isShow);
      case "FOR" -> sure(tokens.isWord(at - 1, "VALUE"));
      case "LOCK" -> sure(tokens.isWord(at - 1, "BACKUP"));
      case "INDEX" -> sure(tokens.isWord(at - 1, "CACHE"));
      case "LIKE" -> isOfDefinition(at) ? Reading.SCHEMA : Reading.COLUMN;
      case "OF" -> behindOf(at);
      case "ON" -> behindOn(at);
      default -> BEFORE_COLUMN.contains(word) ? Reading.COLUMN : Reading.EITHER;
    };
  }

  private static Reading sure(boolean isSchema) {
    return isSchema ? Reading.SCHEMA : Reading.EITHER;
  }

  /** {@code FOR UPDATE OF t}, {@code ROW TYPE OF t}, {@code TYPE OF t.c}, {@code AS OF c}. */
  private Reading behindOf(int at) {
    String before = tokens.word(at - 1);
    return switch (before) {
      case "UPDATE", "SHARE" -> Reading.SCHEMA;
      case "TYPE" -> tokens.isWord(at - 2, "ROW") ? Reading.SCHEMA : Reading.COLUMN;
      case "AS", "MEMBER" -> Reading.COLUMN;
      default -> Reading.EITHER;
    };
  }

  /** {@code ON DUPLICATE KEY UPDATE}. */
  private boolean isOfKey(int update) {
    return tokens.isWord(update - 1, "KEY");
  }

  /** Of a trigger, of an index, of a privilege; else it is that of a join. */
  private Reading behindOn(int at) {
    boolean ofTrigger =
        tokens.isOneOf(at - 1, CHANGES)
            && (tokens.isWord(at - 2, "BEFORE")
                || tokens.isWord(at - 2, "AFTER")
                || tokens.isWord(at - 2, "OR"));
    boolean ofIndex =
        isOfIndex
            || (tokens.isName(at - 1)
                && (tokens.isWord(at - 2, "INDEX") || tokens.isWord(at - 2, "EXISTS")));
    boolean ofPrivilege = tokens.isWord(0, "GRANT") || tokens.isWord(0, "REVOKE");
    if (ofTrigger || ofIndex || ofPrivilege) {
      return Reading.SCHEMA;
    }
    return grants ? Reading.EITHER : Reading.COLUMN;
  }

  /** {@code CREATE TABLE t LIKE}, {@code CREATE TABLE t (LIKE}. */
  private boolean isOfDefinition(int at) {
    if (tokens.isPunctuation(at - 1, '(')) {
      return true;
    }
    int table = tokens.firstOfName(at - 1);
    boolean isBehindTable =
        tokens.isWord(table - 1, "TABLE")
            || (tokens.isWord(table - 1, "EXISTS") && tokens.isWord(table - 2, "NOT"));
    return isBehindTable && tokens.isName(at - 1);
  }

  /** STRAIGHT_JOIN as a modifier of SELECT. */
  private boolean isOfSelect(int at) {
    int before =
        tokens.to(at).findLast(each -> !isBeforeColumn(each) || tokens.isWord(each, "SELECT"));
    return tokens.isWord(before, "SELECT");
  }

  /** {@code EXTRACT(YEAR FROM c)}, {@code FOR SYSTEM_TIME FROM c}, {@code DISTINCT FROM}. */
  private boolean isOfExpression(int from) {
    if (tokens.isWord(from - 1, "SYSTEM_TIME")) {
      return true;
    }
    boolean isOfExpression = isFoundOfExpression(from);
    expressions.put(from, isOfExpression);
    return isOfExpression;
  }

  private boolean isFoundOfExpression(int from) {
    int depth = tokens.depth(from);
    for (int i = from - 1; i > 0; i = before(i, depth)) {
      Boolean known = expressions.get(i);
      if (known != null && tokens.depth(i) == depth) {
        return known;
      }
      if (tokens.depth(i) < depth) {
        return tokens.isPunctuation(i, '(') && FunctionUses.hasOwnFrom(tokens.word(i - 1));
      }
      if (tokens.depth(i) == depth
          && (tokens.isWord(i, "SELECT")
              || tokens.isWord(i, "DELETE")
              || tokens.isWord(i, "SHOW")
              || tokens.isPunctuation(i, ';'))) {
        return false;
      }
    }
    return false;
  }

  /** The token to look at next, on the way to the front: deeper ones say nothing. */
  private int before(int i, int depth) {
    int open = tokens.depth(i) > depth ? tokens.around(i) : -1;
    return open >= 0 && open < i ? open : i - 1;
  }

  /** Of a name behind a comma or a parenthesis: what stands in front of that, or around it. */
  private Reading enclosed(int from) {
    var commas = new ArrayList<Integer>();
    Reading found = null;
    int at = from;
    while (found == null) {
      found = lists.get(at);
      if (found == null && tokens.isPunctuation(at, ',')) {
        commas.add(at);
        int depth = tokens.depth(at);
        at--;
        while (found == null && at >= 0 && tokens.depth(at) >= depth) {
          found = tokens.depth(at) == depth ? inList(at) : null;
          at = before(at, depth);
        }
        if (found == null && !tokens.isPunctuation(at, '(')) {
          found = Reading.EITHER;
        }
      }
      if (found == null) {
        at--;
        boolean goesOn = tokens.isPunctuation(at, ',') || tokens.isPunctuation(at, '(');
        found = goesOn ? null : inParentheses(at, commas.isEmpty());
      }
    }
    for (int comma : commas) {
      lists.put(comma, found);
    }
    return found;
  }

  /**
   * @param before what stands in front of the parenthesis
   * @param isFirst whether the name is the first behind it
   */
  private Reading inParentheses(int before, boolean isFirst) {
    if (tokens.isOperator(before)) {
      return tokens.isWord(before - 1, "UNION") ? Reading.SCHEMA : Reading.COLUMN;
    }
    String word = tokens.word(before);
    if (OPENS_TABLES.contains(word)) {
      boolean isOther =
          (word.equals("FROM") && isOfExpression(before))
              || (word.equals("STRAIGHT_JOIN") && isOfSelect(before));
      return isOther ? Reading.COLUMN : Reading.SCHEMA;
    }
    if (FUNCTIONS_OF_OBJECTS.contains(word) && isFirst) {
      return Reading.SCHEMA;
    }
    return tokens.isName(before) ? Reading.COLUMN : Reading.EITHER;
  }

  /** What a list is one of, by a token in front of its comma; null: it does not say it. */
  private @Nullable Reading inList(int i) {
    if (tokens.isPunctuation(i, ';')) {
      return Reading.EITHER;
    }
    Reading known = lists.get(i);
    if (known != null) {
      return known;
    }
    String word = tokens.word(i);
    return LISTS_COLUMNS.contains(word) || (word.equals("BY") && !isOfHint(i))
        ? Reading.COLUMN
        : listed(word, i);
  }

  /** What a list is one of behind a word; null: the word does not say it. */
  private @Nullable Reading listed(String word, int at) {
    return switch (word) {
      case "JOIN", "TABLE", "DELETE" -> Reading.SCHEMA;
      case "FROM" -> isOfExpression(at) ? null : Reading.SCHEMA;
      case "STRAIGHT_JOIN" -> isOfSelect(at) ? Reading.COLUMN : Reading.SCHEMA;
      case "UPDATE" -> isOfKey(at) ? Reading.COLUMN : Reading.SCHEMA;
      case "TABLES", "VIEW", "SEQUENCE" ->
          tokens.isOneOf(at - 1, BEFORE_TABLES) ? Reading.SCHEMA : null;
      case "CACHE" -> tokens.isWord(at - 1, "INTO") ? Reading.SCHEMA : null;
      case "EXISTS" -> tokens.isWord(at - 1, "IF") ? Reading.SCHEMA : null;
      case "TO" -> renames ? Reading.SCHEMA : null;
      case "USING" -> tokens.isPunctuation(at + 1, '(') ? null : Reading.SCHEMA;
      case "OF" ->
          tokens.isWord(at - 1, "UPDATE") || tokens.isWord(at - 1, "SHARE") ? Reading.SCHEMA : null;
      case "INDEX" -> tokens.isWord(at - 1, "CACHE") ? Reading.SCHEMA : null;
      case "INTO", "RETURNING" -> Reading.EITHER;
      default -> null;
    };
  }

  /** {@code USE INDEX FOR ORDER BY (i)}. */
  private boolean isOfHint(int by) {
    return tokens.isWord(by - 2, "FOR");
  }
}
