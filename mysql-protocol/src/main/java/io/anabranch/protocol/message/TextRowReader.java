package io.anabranch.protocol.message;

import io.anabranch.protocol.type.LengthEncoded;
import io.anabranch.protocol.type.ProtocolViolationException;

/**
 * Cells of a <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_text_resultset_row.html">text
 * row</a>: length-encoded strings, 0xFB for NULL.
 */
public final class TextRowReader implements RowReader {

  private static final byte[] NOTHING = {};

  private final int[] starts;
  private final int[] offsets;
  private final int[] lengths;
  private byte[] payload = NOTHING;

  public TextRowReader(int columns) {
    starts = new int[columns];
    offsets = new int[columns];
    lengths = new int[columns];
  }

  @Override
  public void read(byte[] row) {
    payload = row;
    int position = 0;
    for (int i = 0; i < starts.length; i++) {
      int length = LengthEncoded.lengthAt(row, position);
      starts[i] = position;
      position += LengthEncoded.sizeAt(row, position);
      offsets[i] = position;
      lengths[i] = length;
      position += Math.max(length, 0);
    }
    if (position != row.length) {
      throw ProtocolViolationException.malformed("text row longer than its cells");
    }
  }

  @Override
  public int columns() {
    return starts.length;
  }

  @Override
  public byte[] payload() {
    return payload;
  }

  @Override
  public boolean isNull(int column) {
    return lengths[column] == LengthEncoded.NULL;
  }

  @Override
  public int offset(int column) {
    return isNull(column) ? 0 : offsets[column];
  }

  @Override
  public int length(int column) {
    return Math.max(lengths[column], 0);
  }

  @Override
  public int cellStart(int column) {
    return starts[column];
  }

  @Override
  public int cellEnd(int column) {
    return offsets[column] + Math.max(lengths[column], 0);
  }
}
