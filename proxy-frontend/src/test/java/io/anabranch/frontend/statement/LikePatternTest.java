package io.anabranch.frontend.statement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LikePatternTest {

  @ParameterizedTest
  @CsvSource({
    "shop, shop, true",
    "shop, SHOP, true",
    "shop, s%, true",
    "shop, %o%, true",
    "shop, sh_p, true",
    "shop, sho, false",
    "shop, %x%, false",
    "shop, '', false",
    "a_b, a\\_b, true",
    "axb, a\\_b, false",
    "a%, a\\%, true",
    "abcabd, %ab_, true",
    "abcabd, %b%d, true",
    "abcabd, a%c%b, false",
    "'', %%, true",
    "a\\, a\\, true",
  })
  void matchesAsLikeDoes(String text, String pattern, boolean matches) {
    assertThat(LikePattern.matches(text, pattern)).isEqualTo(matches);
  }

  /** Tried in each of the ways in which so many could match, it would not end. */
  @Test
  void manyPlaceholdersTakeNoLonger() {
    String text = "performance_schema_max_statement_classes".repeat(20);
    assertThat(LikePattern.matches(text, "%_".repeat(200) + "~")).isFalse();
    assertThat(LikePattern.matches(text, "%_".repeat(200))).isTrue();
  }
}
