package io.anabranch.rules.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorCatalogueTest {

  @Test
  void idsAreUsedOnce() {
    assertThat(ErrorCatalogue.values()).extracting(ErrorCatalogue::id).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void numbersAreAServers(ErrorCatalogue error) {
    assertThat(error.id()).matches("AB\\d{4}");
    assertThat(error.errno())
        .isPositive()
        .isNotIn(java.util.stream.IntStream.range(2000, 3000).boxed().toList());
    assertThat(error.sqlState()).matches("[0-9A-Z]{5}");
  }
}
