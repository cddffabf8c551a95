package io.anabranch.rules.syntax.query;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.sql.QueryBlock;
import io.anabranch.rules.sql.StatementFacts;
import io.anabranch.rules.sql.TableRef;
import io.anabranch.rules.syntax.CommonTables;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a query that the parser does not take: window frames, LATERAL, JSON_TABLE, what
 * servers will think of next. Nothing is known of its conditions, so all rows of its tables count.
 *
 * <p>A table that is overlooked here keeps its logical name, which no database knows: the statement
 * then fails, it does not answer wrong.
 */
public final class TokenFacts {

  private final SqlTokens tokens;
  private final String database;
  private final List<SelectSpans> selects;
  private final CommonTables commonTables;

  /** For each token the innermost SELECT that it is part of; -1: of none. */
  private final int[] owners;

  private TokenFacts(SqlTokens tokens, CommonTables commonTables, String database) {
    this.tokens = tokens;
    this.database = database;
    this.selects = SelectSpans.of(tokens);
    this.commonTables = commonTables;
    this.owners = SelectSpans.owners(selects, tokens.size());
  }

  /** Empty for what is not a query. */
  public static Optional<StatementFacts> of(
      SqlTokens tokens, CommonTables commonTables, StatementKind kind, String database) {
    boolean query = kind == StatementKind.SELECT || kind == StatementKind.QUERY_EXPRESSION;
    return query ? new TokenFacts(tokens, commonTables, database).read() : Optional.empty();
  }

  private Optional<StatementFacts> read() {
    if (selects.isEmpty() && !tokens.all().hasWord("VALUES")) {
      return Optional.empty();
    }
    refuseTableStatements();
    var blocks = new ArrayList<QueryBlock>();
    if (selects.isEmpty()) {
      // VALUES (1), (2) and what is made of such rows: only a SELECT has a FROM
      blocks.add(
          new QueryBlock(
              0, QueryBlock.NO_PARENT, List.of(), true, Set.of(), true, List.of(), List.of()));
    }
    List<List<TableRef>> references = references();
    for (int select = 0; select < selects.size(); select++) {
      List<TableRef> tables = references.get(select);
      var all = new BitSet();
      all.set(0, tables.size());
      var unknownJoins =
          List.of(new QueryBlock.OuterJoin(all, all), new QueryBlock.OuterJoin(all, all));
      blocks.add(
          new QueryBlock(
              select, QueryBlock.NO_PARENT, tables, true, Set.of(), true, List.of(), unknownJoins));
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

  /** By the SELECT that reads them. */
  private List<List<TableRef>> references() {
    var found = new ArrayList<List<TableRef>>();
    selects.forEach(_ -> found.add(new ArrayList<>()));
    for (int token : TablePlaces.in(tokens)) {
      int select = owners[token];
      if (select >= 0 && isIn(selects.get(select).from(), token)) {
        TableRef ref = reference(select, token);
        if (ref != null) {
          found.get(select).add(ref);
        }
      }
    }
    return found;
  }

  private static boolean isIn(Span span, int token) {
    return span.first() <= token && token < span.behind();
  }

  /** Null: it is a common table, or none. */
  private @Nullable TableRef reference(int select, int token) {
    boolean qualified = tokens.isPunctuation(token + 1, '.') && tokens.isName(token + 2);
    int name = qualified ? token + 2 : token;
    String plain = tokens.name(name);
    boolean unknown =
        !qualified
            && (commonTables.meant(token) != null
                || tokens.isWord(token, "DUAL")
                || tokens.isWord(token, "LATERAL"));
    if (unknown || tokens.isPunctuation(name + 1, '(')) {
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
    return tokens.isName(token) && !ClauseEnds.endsTable(tokens, token);
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
