package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Golden: everything that is wrong with the files in {@code bad/}, in one go. */
class BadConfigurationTest {

  private static final Path FILES =
      Path.of("src", "test", "resources", "io", "anabranch", "rules", "config");

  @Test
  void tellsAllProblemsOfAllFiles() throws IOException {
    ConfigurationException e =
        catchThrowableOfType(
            ConfigurationException.class,
            () ->
                new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
                    .load(FILES.resolve("bad")));

    String problems =
        e.problems().stream().map(Problem::toString).collect(Collectors.joining("\n", "", "\n"));
    assertThat(problems).isEqualTo(Files.readString(FILES.resolve("bad.expected.txt")));
    assertThat(e.getMessage()).doesNotContain("hidden");
  }

  @Test
  void whatCannotBeReadLacksNothingElse() {
    for (var texts :
        List.of(
            List.<ConfigurationText>of(),
            List.of(
                new ConfigurationText(
                    "global.yaml",
                    "authority:\n  users: [ { user: a, password: ${file:b} } ]\n")))) {
      ConfigurationException e =
          catchThrowableOfType(
              ConfigurationException.class,
              () ->
                  new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
                      .load(texts, Path.of("")));
      assertThat(e.problems())
          .singleElement()
          .asString()
          .containsAnyOf("the file does not exist", "global.yaml:2:34: not valid YAML");
    }
  }
}
