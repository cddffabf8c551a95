package io.anabranch.rules.planner;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.SlotValues;
import io.anabranch.rules.plan.StatementPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An UPDATE or DELETE.
 *
 * @param severalNodes why more than one node is refused; null: it is not
 * @param keyChanges sharding columns that UPDATE sets
 */
record WritePlan(
    StatementKind kind,
    NameMapping names,
    Placement placement,
    SingleTemplate single,
    @Nullable Refusal severalNodes,
    List<KeyChange> keyChanges)
    implements StatementPlan {

  WritePlan {
    keyChanges = List.copyOf(keyChanges);
  }

  @Override
  public Access access() {
    return Access.WRITE;
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    for (KeyChange change : keyChanges) {
      change.check(values);
    }
    return switch (placement.targets(values)) {
      case Targets.One one -> single.bind(one, values);
      case Targets.Many many -> scattered(many.legs(), values);
      case Targets.Apart apart ->
          throw ErrorCatalogue.NOT_EXACT.refuse(
              apart.construct(),
              "give each table a condition on its sharding columns that leads to one data source");
    };
  }

  private BoundPlan scattered(BitSet legs, SlotValues values) {
    if (severalNodes != null) {
      throw ErrorCatalogue.NOT_EXACT.refuse(severalNodes.construct(), severalNodes.wayOut());
    }
    var queries = new ArrayList<ShardQuery>();
    int[] nodes = new int[placement.layouts().size()];
    for (int leg = legs.nextSetBit(0); leg >= 0; leg = legs.nextSetBit(leg + 1)) {
      Arrays.fill(nodes, leg);
      queries.add(single.query(placement.layout(0).node(leg).dataSource(), nodes, values));
    }
    return new BoundPlan.Merged(new PlanNode.Write(queries, PlanNode.Summing.SUM, true));
  }
}
