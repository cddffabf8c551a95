package io.anabranch.protocol.message;

import io.anabranch.protocol.type.BinaryValue;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.protocol.type.ProtocolViolationException;
import java.util.List;

/**
 * Cells of a <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_binary_resultset.html#sect_protocol_binary_resultset_row">binary
 * row</a>: a zero, a bitmap of NULLs that starts at its third bit, then the values that are not
 * NULL.
 */
public final class BinaryRowReader implements RowReader {

  private static final byte[] NOTHING = {};

  private final ColumnType[] types;
  private final int[] starts;
  private final int[] offsets;
  private final int[] ends;
  private byte[] payload = NOTHING;

  /**
   * @param types of the columns, in order
   */
  public BinaryRowReader(List<ColumnType> types) {
    this.types = types.toArray(ColumnType[]::new);
    starts = new int[this.types.length];
    offsets = new int[this.types.length];
    ends = new int[this.types.length];
  }

  @Override
  public void read(byte[] row) {
    int position = 1 + (types.length + 9) / 8;
    if (row.length < position || row[0] != 0) {
      throw ProtocolViolationException.malformed("no binary row");
    }
    payload = row;
    for (int i = 0; i < types.length; i++) {
      starts[i] = position;
      offsets[i] = position;
      if (!isNull(i)) {
        position = readCell(i, position);
      }
      ends[i] = position;
    }
    if (position != row.length) {
      throw ProtocolViolationException.malformed("binary row longer than its cells");
    }
  }

  private int readCell(int column, int position) {
    ColumnType type = types[column];
    int size = BinaryValue.size(type, payload, position);
    offsets[column] = position + BinaryValue.prefixSize(type, payload, position);
    return position + size;
  }

  @Override
  public int columns() {
    return types.length;
  }

  @Override
  public byte[] payload() {
    return payload;
  }

  @Override
  public boolean isNull(int column) {
    int bit = column + 2;
    return (payload[1 + (bit >> 3)] & (1 << (bit & 7))) != 0;
  }

  @Override
  public int offset(int column) {
    return isNull(column) ? 0 : offsets[column];
  }

  @Override
  public int length(int column) {
    return ends[column] - offsets[column];
  }

  @Override
  public int cellStart(int column) {
    return starts[column];
  }

  @Override
  public int cellEnd(int column) {
    return ends[column];
  }
}
