package io.anabranch.rules.routing.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.value.SqlValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTypeTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, 0",
    "7, 7",
    "-7, -7",
    "9007199254740991, 9007199254740991",
    "-9007199254740991, -9007199254740991"
  })
  void wholeDoublesAreIntegers(double number, long key) {
    assertThat(KeyType.INTEGER.key(new SqlValue.Floating(number))).isEqualTo(new SqlValue.Int(key));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, -7.25, 0x1p53, -0x1p53, 1e300, Double.NaN, Double.NEGATIVE_INFINITY})
  void otherDoublesAreNoOneInteger(double number) {
    assertThat(KeyType.INTEGER.key(new SqlValue.Floating(number))).isNull();
  }
}
