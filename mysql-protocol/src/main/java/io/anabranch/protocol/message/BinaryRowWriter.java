package io.anabranch.protocol.message;

/** Writes binary rows, see {@link BinaryRowReader}. */
public final class BinaryRowWriter extends RowWriter {

  private final int columns;
  private int column;

  public BinaryRowWriter(int columns) {
    this.columns = columns;
  }

  @Override
  public void begin() {
    column = 0;
    reset(1 + (columns + 9) / 8);
  }

  @Override
  public void addNull() {
    int bit = column++ + 2;
    setBit(1 + (bit >> 3), bit & 7);
  }

  /** A value in its binary form, length prefix included where the type has one. */
  public void addCell(byte[] source, int offset, int length) {
    append(source, offset, length);
    endCell();
  }

  /** After a value that was appended in parts. */
  void endCell() {
    column++;
  }

  @Override
  public void copy(RowReader row, int from) {
    if (row.isNull(from)) {
      addNull();
    } else {
      int start = row.cellStart(from);
      addCell(row.payload(), start, row.cellEnd(from) - start);
    }
  }
}
