package io.anabranch.backend.row;

import io.anabranch.protocol.message.BinaryRowWriter;
import io.anabranch.protocol.message.CellConversion;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.protocol.message.RowWriter;
import io.anabranch.protocol.message.TextRowWriter;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.ResultColumn;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes rows that the proxy computes: cells in order, each copied or computed. */
public final class RowEncoder {

  private final RowWriter writer;
  private final CellConversion[] conversions;
  private int column;

  public RowEncoder(List<ResultColumn> columns, RowFormat format) {
    writer = format == RowFormat.TEXT ? new TextRowWriter() : new BinaryRowWriter(columns.size());
    conversions = new CellConversion[columns.size()];
    for (int i = 0; i < conversions.length; i++) {
      ResultColumn of = columns.get(i);
      conversions[i] =
          new CellConversion(ColumnType.of(of.type()), of.flags(), of.decimals(), of.length());
    }
  }

  public void begin() {
    column = 0;
    writer.begin();
  }

  public void addNull() {
    writer.addNull();
    column++;
  }

  public void copy(RowReader row, int from) {
    writer.copy(row, from);
    column++;
  }

  /** A value given in its text form. */
  public void addText(String text) {
    addText(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A value given in its text form, in the column's character set. */
  public void addText(byte[] bytes) {
    switch (writer) {
      case TextRowWriter rows -> rows.add(bytes);
      case BinaryRowWriter rows -> conversions[column].addAsBinary(rows, bytes, 0, bytes.length);
    }
    column++;
  }

  /** A value of a DOUBLE column. */
  public void addDouble(double value) {
    byte[] bits = new byte[Double.BYTES];
    Numbers.putDouble(bits, value);
    switch (writer) {
      case TextRowWriter rows -> conversions[column].addAsText(rows, bits, 0, bits.length);
      case BinaryRowWriter rows -> rows.addCell(bits, 0, bits.length);
    }
    column++;
  }

  public byte[] finish() {
    return writer.finish();
  }
}
