package io.anabranch.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The Java sources of all modules, read from where the build runs. */
final class SourceFiles {

  private static final Path HOUSE = Path.of("..");

  private SourceFiles() {}

  /** Relative to the parent of all modules. */
  static List<Path> all() {
    try (Stream<Path> modules = Files.list(HOUSE)) {
      return modules
          .map(module -> module.resolve("src"))
          .filter(Files::isDirectory)
          .flatMap(SourceFiles::below)
          .filter(file -> file.toString().endsWith(".java"))
          .map(HOUSE::relativize)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> below(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @param source one of {@link #all}
   */
  static String text(Path source) {
    try {
      return Files.readString(HOUSE.resolve(source));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
