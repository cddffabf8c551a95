package io.anabranch.backend.merge;

import io.anabranch.backend.row.Numbers;
import io.anabranch.backend.row.RowEncoder;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.PlanNode.SortKey;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows, columns and streams for tests. */
public final class Rows {

  private Rows() {}

  public static ResultColumn column(String name, ColumnType type, int flags, int decimals) {
    return new ResultColumn("", "", "", name, name, 63, 20, type.code(), flags, decimals);
  }

  public static ResultColumn column(String name, ColumnType type) {
    return column(name, type, 0, 0);
  }

  public static SortKey ascending(int column) {
    return new SortKey(column, -1, new byte[0], false);
  }

  public static SortKey descending(int column) {
    return new SortKey(column, -1, new byte[0], true);
  }

  /** A text row; null for NULL. */
  public static byte[] text(@Nullable String... cells) {
    return encode(List.of(), RowFormat.TEXT, cells);
  }

  /** A binary row, its cells given as text. */
  public static byte[] binary(List<ResultColumn> columns, @Nullable String... cells) {
    return encode(columns, RowFormat.BINARY, cells);
  }

  public static byte[] encode(
      List<ResultColumn> columns, RowFormat format, @Nullable String... cells) {
    var described = new ArrayList<>(columns);
    while (described.size() < cells.length) {
      described.add(column("c", ColumnType.VAR_STRING));
    }
    var encoder = new RowEncoder(described, format);
    encoder.begin();
    for (String cell : cells) {
      if (cell == null) {
        encoder.addNull();
      } else {
        encoder.addText(cell);
      }
    }
    return encoder.finish();
  }

  /** Cells of a text row joined by commas. */
  public static String shown(byte[] row, int columns) {
    var reader = RowFormat.TEXT.reader(columnsOf(columns));
    reader.read(row);
    var cells = new ArrayList<String>();
    for (int i = 0; i < columns; i++) {
      cells.add(reader.isNull(i) ? "NULL" : Numbers.text(row, reader.offset(i), reader.length(i)));
    }
    return String.join(",", cells);
  }

  static List<String> all(RowStream stream) {
    var rows = new ArrayList<String>();
    for (byte[] row = stream.next(); row != null; row = stream.next()) {
      rows.add(shown(row, stream.columns().size()));
    }
    return rows;
  }

  public static Source source(List<ResultColumn> columns, byte[]... rows) {
    return new Source(columns, List.of(rows));
  }

  private static List<ResultColumn> columnsOf(int count) {
    var columns = new ArrayList<ResultColumn>();
    for (int i = 0; i < count; i++) {
      columns.add(column("c", ColumnType.VAR_STRING));
    }
    return columns;
  }

  /** A stream over a list that knows whether it was closed and how far it was read. */
  public static final class Source implements RowStream {

    private final List<ResultColumn> columns;
    private final Iterator<byte[]> rows;
    int read;
    boolean isClosed;

    Source(List<ResultColumn> columns, List<byte[]> rows) {
      this.columns = columns;
      this.rows = rows.iterator();
    }

    @Override
    public List<ResultColumn> columns() {
      return columns;
    }

    @Override
    public byte @Nullable [] next() {
      if (!rows.hasNext()) {
        return null;
      }
      read++;
      return rows.next();
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }
}
