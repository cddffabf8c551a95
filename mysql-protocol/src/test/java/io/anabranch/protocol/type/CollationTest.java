package io.anabranch.protocol.type;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CollationTest {

  @ParameterizedTest
  @CsvSource({
    "utf8mb4_bin, 4A, true",
    "utf8mb4_bin, C3A9, true",
    "utf8mb4_bin, E9, false",
    "utf8mb4_bin, FFFE, false",
    "utf8mb4_bin, F09F9880, true",
    "utf8mb3_general_ci, F09F9880, false",
    "utf8mb3_general_ci, E282AC, true",
    "latin1_swedish_ci, E981, true",
    "ascii_bin, E9, false",
    "ucs2_bin, 00E9, true",
    "ucs2_bin, E9, false",
    "gbk_bin, C4E3, true",
    "gbk_bin, C4, false",
    "binary, FFFE, true",
    "dec8_bin, FF, true"
  })
  void tellsWhatIsNoText(String collation, String bytes, boolean expected) {
    assertThat(
            requireNonNull(Collation.byName(collation))
                .isWellFormed(HexFormat.of().parseHex(bytes)))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "8, latin1_swedish_ci, latin1, windows-1252",
    "28, gbk_chinese_ci, gbk, GBK",
    "33, utf8mb3_general_ci, utf8mb3, UTF-8",
    "45, utf8mb4_general_ci, utf8mb4, UTF-8",
    "46, utf8mb4_bin, utf8mb4, UTF-8",
    "63, binary, binary, ISO-8859-1",
    "255, utf8mb4_0900_ai_ci, utf8mb4, UTF-8",
    "308, utf8mb4_zh_0900_as_cs, utf8mb4, UTF-8",
    "2304, utf8mb4_uca1400_ai_ci, utf8mb4, UTF-8"
  })
  void byIdAndName(int id, String name, String characterSet, String charset) {
    Collation collation = requireNonNull(Collation.byId(id));
    assertThat(collation.name()).isEqualTo(name);
    assertThat(collation.characterSet()).isEqualTo(characterSet);
    assertThat(collation.charset()).isEqualTo(Charset.forName(charset));
    assertThat(Collation.byName(name)).isSameAs(collation);
  }

  @ParameterizedTest
  @CsvSource({
    "utf8mb4, 45", "UTF8, 33", "utf8mb3, 33", "latin1, 8", "ascii, 11", "binary, 63", "gbk, 28",
    "sjis, 13", "big5, 1", "cp932, 95", "gb18030, 248", "ucs2, 35", "utf16, 54", "utf32, 60"
  })
  void defaults(String characterSet, int id) {
    Collation collation = Collation.defaultOf(characterSet);
    assertThat(collation).isNotNull().extracting(Collation::id).isEqualTo(id);
  }

  @Test
  void formerNamesOfUtf8mb3() {
    assertThat(Collation.byName("UTF8_bin")).isSameAs(Collation.byId(83));
  }

  @Test
  void unknownOnes() {
    assertThat(Collation.byId(0)).isNull();
    assertThat(Collation.byId(65535)).isNull();
    assertThat(Collation.byName("klingon_ci")).isNull();
    assertThat(Collation.defaultOf("klingon")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"big5", "cp850", "eucjpms", "euckr", "gb2312", "koi8r", "macce", "tis620"})
  void javaHasTheLesserOnesToo(String characterSet) {
    Collation collation = requireNonNull(Collation.defaultOf(characterSet));
    assertThat(collation.charset()).isNotNull().isNotEqualTo(StandardCharsets.UTF_8);
  }

  @Test
  void javaLacksSome() {
    Collation collation = requireNonNull(Collation.defaultOf("dec8"));
    assertThat(collation.charset()).isNull();
  }
}
