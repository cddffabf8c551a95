package io.anabranch.backend.row;

import io.anabranch.protocol.message.RowReader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads and compares numbers in the bytes of cells. */
public final class Numbers {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Numbers() {}

  /** {@code length} bytes, lowest first, with their sign. */
  static long signed(byte[] bytes, int offset, int length) {
    int unused = Long.SIZE - length * Byte.SIZE;
    return unsigned(bytes, offset, length) << unused >> unused;
  }

  /** {@code length} bytes, lowest first, without sign. */
  static long unsigned(byte[] bytes, int offset, int length) {
    long value = 0;
    for (int i = length - 1; i >= 0; i--) {
      value = value << Byte.SIZE | (bytes[offset + i] & 0xFF);
    }
    return value;
  }

  static void putDouble(byte[] bytes, double value) {
    LONG.set(bytes, 0, Double.doubleToLongBits(value));
  }

  /** The value of a numeric cell that is not NULL, exactly. */
  public static BigDecimal decimal(RowReader row, int column, CellKind kind, RowFormat format) {
    byte[] bytes = row.payload();
    int offset = row.offset(column);
    int length = row.length(column);
    if (format == RowFormat.BINARY) {
      switch (kind) {
        case SIGNED -> {
          return BigDecimal.valueOf(signed(bytes, offset, length));
        }
        case UNSIGNED -> {
          return unsignedDecimal(unsigned(bytes, offset, length));
        }
        case FLOAT, DOUBLE -> {
          return new BigDecimal(floating(row, column, kind, format));
        }
        case DECIMAL, DATE_TIME, TIME, BYTES -> {}
      }
    }
    return new BigDecimal(text(bytes, offset, length));
  }

  /** The value of a numeric cell that is not NULL. */
  public static double floating(RowReader row, int column, CellKind kind, RowFormat format) {
    byte[] bytes = row.payload();
    int offset = row.offset(column);
    int length = row.length(column);
    if (format == RowFormat.BINARY) {
      switch (kind) {
        case FLOAT -> {
          return Float.intBitsToFloat((int) unsigned(bytes, offset, length));
        }
        case DOUBLE -> {
          return Double.longBitsToDouble(unsigned(bytes, offset, length));
        }
        case SIGNED, UNSIGNED -> {
          return decimal(row, column, kind, format).doubleValue();
        }
        case DECIMAL, DATE_TIME, TIME, BYTES -> {}
      }
    }
    return Double.parseDouble(text(bytes, offset, length));
  }

  static BigDecimal unsignedDecimal(long bits) {
    return bits >= 0
        ? BigDecimal.valueOf(bits)
        : new BigDecimal(new BigInteger(Long.toUnsignedString(bits)));
  }

  public static String text(byte[] bytes, int offset, int length) {
    return new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
  }

  /**
   * Compares exact numbers in plain text form, {@code -0012.50}, digit by digit and without limits.
   */
  static int comparePlain(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
    boolean aNegative = aLength > 0 && a[aFrom] == '-';
    boolean bNegative = bLength > 0 && b[bFrom] == '-';
    if (aNegative != bNegative) {
      boolean zeros = isZero(a, aFrom, aLength) && isZero(b, bFrom, bLength);
      return zeros ? 0 : aNegative ? -1 : 1;
    }
    int magnitude = compareMagnitude(a, aFrom, aFrom + aLength, b, bFrom, bFrom + bLength);
    return aNegative ? -magnitude : magnitude;
  }

  private static int compareMagnitude(byte[] a, int aFrom, int aTo, byte[] b, int bFrom, int bTo) {
    int i = firstDigit(a, aFrom, aTo);
    int j = firstDigit(b, bFrom, bTo);
    int aPoint = point(a, i, aTo);
    int bPoint = point(b, j, bTo);
    if (aPoint - i != bPoint - j) {
      return aPoint - i < bPoint - j ? -1 : 1;
    }
    for (; i < aPoint; i++, j++) {
      if (a[i] != b[j]) {
        return a[i] < b[j] ? -1 : 1;
      }
    }
    i = aPoint + 1;
    j = bPoint + 1;
    for (; i < aTo || j < bTo; i++, j++) {
      int left = i < aTo ? a[i] : '0';
      int right = j < bTo ? b[j] : '0';
      if (left != right) {
        return left < right ? -1 : 1;
      }
    }
    return 0;
  }

  /** After sign and leading zeros. */
  private static int firstDigit(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to && (bytes[i] == '-' || bytes[i] == '0')) {
      i++;
    }
    return i;
  }

  private static int point(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to && bytes[i] != '.') {
      i++;
    }
    return i;
  }

  private static boolean isZero(byte[] bytes, int from, int length) {
    for (int i = from; i < from + length; i++) {
      if (bytes[i] >= '1' && bytes[i] <= '9') {
        return false;
      }
    }
    return true;
  }
}
