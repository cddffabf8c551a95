package io.anabranch.rules.planner.change;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.resolve.Placement;
import io.anabranch.rules.resolve.SingleTemplate;
import io.anabranch.rules.resolve.Targets;
import io.anabranch.rules.task.ReturningClause;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An UPDATE or DELETE.
 *
 * @param severalNodes why more than one node is refused; null: it is not
 * @param way how more than one node is written
 * @param writesBroadcast whether a broadcast table is changed, which is everywhere
 * @param keyChanges sharding columns that UPDATE sets
 * @param keyed the form that finds its rows first
 * @param move the form that moves rows
 * @param references how many sharded tables the statement names
 * @param returning rows that it answers with; null: none
 */
record WritePlan(
    StatementKind kind,
    NameMapping names,
    Placement placement,
    SingleTemplate single,
    @Nullable Refusal severalNodes,
    WritePlanner.Way way,
    boolean writesBroadcast,
    List<KeyChange> keyChanges,
    OccasionalForm<KeyedPlan> keyed,
    OccasionalForm<MovePlan> move,
    int references,
    @Nullable ReturningClause returning)
    implements StatementPlan {

  private static final Targets EVERYWHERE = new Targets.Apart("a change of a broadcast table");

  WritePlan {
    keyChanges = List.copyOf(keyChanges);
  }

  @Override
  public Access access() {
    return Access.WRITE;
  }

  @Override
  public int[] guardedSlots() {
    KeyedPlan byKeys = keyed.plan();
    MovePlan moving = move.plan();
    int[] first = byKeys == null ? new int[0] : byKeys.rows().guardedSlots();
    int[] second = moving == null ? new int[0] : moving.values().guardedSlots();
    int[] third = returning == null ? new int[0] : returning.guardedSlots();
    return Stream.of(first, second, third).flatMapToInt(IntStream::of).distinct().toArray();
  }

  @Override
  public boolean isLasting() {
    KeyedPlan byKeys = keyed.plan();
    MovePlan moving = move.plan();
    return keyed.isLasting()
        && move.isLasting()
        && (byKeys == null || byKeys.rows().isLasting())
        && (moving == null || moving.values().isLasting());
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    boolean moves = !keyChanges.stream().allMatch(change -> change.isHarmless(values));
    Targets targets = writesBroadcast ? EVERYWHERE : placement.targets(values);
    return switch (targets) {
      case Targets.One one when moves -> moved(List.of(one.nodes()[0]), values);
      case Targets.One one -> single.bind(one, values);
      case Targets.Many many when moves -> moved(many.legs().stream().boxed().toList(), values);
      case Targets.Many many -> scattered(many.legs(), values);
      case Targets.Apart ignored when moves -> throw notMoved();
      case Targets.Apart ignored -> byKeys(values);
    };
  }

  private static RuntimeException notMoved() {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "changing a sharding column of rows that other tables choose", "find the rows' keys first");
  }

  private BoundPlan byKeys(SlotValues values) {
    refuseSeveralNodes();
    return merged(keyed.required().root(values, references));
  }

  private void refuseSeveralNodes() {
    if (severalNodes != null) {
      throw ErrorCatalogue.NOT_EXACT.refuse(severalNodes.construct(), severalNodes.wayOut());
    }
  }

  private BoundPlan scattered(BitSet legs, SlotValues values) {
    refuseSeveralNodes();
    if (way == WritePlanner.Way.KEYS) {
      return byKeys(values);
    }
    return merged(
        new PlanNode.Write(
            queries(legs.stream().boxed().toList(), values), PlanNode.Summing.SUM, true));
  }

  private BoundPlan merged(PlanNode.Change change) {
    return new BoundPlan.Merged(returning == null ? change : returning.of(change));
  }

  private BoundPlan moved(List<Integer> legs, SlotValues values) {
    refuseSeveralNodes();
    return new BoundPlan.Merged(move.required().root(legs, queries(legs, values), values));
  }

  private List<ShardQuery> queries(List<Integer> legs, SlotValues values) {
    var queries = new ArrayList<ShardQuery>();
    int[] nodes = new int[placement.layouts().size()];
    for (int leg : legs) {
      Arrays.fill(nodes, leg);
      queries.add(single.part(placement.layout(0).node(leg).dataSource(), nodes, values));
    }
    return queries;
  }
}
