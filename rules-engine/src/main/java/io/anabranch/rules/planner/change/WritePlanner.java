package io.anabranch.rules.planner.change;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.function.SqlFunction;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.placement.CheckedKeys;
import io.anabranch.rules.placement.CopyChecks;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.scatter.ColumnDrift;
import io.anabranch.rules.planner.view.ViewWrite;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.Auditing;
import io.anabranch.rules.resolve.PlacedStatement;
import io.anabranch.rules.resolve.Placement;
import io.anabranch.rules.resolve.ScatterChecks;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.resolve.Together;
import io.anabranch.rules.rewrite.ShardedNames;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.rewrite.SqlRendering;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.sql.ColumnName;
import io.anabranch.rules.sql.Condition;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.sql.QueryBlock;
import io.anabranch.rules.syntax.ChangeSyntax;
import io.anabranch.rules.syntax.HintedVariables;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.LogicalViews;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.ReturningClause;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plans UPDATE and DELETE. */
public final class WritePlanner implements KindPlanner {

  private final StatementReader reader = new StatementReader();
  private final KindPlanner statements;

  /**
   * @param statements plans the queries that find rows
   */
  public WritePlanner(KindPlanner statements) {
    this.statements = statements;
  }

  @Override
  public StatementPlan plan(PlanTask task) {
    SourceText source = task.source();
    if (CommonTableWrite.isOne(source.tokens())) {
      return CommonTableWrite.plan(task, source, this);
    }
    Analysis analysis = reader.read(task);
    ChangeSyntax syntax = ChangeSyntax.read(analysis.source());
    ViewWrite through = through(analysis, syntax);
    if (through != null) {
      return through.change(syntax);
    }
    refuseViews(analysis, syntax);
    RefusedException drift = ColumnDrift.of(analysis);
    if (drift != null) {
      throw drift;
    }
    PlacedStatement placed = PlacedStatement.of(analysis);
    Placement placement = placed.placement();
    Auditing.check(analysis, placement);
    StatementKind kind = task.scan().kind();
    ReturningClause returning =
        syntax.returns(analysis.source().tokens())
            ? returning(analysis, syntax, placed.names())
            : null;
    refuseTriggers(analysis, syntax);
    if (isOfBroadcastTables(analysis)) {
      refuseDifferences(analysis, syntax);
      if (!syntax.isLimited()) {
        return new BroadcastWritePlan(
            kind, placed.mapping(), placed.single(), task.database().endpoints(), returning);
      }
    }
    refuseCheckedKeys(analysis, syntax);
    List<KeyChange> keyChanges = keyChanges(analysis);
    Way way = way(analysis, placement, syntax);
    Refusal refusal = refusal(analysis, needsKeys(analysis, way), !keyChanges.isEmpty());
    way = refusal != null ? Way.ONE_NODE : way;
    if (needsKeys(analysis, way) || !keyChanges.isEmpty()) {
      refuseWhatServersRefuse(placed);
    }
    return new WritePlan(
        kind,
        placed.mapping(),
        placement,
        placed.single(),
        refusal,
        way,
        writesBroadcast(analysis, syntax),
        keyChanges,
        OccasionalForm.of(
            refusal == null && needsKeys(analysis, way),
            () -> new KeyedWrite(analysis, syntax, placed.names()).plan(statements)),
        OccasionalForm.of(
            !keyChanges.isEmpty(), () -> new RowMove(analysis, syntax).plan(statements)),
        analysis.sharded().size(),
        returning);
  }

  /** A new value of a key would have to be looked for on all nodes. */
  private static void refuseCheckedKeys(Analysis analysis, ChangeSyntax syntax) {
    PlanTask task = analysis.task();
    if (!task.database().keyPolicy().checks() || syntax.assignments().isEmpty()) {
      return;
    }
    for (ChangedTable changed : new ChangedTables(analysis, syntax).list()) {
      if (changed.table() instanceof PlacedTable.Sharded sharded) {
        for (ChangeSyntax.Assignment assignment : changed.assignments()) {
          if (CheckedKeys.decides(task, sharded.table(), changed.schema(), assignment.column())) {
            throw ErrorCatalogue.NOT_EXACT.refuse(
                "an UPDATE of column '"
                    + assignment.column()
                    + "' of a unique key that is looked for on all nodes",
                "DELETE the row and INSERT it anew");
          }
        }
      }
    }
  }

  /**
   * What becomes other statements is shown to a server as it is first: targets that are read
   * (1093), columns without a default, names of several columns.
   *
   * @throws SchemaCatalog.DescribeException if the server does not take it
   */
  private static void refuseWhatServersRefuse(PlacedStatement write) {
    PlanTask task = write.analysis().task();
    Together.of(write.analysis(), write.placement())
        .ifPresent(
            place ->
                task.catalog()
                    .describe(
                        write.single().query(place.dataSource(), place.nodes(), task.written())));
  }

  /** As the first node answers, or where else the table is. */
  private static ReturningClause returning(
      Analysis analysis, ChangeSyntax syntax, ShardedNames names) {
    PlanTask task = analysis.task();
    int[] nodes = new int[analysis.sharded().size()];
    String endpoint = task.nearest(task.database().endpoints());
    for (PlacedTable table : analysis.tablesOf(0)) {
      if (table instanceof PlacedTable.Single alone) {
        endpoint = alone.dataSource();
      } else if (table instanceof PlacedTable.Sharded sharded) {
        List<DataNode> places = sharded.table().nodes();
        int node = task.nearest(places.size(), i -> places.get(i).dataSource());
        Arrays.fill(nodes, node);
        endpoint = places.get(node).dataSource();
      }
    }
    SourceEdits edits = analysis.edits();
    int size = analysis.source().tokens().size();
    var all = new SqlRendering(task.written(), names, 128);
    all.append(edits.copyTokens(0, syntax.where()), nodes);
    all.append(List.of(edits.text(" ")), nodes);
    all.append(edits.copyTokens(syntax.end(), size), nodes);
    var items = new SqlRendering(task.written(), names, 128);
    items.append(List.of(edits.text("SELECT ")), nodes);
    items.append(edits.copyTokens(syntax.end() + 1, size), nodes);
    items.append(List.of(edits.text(" FROM ")), nodes);
    items.append(edits.copyTokens(syntax.tables().first(), syntax.tables().behind()), nodes);
    NameMapping mapping = analysis.mapping();
    return ReturningClause.describe(task, syntax.end(), all.query(endpoint), mapping)
        .orNone(task, items.query(endpoint), mapping);
  }

  /** How more than one node is written. */
  enum Way {
    /** Not at all. */
    ONE_NODE,
    /** Each by the statement itself. */
    EACH_NODE,
    /** By the keys of the rows. */
    KEYS
  }

  /** What changes a view alone, and reads nothing else; null: this is no such statement. */
  private @Nullable ViewWrite through(Analysis analysis, ChangeSyntax syntax) {
    PlanTask task = analysis.task();
    int first = syntax.tables().first();
    if (analysis.tables().size() != 1
        || !analysis.source().tokens().isName(first)
        || analysis.facts().blocks().size() != 1
        || !syntax.deleted().isEmpty()) {
      return null;
    }
    SourceText source = analysis.source();
    TableMention table = TableMention.at(source, first);
    TablePlace place = new TableDirectory(task).find(table.qualifier(), table.name());
    return ViewWrite.of(task, source, place, table, statements);
  }

  /** Views over sharded tables may be read here as far as each node can answer for itself. */
  private static void refuseViews(Analysis analysis, ChangeSyntax syntax) {
    boolean any = false;
    for (PlacedTable table : analysis.tables()) {
      if (table instanceof PlacedTable.View view) {
        throw LogicalViews.notWritable(view.ref().name());
      }
      any |= isView(analysis.task(), table);
    }
    if (!any) {
      return;
    }
    for (PlacedTable table : new ChangedTables(analysis, syntax).tables()) {
      if (isView(analysis.task(), table)) {
        throw LogicalViews.notWritable(table.ref().name());
      }
    }
  }

  private static boolean isView(PlanTask task, PlacedTable table) {
    return switch (table) {
      case PlacedTable.Sharded sharded -> sharded.view() != null;
      case PlacedTable.Single single ->
          new LogicalViews(task).shared(single.dataSource(), single.ref().name()) != null;
      case PlacedTable.View _ -> true;
      case PlacedTable.Broadcast _, PlacedTable.Catalogue _ -> false;
    };
  }

  private static boolean isOfBroadcastTables(Analysis analysis) {
    return !analysis.tables().isEmpty()
        && analysis.tablesOf(0).size() == 1
        && analysis.tables().stream().allMatch(PlacedTable.Broadcast.class::isInstance);
  }

  private static void refuseDifferences(Analysis analysis, ChangeSyntax syntax) {
    SqlTokens tokens = analysis.source().tokens();
    var checks = new CopyChecks(analysis.task());
    String table = analysis.tablesOf(0).getFirst().ref().name();
    checks.refuseChange(tokens, 0, syntax.end());
    checks.refuseMentionedDefaults(table, tokens, 0, syntax.end());
  }

  /** Of copies that change, whatever the statement reads besides. */
  private static void refuseTriggers(Analysis analysis, ChangeSyntax syntax) {
    if (analysis.tablesOf(0).stream().anyMatch(PlacedTable.Broadcast.class::isInstance)) {
      var checks = new CopyChecks(analysis.task());
      for (PlacedTable table : new ChangedTables(analysis, syntax).tables()) {
        if (table instanceof PlacedTable.Broadcast) {
          checks.refuseTriggers(table.ref().name());
        }
      }
    }
  }

  private static boolean writesBroadcast(Analysis analysis, ChangeSyntax syntax) {
    return analysis.tablesOf(0).stream().anyMatch(PlacedTable.Broadcast.class::isInstance)
        && new ChangedTables(analysis, syntax)
            .tables().stream().anyMatch(PlacedTable.Broadcast.class::isInstance);
  }

  /**
   * Why more than one node is not written; null: nothing speaks against it.
   *
   * @param byKeys whether other statements may be what changes rows
   * @param moves whether rows may change their nodes
   */
  private static @Nullable Refusal refusal(Analysis analysis, boolean byKeys, boolean moves) {
    SqlTokens tokens = analysis.source().tokens();
    Refusal hinted = HintedVariables.refusalOfWrite(tokens);
    if (hinted != null && moves) {
      throw ErrorCatalogue.NOT_EXACT.refuse(hinted.construct(), hinted.wayOut());
    }
    if (hinted != null && byKeys) {
      return hinted;
    }
    String function = SessionWords.oneForAllRows(tokens);
    if (function.isEmpty() && isSeeded(tokens)) {
      function = "RAND";
    }
    return function.isEmpty()
        ? null
        : new Refusal(function + " in UPDATE or DELETE", "compute the value first");
  }

  private static boolean isSeeded(SqlTokens tokens) {
    return tokens
        .all()
        .has(
            i -> {
              SqlFunction function = FunctionUses.at(tokens, i);
              return function != null
                  && function.name().equals("RAND")
                  && !tokens.isPunctuation(i + 2, ')');
            });
  }

  private static Way way(Analysis analysis, Placement placement, ChangeSyntax syntax) {
    boolean each = !syntax.isLimited();
    for (PlacedTable table : analysis.tables()) {
      each &= ScatterChecks.isBesideOthers(table, analysis, placement);
    }
    if (each && analysis.tablesOf(0).size() > 1) {
      each =
          new ChangedTables(analysis, syntax)
              .tables().stream().allMatch(PlacedTable.Sharded.class::isInstance);
    }
    return each ? Way.EACH_NODE : Way.KEYS;
  }

  /** Whether there may be executions that change rows by their keys. */
  private static boolean needsKeys(Analysis analysis, Way way) {
    return way == Way.KEYS || analysis.tables().size() > 1;
  }

  private static List<KeyChange> keyChanges(Analysis analysis) {
    var changes = new ArrayList<KeyChange>();
    QueryBlock block = analysis.facts().blocks().getFirst();
    for (var assignment : analysis.facts().setColumns().entrySet()) {
      String column = assignment.getKey().column().toLowerCase(Locale.ROOT);
      boolean sharding =
          analysis.tablesOf(0).stream()
              .anyMatch(
                  table ->
                      table instanceof PlacedTable.Sharded sharded
                          && isOf(assignment.getKey(), sharded)
                          && shardingColumns(sharded).contains(column));
      if (sharding) {
        var demanded = new ArrayList<Operand>();
        KeyType type =
            analysis.tablesOf(0).getFirst().columns().getOrDefault(column, KeyType.OTHER);
        if (block.tables().size() == 1 && type.isSure()) {
          block.restrictions().forEach(part -> demanded(part.condition(), column, demanded));
        }
        changes.add(new KeyChange(column, type, assignment.getValue(), demanded));
      }
    }
    return changes;
  }

  private static boolean isOf(ColumnName column, PlacedTable.Sharded sharded) {
    return column.table() == null || column.table().equalsIgnoreCase(sharded.ref().alias());
  }

  private static Set<String> shardingColumns(PlacedTable.Sharded sharded) {
    return sharded.table().shardingColumns();
  }

  private static void demanded(Condition condition, String column, List<Operand> to) {
    switch (condition) {
      case Condition.And and -> and.parts().forEach(part -> demanded(part, column, to));
      case Condition.Compare compare -> {
        if (compare.operator() == Condition.Operator.EQUAL
            && compare.column().column().equalsIgnoreCase(column)) {
          to.add(compare.value());
        }
      }
      case Condition.Or ignored -> {}
      case Condition.In ignored -> {}
      case Condition.Between ignored -> {}
      case Condition.Equal ignored -> {}
      case Condition.Fixed ignored -> {}
      case Condition.Truth ignored -> {}
      case Condition.Opaque ignored -> {}
    }
  }
}
