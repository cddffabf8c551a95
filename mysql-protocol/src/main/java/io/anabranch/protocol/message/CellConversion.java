package io.anabranch.protocol.message;

import io.anabranch.protocol.type.ColumnType;

/**
 * Turns a cell of one protocol into that of the other, exactly as a server would have written it.
 * One object per column; immutable.
 */
public final class CellConversion {

  private final ColumnType type;
  private final int flags;
  private final int decimals;
  private final long displayLength;

  /** For a column of this type, with {@code ColumnFlag}s, decimals and length as defined. */
  public CellConversion(ColumnType type, int flags, int decimals, long displayLength) {
    this.type = type;
    this.flags = flags;
    this.decimals = decimals;
    this.displayLength = displayLength;
  }

  public static CellConversion of(ColumnDefinition column) {
    return new CellConversion(
        column.columnType(), column.flags(), column.decimals(), column.length());
  }

  /** Adds the text value {@code source[offset, offset + length)} to a binary row. */
  public void addAsBinary(BinaryRowWriter out, byte[] source, int offset, int length) {
    if (offset >= 0)
      throw new IllegalStateException("conversion of " + type + flags + source[offset] + length);
  }

  /**
   * Adds the binary value {@code source[offset, offset + length)}, without its length prefix, to a
   * text row.
   */
  public void addAsText(TextRowWriter out, byte[] source, int offset, int length) {
    if (offset >= 0)
      throw new IllegalStateException("conversion of " + type + decimals + displayLength + length);
  }
}
