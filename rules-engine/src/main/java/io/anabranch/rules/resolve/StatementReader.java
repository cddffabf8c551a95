package io.anabranch.rules.resolve;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Comments;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.metadata.CatalogueTable;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.rewrite.DatabaseCalls;
import io.anabranch.rules.rewrite.ItemNames;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.sql.QueryBlock;
import io.anabranch.rules.sql.SqlParser;
import io.anabranch.rules.sql.StatementFacts;
import io.anabranch.rules.sql.TableRef;
import io.anabranch.rules.syntax.ChangeSyntax;
import io.anabranch.rules.syntax.CommonTables;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.syntax.Marking;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.syntax.query.NamedTables;
import io.anabranch.rules.syntax.query.SelectSpans;
import io.anabranch.rules.syntax.query.TokenFacts;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** First phase of planning: parse, find the tables, replace their names. */
public final class StatementReader {

  /** Of a text that is none, and MySQL's of an INTO where it may not stand. */
  private static final Set<Integer> SYNTAX_ERRORS = Set.of(1064, 3954);

  private static final int MOST_NESTED = 63;

  /** In all queries of a statement. */
  private static final int MOST_TABLES = 1024;

  /** In one query: servers join no more, and these are looked at two by two. */
  private static final int MOST_JOINED = 61;

  /** How a renamed table stays known to the columns that it qualifies. */
  enum Renaming {
    /** {@code t} becomes {@code t_3 AS t}. */
    ALIAS,
    /** {@code t.id} becomes {@code t_3.id}. */
    QUALIFIERS
  }

  private final SqlParser parser = new SqlParser();

  public Analysis read(PlanTask task) {
    var scope = task.scope();
    var source = task.source();
    requireKnownVersions(source.tokens());
    requireFewNestedSelects(source.tokens());
    requireNoNestedTable(task, source);
    Set<String> known = TablePlacer.knownNames(task.database());
    StatementFacts facts = facts(task, source, known);
    var placer = new TablePlacer(task);
    List<PlacedTable> tables = placed(facts, placer);
    Set<String> views = views(tables);
    if (!views.isEmpty()) {
      known.addAll(views);
      facts = facts(task, source, known);
      tables = placed(facts, placer);
    }
    requireFewTables(facts, tables);
    requireOtherNames(task.commonTables(source.tokens()), tables);
    Relevance.check(task, source.tokens(), tables);
    var sharded = new ArrayList<PlacedTable.Sharded>();
    for (PlacedTable table : tables) {
      if (table instanceof PlacedTable.Sharded one) {
        sharded.add(one);
      }
    }
    var edits = new SourceEdits(source);
    boolean plainDelete = facts.writesTables() == 1 && source.tokens().isWord(0, "DELETE");
    DatabaseCalls.replace(edits, scope);
    int returning = returning(task, source);
    boolean isLocked = !scope.locks().isEmpty();
    rename(
        task, facts, tables, edits, plainDelete || isLocked ? Renaming.QUALIFIERS : Renaming.ALIAS);
    if (returning < source.tokens().size() && tables.size() > 0) {
      renameReturned(task, returning, tables.getFirst(), edits);
    }
    IntStream names = IntStream.of(ItemNames.keep(edits));
    int[] named = IntStream.concat(names, StandingPaths.slots(edits.source().tokens())).toArray();
    return new Analysis(task, edits, facts, List.copyOf(tables), List.copyOf(sharded), named);
  }

  private StatementFacts facts(PlanTask task, SourceText source, Set<String> known) {
    SqlTokens tokens = source.tokens();
    CommonTables commonTables = task.commonTables(tokens);
    return parser
        .parse(
            Marking.mark(source, known, commonTables, returning(task, source)),
            orIsDoubtful(tokens))
        .or(() -> TokenFacts.of(tokens, commonTables, task.scan().kind(), task.database().name()))
        .orElseThrow(() -> notParsed(task));
  }

  /** Where RETURNING of a DELETE stands, which the parser does not know; else the end. */
  private static int returning(PlanTask task, SourceText source) {
    SqlTokens tokens = source.tokens();
    return task.scan().kind() == StatementKind.DELETE
        ? InsertSyntax.findReturning(tokens, 0)
        : tokens.size();
  }

  private static List<PlacedTable> placed(StatementFacts facts, TablePlacer placer) {
    List<PlacedTable> tables = new ArrayList<>();
    for (QueryBlock block : facts.blocks()) {
      for (TableRef ref : block.tables()) {
        tables.add(placer.place(ref));
      }
    }
    return tables;
  }

  /** Names of views over sharded tables: the statement is rewritten where they stand. */
  private static Set<String> views(List<PlacedTable> tables) {
    var names = new HashSet<String>();
    for (PlacedTable table : tables) {
      boolean view =
          table instanceof PlacedTable.View
              || (table instanceof PlacedTable.Sharded sharded && sharded.view() != null);
      if (view) {
        names.add(table.ref().name().toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }

  /** The database says what is wrong with a text that it does not take either. */
  private static RuntimeException notParsed(PlanTask task) {
    tellSyntax(task);
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "this form of the statement in a sharded database",
        "write it in a simpler form, or run it on the data source itself");
  }

  /**
   * @throws SchemaCatalog.DescribeException with a database's error if it does not take the text
   */
  public static void requireSyntax(PlanTask task) {
    String endpoint = task.nearest(task.database().endpoints());
    try {
      task.catalog().describe(new ShardQuery(endpoint, task.readable(), new int[0]));
    } catch (SchemaCatalog.DescribeException fromDatabase) {
      if (SYNTAX_ERRORS.contains(fromDatabase.errno())) {
        throw fromDatabase;
      }
    }
  }

  /**
   * The same for a statement that is refused in any case: where nobody can say now, that holds.
   *
   * @throws SchemaCatalog.DescribeException as {@link #requireSyntax}
   */
  public static void tellSyntax(PlanTask task) {
    try {
      requireSyntax(task);
    } catch (RefusedException _) {
      // what the statement is refused for is told by who asks
    }
  }

  private static void requireFewTables(StatementFacts facts, List<PlacedTable> tables) {
    for (QueryBlock block : facts.blocks()) {
      if (block.tables().size() > MOST_JOINED) {
        throw ErrorCatalogue.TOO_MANY_TABLES.refuse(MOST_JOINED);
      }
    }
    int count = 0;
    for (PlacedTable table : tables) {
      count +=
          table instanceof PlacedTable.Sharded || table instanceof PlacedTable.Catalogue ? 1 : 0;
    }
    if (count > MOST_TABLES) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a statement that mentions sharded or system tables more than " + MOST_TABLES + " times",
          "divide it");
    }
  }

  /**
   * A table stands in the database's text under its actual name, and without the database that the
   * client has named: where a common table has that name, the server would read that one.
   */
  private static void requireOtherNames(CommonTables commonTables, List<PlacedTable> tables) {
    if (commonTables.names().isEmpty()) {
      return;
    }
    Map<String, Set<String>> read = new HashMap<>();
    for (PlacedTable table : tables) {
      requireOtherNames(commonTables, table, read);
      TableRef ref = table.ref();
      boolean isHidden =
          (table instanceof PlacedTable.Sharded sharded && isRenamed(sharded))
              ? sharded.table().nodes().stream()
                  .anyMatch(
                      node -> commonTables.names().contains(node.table().toLowerCase(Locale.ROOT)))
              : ref.qualifierToken() >= 0 && commonTables.meant(ref.nameToken()) != null;
      if (isHidden && !(table instanceof PlacedTable.Catalogue)) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "the table '"
                + ref.name()
                + "' beside a common table of the name that the data source knows it by",
            "give the common table another name");
      }
    }
  }

  /**
   * The query of a view, which is put in its place, knows no common table but its own.
   *
   * @param read names that views read which common tables have, by the views' texts
   */
  private static void requireOtherNames(
      CommonTables commonTables, PlacedTable table, Map<String, Set<String>> read) {
    List<String> queries =
        switch (table) {
          case PlacedTable.View view -> List.of(view.query());
          case PlacedTable.Sharded sharded when sharded.view() != null -> sharded.view().queries();
          default -> List.of();
        };
    if (queries.isEmpty()) {
      return;
    }
    Set<String> names =
        read.computeIfAbsent(queries.getFirst(), _ -> namesOfTables(queries, commonTables.names()));
    for (String name : names) {
      if (commonTables.hide(name, table.ref().nameToken())) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "the view '"
                + table.ref().name()
                + "', which reads '"
                + name
                + "', beside a common table of that name",
            "give the common table another name");
      }
    }
  }

  /** Which of these names tables have in the queries, without a database in front. */
  private static Set<String> namesOfTables(List<String> queries, Set<String> among) {
    var found = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    var wanted = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    wanted.addAll(among);
    for (String query : queries) {
      SqlTokens tokens = SqlTokens.of(query);
      for (int name : NamedTables.of(tokens)) {
        if (!tokens.isPunctuation(name + 1, '.') && wanted.contains(tokens.name(name))) {
          found.add(tokens.name(name));
        }
      }
    }
    return found;
  }

  /** Servers take 63 subqueries within each other. */
  private static void requireFewNestedSelects(SqlTokens tokens) {
    if (SelectSpans.nesting(tokens) > MOST_NESTED) {
      throw ErrorCatalogue.NESTED_SELECTS.refuse();
    }
  }

  /** {@code ||} may be a concatenation, NOT may bind tighter: {@code sql_mode} decides. */
  private static boolean orIsDoubtful(SqlTokens tokens) {
    return tokens.all().has(token -> tokens.isOperator(token, "||"));
  }

  /**
   * MySQL's {@code TABLE t} as a part of a statement, which the parser takes for something else.
   */
  private static void requireNoNestedTable(PlanTask task, SourceText source) {
    SqlTokens tokens = source.tokens();
    int table =
        tokens
            .from(1)
            .findName(
                token ->
                    tokens.isWord(token, "TABLE")
                        && tokens.isName(token + 1)
                        && mayBeginQuery(task.scan().kind(), tokens, token));
    if (table >= 0) {
      requireSyntax(task);
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "TABLE as a part of a statement in a sharded database",
          "write SELECT * FROM " + tokens.text(table + 1));
    }
  }

  private static boolean mayBeginQuery(StatementKind kind, SqlTokens tokens, int token) {
    boolean inserts = kind.inserts();
    return inserts
        || tokens.isPunctuation(token - 1, '(')
        || ClauseEnds.isBehindSetOperator(tokens, token);
  }

  /** Text in {@code /*!…*}{@code /} is understood only where every server runs it. */
  private static void requireKnownVersions(SqlTokens tokens) {
    int doubtful =
        tokens
            .all()
            .find(
                token ->
                    tokens.kind(token) == TokenKind.EXECUTABLE_START
                        && !Comments.runsAlways(tokens.text(token)));
    if (doubtful >= 0) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a version comment (" + tokens.text(doubtful) + " … */) in a sharded database",
          "write the statement without it");
    }
  }

  private static void rename(
      PlanTask task,
      StatementFacts facts,
      List<PlacedTable> tables,
      SourceEdits edits,
      Renaming renaming) {
    SqlTokens tokens = edits.source().tokens();
    int number = 0;
    var called = new HashSet<String>();
    CatalogueTable catalogue = null;
    for (PlacedTable table : tables) {
      TableRef ref = table.ref();
      if (ref.qualifierToken() >= 0 && !(table instanceof PlacedTable.Catalogue)) {
        dropQualifier(ref.qualifierToken(), tokens, edits);
      }
      if (table instanceof PlacedTable.Catalogue && ref.qualifierToken() >= 0) {
        catalogue = catalogue == null ? new CatalogueTable(task, edits) : catalogue;
        called.addAll(catalogue.replace(ref));
      }
      if (table instanceof PlacedTable.Sharded sharded) {
        renameSharded(sharded, number++, edits, renaming);
      }
    }
    for (int token : facts.columnQualifierTokens()) {
      String name = tokens.name(token);
      if (name.equalsIgnoreCase(task.database().name())
          || name.equalsIgnoreCase(CatalogueTable.SCHEMA)) {
        dropQualifier(token, tokens, edits);
      }
    }
    for (TableMention name : deleted(task, edits)) {
      boolean isOwn = task.database().name().equalsIgnoreCase(name.qualifier());
      if (isOwn && tables.stream().anyMatch(table -> isCalledItself(table, name.name()))) {
        dropQualifier(name.first(), tokens, edits);
      }
    }
    if (renaming == Renaming.QUALIFIERS) {
      replaceQualifiers(task, facts, tables, edits);
    }
    if (!called.isEmpty()) {
      ItemNames.inUpperCase(edits, called);
    }
  }

  /** DELETE t, u FROM …, which the parser does not tell. */
  private static List<TableMention> deleted(PlanTask task, SourceEdits edits) {
    return task.scan().kind() == StatementKind.DELETE
        ? ChangeSyntax.read(edits.source()).deleted()
        : List.of();
  }

  private static boolean isCalledItself(PlacedTable table, String name) {
    return !table.ref().aliased() && table.ref().name().equalsIgnoreCase(name);
  }

  private static void dropQualifier(int token, SqlTokens tokens, SourceEdits edits) {
    if (tokens.isPunctuation(token + 1, '.')) {
      edits.replace(edits.start(token), edits.start(token + 2), List.of());
    }
  }

  private static void renameSharded(
      PlacedTable.Sharded sharded, int number, SourceEdits edits, Renaming renaming) {
    TableRef ref = sharded.ref();
    int token = ref.nameToken();
    if (token < 0) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "this way of naming table '" + ref.name() + "'", "name it plainly");
    }
    if (!isRenamed(sharded)) {
      return;
    }
    boolean asTable = renaming == Renaming.QUALIFIERS && sharded.view() == null;
    boolean needsAlias = !asTable && !ref.aliased();
    SqlTokens tokens = edits.source().tokens();
    var pieces = new ArrayList<Piece>();
    pieces.add(new Piece.Table(number));
    if (needsAlias) {
      String alias = " AS " + tokens.text(token);
      if (ref.partitioned() && tokens.isPunctuation(token + 2, '(')) {
        // PARTITION (…) stands between a table and its alias
        int close = tokens.closing(token + 2);
        edits.replace(edits.start(close), edits.end(close), List.of(edits.text(")" + alias)));
      } else {
        pieces.add(edits.text(alias));
      }
    }
    if (sharded.view() == null) {
      edits.replace(edits.start(token), edits.end(token), pieces);
    } else {
      int first = ref.qualifierToken() >= 0 ? ref.qualifierToken() : token;
      edits.derive(first, token + 1, ref.aliased(), pieces);
    }
  }

  /** What the parser has not read: {@code t.c} and {@code d.t.c} behind RETURNING. */
  private static void renameReturned(
      PlanTask task, int returning, PlacedTable table, SourceEdits edits) {
    SqlTokens tokens = edits.source().tokens();
    for (int qualifier : tokens.from(returning + 1).qualifiers()) {
      int token = qualifier;
      if (tokens.name(token).equalsIgnoreCase(task.database().name())) {
        dropQualifier(token, tokens, edits);
        token += 2;
      }
      if (tokens.isPunctuation(token + 1, '.')
          && table instanceof PlacedTable.Sharded sharded
          && isRenamed(sharded)
          && isCalled(task, sharded, tokens.name(token))) {
        edits.replace(edits.start(token), edits.end(token), List.of(new Piece.Table(0)));
      }
    }
  }

  private static boolean isRenamed(PlacedTable.Sharded sharded) {
    String written = sharded.ref().name();
    return sharded.view() != null
        || sharded.table().nodes().stream().anyMatch(node -> !node.table().equals(written));
  }

  /** A server that tells case knows no table by a name in another one. */
  private static boolean isCalled(PlanTask task, PlacedTable.Sharded sharded, String qualifier) {
    String written = sharded.ref().name();
    return qualifier.equals(written)
        || (qualifier.equalsIgnoreCase(written)
            && !task.catalog().tellsCase(sharded.table().nodes().getFirst().dataSource()));
  }

  private static void replaceQualifiers(
      PlanTask task, StatementFacts facts, List<PlacedTable> tables, SourceEdits edits) {
    int number = 0;
    List<Integer> names = new ArrayList<>(facts.tableQualifiers());
    deleted(task, edits).forEach(name -> names.add(name.behind() - 1));
    for (PlacedTable table : tables) {
      if (!(table instanceof PlacedTable.Sharded sharded)) {
        continue;
      }
      if (!sharded.ref().aliased() && sharded.view() == null && isRenamed(sharded)) {
        for (int token : names) {
          if (isCalled(task, sharded, edits.source().tokens().name(token))) {
            edits.replace(edits.start(token), edits.end(token), List.of(new Piece.Table(number)));
          }
        }
      }
      number++;
    }
  }
}
