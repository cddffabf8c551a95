package io.anabranch.protocol.message;

import io.anabranch.protocol.type.ProtocolViolationException;

/**
 * Dates and times: their text form and their <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_binary_resultset.html#sect_protocol_binary_resultset_row_value_date">binary
 * form</a>, which leaves out trailing parts that are zero.
 */
final class TemporalText {

  private static final int MAX_FRACTION_DIGITS = 6;
  private static final int HOURS_PER_DAY = 24;

  private TemporalText() {}

  /** {@code 2026-11-21}, with or without {@code 12:34:56.123456}; any part may be zero. */
  static void dateTimeToBinary(BinaryRowWriter out, byte[] source, int offset, int length) {
    var text = new Cursor(source, offset, length);
    int year = text.number();
    text.expect('-');
    int month = text.number();
    text.expect('-');
    int day = text.number();
    int hour = 0;
    int minute = 0;
    int second = 0;
    int micros = 0;
    if (text.hasMore()) {
      text.expect(' ');
      hour = text.number();
      text.expect(':');
      minute = text.number();
      text.expect(':');
      second = text.number();
      micros = text.fraction();
    }
    text.expectEnd();
    boolean hasTime = (hour | minute | second) != 0;
    boolean hasDate = (year | month | day) != 0;
    int size = micros != 0 ? 11 : hasTime ? 7 : hasDate ? 4 : 0;
    out.append(size);
    if (size >= 4) {
      out.appendLittleEndian(year, 2);
      out.append(month);
      out.append(day);
    }
    if (size >= 7) {
      out.append(hour);
      out.append(minute);
      out.append(second);
    }
    if (size == 11) {
      out.appendLittleEndian(micros, 4);
    }
    out.endCell();
  }

  /** {@code -838:59:59.123456}. */
  static void timeToBinary(BinaryRowWriter out, byte[] source, int offset, int length) {
    var text = new Cursor(source, offset, length);
    boolean isNegative = text.skip('-');
    int hours = text.number();
    text.expect(':');
    int minute = text.number();
    text.expect(':');
    int second = text.number();
    int micros = text.fraction();
    text.expectEnd();
    int size = micros != 0 ? 12 : (hours | minute | second) != 0 ? 8 : 0;
    out.append(size);
    if (size >= 8) {
      out.append(isNegative ? 1 : 0);
      out.appendLittleEndian(hours / HOURS_PER_DAY, 4);
      out.append(hours % HOURS_PER_DAY);
      out.append(minute);
      out.append(second);
    }
    if (size == 12) {
      out.appendLittleEndian(micros, 4);
    }
    out.endCell();
  }

  /**
   * @param length 0, 4, 7 or 11
   */
  static void appendDate(StringBuilder out, byte[] source, int offset, int length) {
    boolean isZero = length == 0;
    appendPadded(out, isZero ? 0 : twoBytes(source, offset), 4);
    appendPadded(out.append('-'), isZero ? 0 : source[offset + 2] & 0xFF, 2);
    appendPadded(out.append('-'), isZero ? 0 : source[offset + 3] & 0xFF, 2);
  }

  /**
   * @param length 0, 4, 7 or 11
   * @param decimals digits of the fraction; more than six: as many as there are
   */
  static void appendDateTime(
      StringBuilder out, byte[] source, int offset, int length, int decimals) {
    appendDate(out, source, offset, length);
    out.append(' ');
    int micros = length == 11 ? fourBytes(source, offset + 7) : 0;
    if (length < 7) {
      out.append("00:00:00");
    } else {
      appendClock(out, source[offset + 4] & 0xFF, source, offset + 5);
    }
    appendFraction(out, micros, decimals);
  }

  /**
   * @param length 0, 8 or 12
   * @param decimals digits of the fraction; more than six: as many as there are
   */
  static void appendTime(StringBuilder out, byte[] source, int offset, int length, int decimals) {
    int micros = length == 12 ? fourBytes(source, offset + 8) : 0;
    if (length == 0) {
      out.append("00:00:00");
    } else {
      if (source[offset] != 0) {
        out.append('-');
      }
      int hours = fourBytes(source, offset + 1) * HOURS_PER_DAY + (source[offset + 5] & 0xFF);
      appendClock(out, hours, source, offset + 6);
    }
    appendFraction(out, micros, decimals);
  }

  private static void appendClock(StringBuilder out, int hours, byte[] source, int offset) {
    appendPadded(out, hours, 2);
    appendPadded(out.append(':'), source[offset] & 0xFF, 2);
    appendPadded(out.append(':'), source[offset + 1] & 0xFF, 2);
  }

  private static void appendFraction(StringBuilder out, int micros, int decimals) {
    boolean asMany = decimals > MAX_FRACTION_DIGITS;
    int digits = !asMany ? decimals : micros == 0 ? 0 : MAX_FRACTION_DIGITS;
    if (digits > 0) {
      out.append('.');
      appendPadded(out, micros, MAX_FRACTION_DIGITS);
      out.setLength(out.length() - (MAX_FRACTION_DIGITS - digits));
    }
  }

  private static void appendPadded(StringBuilder out, int value, int width) {
    int start = out.length();
    out.append(Integer.toUnsignedLong(value));
    while (out.length() - start < width) {
      out.insert(start, '0');
    }
  }

  private static int twoBytes(byte[] source, int offset) {
    return (source[offset] & 0xFF) | ((source[offset + 1] & 0xFF) << 8);
  }

  private static int fourBytes(byte[] source, int offset) {
    return twoBytes(source, offset) | (twoBytes(source, offset + 2) << 16);
  }

  /** A position in a date's text. */
  private static final class Cursor {
    private final byte[] source;
    private final int end;
    private int position;

    Cursor(byte[] source, int offset, int length) {
      this.source = source;
      this.position = offset;
      this.end = offset + length;
    }

    boolean hasMore() {
      return position < end;
    }

    boolean skip(char wanted) {
      if (position < end && source[position] == wanted) {
        position++;
        return true;
      }
      return false;
    }

    void expect(char wanted) {
      if (!skip(wanted)) {
        throw malformed();
      }
    }

    void expectEnd() {
      if (position < end) {
        throw malformed();
      }
    }

    int number() {
      int start = position;
      int value = 0;
      while (position < end && isDigit(source[position]) && position - start < 9) {
        value = value * 10 + source[position++] - '0';
      }
      if (position == start) {
        throw malformed();
      }
      return value;
    }

    /** Microseconds of a fraction of up to six digits; 0 where there is none. */
    int fraction() {
      if (!skip('.')) {
        return 0;
      }
      int start = position;
      int value = number();
      int digits = position - start;
      if (digits > MAX_FRACTION_DIGITS) {
        throw malformed();
      }
      for (int i = digits; i < MAX_FRACTION_DIGITS; i++) {
        value *= 10;
      }
      return value;
    }

    private static boolean isDigit(byte b) {
      return b >= '0' && b <= '9';
    }

    private static ProtocolViolationException malformed() {
      return ProtocolViolationException.malformed("no date or time");
    }
  }
}
