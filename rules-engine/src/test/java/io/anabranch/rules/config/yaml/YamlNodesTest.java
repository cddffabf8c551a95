package io.anabranch.rules.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.outline.Outline;
import io.anabranch.rules.file.PlainFile;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.error.YAMLException;

/** All that read a file refuse the same, with its place. */
class YamlNodesTest {

  static Stream<Arguments> unreadable() {
    return Stream.of(
        Arguments.of("x: \"a\\UFFFFFFFF\"\n", "1:", "found an escape that stands for no character"),
        Arguments.of("a: b\nc: d\u0007\n", "2:5:", "special characters are not allowed"),
        Arguments.of("logging: &l { x: *l }\n", "1:10:", "found a part that contains itself"),
        Arguments.of("a: &a [*a]\n", "1:4:", "found a part that contains itself"),
        Arguments.of("a: &a { <<: *a }\n", "1:4:", "found a part that contains itself"),
        Arguments.of(ladder(30, "[*a%d, *a%1$d]"), "1:1:", "aliases repeat too much"),
        Arguments.of(ladder(2000, "[*a%d]"), "", "found parts in too many others"));
  }

  private static String ladder(int steps, String step) {
    var ladder = new StringBuilder("a0: &a0 x\n");
    for (int i = 1; i <= steps; i++) {
      ladder.append("a").append(i).append(": &a").append(i).append(' ');
      ladder.append(step.formatted(i - 1)).append('\n');
    }
    return ladder.toString();
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void whatNobodyCouldGoThroughHasAPlace(String yaml, String place, String reason) {
    var text = new ConfigurationText("global.yaml", yaml);
    assertThatThrownBy(
            () ->
                new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
                    .load(List.of(text), Path.of(".")))
        .isInstanceOfSatisfying(
            ConfigurationException.class,
            refused ->
                assertThat(refused.problems())
                    .anySatisfy(
                        problem ->
                            assertThat(problem.toString())
                                .startsWith("global.yaml:" + place)
                                .contains("not valid YAML: " + reason)));
    assertThatThrownBy(() -> ConfigurationDocument.ofUnknown(text))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> Outline.of(yaml)).isInstanceOf(YAMLException.class);
  }

  @Test
  void aFileMayBeAsLongAsFilesMayBe() {
    String yaml = "x: '" + "y".repeat(PlainFile.MOST_CONFIGURATION - 10) + "'\n";
    assertThat(Outline.of(yaml)).isNotEqualTo(Outline.EMPTY);
    assertThat(ConfigurationDocument.of("global.yaml", yaml).root().has("x")).isTrue();
  }

  /** A hundred data sources that merge one. */
  @Test
  void anAnchorIsMergedByMany() {
    var yaml = new StringBuilder("base: &base { url: x, username: y, password: z }\nall:\n");
    for (int i = 0; i < 100; i++) {
      yaml.append("  ds_")
          .append(i)
          .append(": { <<: *base, maxPoolSize: ")
          .append(i)
          .append(" }\n");
    }
    assertThat(Outline.of(yaml.toString())).isNotEqualTo(Outline.EMPTY);
  }
}
