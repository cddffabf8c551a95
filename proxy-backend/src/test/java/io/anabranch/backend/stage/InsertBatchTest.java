package io.anabranch.backend.stage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.row.RowFormat;
import io.anabranch.protocol.message.BinaryRowWriter;
import io.anabranch.protocol.message.TextRowWriter;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.StagedTable;
import io.anabranch.rules.plan.StagedTable.Cell;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InsertBatchTest {

  private static InsertBatch batch(Cell cell, ColumnType type, RowFormat format) {
    var table =
        new StagedTable(
            "copy", "(a INT)", new PlanNode.LocalRows(List.of(), List.of()), List.of(cell), null);
    return new InsertBatch(
        table,
        List.of(new ResultColumn("", "", "", "a", "", 63, 0, type.code(), 0, 31)),
        format,
        List.of());
  }

  private static byte[] text(String value) {
    var writer = new TextRowWriter();
    writer.begin();
    writer.add(value.getBytes(ISO_8859_1));
    return writer.finish();
  }

  private static String written(InsertBatch batch) {
    return new String(batch.take(), ISO_8859_1).replace("INSERT        INTO copy VALUES ", "");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "NUMBER, -12.50, (-12.50)",
        "NUMBER, 0, (0)",
        "NUMBER, -0, (-0e0)",
        "NUMBER, -0.00, (-0.00e0)",
        "QUOTED, 2024-02-30, ('2024-02-30')",
        "BYTES, it's a \\, (_binary'it\\'s a \\\\')",
        "TEXT, [1], (_utf8mb4'[1]')",
        "INSTANT, 0, ('0000-00-00 00:00:00')",
        "INSTANT, 0.000, ('0000-00-00 00:00:00')",
        "INSTANT, 1711845000.123, ('2024-03-31 00:30:00.123')",
        "INSTANT, 2147483647, ('2038-01-19 03:14:07')"
      })
  void writesCellsAsTheyAreStored(Cell cell, String value, String sql) {
    InsertBatch batch = batch(cell, ColumnType.VAR_STRING, RowFormat.TEXT);
    batch.add(text(value));
    assertThat(written(batch)).isEqualTo(sql);
  }

  @Test
  void keepsBytesThatAreNoCharacters() {
    InsertBatch batch = batch(Cell.BYTES, ColumnType.BLOB, RowFormat.TEXT);
    batch.add(text("\0\u00ff\\'\n"));
    assertThat(written(batch)).isEqualTo("(_binary'\\0\u00ff\\\\\\'\n')");
  }

  @Test
  void writesManyRowsAndNulls() {
    InsertBatch batch = batch(Cell.NUMBER, ColumnType.LONG, RowFormat.TEXT);
    var empty = new TextRowWriter();
    empty.begin();
    empty.addNull();
    batch.add(text("1"));
    batch.add(empty.finish());
    assertThat(written(batch)).isEqualTo("(1),(NULL)");
    assertThat(batch.isEmpty()).isTrue();
    batch.add(text("2"));
    assertThat(written(batch)).isEqualTo("(2)");
  }

  @Test
  void readsBinaryRows() {
    InsertBatch batch = batch(Cell.NUMBER, ColumnType.DOUBLE, RowFormat.BINARY);
    var row = new BinaryRowWriter(1);
    row.begin();
    byte[] bits = new byte[Double.BYTES];
    long value = Double.doubleToLongBits(0.1f);
    for (int i = 0; i < bits.length; i++) {
      bits[i] = (byte) (value >>> (8 * i));
    }
    row.addCell(bits, 0, bits.length);
    batch.add(row.finish());
    assertThat(written(batch)).isEqualTo("(0.10000000149011612)");
  }

  /** The server took the value with a warning once, and does so again. */
  @Test
  void expectsWarningsOfEmptyEnumsOnly() {
    InsertBatch batch = batch(Cell.ENUM, ColumnType.VAR_STRING, RowFormat.TEXT);
    batch.add(text(""));
    batch.add(text("a"));
    assertThat(batch.expectedWarnings()).isEqualTo(1);
    assertThat(written(batch))
        .isEqualTo("INSERT IGNORE INTO copy VALUES (_utf8mb4''),(_utf8mb4'a')");
    assertThat(batch.expectedWarnings()).isZero();
  }

  /** 0 stands for a label that was refused; the empty label has a number of its own. */
  @Test
  void expectsWarningsOfEnumsWithoutNumberOnly() {
    InsertBatch batch = batch(Cell.CHOICE, ColumnType.LONGLONG, RowFormat.TEXT);
    batch.add(text("4"));
    batch.add(text("10"));
    assertThat(batch.expectedWarnings()).isZero();
    batch.add(text("0"));
    assertThat(batch.expectedWarnings()).isEqualTo(1);
    assertThat(written(batch)).isEqualTo("INSERT IGNORE INTO copy VALUES (4),(10),(0)");
  }
}
