package io.anabranch.protocol.type;

/**
 * Sizes of binary protocol values, in rows and in statement parameters.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_binary_resultset.html#sect_protocol_binary_resultset_row_value">Binary
 * Protocol Value</a>.
 */
public final class BinaryValue {

  private BinaryValue() {}

  /**
   * Bytes that the value at {@code position} takes, its length prefix included.
   *
   * @throws ProtocolViolationException if the array ends before it does
   */
  public static int size(ColumnType type, byte[] bytes, int position) {
    long size =
        switch (type.encoding()) {
          case NOTHING -> 0;
          case INT1 -> 1;
          case INT2 -> 2;
          case INT4, FLOAT -> 4;
          case INT8, DOUBLE -> 8;
          case DATE_TIME, TIME -> temporalSize(type, bytes, position);
          case LENGTH_ENCODED -> stringSize(bytes, position);
        };
    if (size > bytes.length - position) {
      throw truncated();
    }
    return (int) size;
  }

  /** Bytes of the length prefix of the value at {@code position}, which is all there. */
  public static int prefixSize(ColumnType type, byte[] bytes, int position) {
    return switch (type.encoding()) {
      case DATE_TIME, TIME -> 1;
      case LENGTH_ENCODED -> LengthEncoded.sizeAt(bytes, position);
      case INT1, INT2, INT4, INT8, FLOAT, DOUBLE, NOTHING -> 0;
    };
  }

  private static long temporalSize(ColumnType type, byte[] bytes, int position) {
    if (position >= bytes.length) {
      throw truncated();
    }
    int length = bytes[position] & 0xFF;
    boolean known =
        type.encoding() == ColumnType.Encoding.TIME
            ? length == 0 || length == 8 || length == 12
            : length == 0 || length == 4 || length == 7 || length == 11;
    if (!known) {
      throw ProtocolViolationException.malformed(type + " of " + length + " bytes");
    }
    return 1L + length;
  }

  private static long stringSize(byte[] bytes, int position) {
    int length = LengthEncoded.lengthAt(bytes, position);
    if (length == LengthEncoded.NULL) {
      throw ProtocolViolationException.malformed("NULL as a binary value");
    }
    return (long) LengthEncoded.sizeAt(bytes, position) + length;
  }

  private static ProtocolViolationException truncated() {
    return ProtocolViolationException.malformed("shorter than its values");
  }
}
