package io.anabranch.backend.row;

/** Reads dates and times in the bytes of cells as numbers that compare like them. */
final class Temporals {

  private static final int MICRO_DIGITS = 6;

  private Temporals() {}

  /** A binary DATE, DATETIME or TIMESTAMP without length prefix; parts that are not there are 0. */
  static long dateTime(byte[] bytes, int offset, int length) {
    long value = length >= 4 ? Numbers.unsigned(bytes, offset, 2) : 0;
    value = value << 4 | part(bytes, offset, length, 2);
    value = value << 5 | part(bytes, offset, length, 3);
    value = value << 5 | part(bytes, offset, length, 4);
    value = value << 6 | part(bytes, offset, length, 5);
    value = value << 6 | part(bytes, offset, length, 6);
    long micros = length >= 11 ? Numbers.unsigned(bytes, offset + 7, 4) : 0;
    return value << 20 | micros;
  }

  /** A binary TIME without length prefix: microseconds with sign. */
  static long time(byte[] bytes, int offset, int length) {
    if (length < 8) {
      return 0;
    }
    long days = Numbers.unsigned(bytes, offset + 1, 4);
    long seconds =
        ((days * 24 + part(bytes, offset, length, 5)) * 60 + part(bytes, offset, length, 6)) * 60
            + part(bytes, offset, length, 7);
    long micros = length >= 12 ? Numbers.unsigned(bytes, offset + 8, 4) : 0;
    long magnitude = seconds * 1_000_000 + micros;
    return bytes[offset] == 0 ? magnitude : -magnitude;
  }

  /** A TIME as text, {@code -838:59:59.000000}: microseconds with sign. */
  static long timeText(byte[] bytes, int offset, int length) {
    int i = offset;
    int end = offset + length;
    boolean negative = i < end && bytes[i] == '-';
    if (negative) {
      i++;
    }
    long seconds = 0;
    long part = 0;
    for (; i < end && bytes[i] != '.'; i++) {
      if (bytes[i] == ':') {
        seconds = (seconds + part) * 60;
        part = 0;
      } else {
        part = part * 10 + bytes[i] - '0';
      }
    }
    long value = seconds + part;
    int digits = 0;
    for (i++; i < end && digits < MICRO_DIGITS; i++, digits++) {
      value = value * 10 + bytes[i] - '0';
    }
    for (; digits < MICRO_DIGITS; digits++) {
      value *= 10;
    }
    return negative ? -value : value;
  }

  private static int part(byte[] bytes, int offset, int length, int index) {
    return index < length ? bytes[offset + index] & 0xFF : 0;
  }
}
