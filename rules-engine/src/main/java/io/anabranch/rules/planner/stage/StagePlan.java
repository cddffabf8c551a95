package io.anabranch.rules.planner.stage;

import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StagedTable;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.planner.strategy.Scatter;
import io.anabranch.rules.resolve.Placement;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.ShardedNames;
import io.anabranch.rules.rewrite.SqlRendering;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A query that runs over copies of its tables. Immutable; bound on event loops. */
final class StagePlan implements Scatter {

  /** A protocol type that no database answers with: the answer says what the rows are. */
  private static final int UNTOLD = 18;

  private static final int BINARY = 63;

  /**
   * One copy.
   *
   * @param definition columns and keys
   * @param described the same with keys of all columns of the primary key: the server then says of
   *     results what it says over tables
   * @param columns their names
   * @param reduction which rows may be left out; null: none
   */
  record Copy(
      String name,
      String definition,
      String described,
      List<String> columns,
      List<StagedTable.Cell> cells,
      StagedSelect select,
      StagedTable.@Nullable Reduction reduction) {

    List<ResultColumn> untold() {
      return columns.stream()
          .map(column -> new ResultColumn("", "", "", column, "", BINARY, 0, UNTOLD, 0, 0))
          .toList();
    }
  }

  private final Placement placement;
  private final ShardedNames names;
  private final StageSources sources;
  private final List<Copy> copies;
  private final List<Piece> statement;
  private final List<ResultColumn> columns;
  private final boolean takesAnyGroup;

  /**
   * @param takesAnyGroup as in {@link PlanNode.Stage}
   */
  StagePlan(
      Placement placement,
      ShardedNames names,
      StageSources sources,
      List<Copy> copies,
      List<Piece> statement,
      List<ResultColumn> columns,
      boolean takesAnyGroup) {
    this.placement = placement;
    this.names = names;
    this.sources = sources;
    this.copies = List.copyOf(copies);
    this.statement = List.copyOf(statement);
    this.columns = List.copyOf(columns);
    this.takesAnyGroup = takesAnyGroup;
  }

  /** Each reference has its own nodes, so that those of the first do not tell. */
  @Override
  public PlanNode root(BitSet legs, SlotValues values) {
    var nodes = new ArrayList<BitSet>(copies.size());
    Map<String, Integer> counts = new HashMap<>();
    for (Copy copy : copies) {
      BitSet own = new BitSet();
      int sharded = copy.select().sharded();
      if (sharded >= 0) {
        own = placement.nodes(sharded, values);
        own.stream()
            .forEach(
                node ->
                    counts.merge(
                        placement.layout(sharded).node(node).dataSource(), 1, Integer::sum));
      } else if (!copy.select().isBroadcast()) {
        counts.merge(copy.select().dataSource(), 1, Integer::sum);
      }
      nodes.add(own);
    }
    String reader = sources.most(counts);
    var tables = new ArrayList<StagedTable>(copies.size());
    for (int i = 0; i < copies.size(); i++) {
      Copy copy = copies.get(i);
      List<ShardQuery> queries = copy.select().queries(nodes.get(i), reader, values);
      PlanNode rows =
          queries.isEmpty()
              ? new PlanNode.LocalRows(copy.untold(), List.of())
              : new PlanNode.Route(queries, copy.untold());
      tables.add(
          new StagedTable(copy.name(), copy.definition(), rows, copy.cells(), copy.reduction()));
    }
    var rendering = new SqlRendering(values, names, 512);
    rendering.append(statement, new int[0]);
    String place = sources.choose(counts);
    return new PlanNode.Stage(
        tables, rendering.query(place), columns, sources.room(place), takesAnyGroup);
  }
}
