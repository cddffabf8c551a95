package io.anabranch.rules.routing;

import io.anabranch.rules.algorithm.ShardingAlgorithm.Range;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.routing.key.KeyMatch;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.routing.key.Operands;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A conjunction of conditions on the columns of a complex strategy. */
record ComplexFilter(ComplexTargets targets, List<Part> parts) implements Filter {

  ComplexFilter {
    parts = List.copyOf(parts);
  }

  /** A condition on one of the columns. */
  sealed interface Part {
    String column();

    KeyType type();
  }

  record Keys(String column, KeyType type, List<Operand> keys) implements Part {}

  record Between(
      String column,
      KeyType type,
      @Nullable Operand lower,
      boolean lowerInclusive,
      @Nullable Operand upper,
      boolean upperInclusive)
      implements Part {}

  @Override
  public @Nullable BitSet nodes(SlotValues bound) {
    Map<String, List<SqlValue>> values = new HashMap<>();
    Map<String, Range> ranges = new HashMap<>();
    for (Part part : parts) {
      switch (part) {
        case Keys keys -> {
          List<SqlValue> known = values(keys, bound);
          if (known != null) {
            values.putIfAbsent(keys.column(), known);
          }
        }
        case Between between -> {
          Range range = range(between, bound);
          if (range != null) {
            ranges.putIfAbsent(between.column(), range);
          }
        }
      }
    }
    for (List<SqlValue> known : values.values()) {
      if (known.isEmpty()) {
        return new BitSet();
      }
    }
    ranges.keySet().removeAll(values.keySet());
    return values.isEmpty() && ranges.isEmpty() ? null : targets.nodes(values, ranges);
  }

  /** Null: any; empty: none can be equal. */
  private static @Nullable List<SqlValue> values(Keys keys, SlotValues bound) {
    var values = new ArrayList<SqlValue>(keys.keys().size());
    for (Operand operand : keys.keys()) {
      SqlValue key = KeyMatch.equal(keys.type(), Operands.value(operand, bound));
      if (key == null) {
        return null;
      }
      if (key != SqlValue.Null.NULL) {
        values.add(key);
      }
    }
    return values;
  }

  private static @Nullable Range range(Between between, SlotValues bound) {
    SqlValue lower = bound(between.type(), between.lower(), bound);
    SqlValue upper = bound(between.type(), between.upper(), bound);
    return lower == null && upper == null
        ? null
        : new Range(lower, between.lowerInclusive(), upper, between.upperInclusive());
  }

  private static @Nullable SqlValue bound(
      KeyType type, @Nullable Operand operand, SlotValues bound) {
    SqlValue value = operand == null ? null : KeyMatch.bound(type, Operands.value(operand, bound));
    return value == SqlValue.Null.NULL ? null : value;
  }
}
