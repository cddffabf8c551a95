package io.anabranch.rules.planner.insert;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.placement.ColumnList;
import io.anabranch.rules.placement.CopyChecks;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.query.RowSource;
import io.anabranch.rules.planner.scatter.ColumnDrift;
import io.anabranch.rules.planner.view.ViewWrite;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.Auditing;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.rewrite.ExpandedPlan;
import io.anabranch.rules.rewrite.SqlTemplate;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.sql.AimedText;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.ReturningClause;
import io.anabranch.rules.task.TemplatePlan;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * INSERT and REPLACE. Reads tokens rather than a parser's tree: only the table, the columns and the
 * values of sharding columns matter, and everything else goes on as the client wrote it.
 */
public final class InsertPlanner implements KindPlanner {

  private final StatementReader reader = new StatementReader();
  private final KindPlanner statements;

  /**
   * @param statements plans the queries of INSERT … SELECT
   */
  public InsertPlanner(KindPlanner statements) {
    this.statements = statements;
  }

  @Override
  public StatementPlan plan(PlanTask task) {
    SourceText source = task.source();
    if (task.scan().hasExecutableComment()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a version comment in an INSERT", "write the statement without it");
    }
    InsertSyntax syntax = InsertSyntax.read(source);
    Span rows = syntax.wrappedRows(source.tokens());
    if (rows != null) {
      return unwrapped(task, source, syntax, rows);
    }
    var directory = new TableDirectory(task);
    TableMention table = syntax.table();
    TablePlace place = directory.require(table.qualifier(), table.name());
    ViewWrite through = ViewWrite.of(task, source, place, table, statements);
    if (through != null) {
      return through.insert(syntax);
    }
    if (place instanceof TablePlace.Sharded sharded) {
      InsertQuery.refuseHintedVariables(source.tokens());
      Auditing.checkRows(task, sharded.table());
    }
    refuseDrift(task, source.tokens(), syntax, place);
    if (syntax.returns()) {
      ReturningClause.refuseQualifiedExpressions(source.tokens(), syntax.returning());
    }
    if (syntax.form() == InsertSyntax.Form.QUERY) {
      return query(task, source, syntax, place);
    }
    if (ComputedRows.arePresent(source.tokens(), syntax)) {
      return computed(task, source, syntax, place);
    }
    return switch (place) {
      case TablePlace.Sharded sharded -> {
        var insert = new ShardedInsert(task, source, syntax, sharded.table());
        yield insert.needsComputing() ? computed(task, source, syntax, place) : insert.plan();
      }
      case TablePlace.Broadcast broadcast -> {
        int behind = syntax.tail();
        if (new CopyChecks(task).difference(source.tokens(), syntax.body(), behind) != null) {
          yield computed(task, source, syntax, place);
        }
        refuseDifferences(task, source.tokens(), syntax, broadcast.name());
        yield fixedTargets(task, source, syntax, broadcast.name(), task.database().endpoints());
      }
      case TablePlace.Single single -> {
        refuseShardedSources(task, source.tokens(), syntax);
        yield fixedTargets(task, source, syntax, single.name(), List.of(single.endpoint()));
      }
      case TablePlace.Absent ignored -> throw directory.unknown(table.name());
    };
  }

  /** Rows without a list of columns take them as they stand in each node. */
  private static void refuseDrift(
      PlanTask task, SqlTokens tokens, InsertSyntax syntax, TablePlace place) {
    if (syntax.columnsEnd() >= 0 || syntax.form() == InsertSyntax.Form.SET) {
      return;
    }
    var drift = new ColumnDrift(task, tokens, true);
    RefusedException found =
        switch (place) {
          case TablePlace.Sharded sharded ->
              drift.of(sharded.table().name(), sharded.table().nodes());
          case TablePlace.Broadcast broadcast -> drift.broadcast(broadcast.name());
          case TablePlace.Single ignored -> null;
          case TablePlace.Absent ignored -> null;
        };
    if (found != null) {
      throw found;
    }
  }

  private StatementPlan query(
      PlanTask task, SourceText source, InsertSyntax syntax, TablePlace place) {
    Span read = syntax.query(source.tokens());
    Substatement query =
        new Substatement.Builder(task, source).tokens(read.first(), read.behind()).build();
    return switch (place) {
      case TablePlace.Sharded sharded -> {
        Analysis analysis = reader.read(query.task());
        RefusedException drift = ColumnDrift.of(analysis);
        if (drift != null) {
          throw drift;
        }
        StatementPlan beside =
            new InsertBeside(task, source, syntax, sharded.table(), query, analysis).plan();
        if (beside != null) {
          yield beside;
        }
        var insert = new InsertQuery(task, source, syntax, sharded.table().nodes());
        Substatement feeding = insert.feeding(query, analysis);
        yield insert.intoNodesOf(sharded.table(), RowSource.of(feeding, statements));
      }
      case TablePlace.Broadcast broadcast -> {
        refuseDifferences(task, source.tokens(), syntax, broadcast.name());
        var insert = new InsertQuery(task, source, syntax, broadcast.nodes(task));
        Substatement feeding = insert.feeding(query, reader);
        yield insert.into(PlanNode.Summing.FIRST, RowSource.of(feeding, statements));
      }
      case TablePlace.Single single -> {
        if (isAllAt(single.endpoint(), query)) {
          yield fixedTargets(task, source, syntax, single.name(), List.of(single.endpoint()));
        }
        List<DataNode> node = List.of(new DataNode(single.endpoint(), single.name()));
        var insert = new InsertQuery(task, source, syntax, node);
        Substatement feeding = insert.feeding(query, reader);
        yield insert.into(PlanNode.Summing.SUM, RowSource.of(feeding, statements));
      }
      case TablePlace.Absent absent -> throw new TableDirectory(task).unknown(absent.name());
    };
  }

  /** VALUES with subqueries: their values are read first, unless one node can do it all. */
  private StatementPlan computed(
      PlanTask task, SourceText source, InsertSyntax syntax, TablePlace place) {
    var rows = new ComputedRows(task, source, syntax, reader);
    return switch (place) {
      case TablePlace.Sharded sharded -> {
        var insert = new InsertQuery(task, source, syntax, sharded.table().nodes());
        Substatement query = insert.values(rows);
        yield insert.intoNodesOf(sharded.table(), RowSource.of(query, statements));
      }
      case TablePlace.Broadcast broadcast -> {
        refuseDifferences(task, source.tokens(), syntax, broadcast.name());
        var insert = new InsertQuery(task, source, syntax, broadcast.nodes(task));
        Substatement query = insert.values(rows);
        yield insert.into(PlanNode.Summing.FIRST, RowSource.of(query, statements));
      }
      case TablePlace.Single single -> {
        if (isAllAt(single.endpoint(), rows.bare())) {
          yield fixedTargets(task, source, syntax, single.name(), List.of(single.endpoint()));
        }
        List<DataNode> node = List.of(new DataNode(single.endpoint(), single.name()));
        var insert = new InsertQuery(task, source, syntax, node);
        Substatement query = insert.values(rows);
        yield insert.into(PlanNode.Summing.SUM, RowSource.of(query, statements));
      }
      case TablePlace.Absent absent -> throw new TableDirectory(task).unknown(absent.name());
    };
  }

  /** Whether the endpoint can run the query by itself. */
  private boolean isAllAt(String endpoint, Substatement query) {
    for (PlacedTable table : reader.read(query.task()).tables()) {
      boolean there =
          switch (table) {
            case PlacedTable.Single single -> single.dataSource().equals(endpoint);
            case PlacedTable.Broadcast ignored -> true;
            case PlacedTable.Catalogue ignored -> false;
            case PlacedTable.Sharded ignored -> false;
            case PlacedTable.View ignored -> false;
          };
      if (!there) {
        return false;
      }
    }
    return true;
  }

  private static StatementPlan fixedTargets(
      PlanTask task, SourceText source, InsertSyntax syntax, String name, List<String> endpoints) {
    String database = task.database().name();
    var rewriting = new TableRewriting(source, database, List.of(syntax.table()));
    if (endpoints.size() > 1) {
      task.catalog()
          .table(endpoints.stream().map(endpoint -> new DataNode(endpoint, name)).toList())
          .ifPresent(
              schema -> {
                List<String> columns = ColumnList.unlisted(schema.columns());
                ColumnList.write(source, syntax, columns, rewriting);
              });
    }
    SqlTemplate template = rewriting.template();
    List<AimedText> targets =
        endpoints.stream().map(endpoint -> template.aimedAt(endpoint, List.of(name))).toList();
    NameMapping names = NameMapping.ofSchema(database);
    // the packets behind rows say nothing of keys
    boolean returns =
        syntax.returns() && (targets.size() > 1 || numberedColumn(task, endpoints, name) != null);
    ReturningClause returning =
        returns
            ? ReturningClause.describe(
                task,
                syntax.returning(),
                targets.get(task.nearest(targets.size(), endpoints::get)).render(task.written()),
                names)
            : null;
    return new TemplatePlan(
        task.scan().kind(), names, targets, List.of(0), true, PlanNode.Verb.INSERT, returning);
  }

  /** The column for which the databases make keys; null: there is none. */
  private static @Nullable String numberedColumn(
      PlanTask task, List<String> endpoints, String name) {
    return task
        .catalog()
        .table(endpoints.stream().map(endpoint -> new DataNode(endpoint, name)).toList())
        .stream()
        .flatMap(schema -> schema.columns().stream())
        .filter(Column::autoIncrement)
        .map(Column::name)
        .findFirst()
        .orElse(null);
  }

  /** Rows in parentheses are a query to the grammar, and rows to everything else. */
  private StatementPlan unwrapped(
      PlanTask task, SourceText source, InsertSyntax syntax, Span rows) {
    StatementReader.requireSyntax(task);
    Substatement statement =
        new Substatement.Builder(task, source)
            .tokens(0, syntax.body())
            .text(" ")
            .tokens(rows.first(), rows.behind())
            .text(" ")
            .tokens(syntax.tail(), source.tokens().size())
            .build();
    return new ExpandedPlan(plan(statement.task()), statement.slots());
  }

  /** What each data source computes for itself, and fills in, has to be the same. */
  private static void refuseDifferences(
      PlanTask task, SqlTokens tokens, InsertSyntax syntax, String table) {
    var checks = new CopyChecks(task);
    int end = syntax.returns() ? syntax.returning() : tokens.size();
    InsertSyntax.Assignment toldKey = toldKey(task, tokens, syntax, table);
    if (toldKey == null) {
      checks.refuse(tokens, syntax.tail(), end);
    } else {
      checks.refuse(tokens, syntax.tail(), toldKey.value().first());
      checks.refuse(tokens, toldKey.value().behind(), end);
    }
    checks.refuseMentionedDefaults(table, tokens, syntax.body(), end);
    if (syntax.columnsEnd() >= 0 || syntax.form() == InsertSyntax.Form.SET) {
      var given = new HashSet<String>();
      syntax.columns().forEach(column -> given.add(column.toLowerCase(Locale.ROOT)));
      checks.refuseDefaults(table, given);
    } else if (isEmptyRow(tokens, syntax)) {
      checks.refuseDefaults(table, Set.of());
    }
    checks.refuseTriggers(table);
  }

  /**
   * {@code key = LAST_INSERT_ID(key)} of ON DUPLICATE KEY UPDATE, where the databases make the key
   * of the only row: what the answer tells is that row's key in all copies, whether it was there or
   * not.
   */
  private static InsertSyntax.@Nullable Assignment toldKey(
      PlanTask task, SqlTokens tokens, InsertSyntax syntax, String table) {
    boolean isListed = syntax.columnsEnd() >= 0 || syntax.form() == InsertSyntax.Form.SET;
    if (!isListed || syntax.rows().size() != 1 || syntax.returns()) {
      return null;
    }
    List<String> endpoints = task.database().endpoints();
    return syntax.updates().stream()
        .filter(update -> tellsItself(tokens, update))
        .filter(update -> syntax.columns().stream().noneMatch(update.column()::equalsIgnoreCase))
        .filter(update -> update.column().equalsIgnoreCase(numberedColumn(task, endpoints, table)))
        .findFirst()
        .orElse(null);
  }

  private static boolean tellsItself(SqlTokens tokens, InsertSyntax.Assignment update) {
    int call = update.value().first();
    int last = update.value().behind() - 1;
    return SessionWords.giveInsertId(tokens, tokens.between(call, call + 1))
        && tokens.closing(call + 1) == last
        && (last == call + 3 || (last == call + 5 && tokens.isPunctuation(call + 3, '.')))
        && tokens.isName(last - 1)
        && tokens.name(last - 1).equalsIgnoreCase(update.column());
  }

  /** {@code VALUES ()}: all columns have their defaults. */
  private static boolean isEmptyRow(SqlTokens tokens, InsertSyntax syntax) {
    return tokens.isPunctuation(syntax.body(), '(') && tokens.isPunctuation(syntax.body() + 1, ')');
  }

  /** A query that feeds a single table runs where that table is: it can only read such tables. */
  private static void refuseShardedSources(PlanTask task, SqlTokens tokens, InsertSyntax syntax) {
    int query = tokens.from(syntax.body()).findWord("SELECT", "TABLE");
    int table =
        query < 0
            ? -1
            : tokens
                .from(query)
                .find(
                    i ->
                        tokens.isName(i)
                            && isSharded(task, tokens.name(i))
                            && canNameTable(tokens, i));
    if (table >= 0) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "INSERT … SELECT from the sharded table '" + tokens.name(table) + "'",
          "select the rows and insert them as VALUES");
    }
  }

  private static boolean isSharded(PlanTask task, String name) {
    return task.database().shardedTables().containsKey(name.toLowerCase(Locale.ROOT));
  }

  private static boolean canNameTable(SqlTokens tokens, int token) {
    return !tokens.isPunctuation(token + 1, '.')
        && (tokens.kind(token - 1) == TokenKind.WORD
            || tokens.kind(token - 1) == TokenKind.PUNCTUATION);
  }
}
