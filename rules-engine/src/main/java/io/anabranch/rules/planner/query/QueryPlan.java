package io.anabranch.rules.planner.query;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.planner.scatter.Scatter;
import io.anabranch.rules.resolve.Placement;
import io.anabranch.rules.resolve.SingleTemplate;
import io.anabranch.rules.resolve.Targets;
import java.util.BitSet;

/** A query: one node as it is, more than one by its {@link Scatter}. */
final class QueryPlan implements StatementPlan {

  private final StatementKind kind;
  private final Access access;
  private final NameMapping names;
  private final Placement placement;
  private final SingleTemplate single;
  private final Scatter scatter;

  /** How tables that do not meet are answered. */
  private final Scatter apart;

  private final int[] guardedSlots;
  private final boolean readsCatalogue;

  /**
   * @param readsCatalogue whether what the servers tell of themselves is part of the plan
   */
  QueryPlan(
      StatementKind kind,
      Access access,
      NameMapping names,
      Placement placement,
      SingleTemplate single,
      Scatter scatter,
      Scatter apart,
      int[] guardedSlots,
      boolean readsCatalogue) {
    this.kind = kind;
    this.access = access;
    this.names = names;
    this.placement = placement;
    this.single = single;
    this.scatter = scatter;
    this.apart = apart;
    this.guardedSlots = guardedSlots;
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
    return names;
  }

  @Override
  public int[] guardedSlots() {
    return guardedSlots.clone();
  }

  @Override
  public boolean isLasting() {
    return !readsCatalogue && !(scatter instanceof Scatter.Unreachable);
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    return switch (placement.targets(values)) {
      case Targets.One one -> single.bind(one, values);
      case Targets.Many many -> new BoundPlan.Merged(scatter.root(many.legs(), values));
      case Targets.Apart _ -> new BoundPlan.Merged(apart.root(new BitSet(), values));
    };
  }
}
