package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.model.Authority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The files in {@code conf/}, as they are and with their samples uncommented. */
class ShippedConfigurationTest {

  private static final Path CONF = Path.of("..", "conf");

  private final ConfigurationLoader loader =
      new ConfigurationLoader(new AlgorithmCatalogue(List.of()));

  @Test
  void startsWithoutAnyDatabase() {
    Configuration configuration = loader.load(CONF);

    assertThat(configuration.ruleSet().databases()).isEmpty();
    assertThat(configuration.notices()).isEmpty();
    assertThat(configuration.ruleSet().authority().users())
        .singleElement()
        .matches(Authority.User::hasSamplePassword);
  }

  @Test
  void samplesAreValidOnceUncommented() throws IOException {
    List<ConfigurationText> texts = new ArrayList<>();
    try (var files = Files.list(CONF)) {
      files
          .filter(file -> file.toString().endsWith(".yaml"))
          .forEach(file -> texts.add(uncommented(file)));
    }

    Configuration configuration = loader.load(texts);

    assertThat(configuration.ruleSet().databases().keySet())
        .containsExactlyInAnyOrder("shop", "shop_rw", "app");
    assertThat(configuration.notices()).isEmpty();
    var app = Objects.requireNonNull(configuration.ruleSet().databases().get("app"));
    assertThat(app.isPassThrough()).isTrue();
    var shop = Objects.requireNonNull(configuration.ruleSet().databases().get("shop"));
    assertThat(shop.shardedTables().values())
        .allMatch(table -> table.bindingGroup() == 0 && table.nodes().size() == 8);
  }

  @Test
  void demonstrationsAreValid() throws IOException {
    Configuration docker = loader.load(Path.of("..", "docker", "conf"));
    assertThat(docker.notices()).isEmpty();
    assertThat(docker.ruleSet().databases()).isNotEmpty();

    String dataSources = "databaseName: shop\ndataSources:\n";
    for (String name : List.of("primary_0", "replica_0", "primary_1", "replica_1")) {
      dataSources += "  " + name + ": { url: 'jdbc:mysql://127.0.0.1:3306/shop' }\n";
    }
    String rules = Files.readString(Path.of("..", "demo", "rules.yaml"));
    Configuration demo =
        loader.load(
            List.of(
                new ConfigurationText(
                    "global.yaml", "authority: { users: [{ user: demo, password: demo }] }"),
                new ConfigurationText("database-shop.yaml", dataSources + rules)));
    assertThat(demo.notices()).isEmpty();
  }

  private static ConfigurationText uncommented(Path file) {
    try {
      String name = String.valueOf(file.getFileName());
      if (name.equals("global.yaml")) {
        return new ConfigurationText(name, Files.readString(file));
      }
      String text =
          Files.readAllLines(file).stream()
              .map(line -> line.startsWith("#") ? line.substring(Math.min(2, line.length())) : line)
              .dropWhile(line -> !line.startsWith("databaseName:"))
              .collect(Collectors.joining("\n"));
      return new ConfigurationText(name, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
