package io.anabranch.rules.planner.query;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.resolve.Placement;
import io.anabranch.rules.resolve.SingleTemplate;
import io.anabranch.rules.resolve.Targets;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** A query: one node as it is, more than one as {@link OverNodes} says. */
final class QueryPlan implements StatementPlan {

  private final StatementKind kind;
  private final Access access;
  private final Placement placement;
  private final SingleTemplate single;
  private final OverNodes overNodes;
  private final int[] guardedSlots;
  private final boolean readsCatalogue;

  /**
   * @param namedSlots slots whose literals are in the names of select items
   * @param readsCatalogue whether what the servers tell of themselves is part of the plan
   */
  QueryPlan(
      StatementKind kind,
      Access access,
      Placement placement,
      SingleTemplate single,
      OverNodes overNodes,
      int[] namedSlots,
      boolean readsCatalogue) {
    this.kind = kind;
    this.access = access;
    this.placement = placement;
    this.single = single;
    this.overNodes = overNodes;
    this.guardedSlots =
        IntStream.concat(IntStream.of(namedSlots), IntStream.of(overNodes.guardedSlots()))
            .sorted()
            .distinct()
            .toArray();
    this.readsCatalogue = readsCatalogue;
  }

  @Override
  public StatementKind kind() {
    return kind;
  }

  @Override
  public Access access() {
    return access;
  }

  @Override
  public NameMapping names() {
    return overNodes.names();
  }

  @Override
  public int[] guardedSlots() {
    return guardedSlots.clone();
  }

  @Override
  public boolean isLasting() {
    return !readsCatalogue && overNodes.isLasting();
  }

  @Override
  public List<PassedOver> passedOver() {
    return overNodes.passedOver();
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    return switch (placement.targets(values)) {
      case Targets.One one -> single.bind(one, values);
      case Targets.Many many ->
          new BoundPlan.Merged(overNodes.together().root(many.legs(), values));
      case Targets.Apart _ -> new BoundPlan.Merged(overNodes.apart().root(new BitSet(), values));
    };
  }
}
