package io.anabranch.rules.planner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.error.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Statements with their plans in {@code src/test/resources/plans}: {@code > statement}, then the
 * printed plan or the refusal. Run with {@code GOLDEN_WRITE=1} in the environment to write the
 * files anew, then review the difference.
 */
class GoldenPlanTest {

  private final PlannerFixture fixture = new PlannerFixture();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "single",
        "write",
        "scatter",
        "aggregate",
        "insert",
        "change",
        "ddl",
        "show",
        "stage",
        "view"
      })
  void plansAsWritten(String name) throws IOException {
    Path file = Path.of("src/test/resources/plans", name + ".txt");
    String expected = Files.readString(file, UTF_8);
    String actual =
        expected
            .lines()
            .filter(line -> line.startsWith("> ") || line.startsWith("#"))
            .map(line -> line.startsWith("#") ? line + "\n" : planned(line))
            .collect(Collectors.joining("\n"));
    if (System.getenv("GOLDEN_WRITE") != null) {
      Files.writeString(file, actual, UTF_8);
    }
    assertThat(actual).isEqualTo(expected);
  }

  private String planned(String line) {
    try {
      return line + "\n" + fixture.printed(line.substring(2));
    } catch (RefusedException refused) {
      return line + "\nrefused " + refused.errno() + " " + refused.getMessage() + "\n";
    } catch (SchemaCatalog.DescribeException failed) {
      return line + "\nerror " + failed.errno() + " " + failed.getMessage() + "\n";
    }
  }
}
