package io.anabranch.protocol.message;

import io.anabranch.protocol.type.LengthEncoded;

/** Writes text rows, see {@link TextRowReader}. */
public final class TextRowWriter extends RowWriter {

  @Override
  public void begin() {
    reset(0);
  }

  @Override
  public void addNull() {
    append(LengthEncoded.NULL_MARKER);
  }

  /** A value in its text form. */
  public void add(byte[] text) {
    add(text, 0, text.length);
  }

  /** A value in its text form. */
  public void add(byte[] source, int offset, int length) {
    appendLength(length);
    append(source, offset, length);
  }

  @Override
  public void copy(RowReader row, int column) {
    int start = row.cellStart(column);
    append(row.payload(), start, row.cellEnd(column) - start);
  }
}
