package io.anabranch.rules.planner.maintenance;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.LockedTables;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Summing;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.resolve.ViewSplitter;
import io.anabranch.rules.syntax.LockSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.LogicalViews;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.FixedPlan;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * LOCK TABLES and FLUSH: said to each data source concerned, with the tables that it has. Locks are
 * on the names of actual tables, which statements then use without an alias ({@link
 * StatementReader}).
 *
 * <p>See <a href="https://dev.mysql.com/doc/refman/8.4/en/lock-tables.html">LOCK TABLES</a>.
 */
public final class LockPlanner implements KindPlanner {

  @Override
  public StatementPlan plan(PlanTask task) {
    SourceText source = task.source();
    LockSyntax syntax = LockSyntax.read(source);
    if (syntax.tables().isEmpty()) {
      return everywhere(task, source.tokens());
    }
    boolean tellsCase = task.catalog().tellsCase(task.nearest(task.database().endpoints()));
    var actual = new LockedNodes(task);
    var byAlias = new HashMap<String, String>();
    var names = new HashMap<String, String>();
    for (LockSyntax.Lock lock : syntax.tables()) {
      if (byAlias.put(key(lock.alias(), tellsCase), key(lock.table().name(), tellsCase)) != null) {
        throw ErrorCatalogue.NOT_UNIQUE_TABLE.refuse(lock.alias());
      }
      for (DataNode node : actual.add(lock)) {
        names.put(node.table(), lock.table().name());
      }
    }
    var mapping = new NameMapping(task.database().name(), names);
    List<ShardQuery> queries = actual.queries(syntax);
    return syntax.stays()
        ? merged(
            task,
            mapping,
            new PlanNode.Lock(
                queries, new LockedTables(task.database().name(), byAlias, tellsCase)))
        : merged(task, mapping, new PlanNode.Write(queries, Summing.FIRST, false));
  }

  /** What names no tables is said to all. */
  private static StatementPlan everywhere(PlanTask task, SqlTokens tokens) {
    if (task.scan().kind() == StatementKind.LOCK_TABLES) {
      throw TableMention.syntaxError(task.source(), 2);
    }
    List<ShardQuery> queries =
        task.database().endpoints().stream()
            .sorted()
            .map(endpoint -> new ShardQuery(endpoint, task.source().bytes(), new int[0]))
            .toList();
    var mapping = NameMapping.ofSchema(task.database().name());
    return merged(
        task,
        mapping,
        LockSyntax.isReadLock(tokens)
            ? new PlanNode.Lock(queries, LockedTables.NONE)
            : new PlanNode.Write(queries, Summing.FIRST, false));
  }

  private static StatementPlan merged(PlanTask task, NameMapping names, PlanNode node) {
    return FixedPlan.of(task, StatementPlan.Access.WRITE, names, new BoundPlan.Merged(node));
  }

  private static String key(String name, boolean tellsCase) {
    return tellsCase ? name : name.toLowerCase(Locale.ROOT);
  }

  /** The actual tables to lock, by data source. */
  private static final class LockedNodes {

    private final PlanTask task;
    private final TableDirectory directory;

    /** By endpoint, what is written for each table to how it is locked. */
    private final Map<String, Map<String, String>> byEndpoint = new TreeMap<>();

    LockedNodes(PlanTask task) {
      this.task = task;
      this.directory = new TableDirectory(task);
    }

    /** The nodes that are locked under another name than the client's. */
    List<DataNode> add(LockSyntax.Lock lock) {
      TableMention table = lock.table();
      switch (directory.require(table.qualifier(), table.name())) {
        case TablePlace.Sharded sharded -> {
          refuseAlias(lock, sharded.table().nodes());
          sharded.table().nodes().forEach(node -> add(node, lock));
          return sharded.table().nodes();
        }
        case TablePlace.Broadcast broadcast ->
            broadcast.nodes(task).forEach(node -> add(node, lock));
        case TablePlace.Single single -> {
          add(new DataNode(single.endpoint(), single.name()), lock);
          if (single.isShardedView()) {
            underneath(single, lock);
          }
        }
        case TablePlace.Absent ignored -> throw directory.unknown(table.name());
      }
      return List.of();
    }

    /** One alias is one table in a data source. */
    private static void refuseAlias(LockSyntax.Lock lock, List<DataNode> nodes) {
      long sources = nodes.stream().map(DataNode::dataSource).distinct().count();
      if (lock.isAliased() && sources < nodes.size()) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "LOCK TABLES with an alias of '"
                + lock.table().name()
                + "', of which a data source has several tables,",
            "lock and use it under its own name");
      }
    }

    /** The tables that a view reads: locked under their own names, for what stands for the view. */
    private void underneath(TablePlace.Single view, LockSyntax.Lock lock) {
      var schema = task.catalog().table(view.endpoint(), view.name()).orElseThrow();
      String query = new LogicalViews(task).query(view.endpoint(), schema);
      if (query == null) {
        return;
      }
      for (PlacedTable table : new ViewSplitter(task).tables(query)) {
        var mention = new TableMention(null, table.ref().name(), 0, 0);
        if (!(table instanceof PlacedTable.Catalogue)) {
          add(new LockSyntax.Lock(mention, mention.name(), false, lock.type()));
        }
      }
    }

    private void add(DataNode node, LockSyntax.Lock lock) {
      byEndpoint
          .computeIfAbsent(node.dataSource(), endpoint -> new LinkedHashMap<>())
          .merge(lock.text(node.table()), lock.type(), LockSyntax::stronger);
    }

    List<ShardQuery> queries(LockSyntax syntax) {
      var queries = new ArrayList<ShardQuery>();
      byEndpoint.forEach(
          (endpoint, tables) ->
              queries.add(
                  new ShardQuery(endpoint, task.source().encode(syntax.text(tables)), new int[0])));
      return queries;
    }
  }
}
