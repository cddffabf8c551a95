package io.anabranch.frontend.command;

import io.anabranch.protocol.command.StatementParameter;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.lexer.Scan;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Whether an INSERT may itself have given the insert id of its OK packet, which is there whether
 * the key was generated or not. Errs to yes only, but for strings that hold a number the server has
 * to round.
 */
final class GivenKey {

  private static final String OPERATORS = "+-*/%|&^~<>!";

  private GivenKey() {}

  /**
   * @param insertId unsigned, not 0
   */
  static boolean isPossible(Scan scan, List<StatementParameter> parameters, long insertId) {
    String digits = Long.toUnsignedString(insertId);
    return scan.hasUserVariable()
        || Pins.contains(scan, digits)
        || Pins.contains(scan, "duplicate")
        || computes(scan)
        || parameters.stream().anyMatch(each -> holds(each, insertId, digits));
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

  private static boolean holds(StatementParameter parameter, long insertId, String digits) {
    byte[] value = parameter.value();
    if (value == null) {
      return false;
    }
    return switch (ColumnType.of(parameter.type() & 0xff)) {
      case TINY, SHORT, YEAR, INT24, LONG, LONGLONG -> integer(value) == insertId;
      case FLOAT, DOUBLE -> true;
      default -> new String(value, StandardCharsets.ISO_8859_1).contains(digits);
    };
  }

  /** Little-endian; a negative one of few bytes is no key. */
  private static long integer(byte[] value) {
    long number = 0;
    for (int i = value.length - 1; i >= 0; i--) {
      number = number << 8 | (value[i] & 0xff);
    }
    return number;
  }
}
