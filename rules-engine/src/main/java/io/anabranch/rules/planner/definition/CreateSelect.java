package io.anabranch.rules.planner.definition;

import io.anabranch.rules.catalog.MadeCatalog;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.MadeTable;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.catalog.TemporaryCatalog;
import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.planner.query.HomeQuery;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.CreateQuery;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.syntax.query.ClauseWords;
import io.anabranch.rules.syntax.query.OpenOperands;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.FixedPlan;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanScope;
import io.anabranch.rules.task.PlanTask;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * CREATE TABLE … SELECT whose table and rows are not all in one data source. A database tells what
 * the table is: it makes a temporary one of the statement, without rows. Then the table is made on
 * its nodes and filled like by INSERT … SELECT. Used once.
 */
final class CreateSelect {

  private static final String HINT = "create the table first, then INSERT … SELECT";

  /** Has the rows of a temporary table before it has them itself. */
  private static final String FILLED = "anabranch_rows";

  /** What a temporary table does not have. */
  private static final Set<String> NOT_TEMPORARY =
      Set.of("FOREIGN", "REFERENCES", "PARTITION", "FULLTEXT");

  private final PlanTask task;
  private final SourceText source;
  private final SqlTokens tokens;
  private final TableMention table;
  private final CreateQuery query;
  private final Substatement reading;
  private final Analysis analysis;

  /** Of the query, once it has been asked for. */
  private int width;

  CreateSelect(PlanTask task, SourceText source, DdlSyntax syntax, CreateQuery query) {
    this.task = task;
    this.source = source;
    this.tokens = source.tokens();
    this.table = syntax.tables().getFirst();
    this.query = query;
    this.reading =
        new Substatement.Builder(task, source).tokens(query.first(), query.behind()).build();
    this.analysis = new StatementReader().read(reading.task());
  }

  /** Whether the database that gets the table can run the statement by itself. */
  boolean isOfOnePlace(TablePlace place) {
    String endpoint =
        switch (place) {
          case TablePlace.Single single -> single.endpoint();
          case TablePlace.Absent absent -> absent.endpoint();
          case TablePlace.Sharded ignored -> "";
          case TablePlace.Broadcast ignored -> "";
        };
    return !endpoint.isEmpty()
        && analysis.tables().stream().allMatch(one -> isBeside(one, endpoint));
  }

  private static boolean isBeside(PlacedTable table, String endpoint) {
    return switch (table) {
      case PlacedTable.Single single -> single.dataSource().equals(endpoint);
      case PlacedTable.Broadcast ignored -> true;
      case PlacedTable.Catalogue ignored -> false;
      case PlacedTable.Sharded ignored -> false;
      case PlacedTable.View ignored -> false;
    };
  }

  /**
   * @param statements plans the INSERT
   */
  StatementPlan plan(TablePlace place, KindPlanner statements) {
    List<DataNode> nodes = place.nodes(task);
    boolean replaces = tokens.isWord(1, "OR");
    List<DataNode> existing = nodes.stream().filter(this::exists).toList();
    if (!replaces && !existing.isEmpty()) {
      return existing(existing, nodes.size());
    }
    MadeTable made = made();
    StatementPlan rows =
        statements.plan(
            insert(
                table.name(),
                task.scope(),
                new MadeCatalog(task.catalog(), nodes, made),
                written(made.schema())));
    String head = replaces ? "CREATE OR REPLACE TABLE " : "CREATE TABLE ";
    var creation =
        new PlanNode.Creation(
            everywhere(nodes, name -> head + name + made.definition()),
            change(rows),
            everywhere(nodes, name -> "DROP TABLE IF EXISTS " + name),
            false,
            List.of());
    Map<String, String> names = new HashMap<>(rows.names().tables());
    nodes.forEach(node -> names.put(node.table(), table.name()));
    return FixedPlan.of(
        task,
        StatementPlan.Access.WRITE,
        new NameMapping(task.database().name(), names),
        new BoundPlan.Merged(creation));
  }

  /**
   * A temporary table of what does not all lie where it is made.
   *
   * @param endpoint whose connection gets it, which has none of that name
   * @param statements plans the INSERT
   */
  StatementPlan temporary(String endpoint, KindPlanner statements) {
    MadeTable made = made();
    // on MariaDB they stay when the transaction is rolled back: the server copies them itself
    boolean areKept = task.catalog().isMariaDb(endpoint);
    String filled = areKept ? FILLED : table.name();
    var schema = new TableSchema(filled, made.schema().columns());
    TemporaryTables own =
        task.scope().temporaries().with(filled, new TemporaryTables.Table(endpoint, schema));
    PlanTask insert =
        insert(
            filled,
            task.scope().having(own),
            new TemporaryCatalog(task.catalog(), own),
            written(schema));
    StatementPlan rows = statements.plan(insert);
    Map<String, String> names = new HashMap<>(rows.names().tables());
    names.put(filled, table.name());
    String name = TableNames.quoted(filled);
    String wanted = TableNames.quoted(table.name());
    String drop = "DROP TEMPORARY TABLE ";
    List<ShardQuery> finishing =
        areKept
            ? List.of(
                query(
                    endpoint,
                    "CREATE TEMPORARY TABLE "
                        + wanted
                        + made.definition()
                        + " SELECT "
                        + written(schema)
                        + " FROM "
                        + name),
                query(endpoint, drop + name))
            : List.of();
    var creation =
        new PlanNode.Creation(
            List.of(query(endpoint, "CREATE TEMPORARY TABLE " + name + made.definition())),
            change(rows),
            List.of(query(endpoint, drop + "IF EXISTS " + name + (areKept ? ", " + wanted : ""))),
            true,
            finishing);
    return FixedPlan.of(
        task,
        StatementPlan.Access.WRITE,
        new NameMapping(task.database().name(), names),
        new BoundPlan.Merged(creation));
  }

  private ShardQuery query(String endpoint, String sql) {
    return ShardQuery.text(endpoint, source.encode(sql));
  }

  /** The data source of all tables that it reads; empty: any. Null: they are not together. */
  @Nullable String onePlace() {
    var places = new TreeSet<String>();
    for (PlacedTable one : analysis.tables()) {
      switch (one) {
        case PlacedTable.Broadcast _ -> {}
        case PlacedTable.Single single -> places.add(single.dataSource());
        case PlacedTable.Sharded _, PlacedTable.View _, PlacedTable.Catalogue _ -> {
          return null;
        }
      }
    }
    return places.isEmpty() ? "" : places.size() == 1 ? places.first() : null;
  }

  /** Asks a database what the table is. */
  private MadeTable made() {
    refuseUnsupported();
    String home = new HomeQuery(analysis).home("CREATE TABLE … SELECT", HINT);
    MadeTable made = task.catalog().made(table.name(), prototype(home));
    refuseUnreadable(made.definition());
    width = task.catalog().describe(ShardQuery.text(home, columns(home))).size();
    return made;
  }

  private boolean exists(DataNode node) {
    return task.catalog().table(node.dataSource(), node.table()).isPresent();
  }

  /**
   * A note of the nodes that have the table, or the error. Makes none: where a node has it no more,
   * that is the error.
   */
  private StatementPlan existing(List<DataNode> nodes, int all) {
    boolean isNote = tokens.isWord(2, "IF");
    if (!isNote) {
      throw ErrorCatalogue.TABLE_EXISTS.refuse(table.name());
    }
    if (nodes.size() < all) {
      throw refusal(
          "CREATE TABLE IF NOT EXISTS … SELECT of a table that "
              + nodes.size()
              + " of its "
              + all
              + " nodes have",
          "DROP TABLE IF EXISTS it first");
    }
    List<ShardQuery> notes =
        everywhere(
            nodes,
            name -> "CREATE TABLE IF NOT EXISTS " + name + " SELECT * FROM " + name + " LIMIT 0");
    Map<String, String> names =
        nodes.stream().collect(Collectors.toMap(DataNode::table, _ -> table.name(), (a, _) -> a));
    return FixedPlan.of(
        task,
        StatementPlan.Access.WRITE,
        new NameMapping(task.database().name(), names),
        new BoundPlan.Merged(
            new PlanNode.Write(notes, List.of(0), false, PlanNode.Verb.DEFINE, List.of())));
  }

  private List<ShardQuery> everywhere(List<DataNode> nodes, Function<String, String> statement) {
    return nodes.stream()
        .map(
            node -> {
              String sql = statement.apply(TableNames.quoted(node.table()));
              return ShardQuery.text(node.dataSource(), source.encode(sql));
            })
        .toList();
  }

  private void refuseUnsupported() {
    if (task.scan().parameterCount() > 0) {
      throw refusal("parameters in CREATE TABLE … SELECT", "write the values as literals");
    }
    if (!task.scope().locks().isEmpty()) {
      throw refusal("CREATE TABLE … SELECT while tables are locked", "UNLOCK TABLES first");
    }
    int other =
        tokens
            .between(table.behind(), query.head())
            .find(i -> NOT_TEMPORARY.contains(tokens.word(i)) && !tokens.isPunctuation(i - 1, '.'));
    if (other >= 0) {
      throw refusal(tokens.word(other) + " in CREATE TABLE … SELECT over data sources", HINT);
    }
    var operands = new OpenOperands(tokens);
    var clauses = new ClauseWords(tokens);
    int found = tokens.from(table.behind()).find(i -> clauses.isItem(i) && operands.isAt(i));
    if (found >= 0) {
      throw refusal(
          tokens.text(found) + " in the select list of CREATE TABLE … SELECT over data sources",
          "tell its type: CAST(" + tokens.text(found) + " AS …)");
    }
    for (PlacedTable read : analysis.tables()) {
      String name = read.ref().name();
      if (task.scope().temporaries().find(name) != null) {
        throw refusal("CREATE TABLE … SELECT from the temporary table '" + name + "'", HINT);
      }
      if (name.equalsIgnoreCase(table.name())) {
        throw refusal("CREATE TABLE … SELECT from the table that it replaces", HINT);
      }
    }
  }

  private void refuseUnreadable(String definition) {
    boolean escapes = task.scope().noBackslashEscapes() && definition.indexOf('\\') >= 0;
    if (escapes || !source.charset().newEncoder().canEncode(definition)) {
      throw refusal(
          "CREATE TABLE … SELECT in this sql_mode or character set",
          "use utf8mb4 and no NO_BACKSLASH_ESCAPES");
    }
  }

  private static RuntimeException refusal(String what, String hint) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(what, hint);
  }

  /** The statement for a temporary table, without rows. */
  private ShardQuery prototype(String home) {
    var sql = new SqlBuffer(source.bytes().length + 64);
    sql.append(source.encode("CREATE TEMPORARY TABLE " + TableNames.quoted(table.name()) + " "));
    var rewriting = new TableRewriting(source, task.database().name(), List.of(table));
    sql.append(
        rewriting
            .template(table.behind(), query.head())
            .aimedAt(home, List.of(table.name()))
            .render(task.written())
            .sql());
    sql.append(source.encode(" AS "));
    sql.append(columns(home));
    return ShardQuery.text(home, sql.toByteArray());
  }

  /** The query without its rows. */
  private byte[] columns(String home) {
    var sql = new SqlBuffer(source.bytes().length);
    SourceText own = analysis.source();
    int kept = query.body() - query.first();
    int from = own.tokens().size() - (query.behind() - query.first());
    boolean whole = query.body() == query.behind();
    int end = whole ? own.bytes().length : analysis.edits().start(from + kept);
    new HomeQuery(analysis).appendTo(sql, home, end);
    return sql.append(source.encode(" LIMIT 0")).toByteArray();
  }

  /** The columns that the query gives: the last ones. */
  private String written(TableSchema schema) {
    List<Column> all = schema.columns();
    if (width > all.size()) {
      throw TableMention.syntaxError(source, query.first());
    }
    return all.subList(all.size() - width, all.size()).stream()
        .map(column -> TableNames.quoted(column.name()))
        .collect(Collectors.joining(", "));
  }

  private PlanTask insert(String into, PlanScope scope, SchemaCatalog catalog, String columns) {
    String verb =
        switch (query.duplicates()) {
          case "IGNORE" -> "INSERT IGNORE";
          case "REPLACE" -> "REPLACE";
          default -> "INSERT";
        };
    var with = task.of(task.scan(), scope, catalog);
    var insert =
        new Substatement.Builder(with, source)
            .text(verb + " INTO " + TableNames.quoted(into) + " (" + columns + ") ");
    // behind INSERT, rows of VALUES are no query
    boolean areRows = tokens.isWord(query.first(), "VALUES");
    return (areRows
            ? insert
                .text("SELECT * FROM (")
                .tokens(query.first(), query.behind())
                .text(") AS " + FILLED)
            : insert.tokens(query.first(), query.behind()))
        .build()
        .task();
  }

  private PlanNode.Change change(StatementPlan rows) {
    return switch (rows.bind(reading.values(task.written()))) {
      case BoundPlan.Single single ->
          new PlanNode.Write(List.of(single.query()), PlanNode.Summing.SUM, true);
      case BoundPlan.Merged merged when merged.root() instanceof PlanNode.Change change -> change;
      case BoundPlan.Merged _ -> throw refusal("this form of CREATE TABLE … SELECT", HINT);
      case BoundPlan.AsIs _ -> throw refusal("this form of CREATE TABLE … SELECT", HINT);
    };
  }
}
