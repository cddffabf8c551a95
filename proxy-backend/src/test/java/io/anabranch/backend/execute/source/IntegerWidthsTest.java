package io.anabranch.backend.execute.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.protocol.message.BinaryRowReader;
import io.anabranch.protocol.message.BinaryRowWriter;
import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class IntegerWidthsTest {

  private static final int BINARY = 63;

  @Test
  void signsFillTheNewBytes() {
    byte[] row = row(new byte[] {-1, -1, -1, -1}, new byte[] {-5, -1});

    byte[] wide = widths(0).widened(row);

    assertThat(cells(wide)).containsExactly("-1", "-5");
  }

  @Test
  void unsignedNumbersStay() {
    byte[] row = row(new byte[] {-1, -1, -1, -1}, new byte[] {-5, -1});

    byte[] wide = widths(ColumnFlag.UNSIGNED).widened(row);

    assertThat(cells(wide)).containsExactly("4294967295", "-5");
  }

  @Test
  void nullsStay() {
    var writer = new BinaryRowWriter(2);
    writer.begin();
    writer.addNull();
    writer.addCell(new byte[] {7, 0}, 0, 2);

    assertThat(cells(widths(0).widened(writer.finish()))).containsExactly("NULL", "7");
  }

  @Test
  void equalTypesNeedNothing() {
    List<ResultColumn> columns =
        List.of(column(ColumnType.LONG, 0), column(ColumnType.LONGLONG, 0));

    assertThat(IntegerWidths.of(columns, columns)).isNull();
  }

  private static IntegerWidths widths(int flags) {
    return Objects.requireNonNull(
        IntegerWidths.of(
            List.of(column(ColumnType.LONG, flags), column(ColumnType.SHORT, 0)),
            List.of(column(ColumnType.LONGLONG, flags), column(ColumnType.SHORT, 0))));
  }

  private static ResultColumn column(ColumnType type, int flags) {
    return new ResultColumn("", "", "", "c", "", BINARY, 11, type.code(), flags, 0);
  }

  private static byte[] row(byte[] first, byte[] second) {
    var writer = new BinaryRowWriter(2);
    writer.begin();
    writer.addCell(first, 0, first.length);
    writer.addCell(second, 0, second.length);
    return writer.finish();
  }

  private static List<String> cells(byte[] row) {
    var reader = new BinaryRowReader(List.of(ColumnType.LONGLONG, ColumnType.SHORT));
    reader.read(row);
    return List.of(cell(reader, 0), cell(reader, 1));
  }

  private static String cell(BinaryRowReader reader, int column) {
    if (reader.isNull(column)) {
      return "NULL";
    }
    long value = 0;
    int length = reader.length(column);
    for (int i = length - 1; i >= 0; i--) {
      byte part = reader.payload()[reader.offset(column) + i];
      value = (value << 8) | (i == length - 1 ? part : part & 0xFF);
    }
    return Long.toString(value);
  }
}
