package io.anabranch.rules.routing.key;

import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;

/** Values of operands when a statement is bound. */
public final class Operands {

  private static final int DATE_LENGTH = 10;

  private Operands() {}

  /** What a comparison makes of it; {@link SqlValue.Unknown} where only a database can tell. */
  public static SqlValue value(Operand operand, SlotValues values) {
    return switch (operand) {
      case Operand.Slot slot ->
          slot.negative() ? negated(values.compared(slot.slot())) : values.compared(slot.slot());
      case Operand.Temporal temporal -> temporal(values.compared(temporal.slot()));
      case Operand.Bits bits -> number(values.compared(bits.slot()));
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

  private static SqlValue temporal(SqlValue text) {
    if (!(text instanceof SqlValue.Text(String value))) {
      return SqlValue.Unknown.UNKNOWN;
    }
    try {
      return value.length() == DATE_LENGTH
          ? new SqlValue.Date(LocalDate.parse(value))
          : new SqlValue.DateTime(LocalDateTime.parse(value.replace(' ', 'T')));
    } catch (DateTimeException otherForm) {
      return SqlValue.Unknown.UNKNOWN;
    }
  }

  private static SqlValue number(SqlValue bits) {
    BigDecimal number = bits instanceof SqlValue.Bytes bytes ? Literals.number(bytes) : null;
    return number == null ? SqlValue.Unknown.UNKNOWN : Literals.decimal(number);
  }
}
