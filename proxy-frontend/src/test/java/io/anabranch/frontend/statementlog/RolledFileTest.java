package io.anabranch.frontend.statementlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RolledFileTest {

  @TempDir Path folder;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void takesNoMoreThanItsLimit() throws IOException {
    Path path = folder.resolve("slow.log");
    try (var file = new RolledFile(path, 40, 3)) {
      for (int i = 10; i < 60; i++) {
        write(file, "line number " + i);
      }
    }
    assertThat(names()).containsExactly("slow.log", "slow.log.1", "slow.log.2");
    assertThat(Files.readString(path)).isEqualTo("line number 58\nline number 59\n");
    assertThat(Files.readString(folder.resolve("slow.log.2")))
        .isEqualTo("line number 54\nline number 55\n");
  }

  @Test
  void goesOnWhereItWas() throws IOException {
    Path path = folder.resolve("slow.log");
    for (String line : List.of("one", "two")) {
      try (var file = new RolledFile(path, 1000, 2)) {
        write(file, line);
      }
    }
    assertThat(Files.readString(path)).isEqualTo("one\ntwo\n");
  }

  @Test
  void aSingleFileBeginsAnew() throws IOException {
    Path path = folder.resolve("slow.log");
    try (var file = new RolledFile(path, 10, 1)) {
      write(file, "123456789");
      write(file, "abcdefghi");
    }
    assertThat(names()).containsExactly("slow.log");
    assertThat(Files.readString(path)).isEqualTo("abcdefghi\n");
  }

  @Test
  void triesAgainAfterAFailure() throws IOException {
    Path blocked = folder.resolve("blocked");
    Files.writeString(blocked, "a file where the folder is to be");
    try (var file = new RolledFile(blocked.resolve("slow.log"), 1000, 2)) {
      assertThatThrownBy(() -> write(file, "one")).isInstanceOf(IOException.class);
      Files.delete(blocked);
      write(file, "two");
    }
    assertThat(Files.readString(blocked.resolve("slow.log"))).isEqualTo("two\n");
  }

  private static void write(RolledFile file, String line) throws IOException {
    file.append(line);
    file.flush();
  }
}
