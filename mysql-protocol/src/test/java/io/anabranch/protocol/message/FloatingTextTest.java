package io.anabranch.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What servers print is compared in CellConversionTest; here are the edges of the rules. */
class FloatingTextTest {

  @ParameterizedTest
  @CsvSource({
    "1e14, 100000000000000",
    "1e15, 1e15",
    "123456789012345, 123456789012345",
    "1234567890123456, 1.234567890123456e15",
    "1234567890123456.8, 1234567890123456.8",
    "1e-15, 0.000000000000001",
    "1e-16, 1e-16",
    "1.5e-20, 1.5e-20",
    "-1.5e-20, -1.5e-20",
    "5e-324, 5e-324",
    "2e23, 2e23",
    "-0.0, -0",
    "NaN, 0",
    "Infinity, 0"
  })
  void doubles(double value, String expected) {
    assertThat(FloatingText.of(value, 31)).isEqualTo(expected);
  }

  @Test
  void floatsHaveSixDigits() {
    assertThat(FloatingText.of(16777216f, 31)).isEqualTo("16777200");
    assertThat(FloatingText.of(0.1f, 31)).isEqualTo("0.1");
    assertThat(FloatingText.of(Float.POSITIVE_INFINITY, 31)).isEqualTo("0");
  }

  @Test
  void fixedDecimalsAreRoundedFromTheExactValue() {
    assertThat(FloatingText.of(0.125, 2)).isEqualTo("0.12");
    assertThat(FloatingText.of(2.5, 0)).isEqualTo("2");
    assertThat(FloatingText.of(-0.001, 2)).isEqualTo("-0.00");
    assertThat(FloatingText.of(Float.parseFloat("12345.678"), 2)).isEqualTo("12345.68");
    assertThat(FloatingText.of(2.675, 2)).isEqualTo("2.67");
  }

  @Test
  void behindTheShortestDigitsThereAreZeros() {
    assertThat(FloatingText.of(Double.parseDouble("24691357802469134336"), 2))
        .isEqualTo("24691357802469134000.00");
    assertThat(FloatingText.of(Double.parseDouble("123456788.62346679"), 30))
        .isEqualTo("123456788.623466790000000000000000000000");
    assertThat(FloatingText.of(0.0, 3)).isEqualTo("0.000");
    assertThat(FloatingText.of(1e22, 0)).isEqualTo("10000000000000000000000");
  }
}
