package io.anabranch.rules.planner.maintenance;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.planner.endpoint.DefaultEndpointPlanner;
import io.anabranch.rules.planner.scatter.ColumnDrift;
import io.anabranch.rules.rewrite.SqlTemplate;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.FixedPlan;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * ANALYZE, CHECK, OPTIMIZE and REPAIR TABLE: done to every node of a sharded table; what they all
 * answer is told once, under the logical name. CHECKSUM TABLE is a sum over the rows of all nodes.
 */
public final class MaintenancePlanner implements KindPlanner {

  private static final int UTF8MB4_GENERAL_CI = 45;
  private static final int VAR_STRING = 253;
  private static final int MEDIUM_BLOB = 250;
  private static final int NO_SCALE = 39;

  /** What servers answer all of these statements with. */
  static final List<ResultColumn> COLUMNS =
      List.of(
          column("Table", VAR_STRING, 512),
          column("Op", VAR_STRING, 40),
          column("Msg_type", VAR_STRING, 40),
          column("Msg_text", MEDIUM_BLOB, 1_572_864));

  /** What servers answer the statement with. */
  public static List<ResultColumn> columns(SqlTokens tokens, boolean isMariaDb) {
    return tokens.isWord(0, "CHECKSUM") ? checksums(isMariaDb) : COLUMNS;
  }

  private static List<ResultColumn> checksums(boolean isMariaDb) {
    return List.of(
        column("Table", VAR_STRING, 1536),
        new ResultColumn("", "", "", "Checksum", "", 63, isMariaDb ? 21 : 22, 8, 128, 0));
  }

  @Override
  public StatementPlan plan(PlanTask task) {
    SourceText source = task.source();
    DdlSyntax syntax = DdlSyntax.read(source);
    if (syntax.tables().isEmpty() || task.scan().parameterCount() > 0) {
      return new DefaultEndpointPlanner().plan(task, source);
    }
    if (AcrossShards.isAsked(source.tokens(), syntax)) {
      return new AcrossShards(task, COLUMNS).plan(source, syntax);
    }
    // numbers of buckets and the like, as they are written: the plan is not kept
    SlotValues written = task.written();
    boolean checksum = source.tokens().isWord(0, "CHECKSUM");
    var queries = new ArrayList<ShardQuery>();
    var tables = new ArrayList<String>();
    var named = new HashSet<String>();
    Map<String, String> names = new HashMap<>();
    for (TableMention table : syntax.tables()) {
      SqlTemplate template = TableRewriting.ofList(source, syntax.tables(), 1);
      TablePlace place = new TableDirectory(task).find(table.qualifier(), table.name());
      List<DataNode> nodes = place.nodes(task);
      if (place instanceof TablePlace.Single single && single.isShardedView()) {
        // what is wrong with a view is told by the tables that its data source reads
        task.database()
            .shardedTables()
            .values()
            .forEach(read -> read.nodes().forEach(node -> names.put(node.table(), read.name())));
      }
      if (!named.add(place.name().toLowerCase(Locale.ROOT))) {
        throw ErrorCatalogue.NOT_UNIQUE_TABLE.refuse(table.name());
      }
      if (checksum) {
        tables.add(place.name());
        nodes = summed(task, source.tokens(), place, nodes);
      }
      for (DataNode node : nodes) {
        names.put(node.table(), place.name());
        queries.add(template.aimedAt(node.dataSource(), List.of(node.table())).render(written));
      }
    }
    return rows(task, queries, tables, names);
  }

  /**
   * Whose checksums make the table's: all parts, which have to be defined alike; one of several
   * copies.
   */
  private static List<DataNode> summed(
      PlanTask task, SqlTokens tokens, TablePlace place, List<DataNode> nodes) {
    if (!(place instanceof TablePlace.Sharded sharded)) {
      return nodes.subList(0, 1);
    }
    RefusedException drift = new ColumnDrift(task, tokens, true).of(sharded.table().name(), nodes);
    if (drift != null) {
      throw drift;
    }
    return nodes;
  }

  private static StatementPlan rows(
      PlanTask task, List<ShardQuery> queries, List<String> tables, Map<String, String> names) {
    boolean isMariaDb = task.catalog().isMariaDb(task.database().endpoints().getFirst());
    PlanNode route = new PlanNode.Route(queries, tables.isEmpty() ? COLUMNS : checksums(isMariaDb));
    var mapping = new NameMapping(task.database().name(), names);
    return FixedPlan.of(
        task,
        StatementPlan.Access.WRITE,
        mapping,
        new BoundPlan.Merged(
            tables.isEmpty()
                ? new PlanNode.Reported(route, mapping)
                : new PlanNode.Checksums(route, mapping, tables)));
  }

  private static ResultColumn column(String name, int type, long length) {
    return new ResultColumn("", "", "", name, "", UTF8MB4_GENERAL_CI, length, type, 0, NO_SCALE);
  }
}
