package io.anabranch.frontend.response;

import io.anabranch.protocol.message.BinaryRowWriter;
import io.anabranch.protocol.message.CellConversion;
import io.anabranch.protocol.message.TextRowWriter;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.ResultColumn;
import java.nio.charset.Charset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes rows of the proxy's own results, whose cells are text. */
final class LocalRowEncoder {

  private final List<ResultColumn> columns;
  private final boolean binary;
  private final Charset charset;

  LocalRowEncoder(List<ResultColumn> columns, boolean binary, Charset charset) {
    this.columns = columns;
    this.binary = binary;
    this.charset = charset;
  }

  byte[] encode(List<@Nullable String> cells) {
    return binary ? binaryRow(cells) : textRow(cells);
  }

  private byte[] textRow(List<@Nullable String> cells) {
    var row = new TextRowWriter();
    row.begin();
    for (String cell : cells) {
      if (cell == null) {
        row.addNull();
      } else {
        row.add(cell.getBytes(charset));
      }
    }
    return row.finish();
  }

  private byte[] binaryRow(List<@Nullable String> cells) {
    var row = new BinaryRowWriter(columns.size());
    row.begin();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      if (cell == null) {
        row.addNull();
      } else {
        ResultColumn column = columns.get(i);
        byte[] text = cell.getBytes(charset);
        new CellConversion(
                ColumnType.of(column.type()), column.flags(), column.decimals(), column.length())
            .addAsBinary(row, text, 0, text.length);
      }
    }
    return row.finish();
  }
}
