package io.anabranch.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.protocol.GoldenFile;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CellConversionTest {

  private static final GoldenFile TYPES = GoldenFile.read(CellConversionTest.class, "types.hex");

  private final List<ColumnDefinition> columns =
      TYPES.payloads("C").stream()
          .map(
              payload ->
                  ColumnDefinition.decode(
                      Unpooled.wrappedBuffer(payload),
                      Capability.PROTOCOL_41,
                      StandardCharsets.UTF_8))
          .toList();
  private final List<byte[]> textRows = TYPES.payloads("T");
  private final List<byte[]> binaryRows = TYPES.payloads("B");
  private final TextRowReader text = new TextRowReader(columns.size());
  private final BinaryRowReader binary =
      new BinaryRowReader(columns.stream().map(ColumnDefinition::columnType).toList());

  @Test
  void textOfEveryTypeIsWhatTheServerPrints() {
    var writer = new TextRowWriter();
    for (int row = 0; row < binaryRows.size(); row++) {
      binary.read(binaryRows.get(row));
      writer.begin();
      for (int i = 0; i < columns.size(); i++) {
        if (binary.isNull(i)) {
          writer.addNull();
        } else {
          CellConversion.of(columns.get(i))
              .addAsText(writer, binary.payload(), binary.offset(i), binary.length(i));
        }
      }
      assertThat(cells(writer.finish())).isEqualTo(cells(textRows.get(row)));
    }
  }

  @Test
  void binaryOfEveryTypeIsWhatTheServerSends() {
    var writer = new BinaryRowWriter(columns.size());
    for (int row = 0; row < textRows.size(); row++) {
      text.read(textRows.get(row));
      binary.read(binaryRows.get(row));
      writer.begin();
      for (int i = 0; i < columns.size(); i++) {
        if (text.isNull(i)) {
          writer.addNull();
        } else if (isRoundedInText(columns.get(i))) {
          writer.copy(binary, i);
        } else {
          CellConversion.of(columns.get(i))
              .addAsBinary(writer, text.payload(), text.offset(i), text.length(i));
        }
      }
      assertThat(writer.finish()).isEqualTo(binaryRows.get(row));
    }
  }

  /** See the comment of {@link CellConversion}. */
  private static boolean isRoundedInText(ColumnDefinition column) {
    return column.columnType() == ColumnType.FLOAT
        || (column.columnType() == ColumnType.DOUBLE && column.decimals() < FloatingText.NOT_FIXED);
  }

  @Test
  void aFloatsTextGivesTheNearestFloat() {
    assertThat(toBinary(ColumnType.FLOAT, 0, "16777200"))
        .isEqualTo(new byte[] {(byte) 0xF0, (byte) 0xFF, 0x7F, 0x4B});
  }

  @ParameterizedTest
  @CsvSource({
    "TINY, 12a",
    "LONG, ''",
    "LONG, -",
    "LONGLONG, 1234567890123456789012",
    "FLOAT, 1x",
    "DOUBLE, ''",
    "DATE, 2026-11",
    "DATE, 2026-11-21x",
    "DATETIME, 2026-11-21 10:00",
    "DATETIME, 2026-11-21 10:00:00.1234567",
    "TIME, 10:00",
    "TIME, :00:00",
  })
  void textThatIsNotOfTheTypeIsAViolation(ColumnType type, String value) {
    assertThatThrownBy(() -> toBinary(type, 0, value))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "18446744073709551615, ffffffffffffffff",
    "0, 0000000000000000",
    "9223372036854775808, 0000000000000080"
  })
  void unsignedNumbersUseAllBits(String value, String hex) {
    byte[] bytes = toBinary(ColumnType.LONGLONG, ColumnFlag.UNSIGNED, value);
    assertThat(bytes).asHexString().isEqualToIgnoringCase(hex);
  }

  @ParameterizedTest
  @CsvSource({"31, 12:34:56.500000", "3, 12:34:56.500", "0, 12:34:56", "6, 12:34:56.500000"})
  void fractionsHaveTheColumnsDigits(int decimals, String expected) {
    var conversion = new CellConversion(ColumnType.TIME, 0, decimals, 17);
    var writer = new TextRowWriter();
    writer.begin();
    byte[] value = {0, 0, 0, 0, 0, 12, 34, 56, 0x20, (byte) 0xA1, 0x07, 0};
    conversion.addAsText(writer, value, 0, value.length);
    assertThat(cells(writer.finish())).containsExactly(expected);
  }

  private static byte[] toBinary(ColumnType type, int flags, String value) {
    var writer = new BinaryRowWriter(1);
    writer.begin();
    byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
    new CellConversion(type, flags, 0, 20).addAsBinary(writer, bytes, 0, bytes.length);
    byte[] row = writer.finish();
    return Arrays.copyOfRange(row, 2, row.length);
  }

  private static List<String> cells(byte[] row) {
    int columns = 0;
    for (int position = 0; position < row.length; columns++) {
      int length = io.anabranch.protocol.type.LengthEncoded.lengthAt(row, position);
      position += io.anabranch.protocol.type.LengthEncoded.sizeAt(row, position);
      position += Math.max(length, 0);
    }
    var reader = new TextRowReader(columns);
    reader.read(row);
    var cells = new java.util.ArrayList<String>();
    for (int i = 0; i < columns; i++) {
      String cell =
          new String(row, reader.offset(i), reader.length(i), StandardCharsets.ISO_8859_1);
      cells.add(reader.isNull(i) ? "NULL" : cell);
    }
    return cells;
  }
}
