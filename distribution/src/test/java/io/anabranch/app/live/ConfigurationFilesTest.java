package io.anabranch.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.yaml.ConfigurationText;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
        .hasMessageContaining("has been changed since it was read");
    assertThat(folder.resolve(NAME)).hasContent("theirs");
  }

  /** Comments and all, under a name that nobody reads. */
  @Test
  void whatIsNotInForceAnyMoreIsPutAside() throws IOException {
    Files.writeString(folder.resolve(NAME + ".dropped"), "the one before");
    assertThat(files.save(List.of())).containsExactly(NAME + ".dropped");
    assertThat(names()).containsExactly(NAME + ".dropped");
    assertThat(folder.resolve(NAME + ".dropped")).hasContent("former");
    assertThat(ConfigurationLoader.reads(NAME + ".dropped")).isFalse();
    assertThat(files.hold(List.of())).isTrue();
    assertThat(files.save(List.of())).isEmpty();
    assertThat(files.save(texts("again"))).containsExactly(NAME);
    assertThat(folder.resolve(NAME)).hasContent("again");
  }

  @Test
  void whatOthersHavePutAsideIsNotMissed() throws IOException {
    Files.delete(folder.resolve(NAME));
    files.save(List.of());
    assertThat(names()).isEmpty();
  }

  @Test
  void ownerGroupAndPermissionsStay() throws IOException {
    Path file = folder.resolve(NAME);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (System.getProperty("user.name").equals("root")) {
      // nobody else may give files away
      view.setOwner(
          file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("1234"));
      view.setGroup(
          file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName("4321"));
    }
    PosixFileAttributes former = view.readAttributes();
    files.save(texts("new"));
    PosixFileAttributes saved = view.readAttributes();
    assertThat(file).hasContent("new");
    assertThat(saved.owner()).isEqualTo(former.owner());
    assertThat(saved.group()).isEqualTo(former.group());
    assertThat(saved.permissions()).isEqualTo(former.permissions());
  }

  @Test
  void ofSeveralFilesNoneIsWrittenIfOneCannotBe() throws IOException {
    var both =
        List.of(
            new ConfigurationText(NAME, "new"), new ConfigurationText("missing/other.yaml", "new"));
    assertThatThrownBy(() -> files.save(both))
        .isInstanceOf(ConfigurationRefusedException.class)
        .hasMessageContaining("a file cannot be written");
    assertThat(folder.resolve(NAME)).hasContent("former");
    assertThat(names()).containsExactly(NAME);
  }

  /** SIGKILL in the middle of it, again and again. */
  @Test
  void aKilledProcessLeavesTheFormerOrTheNewOne() throws Exception {
    for (int round = 0; round < 12; round++) {
      Files.writeString(folder.resolve(NAME), SavingProcess.text(0));
      Process process = SavingProcess.launch(folder, NAME);
      try (BufferedReader said = process.inputReader()) {
        assertThat(said.readLine()).isEqualTo(SavingProcess.BEGINS);
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(700L * round * round));
      } finally {
        process.destroyForcibly().waitFor();
      }
      assertThat(Files.readString(folder.resolve(NAME)))
          .isIn(SavingProcess.text(0), SavingProcess.text(1));
      var next = new ConfigurationFiles(folder);
      next.read(texts(Files.readString(folder.resolve(NAME))));
      assertThat(next.save(texts("new"))).containsExactly(NAME);
      assertThat(names()).containsExactly(NAME);
    }
  }
}
