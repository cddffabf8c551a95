package io.anabranch.rules.need;

import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.function.SqlFunction;
import io.anabranch.rules.function.Trait;
import io.anabranch.rules.right.Need;
import io.anabranch.rules.right.Privilege;
import io.anabranch.rules.syntax.CommonTables;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the tokens of queries and finds the tables: what stands where one may begin. A list of
 * tables ends at words alone that both servers reserve, so that no alias hides the rest of it.
 */
final class TableUses {

  private enum Place {
    /** No table can stand here but behind a word that announces one. */
    EXPRESSION,
    /** A table begins here. */
    TABLE,
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

  /** With what they need of the sequence: to draw a number is a change. */
  private static final Map<String, List<Privilege>> FUNCTIONS_OF_SEQUENCES =
      Map.of(
          "NEXTVAL", List.of(Privilege.INSERT, Privilege.SELECT),
          "LASTVAL", List.of(Privilege.SELECT),
          "SETVAL", List.of(Privilege.INSERT));

  /** May follow a table or its alias: whatever else does may be an alias. */
  private static final Set<String> BEHIND_TABLE =
      Set.of(
          "",
          "WHERE",
          "GROUP",
          "ORDER",
          "HAVING",
          "WINDOW",
          "LIMIT",
          "UNION",
          "JOIN",
          "INNER",
          "LEFT",
          "RIGHT",
          "CROSS",
          "NATURAL",
          "STRAIGHT_JOIN",
          "ON",
          "USING",
          "USE",
          "FORCE",
          "IGNORE",
          "FOR",
          "LOCK",
          "INTO",
          "SET",
          "SELECT",
          "VALUES");

  private final Words words;
  private final List<TableUse> uses = new ArrayList<>();
  private final List<Need> others = new ArrayList<>();
  private final CommonTables commonTables;
  private final Deque<Level> levels = new ArrayDeque<>();

  TableUses(Words words) {
    this.words = words;
    this.commonTables = new CommonTables(words.tokens(), () -> false);
  }

  /** In the order of the text. */
  List<TableUse> uses() {
    return uses;
  }

  /** Routines and sequences that are used. */
  List<Need> others() {
    return others;
  }

  // ---------------------------------------------------------------- ranges

  /** Expressions and queries. */
  void expressions(int from, int to) {
    walk(from, to, Place.EXPRESSION, true);
  }

  /** A list of tables that the statement changes, and all behind it. */
  void changed(int from, int to) {
    walk(from, to, Place.TABLE, false);
  }

  /** A list of tables that are read, and all behind it. */
  void read(int from, int to) {
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
      throw Words.doubt("parentheses that do not match");
    }
  }

  private Level level() {
    return levels.element();
  }

  // ---------------------------------------------------------------- tokens

  private int step(int i) {
    if (words.isPunctuation(i, '(')) {
      open(i);
      return i + 1;
    }
    if (words.isPunctuation(i, ')')) {
      close();
      return i + 1;
    }
    if (level().place == Place.TABLE) {
      return table(i);
    }
    if (words.isPunctuation(i, ',')) {
      if (level().place == Place.LIST) {
        level().place = Place.TABLE;
      }
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
            FunctionUses.hasOwnFrom(words.word(i - 1))));
    if (!isTable) {
      level().isQuery = false;
    }
  }

  private void close() {
    if (levels.size() == 1) {
      throw Words.doubt("parentheses that do not match");
    }
    if (level().place == Place.TABLE) {
      throw Words.doubt("a list of tables that ends with none");
    }
    levels.pop();
    if (level().place == Place.TABLE) {
      level().place = Place.LIST;
    }
  }

  private int word(int i) {
    Level level = level();
    switch (words.word(i)) {
      case "SELECT", "VALUES" -> query();
      case "FROM" -> from(i);
      case "JOIN" -> {
        if (!words.isWord(i - 1, "FOR")) {
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
        boolean isNamed = words.isName(i + 1) && words.isWord(i + 2, "AS");
        if (isNamed && words.isPunctuation(i + 3, '(')) {
          level.place = Place.EXPRESSION;
        }
      }
      case "GROUP", "ORDER" -> {
        if (!words.isWord(i - 1, "FOR")) {
          level.place = Place.EXPRESSION;
        }
      }
      case "TABLE" -> {
        level.isQuery = true;
        level.place = Place.TABLE;
      }
      case "WITH" -> with(i);
      case "ON" -> {
        if (words.isWord(i + 1, "DUPLICATE")) {
          level.place = Place.EXPRESSION;
        }
      }
      case "RETURNING" -> {
        // the parenthesis behind it is no call's
      }
      case "FOR" -> {
        return following(i);
      }
      case "UPDATE", "DELETE", "INSERT", "REPLACE" -> change(i);
      default -> {
        return function(i);
      }
    }
    return i + 1;
  }

  private void query() {
    level().isQuery = true;
    level().place = Place.EXPRESSION;
  }

  private void from(int i) {
    Level level = level();
    boolean isOfTime =
        level.place == Place.LIST
            && words.isWord(i - 1, "SYSTEM_TIME")
            && words.isWord(i - 2, "FOR");
    boolean isOfFunction = level.isOfFunction && !level.isQuery;
    boolean isOfPortion =
        words.isWord(i - 2, "OF") && words.isWord(i - 3, "PORTION") && words.isWord(i - 4, "FOR");
    if (!isOfTime && !isOfFunction && !isOfPortion) {
      level.place = Place.TABLE;
    }
  }

  /** {@code FOR UPDATE}, {@code NEXT VALUE FOR s}. */
  private int following(int i) {
    if (isOfSequence(i)) {
      return sequence(i + 1, words.isWord(i - 2, "NEXT") ? "NEXTVAL" : "LASTVAL");
    }
    if (words.isWord(i + 1, "UPDATE") || words.isWord(i + 1, "SHARE")) {
      level().place = Place.EXPRESSION;
    }
    return i + 1;
  }

  /** Whether FOR at {@code i} is that of {@code NEXT VALUE FOR s}. */
  private boolean isOfSequence(int i) {
    return words.isWord(i, "FOR")
        && words.isWord(i - 1, "VALUE")
        && (words.isWord(i - 2, "NEXT") || words.isWord(i - 2, "PREVIOUS"));
  }

  /** Statements do not stand inside of queries, but their words do. */
  private void change(int i) {
    boolean isFunction = words.isPunctuation(i + 1, '(');
    boolean isClause =
        words.isWord(i - 1, "KEY") || words.isWord(i - 1, "FOR") || words.isWord(i - 1, "ON");
    if (!isFunction && !isClause) {
      throw Words.doubt(words.word(i) + " in this place");
    }
  }

  private int function(int i) {
    String function = words.word(i);
    if (FUNCTIONS_OF_SEQUENCES.containsKey(function) && words.isPunctuation(i + 1, '(')) {
      sequence(i + 2, function);
      return i + 1;
    }
    if (words.isName(i) && words.isPunctuation(i + 1, '(')) {
      routine(i);
    }
    boolean isMember = words.isPunctuation(i - 1, '.') && words.isName(i - 2);
    boolean draws = words.name(i).equalsIgnoreCase("NEXTVAL");
    if (isMember && (draws || words.name(i).equalsIgnoreCase("CURRVAL"))) {
      boolean isQualified = words.isPunctuation(i - 3, '.') && words.isName(i - 4);
      String schema = isQualified ? words.name(i - 4) : null;
      drawn(schema, words.name(i - 2), draws ? "NEXTVAL" : "LASTVAL");
    }
    return i + 1;
  }

  private void routine(int i) {
    if (words.token(i + 1) != words.token(i) + 1) {
      throw Words.doubt("a comment in front of arguments");
    }
    SqlFunction function = FunctionUses.at(words.tokens(), words.token(i));
    if (function != null && function.is(Trait.UNKNOWN)) {
      boolean isQualified = words.isPunctuation(i - 1, '.');
      String schema = isQualified ? words.name(i - 2) : null;
      others.add(new Need.Routine(Privilege.EXECUTE, schema, words.name(i)));
    }
  }

  private int sequence(int i, String function) {
    Name name = Name.at(words, i);
    drawn(name.schema(), name.name(), function);
    return name.behind();
  }

  private void drawn(@Nullable String schema, String name, String function) {
    for (Privilege privilege :
        Objects.requireNonNull(FUNCTIONS_OF_SEQUENCES.get(function), function)) {
      others.add(new Need.OnTable(privilege, schema, name));
    }
  }

  /** Sequences that defaults of columns draw from. */
  void defaults(int from, int to) {
    for (int i : words.between(from, to).where(each -> draws(each) || isOfSequence(each))) {
      if (draws(i)) {
        function(i);
      } else {
        following(i);
      }
    }
  }

  private boolean draws(int i) {
    boolean isFunction =
        FUNCTIONS_OF_SEQUENCES.containsKey(words.word(i)) && words.isPunctuation(i + 1, '(');
    boolean isMember =
        words.isPunctuation(i - 1, '.')
            && (words.name(i).equalsIgnoreCase("NEXTVAL")
                || words.name(i).equalsIgnoreCase("CURRVAL"));
    return isFunction || isMember;
  }

  // ---------------------------------------------------------------- tables

  private int table(int i) {
    Level level = level();
    switch (words.word(i)) {
      case "SELECT", "VALUES" -> {
        query();
        return i + 1;
      }
      case "WITH" -> {
        if (commonTable(i + 1, i) < 0) {
          throw Words.doubt("WITH in this place");
        }
        with(i);
        return i + 1;
      }
      case "TABLE" -> {
        level.isQuery = true;
        return i + 1;
      }
      case "LATERAL" -> {
        if (words.isPunctuation(i + 1, '(')) {
          return i + 1;
        }
      }
      case "JSON_TABLE" -> {
        if (words.isPunctuation(i + 1, '(')) {
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
    Name name = Name.at(words, i);
    if (name.schema() != null || !commonTables.isSurelyOne(words.token(i))) {
      add(name, level.isQuery);
    }
    return name.behind();
  }

  private void add(Name name, boolean isRead) {
    int i = name.behind();
    if (words.isWord(i, "PARTITION") && words.isPunctuation(i + 1, '(')) {
      i = words.closing(i + 1) + 1;
    }
    String alias = name.name();
    if (words.isWord(i, "AS")) {
      alias = words.name(i + 1);
      i += 2;
    } else if (words.isName(i) && !words.isOneOf(i, BEHIND_TABLE)) {
      alias = words.name(i);
      i++;
    }
    boolean isCertain =
        i >= words.size()
            || words.isPunctuation(i, ',')
            || words.isPunctuation(i, ')')
            || (words.isName(i) && words.isOneOf(i, BEHIND_TABLE));
    uses.add(new TableUse(name.schema(), name.name(), alias, isCertain, isRead));
  }

  // ---------------------------------------------------------------- common table expressions

  private void with(int i) {
    if (behindCommonTables(i) > i + 2) {
      query();
    }
  }

  /** Where the statement goes on that begins with WITH at {@code i}. */
  int behindCommonTables(int i) {
    boolean isRecursive = words.isWord(i + 1, "RECURSIVE");
    int at = isRecursive ? i + 2 : i + 1;
    int body = commonTable(at, i);
    while (body >= 0) {
      int end = words.closing(body);
      at = end + 1;
      if (!words.isPunctuation(at, ',')) {
        return at;
      }
      at++;
      body = commonTable(at, i);
    }
    return at;
  }

  /** Where the parenthesis of the expression is whose name stands at {@code i}; -1: it is none. */
  private int commonTable(int i, int with) {
    int at = i == with + 1 && words.isWord(i, "RECURSIVE") ? i + 1 : i;
    if (!words.isName(at)) {
      return -1;
    }
    int as = words.isPunctuation(at + 1, '(') ? words.closing(at + 1) + 1 : at + 1;
    return words.isWord(as, "AS") && words.isPunctuation(as + 1, '(') ? as + 1 : -1;
  }
}
