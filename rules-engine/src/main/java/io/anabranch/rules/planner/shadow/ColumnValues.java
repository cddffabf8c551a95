package io.anabranch.rules.planner.shadow;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The values that a statement gives for a column: one of each row, or those of a condition.
 * Immutable.
 *
 * @param slots of literals and parameters; negative, less one: with a minus in front; null: what
 *     only a database can compute
 */
record ColumnValues(List<@Nullable Integer> slots) {

  /** How many of the values match. */
  enum Answer {
    NONE,
    SOME,
    ALL
  }

  Answer matching(SlotValues values, Predicate<SqlValue> matches) {
    int matching = 0;
    for (Integer slot : slots) {
      if (slot != null && matches.test(value(values, slot))) {
        matching++;
      }
    }
    return matching == 0 ? Answer.NONE : matching == slots.size() ? Answer.ALL : Answer.SOME;
  }

  private static SqlValue value(SlotValues values, int slot) {
    return slot >= 0 ? values.value(slot) : Literals.negate(values.value(-slot - 1));
  }

  /** The value in the tokens {@code [from, to)}; null: it is an expression. */
  static @Nullable Integer slot(SqlTokens tokens, int from, int to) {
    if (to == from + 1 && tokens.slot(from) >= 0) {
      return tokens.slot(from);
    }
    boolean isNegative =
        to == from + 2 && tokens.isOperator(from, "-") && tokens.slot(from + 1) >= 0;
    return isNegative ? (Integer) (-tokens.slot(from + 1) - 1) : null;
  }

  /** The values between parentheses, separated by commas. */
  static ColumnValues listed(SqlTokens tokens, int open) {
    var slots = new ArrayList<@Nullable Integer>();
    for (Span value : tokens.between(open + 1, tokens.closing(open)).parts()) {
      slots.add(slot(tokens, value.first(), value.behind()));
    }
    return new ColumnValues(slots);
  }
}
