package io.anabranch.frontend.effect;

import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.value.SqlValue;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;

/**
 * Whether an INSERT may itself have given the insert id of its OK packet, which is there whether
 * the key was generated or not. Errs to yes only.
 */
final class GivenKey {

  private static final String OPERATORS = "+-*/%|&^~<>!";
  private static final byte[] VALUE = "value".getBytes(StandardCharsets.US_ASCII);

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
    int at = behindValues(scan);
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
  private static int behindValues(Scan scan) {
    byte[] sql = scan.sql();
    int last = scan.end() - VALUE.length;
    for (int at = scan.start(); at <= last; at++) {
      if ((sql[at] | 0x20) == VALUE[0] && isValue(sql, at)) {
        int end = at + VALUE.length;
        return end < scan.end() && (sql[end] | 0x20) == 's' ? end + 1 : end;
      }
    }
    return -1;
  }

  private static boolean isValue(byte[] sql, int at) {
    for (int i = 1; i < VALUE.length; i++) {
      if ((sql[at + i] | 0x20) != VALUE[i]) {
        return false;
      }
    }
    return true;
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
    int behindDigits = first;
    while (behindDigits < to && Character.isDigit(sql[behindDigits])) {
      behindDigits++;
    }
    return behindDigits < to && ".eExX".indexOf(sql[behindDigits]) >= 0;
  }

  /** Whether the server may make this number of the value. */
  static boolean holds(SqlValue value, long number) {
    return switch (value) {
      case SqlValue.Int(long given) -> given == number;
      case SqlValue.Null _ -> false;
      case SqlValue.Text(String text) ->
          text.contains(Long.toUnsignedString(number)) || isRounded(text);
      case SqlValue.Bytes(byte[] bytes, boolean _) ->
          new String(bytes, StandardCharsets.ISO_8859_1).contains(Long.toUnsignedString(number))
              || (bytes.length <= Long.BYTES && new BigInteger(1, bytes).longValue() == number);
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
