package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.PlanNode.Comparison;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.routing.key.Operands;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.value.SqlValue;
import java.util.regex.Pattern;

/** A term of HAVING; its constant is known when the statement is bound. */
record HavingTerm(int column, Comparison.Operator operator, Operand value) {

  /** A text that is a number as a whole; of others servers warn. */
  private static final Pattern NUMBER =
      Pattern.compile(" *[-+]?(\\d{1,15}(\\.\\d{0,15})?|\\.\\d{1,15})([eE][-+]?\\d{1,2})? *");

  Comparison comparison(SlotValues bound) {
    return switch (Operands.value(value, bound)) {
      case SqlValue.Int(long number) -> new Comparison(column, operator, Long.toString(number));
      case SqlValue.Decimal decimal ->
          new Comparison(column, operator, decimal.value().toPlainString());
      case SqlValue.Floating(double number) when Double.isFinite(number) ->
          new Comparison(column, operator, Double.toString(number), true);
      case SqlValue.Text(String text) when NUMBER.matcher(text).matches() ->
          new Comparison(column, operator, text.strip(), true);
      case SqlValue.Null _ -> new Comparison(column, Comparison.Operator.UNKNOWN, "");
      case SqlValue.Unknown _ when !bound.isBound() -> new Comparison(column, operator, "0");
      default ->
          throw ErrorCatalogue.NOT_EXACT.refuse(
              "HAVING that compares with something else than a number", "compare with a number");
    };
  }
}
