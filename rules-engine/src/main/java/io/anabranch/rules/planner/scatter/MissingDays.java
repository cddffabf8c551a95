package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.routing.KeyList;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Values of a statement that name no day, such as {@code '2024-02-31'} as the end of a month. A
 * server warns of them, where they are compared with a date, in the very words in which it warns of
 * a date that a UNION has changed.
 */
final class MissingDays {

  private static final Pattern DAY =
      Pattern.compile("\\s*(\\d{4}|\\d{2})\\p{Punct}(\\d{1,2})\\p{Punct}(\\d{1,2})(?!\\d).*");

  private static final Pattern DIGITS =
      Pattern.compile("\\s*((?:19|20)\\d{2})(\\d{2})(\\d{2})(?:\\d{6}(?:\\.\\d*)?)?\\s*");

  private static final Pattern LITERAL = Pattern.compile("['\"]([^'\"]{6,32})['\"]");

  private MissingDays() {}

  /** Whether one stands in the statement's own text, for whatever values. */
  static boolean areWritten(List<Piece> statement) {
    return statement.stream().anyMatch(MissingDays::isWritten);
  }

  private static boolean isWritten(Piece piece) {
    return piece instanceof Piece.Text(byte[] bytes)
        && LITERAL
            .matcher(new String(bytes, StandardCharsets.ISO_8859_1))
            .results()
            .anyMatch(literal -> isOne(literal.group(1)));
  }

  /** Whether one is among the values of an execution. */
  static boolean areGiven(List<Piece> statement, SlotValues values) {
    return statement.stream().anyMatch(piece -> isGiven(piece, values));
  }

  private static boolean isGiven(Piece piece, SlotValues values) {
    return switch (piece) {
      case Piece.Slot(int slot) -> isOne(values.value(slot));
      case Piece.Keys(_, KeyList list) ->
          IntStream.range(0, list.size()).anyMatch(at -> isOne(values.value(list.slot(at))));
      case Piece.Text _, Piece.Table _ -> false;
    };
  }

  private static boolean isOne(SqlValue value) {
    return switch (value) {
      case SqlValue.Text(String text) -> isOne(text);
      case SqlValue.Int(long number) -> isOne(Long.toString(number));
      default -> false;
    };
  }

  private static boolean isOne(String text) {
    Matcher day = DAY.matcher(text);
    if (!day.matches()) {
      day = DIGITS.matcher(text);
      if (!day.matches()) {
        return false;
      }
    }
    try {
      LocalDate.of(number(day, 1), number(day, 2), number(day, 3));
      return false;
    } catch (DateTimeException e) {
      return true;
    }
  }

  private static int number(Matcher day, int group) {
    return Integer.parseInt(day.group(group));
  }
}
