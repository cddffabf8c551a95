package io.anabranch.protocol.message;

import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.protocol.type.ProtocolViolationException;
import java.nio.charset.StandardCharsets;

/**
 * Turns a cell of one protocol into that of the other, exactly as a server would have written it.
 * One object per column; immutable.
 *
 * <p>One limit: the text of a FLOAT has six significant digits, that of a DOUBLE(M,D) has D
 * decimals, so the binary form made of it is the number nearest to these digits, not always the
 * stored one. Whoever needs those exactly asks the database for binary rows.
 */
public final class CellConversion {

  private static final int YEAR_DIGITS = 4;

  /** 2^64 / 10: one more digit may still fit. */
  private static final long MOST_BEFORE_LAST_DIGIT = 0x1999_9999_9999_9999L;

  private final ColumnType type;
  private final boolean isUnsigned;
  private final boolean isZeroFilled;
  private final int decimals;
  private final int displayLength;

  /** For a column of this type, with {@code ColumnFlag}s, decimals and length as defined. */
  public CellConversion(ColumnType type, int flags, int decimals, long displayLength) {
    this.type = type;
    this.isUnsigned = (flags & ColumnFlag.UNSIGNED) != 0;
    this.isZeroFilled = (flags & ColumnFlag.ZEROFILL) != 0;
    this.decimals = decimals;
    // Zeros are filled into numbers only, whose display length is at most 255.
    this.displayLength = (int) Math.min(displayLength, 255);
  }

  public static CellConversion of(ColumnDefinition column) {
    return new CellConversion(
        column.columnType(), column.flags(), column.decimals(), column.length());
  }

  /**
   * Adds the text value {@code source[offset, offset + length)} to a binary row.
   *
   * @throws ProtocolViolationException if it is no text of the column's type
   */
  public void addAsBinary(BinaryRowWriter out, byte[] source, int offset, int length) {
    switch (type.encoding()) {
      case NOTHING -> out.addNull();
      case INT1 -> addInteger(out, source, offset, length, 1);
      case INT2 -> addInteger(out, source, offset, length, 2);
      case INT4 -> addInteger(out, source, offset, length, 4);
      case INT8 -> addInteger(out, source, offset, length, 8);
      case FLOAT -> {
        out.appendLittleEndian(Float.floatToIntBits(parseFloat(source, offset, length)), 4);
        out.endCell();
      }
      case DOUBLE -> {
        out.appendLittleEndian(Double.doubleToLongBits(parseDouble(source, offset, length)), 8);
        out.endCell();
      }
      case DATE_TIME -> TemporalText.dateTimeToBinary(out, source, offset, length);
      case TIME -> TemporalText.timeToBinary(out, source, offset, length);
      case LENGTH_ENCODED -> {
        out.appendLength(length);
        out.append(source, offset, length);
        out.endCell();
      }
    }
  }

  /**
   * Adds the binary value {@code source[offset, offset + length)}, without its length prefix, to a
   * text row.
   */
  public void addAsText(TextRowWriter out, byte[] source, int offset, int length) {
    switch (type.encoding()) {
      case NOTHING -> out.addNull();
      case LENGTH_ENCODED -> out.add(source, offset, length);
      case INT1, INT2, INT4, INT8 ->
          addAscii(out, integerText(littleEndian(source, offset, length), length));
      case FLOAT -> {
        float value = Float.intBitsToFloat((int) littleEndian(source, offset, length));
        addAscii(out, zeroFilled(FloatingText.of(value, decimals)));
      }
      case DOUBLE -> {
        double value = Double.longBitsToDouble(littleEndian(source, offset, length));
        addAscii(out, zeroFilled(FloatingText.of(value, decimals)));
      }
      case DATE_TIME, TIME -> addAscii(out, temporalText(source, offset, length));
    }
  }

  private static void addAscii(TextRowWriter out, String text) {
    out.add(text.getBytes(StandardCharsets.US_ASCII));
  }

  private String integerText(long bits, int size) {
    if (type == ColumnType.YEAR) {
      return filled(Long.toString(bits), YEAR_DIGITS);
    }
    if (isUnsigned) {
      return zeroFilled(Long.toUnsignedString(bits));
    }
    int unused = Long.SIZE - 8 * size;
    return zeroFilled(Long.toString(bits << unused >> unused));
  }

  private String temporalText(byte[] source, int offset, int length) {
    var text = new StringBuilder(26);
    if (type.encoding() == ColumnType.Encoding.TIME) {
      TemporalText.appendTime(text, source, offset, length, decimals);
    } else if (type == ColumnType.DATE || type == ColumnType.NEWDATE) {
      TemporalText.appendDate(text, source, offset, length);
    } else {
      TemporalText.appendDateTime(text, source, offset, length, decimals);
    }
    return text.toString();
  }

  private String zeroFilled(String number) {
    return isZeroFilled ? filled(number, displayLength) : number;
  }

  private static String filled(String number, int width) {
    return number.length() >= width ? number : "0".repeat(width - number.length()) + number;
  }

  private void addInteger(BinaryRowWriter out, byte[] source, int offset, int length, int size) {
    out.appendLittleEndian(parseInteger(source, offset, length), size);
    out.endCell();
  }

  /** Signed or unsigned, as its 64 bits. */
  private static long parseInteger(byte[] source, int offset, int length) {
    int end = offset + length;
    boolean isNegative = length > 0 && source[offset] == '-';
    int position = isNegative ? offset + 1 : offset;
    if (position == end) {
      throw malformed("integer");
    }
    long value = 0;
    for (; position < end; position++) {
      int digit = source[position] - '0';
      if (digit < 0 || digit > 9 || Long.compareUnsigned(value, MOST_BEFORE_LAST_DIGIT) > 0) {
        throw malformed("integer");
      }
      value = value * 10 + digit;
    }
    return isNegative ? -value : value;
  }

  private static float parseFloat(byte[] source, int offset, int length) {
    try {
      return Float.parseFloat(ascii(source, offset, length));
    } catch (NumberFormatException e) {
      throw malformed("number");
    }
  }

  private static double parseDouble(byte[] source, int offset, int length) {
    try {
      return Double.parseDouble(ascii(source, offset, length));
    } catch (NumberFormatException e) {
      throw malformed("number");
    }
  }

  private static String ascii(byte[] source, int offset, int length) {
    return new String(source, offset, length, StandardCharsets.US_ASCII);
  }

  private static long littleEndian(byte[] source, int offset, int length) {
    long value = 0;
    for (int i = length - 1; i >= 0; i--) {
      value = (value << 8) | (source[offset + i] & 0xFF);
    }
    return value;
  }

  private static ProtocolViolationException malformed(String what) {
    return ProtocolViolationException.malformed("a cell that is no " + what);
  }
}
