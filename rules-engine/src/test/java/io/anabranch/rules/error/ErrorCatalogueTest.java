package io.anabranch.rules.error;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

  /** {@code docs/errors.md}: what each says, and for those of the proxy alone what to do. */
  @Test
  void thePageHasAllOfThem() throws IOException {
    Map<String, List<String>> rows =
        Files.readAllLines(Path.of("..", "docs", "errors.md")).stream()
            .filter(line -> line.startsWith("| AB"))
            .map(line -> List.of(line.split(" ?\\| ?", -1)))
            .collect(Collectors.toMap(cells -> cells.get(1), cells -> cells));
    assertThat(rows.keySet())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(ErrorCatalogue.values()).map(ErrorCatalogue::id).toList());
    for (ErrorCatalogue error : ErrorCatalogue.values()) {
      List<String> cells = requireNonNull(rows.get(error.id()));
      assertThat(cells)
          .as(error.id())
          .startsWith("", error.id(), error.errno() + " " + error.sqlState(), error.says());
      assertThat(cells.get(4).isBlank()).as(error.id()).isFalse();
    }
  }
}
