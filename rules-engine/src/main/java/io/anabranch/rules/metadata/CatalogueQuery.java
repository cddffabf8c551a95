package io.anabranch.rules.metadata;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.syntax.query.ClauseEnds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tables that a query reads, SELECT by SELECT, with the conditions that rows of each SELECT
 * must meet. Found in one walk over the tokens: what is not understood has no conditions. Used by
 * one thread.
 */
final class CatalogueQuery {

  /**
   * @param token the first of its name; of a derived table its closing parenthesis
   * @param name in lower case, of a table of {@code information_schema}; empty: another table
   */
  record Table(int token, String name, int block) {}

  /** What the columns of USING say; the range of other conditions is an expression. */
  enum Using {
    NONE,
    /** Those of the tables in front are those of the tables behind. */
    BOTH_WAYS,
    /** Rows in front are there whatever is behind. */
    FROM_LEFT
  }

  /**
   * What is true of all rows of a block.
   *
   * @param named the first table that a name without one may mean; none is behind {@code behind}
   * @param first of the tables that it restricts, by their numbers; of USING the first that is
   *     joined to those in front
   * @param behind those tables
   */
  record Condition(int block, Span range, int named, int first, int behind, Using using) {

    /** Whether ON and USING say it. */
    boolean isOfJoin() {
      return named != NOBODY;
    }

    /** Whether a name without a table may mean it. */
    boolean names(int table) {
      return table >= named && table < behind;
    }
  }

  /**
   * The databases that are named by columns of a table, numbered: those that its rows are of, and
   * those that foreign keys refer to.
   */
  static final class Named {

    private Named() {}

    static int own(int table) {
      return 2 * table;
    }

    static int referenced(int table) {
      return 2 * table + 1;
    }

    static int table(int named) {
      return named / 2;
    }

    /** Own to referenced, and back. */
    static int other(int named) {
      return named ^ 1;
    }
  }

  /** One SELECT. */
  static final class Block {
    final int outer;

    /** By alias or name, in lower case; of two with one name none. */
    final Map<String, @Nullable Integer> byName = new HashMap<>();

    /** What is named by columns of its tables, in lower case: see {@link Named}. */
    final Map<String, List<Integer>> bySchema = new HashMap<>();

    /** RIGHT, FULL and NATURAL: what ON says is not looked at. */
    boolean isUnclear;

    /** An alias may have been passed over: it may be the name that is not found here. */
    boolean hidesOthers;

    Block(int outer) {
      this.outer = outer;
    }

    /** Whether a table of that name is looked for in the SELECT around this one. */
    boolean isPassed(String table) {
      return outer >= 0 && !hidesOthers && !byName.containsKey(table);
    }
  }

  private enum Clause {
    /** An expression, or nothing yet. */
    NONE,
    ITEMS,
    /** A table is due. */
    TABLE,
    /** Behind a table. */
    TABLES,
    ON,
    WHERE,
    REST
  }

  private static final int NOBODY = -1;

  /**
   * @param left the first table to the left of the word that it joins for sure
   * @param reach the first one that it may join: joins in front may have no ON of their own
   * @param first of the tables to the right
   */
  private record Join(boolean isOuter, int left, int reach, int first) {}

  /** What is inside of one pair of parentheses. */
  private static final class Level {
    final int outer;
    int block;
    Clause clause;
    int start;
    @Nullable Join join;

    /** The first table behind the last comma. */
    int item;

    /** Those whose ON is due, the last one first. */
    final Deque<Join> joins = new ArrayDeque<>();

    Level(int outer, int block, Clause clause, int tables) {
      this.outer = outer;
      this.block = block;
      this.clause = clause;
      this.item = tables;
    }

    /** Other tables begin, which no join brings together with those in front. */
    void begin(int tables) {
      joins.clear();
      item = tables;
    }
  }

  private final SqlTokens tokens;
  private final List<Table> tables = new ArrayList<>();
  private final List<Block> blocks = new ArrayList<>();
  private final List<Condition> conditions = new ArrayList<>();
  private final Deque<Level> levels = new ArrayDeque<>();

  CatalogueQuery(SqlTokens tokens) {
    this.tokens = tokens;
    levels.push(new Level(NOBODY, NOBODY, Clause.NONE, 0));
    tokens.from(0).walk(this::step);
    while (levels.size() > 1) {
      close(tokens.size());
    }
    end(tokens.size());
  }

  List<Table> tables() {
    return tables;
  }

  Block block(int number) {
    return blocks.get(number);
  }

  /** Those of ON and USING only where no join is unclear. */
  List<Condition> conditions() {
    return conditions.stream()
        .filter(each -> !each.isOfJoin() || !blocks.get(each.block()).isUnclear)
        .toList();
  }

  // ---------------------------------------------------------------- tokens

  private int step(int token) {
    Level level = levels.element();
    if (tokens.isPunctuation(token, '(')) {
      return open(level, token);
    }
    if (tokens.isPunctuation(token, ')')) {
      close(token);
      return token + 1;
    }
    if (tokens.isPunctuation(token, ';')) {
      end(token);
      level.clause = Clause.REST;
      return token + 1;
    }
    if (tokens.isPunctuation(token, ',') && isOfTables(level)) {
      end(token);
      level.begin(tables.size());
      level.clause = Clause.TABLE;
      return token + 1;
    }
    if (tokens.isPunctuation(token - 1, '.')) {
      return token + 1;
    }
    if (tokens.isWord(token, "SELECT")) {
      end(token);
      blocks.add(new Block(level.outer));
      level.block = blocks.size() - 1;
      level.clause = Clause.ITEMS;
      level.begin(tables.size());
      return token + 1;
    }
    return switch (level.clause) {
      case NONE -> token + 1;
      case TABLE -> table(level, token);
      case ITEMS, TABLES, ON, WHERE, REST -> clause(level, token);
    };
  }

  private static boolean isOfTables(Level level) {
    return level.clause == Clause.TABLES || level.clause == Clause.ON;
  }

  private int open(Level level, int token) {
    boolean isQuery = tokens.isAnyWord(token + 1, "SELECT", "WITH", "VALUES", "TABLE");
    boolean isTables = level.clause == Clause.TABLE && !isQuery;
    int outer = level.block == NOBODY ? level.outer : level.block;
    levels.push(
        new Level(
            outer,
            isTables ? level.block : NOBODY,
            isTables ? Clause.TABLE : Clause.NONE,
            tables.size()));
    return token + 1;
  }

  private void close(int token) {
    if (levels.size() == 1) {
      return;
    }
    end(token);
    levels.pop();
    Level level = levels.element();
    if (level.clause == Clause.TABLE) {
      // a derived table, or tables in parentheses, which have no name
      level.clause = Clause.TABLES;
      named(level, new Table(token, "", level.block), token + 1);
    }
  }

  /** Notes the condition that ends in front of a token. */
  private void end(int token) {
    Level level = levels.element();
    Join join = level.join;
    if (level.clause == Clause.WHERE) {
      conditions.add(
          new Condition(
              level.block,
              new Span(level.start, token),
              NOBODY,
              NOBODY,
              tables.size(),
              Using.NONE));
    } else if (level.clause == Clause.ON && join != null) {
      int first = join.isOuter() ? join.first() : join.reach();
      joined(level, join, new Span(level.start, token), first, Using.NONE);
    }
    level.join = null;
  }

  private void joined(Level level, Join join, Span range, int first, Using using) {
    conditions.add(new Condition(level.block, range, join.left(), first, tables.size(), using));
  }

  // ---------------------------------------------------------------- clauses

  private int clause(Level level, int token) {
    if (ClauseEnds.isSetOperator(tokens, token)) {
      end(token);
      level.clause = Clause.NONE;
      return token + 1;
    }
    if (ClauseEnds.endsItems(tokens, token)) {
      end(token);
      boolean isFrom = tokens.isWord(token, "FROM") && level.clause == Clause.ITEMS;
      boolean isWhere = tokens.isWord(token, "WHERE") && level.clause != Clause.REST;
      level.clause = isFrom ? Clause.TABLE : isWhere ? Clause.WHERE : Clause.REST;
      level.start = token + 1;
      return token + 1;
    }
    return isOfTables(level) ? join(level, token) : token + 1;
  }

  /** Behind a table. */
  private int join(Level level, int token) {
    if (tokens.isWord(token, "ON")) {
      end(token);
      level.clause = Clause.ON;
      level.join = level.joins.poll();
      level.start = token + 1;
      return token + 1;
    }
    if (tokens.isWord(token, "USING") && tokens.isPunctuation(token + 1, '(')) {
      end(token);
      level.clause = Clause.TABLES;
      Join join = level.joins.poll();
      int close = tokens.closing(token + 1);
      if (join != null) {
        Using using = join.isOuter() ? Using.FROM_LEFT : Using.BOTH_WAYS;
        joined(level, join, new Span(token + 2, close), join.first(), using);
      }
      return close + 1;
    }
    if (!ClauseEnds.isJoin(tokens, token)) {
      return token + 1;
    }
    end(token);
    int behind =
        tokens
            .from(token)
            .skip(word -> ClauseEnds.isJoin(tokens, word) || tokens.isWord(word, "OUTER"));
    TokenRange words = tokens.between(token, behind);
    boolean isOuter = words.hasWord("LEFT");
    blocks.get(level.block).isUnclear |= words.hasWord("RIGHT", "FULL", "NATURAL");
    Join due = level.joins.peek();
    int left = due == null ? level.item : due.first();
    int reach = due == null || due.isOuter() ? left : due.reach();
    level.joins.push(new Join(isOuter, left, reach, tables.size()));
    level.clause = Clause.TABLE;
    return behind;
  }

  // ---------------------------------------------------------------- tables

  private int table(Level level, int token) {
    level.clause = Clause.TABLES;
    if (!tokens.isName(token)) {
      return token + 1;
    }
    int last = tokens.lastOfName(token);
    boolean isOfCatalogue =
        last == token + 2 && tokens.name(token).equalsIgnoreCase(CatalogueTable.SCHEMA);
    String name = isOfCatalogue ? tokens.lowerName(last) : "";
    return named(level, new Table(token, name, level.block), last + 1);
  }

  /** Reads the alias that may stand behind a table. */
  private int named(Level level, Table table, int behind) {
    int alias = tokens.isWord(behind, "AS") ? behind + 1 : behind;
    boolean isAliased = tokens.isName(alias) && !ClauseEnds.endsTable(tokens, alias);
    int number = tables.size();
    tables.add(table);
    Block block = blocks.get(level.block);
    String name = isAliased ? tokens.lowerName(alias) : called(table);
    block.byName.put(name, block.byName.containsKey(name) ? null : number);
    if (!table.name().isEmpty()) {
      for (String column : SystemTables.schemaColumns(table.name())) {
        note(block, column, Named.own(number));
      }
      note(block, SystemTables.referencedColumn(table.name()), Named.referenced(number));
    }
    int next = isAliased ? alias + 1 : behind;
    block.hidesOthers |= !endsTable(next);
    return next;
  }

  private boolean endsTable(int token) {
    boolean isWord = ClauseEnds.endsTable(tokens, token) && !tokens.isWord(token, "PARTITION");
    return token >= tokens.size()
        || isWord
        || tokens.isPunctuation(token, ',')
        || tokens.isPunctuation(token, ')')
        || tokens.isPunctuation(token, ';');
  }

  private static void note(Block block, String column, int named) {
    if (!column.isEmpty()) {
      block.bySchema.computeIfAbsent(column, _ -> new ArrayList<>()).add(named);
    }
  }

  private String called(Table table) {
    return tokens.isName(table.token()) ? tokens.lowerName(tokens.lastOfName(table.token())) : "";
  }
}
