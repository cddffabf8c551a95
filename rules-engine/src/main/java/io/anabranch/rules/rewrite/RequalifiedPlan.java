package io.anabranch.rules.rewrite;

import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import java.util.List;

/** A pass-through statement in which the database's name is replaced by the server's. */
public record RequalifiedPlan(
    StatementKind kind,
    Access access,
    NameMapping names,
    String endpoint,
    List<Piece> pieces,
    int[] guardedSlots)
    implements StatementPlan {

  private static final int[] NO_NODES = {};
  private static final ShardedNames NO_NAMES = ShardedNames.none();

  public RequalifiedPlan {
    pieces = List.copyOf(pieces);
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    var rendering = new SqlRendering(values, NO_NAMES, 256);
    rendering.append(pieces, NO_NODES);
    return new BoundPlan.Single(rendering.query(endpoint));
  }
}
