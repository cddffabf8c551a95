package io.anabranch.frontend.effect;

import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether an INSERT may itself have given the insert id of its OK packet, which is there whether
 * the key was generated or not. Errs to yes only.
 */
final class GivenKey {

  private static final Set<String> VALUES = Set.of("VALUES", "VALUE");

  /** What may stand between the values of rows and is none itself. */
  private static final Set<String> NO_VALUES = Set.of("NULL", "DEFAULT", "ROW", "VALUES", "VALUE");

  /** Functions whose values are at least {@link #EARLIEST} where they are numbers. */
  private static final Set<String> MOMENTS =
      Set.of(
          "NOW",
          "SYSDATE",
          "CURRENT_TIMESTAMP",
          "LOCALTIME",
          "LOCALTIMESTAMP",
          "UTC_TIMESTAMP",
          "CURDATE",
          "CURRENT_DATE",
          "UTC_DATE");

  /** The first day of the calendar, as a number. */
  private static final long EARLIEST = 10_000_101;

  /**
   * What columns of integers hold at most: larger numbers become these where no mode forbids it.
   */
  private static final Set<Long> LIMITS = limits();

  /** Characters of a text that are read for a number: this runs on the event loop. */
  private static final int LONGEST_NUMBER = 80;

  /** Values that are looked at. */
  private static final int MOST_SLOTS = 4096;

  /** Beyond so many digits of an exponent, numbers are too large for a key. */
  private static final int MOST_EXPONENT_DIGITS = 3;

  private static final Pattern NUMBER =
      Pattern.compile("\\s*([+-]?(?:\\d+\\.?\\d*|\\.\\d+))(?:[eE]([+-]?\\d+))?");

  private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(Long.SIZE);

  private GivenKey() {}

  private static Set<Long> limits() {
    var limits = new HashSet<Long>();
    for (int bytes : new int[] {1, 2, 3, 4, Long.BYTES}) {
      long unsigned = -1L >>> (Long.SIZE - bytes * Byte.SIZE);
      limits.add(unsigned);
      limits.add(unsigned >>> 1);
    }
    return Set.copyOf(limits);
  }

  /**
   * Whether a row may have got the key from the statement. It may always be said: the connection is
   * asked then.
   *
   * @param insertId unsigned, not 0
   */
  static boolean isPossible(Scan scan, SlotValues slots, long insertId) {
    if (isComputed(scan, insertId)) {
      return true;
    }
    if (slots.count() > MOST_SLOTS) {
      return true;
    }
    for (int slot = 0; slot < slots.count(); slot++) {
      if (holds(slots.value(slot), insertId)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether the key may come from something else than the statement's slots.
   *
   * @param key unsigned, not 0
   */
  static boolean isComputed(Scan scan, long key) {
    return LIMITS.contains(key)
        || scan.hasUserVariable()
        || Pins.contains(scan, "duplicate")
        || computes(scan, key);
  }

  /**
   * Whether its rows are anything else than lists of literals, parameters, NULL and DEFAULT, or of
   * moments where the key is too small for one.
   */
  private static boolean computes(Scan scan, long key) {
    Set<String> others = Long.compareUnsigned(key, EARLIEST) < 0 ? MOMENTS : Set.of();
    byte[] sql = scan.sql();
    int at = behindValues(scan);
    if (at < 0) {
      return true;
    }
    for (int slot = 0; slot < scan.slotCount(); slot++) {
      if (scan.slotStart(slot) >= at) {
        if (hasExpression(sql, at, scan.slotStart(slot), others)
            || isComputed(sql, scan.slotStart(slot), scan.slotEnd(slot))) {
          return true;
        }
        at = scan.slotEnd(slot);
      }
    }
    return hasExpression(sql, at, scan.end(), others);
  }

  /** Behind the word VALUES or VALUE in front of a parenthesis; -1 where there is none. */
  private static int behindValues(Scan scan) {
    byte[] sql = scan.sql();
    int at = scan.start();
    while (at < scan.end()) {
      if (!isNamePart(sql[at])) {
        at++;
        continue;
      }
      int end = behindName(sql, at, scan.end());
      if (isOpened(sql, end, scan.end()) && VALUES.contains(word(sql, at, end))) {
        return end;
      }
      at = end;
    }
    return -1;
  }

  private static boolean isOpened(byte[] sql, int from, int to) {
    int at = from;
    while (at < to && sql[at] <= ' ' && sql[at] >= 0) {
      at++;
    }
    return at < to && sql[at] == '(';
  }

  private static int behindName(byte[] sql, int from, int to) {
    int end = from;
    while (end < to && isNamePart(sql[end])) {
      end++;
    }
    return end;
  }

  private static boolean isNamePart(byte unit) {
    return SqlTokens.isNamePart(unit);
  }

  private static String word(byte[] sql, int from, int to) {
    return new String(sql, from, to - from, StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT);
  }

  private static boolean hasExpression(byte[] sql, int from, int to, Set<String> others) {
    int at = from;
    while (at < to) {
      if (isNamePart(sql[at])) {
        int end = behindName(sql, at, to);
        String word = word(sql, at, end);
        if (!NO_VALUES.contains(word) && !others.contains(word)) {
          return true;
        }
        at = end;
      } else if ((sql[at] > ' ' && "(),;".indexOf(sql[at]) < 0)) {
        return true;
      } else {
        at++;
      }
    }
    return false;
  }

  /** A literal that is neither a plain text nor a plain integer, nor a parameter. */
  private static boolean isComputed(byte[] sql, int from, int to) {
    byte first = sql[from];
    if (first == '\'' || first == '"' || first == '?') {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (sql[i] < '0' || sql[i] > '9') {
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
      case SqlValue.Text(String text) -> isNumber(text, number);
      case SqlValue.Bytes(byte[] bytes, boolean _) ->
          isNumber(head(bytes), number)
              || (bytes.length <= Long.BYTES && new BigInteger(1, bytes).longValue() == number);
      case SqlValue.Date(var date) -> digits(date) == number;
      case SqlValue.DateTime(var time) -> digits(time.toLocalDate()) == number / 1_000_000;
      case SqlValue.Decimal _, SqlValue.Floating _, SqlValue.Unknown _ -> true;
    };
  }

  private static String head(byte[] bytes) {
    return new String(
        bytes, 0, Math.min(bytes.length, LONGEST_NUMBER + 1), StandardCharsets.ISO_8859_1);
  }

  private static long digits(LocalDate date) {
    return date.getYear() * 10_000L + date.getMonthValue() * 100L + date.getDayOfMonth();
  }

  /** Whether the text begins with the number, as servers read it, rounded. */
  private static boolean isNumber(String text, long number) {
    if (text.isEmpty() || Character.isLetter(text.charAt(0))) {
      return false;
    }
    Matcher found = NUMBER.matcher(text).region(0, Math.min(text.length(), LONGEST_NUMBER + 1));
    if (!found.lookingAt()) {
      return text.length() > LONGEST_NUMBER && text.charAt(LONGEST_NUMBER - 1) <= ' ';
    }
    if (found.end() > LONGEST_NUMBER) {
      return true;
    }
    String exponent = found.group(2);
    if (exponent != null && exponent.length() > MOST_EXPONENT_DIGITS) {
      return true;
    }
    var value = new BigDecimal(found.group(1));
    BigInteger whole =
        value
            .scaleByPowerOfTen(exponent == null ? 0 : Integer.parseInt(exponent))
            .setScale(0, RoundingMode.HALF_UP)
            .toBigInteger();
    return whole.mod(MODULUS).longValue() == number;
  }
}
