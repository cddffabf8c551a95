package io.anabranch.rules.routing;

import io.anabranch.rules.algorithm.ShardingAlgorithm.Range;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.routing.key.KeyMatch;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.routing.key.Operands;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * {@code lower < column < upper}.
 *
 * @param lower null: unbounded
 * @param upper null: unbounded
 */
record RangeFilter(
    ColumnTargets targets,
    KeyType type,
    @Nullable Operand lower,
    boolean lowerInclusive,
    @Nullable Operand upper,
    boolean upperInclusive)
    implements Filter {

  @Override
  public @Nullable BitSet nodes(SlotValues values) {
    SqlValue from = lower == null ? null : KeyMatch.bound(type, Operands.value(lower, values));
    SqlValue to = upper == null ? null : KeyMatch.bound(type, Operands.value(upper, values));
    var result = new BitSet();
    if (from == SqlValue.Null.NULL || to == SqlValue.Null.NULL) {
      return result;
    }
    if (from == null && to == null) {
      return null;
    }
    targets.add(new Range(from, lowerInclusive, to, upperInclusive), result);
    return result;
  }
}
