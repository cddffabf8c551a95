package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.routing.key.Operands;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.sql.SelectFacts.LimitFacts;
import io.anabranch.rules.value.SqlValue;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * LIMIT and OFFSET of a query.
 *
 * @param facts null: no LIMIT
 */
public record LimitRule(@Nullable LimitFacts facts) {

  /** A parameter bound as text, as some drivers bind all of them. */
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

  /** Negative: all rows. */
  public long count(SlotValues values) {
    return facts == null ? -1 : number(facts.count(), values);
  }

  public long offset(SlotValues values) {
    return facts == null || facts.offset() == null ? 0 : number(facts.offset(), values);
  }

  /** Rows that a database must give so that skipping can be done here; negative: all. */
  long needed(SlotValues values) {
    long count = count(values);
    long sum = count + offset(values);
    return count < 0 || sum < 0 ? -1 : sum;
  }

  private static boolean isWhole(double value) {
    return value >= 0 && value == Math.rint(value) && !Double.isInfinite(value);
  }

  private static long number(Operand operand, SlotValues values) {
    return switch (Operands.value(operand, values)) {
      case SqlValue.Int number when number.value() >= 0 -> number.value();
      case SqlValue.Decimal number
          when number.value().signum() >= 0 && number.value().scale() <= 0 ->
          Long.MAX_VALUE;
      case SqlValue.Text text when DIGITS.matcher(text.value()).matches() ->
          Long.parseLong(text.value());
      // as drivers bind numbers of languages that have no others
      case SqlValue.Floating number
          when isWhole(number.value())
              && operand instanceof Operand.Slot(int slot, _)
              && values.isParameter(slot) ->
          (long) number.value();
      case SqlValue.Unknown ignored when !values.isBound() -> 0;
      default ->
          throw ErrorCatalogue.NOT_SUPPORTED.refuse(
              "a LIMIT that is no whole number", "give a number that is not negative");
    };
  }
}
