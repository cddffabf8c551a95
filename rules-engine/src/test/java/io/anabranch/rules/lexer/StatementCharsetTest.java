package io.anabranch.rules.lexer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatementCharsetTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "US-ASCII",
        "Big5",
        "ISO-8859-1",
        "windows-1250",
        "windows-1252",
        "windows-1256",
        "IBM866",
        "windows-31j",
        "x-eucJP-Open",
        "EUC-KR",
        "GB18030",
        "GB2312",
        "GBK",
        "ISO-8859-7",
        "KOI8-U",
        "x-MacRoman",
        "Shift_JIS",
        "TIS-620",
        "EUC-JP",
        "UTF-8"
      })
  void bytesComeBack(String name) {
    Charset plain = Charset.forName(name);
    Charset charset = StatementCharset.of(plain);
    var random = new Random(name.hashCode());
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = new byte[random.nextInt(12)];
      random.nextBytes(bytes);
      String text = new String(bytes, charset);

      assertThat(text.getBytes(charset)).as(() -> HexFormat.of().formatHex(bytes)).isEqualTo(bytes);
      String readable = new String(bytes, plain);
      if (Arrays.equals(readable.getBytes(plain), bytes) && readable.indexOf('\uFFFD') < 0) {
        assertThat(text).isEqualTo(readable);
      }
    }
  }

  @Test
  void charactersAreTheCharacterSetsOwn() {
    Charset charset = StatementCharset.of(StandardCharsets.UTF_8);
    String text = "é 漢 😀 \uD83D\uDC00";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);

    assertThat(new String(bytes, charset)).isEqualTo(text);
    assertThat(text.getBytes(charset)).isEqualTo(bytes);
    assertThat("漢".getBytes(StatementCharset.of(StandardCharsets.US_ASCII)))
        .isEqualTo("?".getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void ofTwoFormsOfACharacterTheOneThatWasSentComesBack() {
    Charset charset = StatementCharset.of(Charset.forName("windows-31j"));
    byte[] twice = HexFormat.of().parseHex("ed40" + "fa5c" + "41" + "ed41");

    String text = new String(twice, charset);

    assertThat(text.getBytes(charset)).isEqualTo(twice);
    assertThat(text).contains("纊A");
  }

  @Test
  void aCutCharacterIsBytes() {
    Charset charset = StatementCharset.of(StandardCharsets.UTF_8);

    String text = new String(new byte[] {'a', (byte) 0xE6, (byte) 0xBC}, charset);

    assertThat(text).isEqualTo("a\uDCE6\uDCBC");
    assertThat(StatementCharset.shown(text)).isEqualTo("a??");
    assertThat(StatementCharset.name(text)).isEqualTo("a\\xE6\\xBC");
    assertThat(StatementCharset.shown("a 😀")).isEqualTo("a 😀");
  }

  @Test
  void stemsFromItsCharacterSet() {
    Charset charset = StatementCharset.of(StandardCharsets.UTF_8);

    assertThat(charset).isEqualTo(StandardCharsets.UTF_8);
    assertThat(StatementCharset.of(charset)).isSameAs(charset);
    assertThat(LexerMode.of(StatementCharset.of(Charset.forName("GBK")), false, false))
        .isEqualTo(LexerMode.of(Charset.forName("GBK"), false, false));
  }

  /** What was prepared in one of them may be executed in another. */
  @Test
  void asciiIsReadAlikeInAllButTwoByteCharacterSets() {
    LexerMode utf8 = LexerMode.of(StatementCharset.of(StandardCharsets.UTF_8), false, false);
    LexerMode latin1 = LexerMode.of(StatementCharset.of(StandardCharsets.ISO_8859_1), false, false);
    LexerMode gbk = LexerMode.of(StatementCharset.of(Charset.forName("GBK")), false, false);
    assertThat(latin1.readsAsciiAs(utf8)).isTrue();
    assertThat(utf8.readsAsciiAs(latin1)).isTrue();
    assertThat(utf8.readsAsciiAs(gbk)).isFalse();
    assertThat(utf8.readsAsciiAs(LexerMode.of(StandardCharsets.UTF_8, true, false))).isFalse();
    assertThat(utf8.readsAsciiAs(LexerMode.of(StandardCharsets.UTF_8, false, true))).isFalse();
  }
}
