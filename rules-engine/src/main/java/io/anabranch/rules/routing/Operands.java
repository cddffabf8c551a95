package io.anabranch.rules.routing;

import io.anabranch.rules.plan.SlotValues;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;

/** Values of operands when a statement is bound. */
public final class Operands {

  private Operands() {}

  public static SqlValue value(Operand operand, SlotValues values) {
    return switch (operand) {
      case Operand.Slot slot ->
          slot.negative() ? negated(values.value(slot.slot())) : values.value(slot.slot());
      case Operand.Constant constant -> constant.value();
      case Operand.Opaque ignored -> SqlValue.Unknown.UNKNOWN;
    };
  }

  private static SqlValue negated(SqlValue value) {
    return switch (value) {
      case SqlValue.Int number when number.value() != Long.MIN_VALUE ->
          new SqlValue.Int(-number.value());
      case SqlValue.Decimal number -> decimal(number.value().negate());
      case SqlValue.Floating number -> new SqlValue.Floating(-number.value());
      case SqlValue.Null nothing -> nothing;
      default -> SqlValue.Unknown.UNKNOWN;
    };
  }

  private static SqlValue decimal(BigDecimal number) {
    return number.scale() == 0 && number.toBigInteger().bitLength() < Long.SIZE
        ? new SqlValue.Int(number.longValueExact())
        : new SqlValue.Decimal(number);
  }
}
