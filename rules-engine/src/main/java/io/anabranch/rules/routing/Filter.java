package io.anabranch.rules.routing;

import io.anabranch.rules.plan.slot.SlotValues;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A condition compiled for one sharded table. Immutable. */
interface Filter {

  /** The nodes where the condition may hold, a set of its own; null: anywhere. */
  @Nullable BitSet nodes(SlotValues values);

  /** Nodes that all parts allow; the cheap and narrow parts stand first. */
  record And(List<Filter> parts) implements Filter {
    @Override
    public @Nullable BitSet nodes(SlotValues values) {
      BitSet result = null;
      for (Filter part : parts) {
        if (result != null && result.cardinality() <= 1) {
          return result;
        }
        BitSet more = part.nodes(values);
        if (more == null) {
          continue;
        }
        if (result == null) {
          result = more;
        } else {
          result.and(more);
        }
      }
      return result;
    }
  }

  /** Nodes that any part allows. */
  record Or(List<Filter> parts) implements Filter {
    @Override
    public @Nullable BitSet nodes(SlotValues values) {
      var result = new BitSet();
      for (Filter part : parts) {
        BitSet more = part.nodes(values);
        if (more == null) {
          return null;
        }
        result.or(more);
      }
      return result;
    }
  }
}
