package io.anabranch.rules.planner;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.routing.RouteCompiler;
import io.anabranch.rules.sql.ColumnName;
import io.anabranch.rules.sql.Condition;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.sql.QueryBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plans UPDATE and DELETE. */
final class WritePlanner implements KindPlanner {

  private final StatementReader reader = new StatementReader();

  @Override
  public StatementPlan plan(PlanTask task) {
    Analysis analysis = reader.read(task);
    Placement placement = Placement.of(analysis);
    var names = new ShardedNames(placement.layouts(), analysis.source());
    var single = new SingleTemplate(analysis, placement, names);
    StatementKind kind = task.scan().kind();
    if (writesBroadcast(analysis)) {
      return new BroadcastWritePlan(
          kind, QueryPlanner.mapping(analysis), single, task.database().endpoints());
    }
    return new WritePlan(
        kind,
        QueryPlanner.mapping(analysis),
        placement,
        single,
        severalNodes(analysis),
        keyChanges(analysis));
  }

  /** Whether the only written table is a broadcast table; such tables beside others are refused. */
  private static boolean writesBroadcast(Analysis analysis) {
    var written = analysis.tablesOf(0);
    boolean broadcast = written.stream().anyMatch(PlacedTable.Broadcast.class::isInstance);
    if (!broadcast) {
      return false;
    }
    boolean alone =
        written.size() == 1
            && analysis.tables().stream().allMatch(PlacedTable.Broadcast.class::isInstance);
    if (!alone) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "UPDATE or DELETE that joins a broadcast table with other tables",
          "change one table per statement");
    }
    String function = SessionWords.differentEverywhere(analysis.source().tokens());
    if (!function.isEmpty()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          function + " in a write to a broadcast table", "compute the value first");
    }
    return true;
  }

  private static @Nullable Refusal severalNodes(Analysis analysis) {
    var facts = analysis.facts();
    if (facts.limited()) {
      return new Refusal(
          "UPDATE or DELETE with ORDER BY or LIMIT", "restrict it to one shard by its key");
    }
    if (facts.writesTables() != 1 || analysis.tablesOf(0).size() != 1) {
      return new Refusal(
          "UPDATE or DELETE of several tables", "restrict it to one shard by the sharding keys");
    }
    for (PlacedTable table : analysis.tables()) {
      if (table.ref().block() != 0 && !(table instanceof PlacedTable.Broadcast)) {
        return new Refusal(
            "UPDATE or DELETE with a subquery", "restrict it to one shard, or run the query first");
      }
    }
    String function = SessionWords.differentEverywhere(analysis.source().tokens());
    return function.isEmpty()
        ? null
        : new Refusal(function + " in UPDATE or DELETE", "compute the value first");
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
        if (block.tables().size() == 1) {
          block.restrictions().forEach(part -> demanded(part.condition(), column, demanded));
        }
        changes.add(new KeyChange(column, assignment.getValue(), demanded));
      }
    }
    return changes;
  }

  private static boolean isOf(ColumnName column, PlacedTable.Sharded sharded) {
    return column.table() == null || column.table().equalsIgnoreCase(sharded.ref().alias());
  }

  private static Set<String> shardingColumns(PlacedTable.Sharded sharded) {
    return RouteCompiler.shardingColumns(sharded.table());
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
