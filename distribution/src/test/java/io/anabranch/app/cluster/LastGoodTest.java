package io.anabranch.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.registry.Revision;
import io.anabranch.rules.config.yaml.ConfigurationText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastGoodTest {

  private static final Instant PUBLISHED = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir Path temporary;
  private Path configuration;
  private Path logs;

  @BeforeEach
  void makeFolders() throws IOException {
    configuration = Files.createDirectory(temporary.resolve("conf"));
    logs = Files.createDirectory(temporary.resolve("logs"));
  }

  private LastGood of(String cluster) {
    return new LastGood(List.of(configuration, logs), cluster);
  }

  private static Revision revision(long number) {
    return new Revision(
        number,
        PUBLISHED,
        "dba",
        "member",
        List.of("a change"),
        List.of(new ConfigurationText("global.yaml", "rules: # " + number + "\n")));
  }

  private static Revision read(LastGood lastGood) throws IOException {
    return Objects.requireNonNull(lastGood.read(), "nothing is kept");
  }

  /** A folder in which nothing can be made, for any user. */
  private void nothingCanBeKeptIn(Path place) throws IOException {
    Files.writeString(place.resolve(".cluster"), "a file");
  }

  @Test
  void theLastIsKeptAndTellsWhenItWasPublished() throws IOException {
    LastGood lastGood = of("it");
    lastGood.keep(revision(7));
    lastGood.keep(revision(8));
    Revision kept = read(of("it"));
    assertThat(kept.number()).isEqualTo(8);
    assertThat(kept.published()).isEqualTo(PUBLISHED);
    assertThat(kept.author()).isEqualTo("dba");
    assertThat(kept.texts()).isEqualTo(revision(8).texts());
    assertThat(lastGood.folder(kept)).isEqualTo(configuration.resolve(".cluster/revision-8"));
    assertThat(configuration.resolve(".cluster/revision-7")).doesNotExist();
    assertThat(logs).isEmptyDirectory();
  }

  @Test
  void aFolderThatTakesNothingHasTheNextOneTakeIt() throws IOException {
    nothingCanBeKeptIn(configuration);
    LastGood lastGood = of("it");
    lastGood.keep(revision(7));
    Revision kept = read(lastGood);
    assertThat(kept.number()).isEqualTo(7);
    assertThat(lastGood.folder(kept)).isEqualTo(logs.resolve(".cluster/revision-7"));
  }

  /** The folder of the configuration was read-only for a time, or is so from now on. */
  @Test
  void ofTwoFoldersTheNewerRevisionCounts() throws IOException {
    new LastGood(List.of(logs), "it").keep(revision(9));
    new LastGood(List.of(configuration), "it").keep(revision(8));
    Revision kept = read(of("it"));
    assertThat(kept.number()).isEqualTo(9);
    of("it").keep(revision(10));
    assertThat(logs.resolve(".cluster")).isEmptyDirectory();
  }

  @Test
  void whatIsKeptOfAnotherClusterCountsForNothing() throws IOException {
    of("one").keep(revision(7));
    assertThat(of("other").read()).isNull();
    assertThat(of("one").read()).isNotNull();
  }

  @Test
  void whatAnOlderVersionHasKeptIsRead() throws IOException {
    of("it").keep(revision(7));
    Files.delete(configuration.resolve(".cluster/revision-7/origin"));
    Revision kept = read(of("it"));
    assertThat(kept.number()).isEqualTo(7);
  }

  @Test
  void aDamagedCopyIsToldAndNotTaken() throws IOException {
    of("it").keep(revision(7));
    Files.writeString(configuration.resolve(".cluster/revision-7/origin"), "it\n");
    assertThatThrownBy(() -> of("it").read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("three lines");
  }

  @Test
  void whereNothingCanBeKeptNothingIsRead() throws IOException {
    nothingCanBeKeptIn(configuration);
    nothingCanBeKeptIn(logs);
    of("it").keep(revision(7));
    assertThat(of("it").read()).isNull();
  }
}
