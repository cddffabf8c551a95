package io.anabranch.rules.routing;

import io.anabranch.rules.algorithm.ShardingAlgorithm.Range;
import io.anabranch.rules.plan.SlotValues;
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
    return type == KeyType.INTEGER
            && from instanceof SqlValue.Int first
            && to instanceof SqlValue.Int last
        ? narrowed(first, last, result)
        : result;
  }

  /** Where each number of a short range lives: algorithms that scatter take it as it comes. */
  private BitSet narrowed(SqlValue.Int from, SqlValue.Int to, BitSet nodes) {
    boolean ends =
        (from.value() == Long.MAX_VALUE && !lowerInclusive)
            || (to.value() == Long.MIN_VALUE && !upperInclusive);
    long first = lowerInclusive ? from.value() : from.value() + 1;
    long last = upperInclusive ? to.value() : to.value() - 1;
    var keys = new BitSet();
    if (ends || last < first) {
      return keys;
    }
    if (Long.compareUnsigned(last - first, nodes.cardinality() - 1L) >= 0) {
      return nodes;
    }
    for (long i = 0; i <= last - first; i++) {
      targets.add(new SqlValue.Int(first + i), keys);
    }
    keys.and(nodes);
    return keys;
  }
}
