package io.anabranch.backend.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.RefusedException;
import java.nio.charset.Charset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is put into SQL without quotes is a number. */
class VariableLiteralsTest {

  @ParameterizedTest
  @ValueSource(strings = {"US-ASCII", "UTF-16BE", "UTF-16LE", "UTF-32BE"})
  void numbersAreReadInAllCharacterSets(String charset) {
    for (String number : new String[] {"0", "-1.50", "1e+30", "18446744073709551615"}) {
      byte[] text = ("  " + number).getBytes(Charset.forName(charset));
      int from = text.length / (number.length() + 2) * 2;
      assertThat(VariableLiterals.number(text, from, text.length - from)).isEqualTo(number);
    }
  }

  @Test
  void nothingElseIsOne() {
    byte[] text = "1) OR (1".getBytes(Charset.forName("US-ASCII"));
    assertThatThrownBy(() -> VariableLiterals.number(text, 0, text.length))
        .isInstanceOf(RefusedException.class);
  }
}
