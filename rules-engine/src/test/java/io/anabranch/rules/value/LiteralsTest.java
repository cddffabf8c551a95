package io.anabranch.rules.value;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.DoubleBytes;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.Scan.SlotKind;
import io.anabranch.rules.lexer.SqlScanner;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;

class LiteralsTest {

  private static SqlValue value(String literal, LexerMode mode) {
    byte[] sql = ("select " + literal).getBytes(UTF_8);
    Scan scan = new SqlScanner().scan(sql, 0, sql.length, mode, new Scan());
    assertThat(scan.slotCount()).isEqualTo(1);
    return Literals.of(scan.slotKind(0), sql, scan.slotStart(0), scan.slotEnd(0), UTF_8, mode);
  }

  private static SqlValue value(String literal) {
    return value(literal, LexerMode.DEFAULT);
  }

  @Test
  void namesAreWrittenInAllQuotes() {
    var plain = new LexerMode(false, true, LexerMode.DEFAULT.doubleBytes());
    var ansi = new LexerMode(true, false, LexerMode.DEFAULT.doubleBytes());
    assertThat(Literals.name("a", LexerMode.DEFAULT)).isEqualTo("a");
    assertThat(Literals.name("'a\\nb'", LexerMode.DEFAULT)).isEqualTo("a\nb");
    assertThat(Literals.name("'a\\nb'", plain)).isEqualTo("a\\nb");
    assertThat(Literals.name("\"a\\'b\"", LexerMode.DEFAULT)).isEqualTo("a'b");
    assertThat(Literals.name("\"a\\nb\"", ansi)).isEqualTo("a\\nb");
    assertThat(Literals.name("'a\\nb'", ansi)).isEqualTo("a\nb");
    assertThat(Literals.name("`a\\n``b`", LexerMode.DEFAULT)).isEqualTo("a\\n`b");
    assertThat(Literals.name("'\u4f60''\\\\'", LexerMode.DEFAULT)).isEqualTo("\u4f60'\\");
  }

  @Test
  void readsNumbers() {
    assertThat(value("0")).isEqualTo(new SqlValue.Int(0));
    assertThat(value("007")).isEqualTo(new SqlValue.Int(7));
    assertThat(value("999999999999999999")).isEqualTo(new SqlValue.Int(999_999_999_999_999_999L));
    assertThat(value("9223372036854775807")).isEqualTo(new SqlValue.Int(Long.MAX_VALUE));
    assertThat(value("9223372036854775808"))
        .isEqualTo(new SqlValue.Decimal(new BigDecimal("9223372036854775808")));
    assertThat(value("1.50")).isEqualTo(new SqlValue.Decimal(new BigDecimal("1.50")));
    assertThat(value(".5")).isEqualTo(new SqlValue.Decimal(new BigDecimal("0.5")));
    assertThat(value("1e3")).isEqualTo(new SqlValue.Floating(1000));
  }

  @Test
  void negatesWithinTheRangeOfLongs() {
    assertThat(Literals.negate(value("9223372036854775808")))
        .isEqualTo(new SqlValue.Int(Long.MIN_VALUE));
    assertThat(Literals.negate(value("1"))).isEqualTo(new SqlValue.Int(-1));
    assertThat(Literals.negate(value("'1'"))).isEqualTo(SqlValue.Unknown.UNKNOWN);
  }

  @Test
  void undoesQuotesAndEscapes() {
    assertThat(value("''")).isEqualTo(new SqlValue.Text(""));
    assertThat(value("'größe'")).isEqualTo(new SqlValue.Text("größe"));
    assertThat(value("'a''b'")).isEqualTo(new SqlValue.Text("a'b"));
    assertThat(value("\"a\"\"b\"")).isEqualTo(new SqlValue.Text("a\"b"));
    assertThat(value("'\\n\\t\\0\\Z\\%\\_\\x\\''"))
        .isEqualTo(new SqlValue.Text("\n\t\0\032\\%\\_x'"));
    assertThat(value("'a' \"b\" /* 'c' */ 'd'")).isEqualTo(new SqlValue.Text("abd"));
    assertThat(value("'a' /*/ 'x' */ 'b' /**/ 'c' /***/ 'd'")).isEqualTo(new SqlValue.Text("abcd"));
    assertThat(value("'a\\'", new LexerMode(false, true, DoubleBytes.NONE)))
        .isEqualTo(new SqlValue.Text("a\\"));
  }

  private static byte[] bytes(String literal) {
    return ((SqlValue.Bytes) value(literal)).value();
  }

  @Test
  void readsHexadecimalAndBits() {
    assertThat(bytes("x'00ff'")).containsExactly(0, 0xFF);
    assertThat(bytes("0xabc")).containsExactly(0x0A, 0xBC);
    assertThat(bytes("b'100000001'")).containsExactly(1, 1);
    assertThat(bytes("0b1")).containsExactly(1);
    assertThat(bytes("x''")).isEmpty();
  }

  @Test
  void readsBinaryParameters() {
    assertThat(BinaryValues.of(1, new byte[] {-1}, UTF_8)).isEqualTo(new SqlValue.Int(-1));
    assertThat(BinaryValues.of(0x8001, new byte[] {-1}, UTF_8)).isEqualTo(new SqlValue.Int(255));
    assertThat(BinaryValues.of(3, new byte[] {1, 1, 0, 0}, UTF_8)).isEqualTo(new SqlValue.Int(257));
    byte[] largest = {-1, -1, -1, -1, -1, -1, -1, -1};
    assertThat(BinaryValues.of(8, largest, UTF_8)).isEqualTo(new SqlValue.Int(-1));
    assertThat(BinaryValues.of(0x8008, largest, UTF_8))
        .isEqualTo(new SqlValue.Decimal(new BigDecimal("18446744073709551615")));
    assertThat(BinaryValues.of(253, new byte[] {2, 'a', 'b'}, UTF_8))
        .isEqualTo(new SqlValue.Text("ab"));
    assertThat(BinaryValues.of(246, new byte[] {1, '7'}, UTF_8)).isEqualTo(new SqlValue.Int(7));
    assertThat(BinaryValues.of(10, new byte[] {4, (byte) 0xE8, 7, 2, 29}, UTF_8))
        .isEqualTo(new SqlValue.Date(LocalDate.of(2024, 2, 29)));
    assertThat(BinaryValues.of(12, new byte[] {7, (byte) 0xE8, 7, 2, 29, 1, 2, 3}, UTF_8))
        .isEqualTo(new SqlValue.DateTime(LocalDateTime.of(2024, 2, 29, 1, 2, 3)));
    assertThat(BinaryValues.of(3, null, UTF_8)).isEqualTo(SqlValue.Null.NULL);
  }

  /** To read digits takes the square of their number: a client sends millions. */
  @Test
  void noNumberIsReadThatIsTooLong() {
    String nines = "9".repeat(5_000_000);
    assertThat(value(SlotKind.INTEGER, nines)).isEqualTo(SqlValue.Unknown.UNKNOWN);
    assertThat(value(SlotKind.DECIMAL, "0." + nines)).isEqualTo(SqlValue.Unknown.UNKNOWN);
    assertThat(((SqlValue.Bytes) value(SlotKind.HEX, "0x" + nines)).value())
        .hasSize(2_500_000)
        .containsOnly(0x99);
    assertThat(((SqlValue.Bytes) value(SlotKind.BIT, "0b" + "1".repeat(5_000_001))).value())
        .hasSize(625_001)
        .startsWith(1, 0xFF)
        .endsWith(0xFF);
    assertThat(Literals.decimal(new BigDecimal("1e999999999"))).isEqualTo(SqlValue.Unknown.UNKNOWN);
    assertThat(value(SlotKind.DECIMAL, "9".repeat(65) + ".5")).isInstanceOf(SqlValue.Decimal.class);
  }

  private static SqlValue value(SlotKind kind, String text) {
    byte[] sql = text.getBytes(UTF_8);
    return Literals.of(kind, sql, 0, sql.length, UTF_8, LexerMode.DEFAULT);
  }
}
