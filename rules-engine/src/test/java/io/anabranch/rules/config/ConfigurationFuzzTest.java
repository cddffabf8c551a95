package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a file says, the loader gives a configuration or a {@link ConfigurationException}. */
@Tag("long")
class ConfigurationFuzzTest {

  private static final int ROUNDS = 400;
  private static final String[] PIECES = {
    "{",
    "}",
    "[",
    "]",
    ":",
    ": ",
    "\n",
    "- ",
    "*a",
    "&a ",
    "<<: *pool",
    "!X ",
    "~",
    "''",
    "\"",
    "${",
    "${0..",
    "$->{x}",
    "..",
    "%",
    "-1",
    "999999999999999999999",
    "0x1F",
    "1e9",
    "null",
    "true",
    "#",
    "|",
    ">",
    "\t",
    "\u0000",
    "\ud83d\ude00",
    "rw_${0..1}",
    "<INTERVAL>",
    "((((((((",
    "type: MOD",
    "sharding-count: 0",
    "sharding-count: 100000",
    "? ",
    "!!java.lang.String ",
    "%YAML 9"
  };

  private final ConfigurationLoader loader =
      new ConfigurationLoader(new AlgorithmCatalogue(List.of()));

  @ParameterizedTest
  @ValueSource(strings = {"docker/conf/global.yaml", "docker/conf/database-shop.yaml", "bad"})
  void survivesMutations(String file) throws IOException {
    Path bad = Path.of("src/test/resources/io/anabranch/rules/config/bad/database-tables.yaml");
    Path path = file.equals("bad") ? bad : Path.of("..").resolve(file);
    String original = Files.readString(path);
    boolean global = file.endsWith("global.yaml");
    Random random = new Random(42);
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String mutated = mutate(original, random);
      String users = "authority: { users: [{ user: root, password: root }] }";
      try {
        loader.load(
            List.of(
                new ConfigurationText("global.yaml", global ? mutated : users),
                new ConfigurationText("database-x.yaml", global ? "" : mutated)));
      } catch (ConfigurationException e) {
        assertThat(e.problems()).isNotEmpty();
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void survivesAliasesToThemselves() {
    String text = "databaseName: x\ndataSources: &a { ds_0: &b { <<: *b, url: *a } , ds_1: *a }\n";

    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> loader.load(List.of(new ConfigurationText("database-x.yaml", text)))))
        .isInstanceOf(ConfigurationException.class);
  }

  private static String mutate(String original, Random random) {
    StringBuilder text = new StringBuilder(original);
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes && !text.isEmpty(); i++) {
      int at = random.nextInt(text.length());
      int end = Math.min(text.length(), at + random.nextInt(12));
      switch (random.nextInt(4)) {
        case 0 -> text.insert(at, PIECES[random.nextInt(PIECES.length)]);
        case 1 -> text.delete(at, end);
        case 2 -> {
          int from = random.nextInt(original.length());
          text.insert(at, original, from, from + random.nextInt(original.length() - from + 1));
        }
        default -> text.replace(at, end, PIECES[random.nextInt(PIECES.length)]);
      }
    }
    return text.toString();
  }
}
