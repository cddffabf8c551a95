package io.anabranch.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files get another text as a whole, or not at all. */
class ConfigurationFilesTest {

  private static final String NAME = "database-shop.yaml";

  @TempDir Path folder;
  private ConfigurationFiles files;

  @BeforeEach
  void read() throws IOException {
    Files.writeString(folder.resolve(NAME), "former");
    files = new ConfigurationFiles(folder);
    files.read(texts("former"));
  }

  private static List<ConfigurationText> texts(String content) {
    return List.of(new ConfigurationText(NAME, content));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  @Test
  void whatAnEndedProcessLeftIsInNobodysWay() throws IOException {
    Files.writeString(folder.resolve("." + NAME + ".saving"), "half of someth");
    assertThat(files.save(texts("new"))).containsExactly(NAME);
    assertThat(folder.resolve(NAME)).hasContent("new");
    assertThat(names()).containsExactly(NAME);
  }

  @Test
  void linksStay() throws IOException {
    Path target = Files.move(folder.resolve(NAME), folder.resolve("target"));
    Files.createSymbolicLink(folder.resolve(NAME), target);
    files.save(texts("new"));
    assertThat(folder.resolve(NAME)).isSymbolicLink();
    assertThat(target).hasContent("new");
  }

  @Test
  void whatIsTheSameIsNotWritten() throws IOException {
    assertThat(files.save(texts("former"))).isEmpty();
    Files.writeString(folder.resolve(NAME), "new");
    assertThat(files.save(texts("new"))).containsExactly(NAME);
  }

  @Test
  void whatOthersHaveWrittenStays() throws IOException {
    Files.writeString(folder.resolve(NAME), "theirs");
    assertThatThrownBy(() -> files.save(texts("new")))
        .isInstanceOf(ConfigurationRefusedException.class)
        .hasMessageContaining("has been changed since it was read")
        .hasMessageContaining("RELOAD CONFIGURATION");
    assertThatThrownBy(() -> files.save(List.of()))
        .isInstanceOf(ConfigurationRefusedException.class)
        .hasMessageContaining("is not in force");
    assertThat(folder.resolve(NAME)).hasContent("theirs");
  }
}
