package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.routing.key.Operands;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.value.SqlValue;

/** A term of HAVING; its constant is known when the statement is bound. */
record HavingTerm(int column, PlanNode.Comparison.Operator operator, Operand value) {

  PlanNode.Comparison comparison(SlotValues bound) {
    return new PlanNode.Comparison(
        column,
        operator,
        switch (Operands.value(value, bound)) {
          case SqlValue.Int number -> Long.toString(number.value());
          case SqlValue.Decimal number -> number.value().toPlainString();
          case SqlValue.Unknown ignored when !bound.isBound() -> "0";
          default ->
              throw ErrorCatalogue.NOT_EXACT.refuse(
                  "HAVING that compares with something else than a number",
                  "compare with a whole or decimal number");
        });
  }
}
