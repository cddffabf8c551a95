package io.anabranch.backend.merge;

import io.anabranch.backend.row.RowEncoder;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.plan.ResultColumn;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the first columns of each row. */
final class TrimColumns implements RowStream {

  private final RowStream input;
  private final List<ResultColumn> columns;
  private final RowFormat format;
  private final RowReader row;
  private final RowEncoder encoder;

  TrimColumns(RowStream input, int width, RowFormat format) {
    this.input = input;
    this.format = format;
    columns = List.copyOf(input.columns().subList(0, width));
    row = format.reader(input.columns());
    encoder = new RowEncoder(columns, format);
  }

  @Override
  public List<ResultColumn> columns() {
    return columns;
  }

  @Override
  public byte @Nullable [] next() {
    byte[] payload = input.next();
    if (payload == null) {
      return null;
    }
    row.read(payload);
    if (format == RowFormat.TEXT) {
      int end = columns.isEmpty() ? 0 : row.cellEnd(columns.size() - 1);
      return Arrays.copyOf(payload, end);
    }
    encoder.begin();
    for (int i = 0; i < columns.size(); i++) {
      encoder.copy(row, i);
    }
    return encoder.finish();
  }

  @Override
  public void close() {
    input.close();
  }
}
