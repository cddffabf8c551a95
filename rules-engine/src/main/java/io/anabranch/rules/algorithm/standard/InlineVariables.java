package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.DateTimeText;
import io.anabranch.rules.algorithm.WholeNumber;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;

/** Values as the variables of inline expressions. */
final class InlineVariables {

  private InlineVariables() {}

  /**
   * Integers as Integer where they fit, else as Long or BigInteger; dates as text.
   *
   * @throws io.anabranch.rules.error.RefusedException for values that expressions do not take
   */
  static Object of(String type, SqlValue value) {
    return switch (value) {
      case SqlValue.Int(long number) -> number == (int) number ? narrow(number) : number;
      case SqlValue.Decimal(BigDecimal number) ->
          number.scale() <= 0 ? number.toBigIntegerExact() : number;
      case SqlValue.Text(String text) -> text;
      case SqlValue.Date(var date) -> date.toString();
      case SqlValue.DateTime(var time) -> DateTimeText.of(time);
      case SqlValue.Floating _, SqlValue.Bytes _, SqlValue.Null _, SqlValue.Unknown _ ->
          throw WholeNumber.refuse(type, value, "it takes integers, decimals, strings and dates");
    };
  }

  private static Object narrow(long number) {
    return (int) number;
  }
}
