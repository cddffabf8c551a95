package io.anabranch.frontend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.RefusedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AutocommitValueTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "1, true",
        "0, false",
        "ON, true",
        "'off', false",
        "\"True\", true",
        "default, true"
      })
  void knowsWordsAndNumbers(String text, boolean value) {
    assertThat(AutocommitValue.known(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1-1", "@x", "@@global.autocommit", "2", "1.0", "(SELECT 1)", "'o' 'n'"})
  void leavesExpressionsToDatabases(String text) {
    assertThat(AutocommitValue.known(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"foo", "'foo'", "\"foo\""})
  void tellsTheValueWithoutQuotes(String text) {
    assertThatThrownBy(() -> AutocommitValue.known(text))
        .isInstanceOf(RefusedException.class)
        .hasMessage("Variable 'autocommit' can't be set to the value of 'foo'");
  }
}
