package io.anabranch.rules.routing;

import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.routing.key.Operands;
import io.anabranch.rules.sql.Condition;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A condition without columns: {@code 1 = 0}. Only integers and NULL are believed.
 *
 * @param holds false: surely not true
 */
record FixedFilter(Predicate<SlotValues> holds) implements Filter {

  static FixedFilter of(Condition.Truth truth) {
    return new FixedFilter(
        values ->
            switch (Operands.value(truth.value(), values)) {
              case SqlValue.Int(long number) -> number != 0;
              case SqlValue.Null _ -> false;
              default -> true;
            });
  }

  static FixedFilter of(Condition.Fixed fixed) {
    return new FixedFilter(
        values ->
            holds(
                Operands.value(fixed.left(), values),
                fixed.operator(),
                Operands.value(fixed.right(), values)));
  }

  private static boolean holds(SqlValue left, Condition.Operator operator, SqlValue right) {
    if (left instanceof SqlValue.Int(long a) && right instanceof SqlValue.Int(long b)) {
      return switch (operator) {
        case EQUAL, NULL_SAFE_EQUAL -> a == b;
        case LESS -> a < b;
        case LESS_OR_EQUAL -> a <= b;
        case GREATER -> a > b;
        case GREATER_OR_EQUAL -> a >= b;
      };
    }
    boolean unknown = left == SqlValue.Null.NULL || right == SqlValue.Null.NULL;
    return !unknown || operator == Condition.Operator.NULL_SAFE_EQUAL;
  }

  @Override
  public @Nullable BitSet nodes(SlotValues values) {
    return holds.test(values) ? null : new BitSet();
  }
}
