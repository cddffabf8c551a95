package io.anabranch.frontend.command;

import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.plan.SlotValues;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;

/**
 * Whether an INSERT may itself have given the insert id of its OK packet, which is there whether
 * the key was generated or not. Errs to yes only.
 */
final class GivenKey {

  private static final String OPERATORS = "+-*/%|&^~<>!";

  private GivenKey() {}

  /**
   * @param insertId unsigned, not 0
   */
  static boolean isPossible(Scan scan, SlotValues slots, long insertId) {
    if (isComputed(scan)) {
      return true;
    }
    for (int slot = 0; slot < slots.count(); slot++) {
      if (holds(slots.value(slot), insertId)) {
        return true;
      }
    }
    return false;
  }

  /** Whether keys may come from something else than the statement's slots. */
  static boolean isComputed(Scan scan) {
    return scan.hasUserVariable() || Pins.contains(scan, "duplicate") || computes(scan);
  }

  /** A function, an operator, a query, or a number that is not written as an integer. */
  private static boolean computes(Scan scan) {
    byte[] sql = scan.sql();
    int at = endOf(scan, "value");
    if (at < 0) {
      return true;
    }
    for (int slot = 0; slot < scan.slotCount(); slot++) {
      if (scan.slotStart(slot) >= at) {
        if (hasExpression(sql, at, scan.slotStart(slot))
            || isFraction(sql, scan.slotStart(slot), scan.slotEnd(slot))) {
          return true;
        }
        at = scan.slotEnd(slot);
      }
    }
    return hasExpression(sql, at, scan.end());
  }

  /** Behind VALUES, VALUE or a name that looks like it; -1 where there is none. */
  private static int endOf(Scan scan, String word) {
    String text =
        new String(
            scan.sql(), scan.start(), scan.end() - scan.start(), StandardCharsets.ISO_8859_1);
    for (int i = 0; i + word.length() <= text.length(); i++) {
      if (text.regionMatches(true, i, word, 0, word.length())) {
        int end = i + word.length();
        boolean isPlural = end < text.length() && (text.charAt(end) | 0x20) == 's';
        return scan.start() + end + (isPlural ? 1 : 0);
      }
    }
    return -1;
  }

  private static boolean hasExpression(byte[] sql, int from, int to) {
    for (int i = from; i < to; i++) {
      boolean opens = sql[i] == '(' && i > from && Character.isLetterOrDigit(sql[i - 1]);
      if (opens || OPERATORS.indexOf(sql[i]) >= 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean isFraction(byte[] sql, int from, int to) {
    boolean quoted = sql[from] == '\'' || sql[from] == '"';
    int first = quoted ? from + 1 : from;
    if (first >= to || (!Character.isDigit(sql[first]) && sql[first] != '.')) {
      return !quoted && sql[first] != '?';
    }
    for (int i = first; i < to; i++) {
      if (".eExX".indexOf(sql[i]) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether the server may make this number of the value. */
  static boolean holds(SqlValue value, long number) {
    return switch (value) {
      case SqlValue.Int(long given) -> given == number;
      case SqlValue.Null _ -> false;
      case SqlValue.Text(String text) ->
          text.contains(Long.toUnsignedString(number)) || isRounded(text);
      case SqlValue.Bytes(byte[] bytes) ->
          new String(bytes, StandardCharsets.ISO_8859_1).contains(Long.toUnsignedString(number));
      case SqlValue.Date(var date) -> digits(date) == number;
      case SqlValue.DateTime(var time) -> digits(time.toLocalDate()) == number / 1_000_000;
      case SqlValue.Decimal _, SqlValue.Floating _, SqlValue.Unknown _ -> true;
    };
  }

  private static long digits(LocalDate date) {
    return date.getYear() * 10_000L + date.getMonthValue() * 100L + date.getDayOfMonth();
  }

  private static boolean isRounded(String text) {
    boolean isNumber =
        !text.isEmpty() && (Character.isDigit(text.charAt(0)) || text.charAt(0) == '.');
    return isNumber && (text.indexOf('.') >= 0 || text.indexOf('e') >= 0 || text.indexOf('E') >= 0);
  }
}
