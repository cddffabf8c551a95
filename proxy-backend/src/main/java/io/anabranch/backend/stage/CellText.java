package io.anabranch.backend.stage;

import io.anabranch.backend.row.RowFormat;
import io.anabranch.protocol.message.BinaryRowReader;
import io.anabranch.protocol.message.CellConversion;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.protocol.message.TextRowWriter;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.List;

/** Rows of either protocol as text rows. Used by one thread. */
public final class CellText {

  private final TextRowReader text;
  private final RowFormat format;
  private final BinaryRowReader binary;
  private final TextRowWriter writer = new TextRowWriter();
  private final CellConversion[] conversions;

  /**
   * @param format of the rows that come
   */
  public CellText(List<ResultColumn> columns, RowFormat format) {
    this.format = format;
    text = new TextRowReader(columns.size());
    conversions = new CellConversion[columns.size()];
    var types = new ArrayList<ColumnType>(columns.size());
    for (int i = 0; i < conversions.length; i++) {
      ResultColumn column = columns.get(i);
      ColumnType type = ColumnType.of(column.type());
      types.add(type);
      conversions[i] = new CellConversion(type, column.flags(), column.decimals(), column.length());
    }
    binary = new BinaryRowReader(types);
  }

  /** Valid until the next call. */
  public RowReader read(byte[] row) {
    text.read(row(row));
    return text;
  }

  /** The row as one of the text protocol. */
  public byte[] row(byte[] row) {
    return format == RowFormat.TEXT ? row : asText(row);
  }

  private byte[] asText(byte[] row) {
    binary.read(row);
    writer.begin();
    for (int i = 0; i < conversions.length; i++) {
      if (binary.isNull(i)) {
        writer.addNull();
      } else {
        conversions[i].addAsText(writer, row, binary.offset(i), binary.length(i));
      }
    }
    return writer.finish();
  }
}
