package io.anabranch.rules.syntax.query;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.sql.QueryBlock;
import io.anabranch.rules.sql.StatementFacts;
import io.anabranch.rules.sql.TableRef;
import io.anabranch.rules.syntax.CommonTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tables of a query that the parser does not take: window frames, LATERAL, JSON_TABLE, what
 * servers will think of next. Nothing is known of its conditions, so all rows of its tables count.
 *
 * <p>A table that is overlooked here keeps its logical name, which no database knows: the statement
 * then fails, it does not answer wrong.
 */
public final class TokenFacts {

  private static final Set<String> NO_ALIAS =
      Set.of(
          "CROSS",
          "EXCEPT",
          "FETCH",
          "FOR",
          "FORCE",
          "FULL",
          "GROUP",
          "HAVING",
          "IGNORE",
          "INNER",
          "INTERSECT",
          "INTO",
          "JOIN",
          "LEFT",
          "LIMIT",
          "LOCK",
          "NATURAL",
          "OFFSET",
          "ON",
          "ORDER",
          "PARTITION",
          "PROCEDURE",
          "RIGHT",
          "SET",
          "STRAIGHT_JOIN",
          "UNION",
          "USE",
          "USING",
          "WHERE",
          "WINDOW");

  /** What a query in parentheses may begin with, none of which is a table's name unquoted. */
  private static final Set<String> OPENS_QUERY = Set.of("SELECT", "TABLE", "VALUES", "WITH");

  /** Words of a query in parentheses behind which commas stand between no tables. */
  private static final Set<String> BEGINS_LIST = Set.of("BY", "LIMIT", "CYCLE");

  private final SqlTokens tokens;
  private final String database;
  private final List<SelectSpans> selects;
  private final CommonTables commonTables;

  /** For each token the innermost SELECT that it is part of; -1: of none. */
  private final int[] owners;

  /** For each token the word VALUES of the innermost row that it stands in; -1: in none. */
  private final int[] rows;

  /** For each token the last one in front of it that opens no parenthesis; -1: there is none. */
  private final int[] before;

  /**
   * For each token the last word in front of it, within the same parentheses, behind which commas
   * stand between no tables; -1: there is none.
   */
  private final int[] lists;

  private TokenFacts(SqlTokens tokens, CommonTables commonTables, String database) {
    this.tokens = tokens;
    this.database = database;
    this.selects = SelectSpans.of(tokens);
    this.commonTables = commonTables;
    this.owners = SelectSpans.owners(selects, tokens.size());
    this.rows = rows(tokens);
    this.before = before(tokens);
    this.lists = lists(tokens);
  }

  private static int[] rows(SqlTokens tokens) {
    int[] opening = new int[tokens.size()];
    Arrays.fill(opening, -1);
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.isWord(token, "VALUES") && !tokens.isPunctuation(token - 1, '.')) {
        int open = tokens.isWord(token + 1, "ROW") ? token + 2 : token + 1;
        while (tokens.isPunctuation(open, '(')) {
          opening[open] = token;
          int close = tokens.closing(open);
          int next = tokens.isPunctuation(close + 1, ',') ? close + 2 : tokens.size();
          open = tokens.isWord(next, "ROW") ? next + 1 : next;
        }
      }
    }
    int[] rows = new int[tokens.size()];
    for (int token = 0; token < rows.length; token++) {
      int around = tokens.around(token);
      rows[token] = opening[token] >= 0 ? opening[token] : around < 0 ? -1 : rows[around];
    }
    return rows;
  }

  private static int[] before(SqlTokens tokens) {
    int[] before = new int[tokens.size()];
    for (int token = 0; token < before.length; token++) {
      before[token] = tokens.isPunctuation(token - 1, '(') ? before[token - 1] : token - 1;
    }
    return before;
  }

  private static int[] lists(SqlTokens tokens) {
    // by the parenthesis that is open; first of all, where none is
    int[] last = new int[tokens.size() + 1];
    Arrays.fill(last, -1);
    int[] lists = new int[tokens.size()];
    for (int token = 0; token < lists.length; token++) {
      int open = tokens.around(token) + 1;
      lists[token] = last[open];
      boolean isHint = tokens.isWord(token - 2, "FOR");
      if (isWordOf(tokens, BEGINS_LIST, token) && !isHint) {
        last[open] = token;
      }
    }
    return lists;
  }

  /** Empty for what is not a query. */
  public static Optional<StatementFacts> of(
      SqlTokens tokens, CommonTables commonTables, StatementKind kind, String database) {
    boolean query = kind == StatementKind.SELECT || kind == StatementKind.QUERY_EXPRESSION;
    return query ? new TokenFacts(tokens, commonTables, database).read() : Optional.empty();
  }

  private Optional<StatementFacts> read() {
    if (selects.isEmpty() && Arrays.stream(rows).allMatch(row -> row < 0)) {
      return Optional.empty();
    }
    refuseTableStatements();
    var blocks = new ArrayList<QueryBlock>();
    if (selects.isEmpty()) {
      // VALUES (1), (2) and what is made of such rows: only a SELECT has a FROM
      blocks.add(new QueryBlock(0, QueryBlock.NO_PARENT, List.of(), true, List.of(), List.of()));
    }
    for (int select = 0; select < selects.size(); select++) {
      List<TableRef> tables = tables(select);
      var all = new BitSet();
      all.set(0, tables.size());
      var unknownJoins =
          List.of(new QueryBlock.OuterJoin(all, all), new QueryBlock.OuterJoin(all, all));
      blocks.add(
          new QueryBlock(select, QueryBlock.NO_PARENT, tables, true, List.of(), unknownJoins));
    }
    return Optional.of(
        new StatementFacts(blocks, qualifiers(), List.of(), null, Map.of(), true, 0, false));
  }

  /** {@code TABLE t} is a query without a SELECT: its table would be overlooked. */
  private void refuseTableStatements() {
    int found =
        tokens
            .all()
            .find(
                token ->
                    tokens.isWord(token, "TABLE")
                        && tokens.isName(token + 1)
                        && !tokens.isPunctuation(token - 1, '.'));
    if (found >= 0) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "TABLE " + tokens.name(found + 1) + " in this form of the statement",
          "write SELECT * FROM " + tokens.name(found + 1));
    }
  }

  private List<TableRef> tables(int select) {
    Span from = selects.get(select).from();
    var found = new ArrayList<TableRef>();
    for (int token = from.first(); token < from.behind(); token++) {
      boolean isOfRow = rows[token] >= 0 && owners[rows[token]] == select;
      if (owners[token] == select && !isOfRow && isTablePlace(token, from.first())) {
        TableRef ref = reference(select, token);
        if (ref != null) {
          found.add(ref);
        }
      }
    }
    return found;
  }

  /** Whether a table may be named here: at the start, behind commas, JOIN and their brackets. */
  private boolean isTablePlace(int token, int first) {
    int last = before[token];
    boolean opens =
        last < first
            || tokens.isWord(last, "JOIN")
            || tokens.isWord(last, "STRAIGHT_JOIN")
            || (tokens.isPunctuation(last, ',') && !isInOtherList(last, first));
    return opens
        && tokens.isName(token)
        && !tokens.isPunctuation(token + 1, '(')
        && !isWordOf(tokens, OPENS_QUERY, token);
  }

  private static boolean isWordOf(SqlTokens tokens, Set<String> words, int token) {
    return tokens.kind(token) == TokenKind.WORD && words.contains(tokens.word(token));
  }

  /**
   * Whether a comma is none between tables: the innermost open bracket belongs to a call, an IN
   * list, USING or a column list, or its query has come to a list behind its tables.
   */
  private boolean isInOtherList(int token, int first) {
    if (lists[token] >= first) {
      return true;
    }
    int open = tokens.around(token);
    return open >= first
        && tokens.isName(open - 1)
        && !tokens.isWord(open - 1, "JOIN")
        && !tokens.isWord(open - 1, "STRAIGHT_JOIN")
        && !tokens.isWord(open - 1, "FROM");
  }

  private @org.jspecify.annotations.Nullable TableRef reference(int select, int token) {
    boolean qualified = tokens.isPunctuation(token + 1, '.') && tokens.isName(token + 2);
    int name = qualified ? token + 2 : token;
    String plain = tokens.name(name);
    boolean unknown =
        !qualified
            && (commonTables.meant(token) != null
                || tokens.isWord(token, "DUAL")
                || tokens.isWord(token, "LATERAL"));
    if (unknown) {
      return null;
    }
    int alias = tokens.isWord(name + 1, "AS") ? name + 2 : name + 1;
    boolean aliased = isAlias(tokens, alias);
    return new TableRef(
        select,
        name,
        qualified ? token : -1,
        qualified ? tokens.name(token) : null,
        plain,
        aliased ? tokens.name(alias) : plain,
        aliased,
        tokens.isWord(name + 1, "PARTITION"));
  }

  /** Whether a name stands there that is no keyword behind a table. */
  public static boolean isAlias(SqlTokens tokens, int token) {
    return tokens.isName(token)
        && (tokens.kind(token) == TokenKind.QUOTED || !NO_ALIAS.contains(tokens.word(token)));
  }

  /** Tokens of the database in {@code d.t.id}. */
  private List<Integer> qualifiers() {
    var found = new ArrayList<Integer>();
    for (int token = 0; token + 4 < tokens.size(); token++) {
      if (tokens.isName(token)
          && tokens.name(token).equalsIgnoreCase(database)
          && tokens.isPunctuation(token + 1, '.')
          && tokens.isPunctuation(token + 3, '.')
          && !tokens.isPunctuation(token - 1, '.')) {
        found.add(token);
      }
    }
    return found;
  }

  /** Whether a query may read one of its common tables in several places. */
  public static boolean readsOneTwice(SqlTokens tokens, CommonTables commonTables) {
    Map<String, Integer> times = new HashMap<>();
    commonTables.names().forEach(name -> times.put(name, 0));
    for (int token = 0; token < tokens.size() && !times.isEmpty(); token++) {
      if (tokens.isName(token) && !tokens.isPunctuation(token + 1, '.')) {
        String name = tokens.name(token).toLowerCase(Locale.ROOT);
        times.computeIfPresent(name, (each, count) -> count + 1);
      }
    }
    // once where it is defined, once where it is read
    return times.values().stream().anyMatch(count -> count > 2);
  }
}
