package io.anabranch.backend.execute.source;

import io.anabranch.protocol.message.BinaryRowReader;
import io.anabranch.protocol.message.BinaryRowWriter;
import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives integers in binary rows the width that the result has: a UNION makes an INT of a short
 * BIGINT, so that the data sources answer in other widths than one statement over one table would.
 * One per stream; not thread-safe.
 *
 * @see <a
 *     href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_binary_resultset.html">Binary
 *     Protocol Resultset</a>
 */
public final class IntegerWidths {

  private final BinaryRowReader reader;
  private final BinaryRowWriter writer;

  /** Bytes of each column that changes; 0: it stays as it is. */
  private final int[] widths;

  private final boolean[] unsigned;
  private final byte[] wide = new byte[Long.BYTES];

  private IntegerWidths(List<ResultColumn> from, int[] widths) {
    this.reader =
        new BinaryRowReader(from.stream().map(column -> ColumnType.of(column.type())).toList());
    this.writer = new BinaryRowWriter(from.size());
    this.widths = widths;
    this.unsigned = new boolean[widths.length];
    for (int i = 0; i < widths.length; i++) {
      unsigned[i] = (from.get(i).flags() & ColumnFlag.UNSIGNED) != 0;
    }
  }

  /** Null where rows stay as they are. */
  static @Nullable IntegerWidths of(List<ResultColumn> from, List<ResultColumn> to) {
    int[] widths = new int[from.size()];
    boolean changes = false;
    for (int i = 0; i < widths.length; i++) {
      int had = width(from.get(i));
      int has = width(to.get(i));
      if (had > 0 && has > had) {
        widths[i] = has;
        changes = true;
      }
    }
    return changes ? new IntegerWidths(from, widths) : null;
  }

  /** Bytes of an integer in a binary row; 0 for columns that are no integers. */
  static int width(ResultColumn column) {
    return switch (ColumnType.of(column.type()).encoding()) {
      case INT1 -> Byte.BYTES;
      case INT2 -> Short.BYTES;
      case INT4 -> Integer.BYTES;
      case INT8 -> Long.BYTES;
      default -> 0;
    };
  }

  public byte[] widened(byte[] row) {
    reader.read(row);
    writer.begin();
    for (int i = 0; i < widths.length; i++) {
      if (widths[i] == 0 || reader.isNull(i)) {
        writer.copy(reader, i);
      } else {
        widen(i);
      }
    }
    return writer.finish();
  }

  /** Little-endian, the sign in the last byte. */
  private void widen(int column) {
    byte[] row = reader.payload();
    int length = reader.length(column);
    int last = reader.offset(column) + length - 1;
    byte filling = unsigned[column] || row[last] >= 0 ? 0 : (byte) -1;
    for (int i = 0; i < widths[column]; i++) {
      wide[i] = i < length ? row[reader.offset(column) + i] : filling;
    }
    writer.addCell(wide, 0, widths[column]);
  }
}
