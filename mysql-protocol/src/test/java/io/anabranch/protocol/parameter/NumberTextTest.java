package io.anabranch.protocol.parameter;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** As MySQL 9.7 was seen to prepare a statement anew, or not, for these strings. */
class NumberTextTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "5, POSITIVE",
        "+5, POSITIVE",
        "\" 5 \", POSITIVE",
        "007, POSITIVE",
        "9223372036854775807, POSITIVE",
        "9223372036854775808, LARGE",
        "18446744073709551615, LARGE",
        "18446744073709551616, OUTSIDE",
        "-0, MINUS_ZERO",
        "-5, OUTSIDE",
        "\"-5 \", OUTSIDE",
        "1.0, FRACTION",
        "1., FRACTION",
        ".5, FRACTION",
        "1e2, FRACTION",
        "1e-1, FRACTION",
        "1e+2, FRACTION",
        "\"\", NONE",
        "\"  \", NONE",
        "., NONE",
        "-, NONE",
        "1e, NONE",
        "5abc, NONE",
        "1.5.5, NONE",
        "0x10, NONE",
        "- 5, NONE"
      })
  void stringsAsNumbers(String text, NumberText expected) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(NumberText.of(bytes, 0, bytes.length)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"81, OUTSIDE", "82, HUGE"})
  void moreDigitsThanADecimalHas(int digits, NumberText expected) {
    byte[] bytes = "9".repeat(digits).getBytes(StandardCharsets.UTF_8);
    assertThat(NumberText.of(bytes, 0, bytes.length)).isEqualTo(expected);
  }

  /** Millions of digits are looked at, not read. */
  @ParameterizedTest
  @CsvSource({
    "%s5, 0, POSITIVE",
    "-%s, 0, MINUS_ZERO",
    "-0.%s1, 0, OUTSIDE",
    "0.%s, 0, FRACTION",
    "%s18446744073709551615, 0, LARGE",
    "%s18446744073709551616, 0, OUTSIDE",
    "%s.5, 9, HUGE",
    "-%s, 9, HUGE",
    "5.%s, 9, FRACTION",
    "1%se-4999999, 0, FRACTION",
    "0.%s9e5000001, 0, FRACTION",
    "-0.%s9e5000001, 0, OUTSIDE",
    "1%sx, 0, NONE"
  })
  void longNumbers(String pattern, String digit, NumberText expected) {
    byte[] bytes = pattern.formatted(digit.repeat(5_000_000)).getBytes(StandardCharsets.UTF_8);
    assertThat(NumberText.of(bytes, 0, bytes.length)).isEqualTo(expected);
  }
}
