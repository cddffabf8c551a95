package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.routing.key.Operands;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.sql.SelectFacts.LimitFacts;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * LIMIT and OFFSET of a query.
 *
 * @param facts null: no LIMIT
 */
public record LimitRule(@Nullable LimitFacts facts) {

  /** A parameter bound as text, as some drivers bind all of them. */
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,20}");

  /** 2<sup>64</sup> − 1. */
  private static final BigDecimal MOST =
      new BigDecimal(BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE));

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

  /**
   * What a server's grammar has for a number of rows, digits of 64 bits without a sign; and of
   * parameters what drivers bind for one.
   */
  private static long number(Operand operand, SlotValues values) {
    SqlValue value = Operands.value(operand, values);
    if (value == SqlValue.Unknown.UNKNOWN && !values.isBound()) {
      return 0;
    }
    boolean isParameter =
        operand instanceof Operand.Slot(int slot, boolean _) && values.isParameter(slot);
    BigDecimal number = isParameter ? ofParameter(value) : ofLiteral(value);
    if (number == null || number.signum() < 0 || number.compareTo(MOST) > 0) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a LIMIT that is no whole number", "give a number that is not negative");
    }
    return number.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValueExact();
  }

  /** Null: it is no whole number. */
  private static @Nullable BigDecimal ofLiteral(SqlValue value) {
    return switch (value) {
      case SqlValue.Int(long number) -> BigDecimal.valueOf(number);
      case SqlValue.Decimal(BigDecimal number) when number.scale() <= 0 -> number;
      default -> null;
    };
  }

  private static @Nullable BigDecimal ofParameter(SqlValue value) {
    return switch (value) {
      case SqlValue.Text(String text) when DIGITS.matcher(text).matches() -> new BigDecimal(text);
      // as drivers bind numbers of languages that have no others
      case SqlValue.Floating(double number) when number == Math.rint(number) && isFinite(number) ->
          new BigDecimal(number);
      default -> ofLiteral(value);
    };
  }

  private static boolean isFinite(double number) {
    return !Double.isInfinite(number) && !Double.isNaN(number);
  }
}
