package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.DateTimeText;
import io.anabranch.rules.algorithm.WholeNumber;
import io.anabranch.rules.expression.ExpressionException;
import io.anabranch.rules.expression.Template;
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

  /**
   * The name that a template of one variable gives for a value, whether it exists or not.
   *
   * @throws io.anabranch.rules.error.RefusedException if the expression does not take the value
   */
  static String name(String type, Template template, SqlValue value) {
    try {
      return template.variables().isEmpty()
          ? template.evaluate()
          : template.evaluate(of(type, value));
    } catch (ExpressionException e) {
      throw WholeNumber.refuse(type, value, e.getMessage() + " in " + template);
    }
  }

  private static Object narrow(long number) {
    return (int) number;
  }
}
