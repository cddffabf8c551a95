package io.anabranch.rules.task;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.LockedTables;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.sql.AimedText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A write whose targets do not depend on its values: one of a single table, or the same on every
 * endpoint.
 *
 * @param targets never empty; one of them takes the relay lane
 * @param counted positions of the targets whose answers become the client's
 * @param returning rows that it answers with; null: none, or those of the only target
 * @param locked tables that the session has locked from then on; null: the same as before
 */
public record TemplatePlan(
    StatementKind kind,
    NameMapping names,
    List<AimedText> targets,
    List<Integer> counted,
    boolean atomic,
    PlanNode.Verb verb,
    @Nullable ReturningClause returning,
    @Nullable LockedTables locked)
    implements StatementPlan {

  public TemplatePlan {
    targets = List.copyOf(targets);
    counted = List.copyOf(counted);
  }

  /** Locks stay as they are. */
  public TemplatePlan(
      StatementKind kind,
      NameMapping names,
      List<AimedText> targets,
      List<Integer> counted,
      boolean atomic,
      PlanNode.Verb verb,
      @Nullable ReturningClause returning) {
    this(kind, names, targets, counted, atomic, verb, returning, null);
  }

  /** Of copies of one table: the first answer counts. */
  public TemplatePlan(
      StatementKind kind, NameMapping names, List<AimedText> targets, boolean atomic) {
    this(kind, names, targets, List.of(0), atomic, PlanNode.Verb.UPDATE, null);
  }

  @Override
  public Access access() {
    return Access.WRITE;
  }

  @Override
  public int[] guardedSlots() {
    return returning == null ? new int[0] : returning.guardedSlots();
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    if (targets.size() == 1 && returning == null && locked == null) {
      return new BoundPlan.Single(targets.getFirst().render(values));
    }
    var queries = targets.stream().map(target -> target.render(values)).toList();
    var write = new PlanNode.Write(queries, counted, atomic, verb, List.of(), locked);
    return new BoundPlan.Merged(returning == null ? write : returning.of(write));
  }
}
