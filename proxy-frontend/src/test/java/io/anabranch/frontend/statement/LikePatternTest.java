package io.anabranch.frontend.statement;

import static org.assertj.core.api.Assertions.assertThat;

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
  })
  void matchesAsLikeDoes(String text, String pattern, boolean matches) {
    assertThat(LikePattern.matches(text, pattern)).isEqualTo(matches);
  }
}
