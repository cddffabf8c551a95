package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Heads of packages lead to classes: all that they name are there. */
class PackageHeadsTest {

  /** Of the sources of all modules. */
  private static final Path HOUSE = Path.of("..");

  private static final Pattern NAMED =
      Pattern.compile("\\{@(?:link|code)[\\s*]+(?:[a-z][\\w.\\s*]*\\.)?([A-Z]\\w*[a-z]\\w*)\\s*}");

  private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum) (\\w+)");

  /** Other people's. */
  private static final Set<String> FOREIGN = Set.of("ByteBuf", "ServiceLoader");

  private static final Set<String> OURS = types();

  @ParameterizedTest(name = "{0}")
  @MethodSource("heads")
  void namesWhatIsThere(Path head) {
    List<String> named =
        NAMED.matcher(text(HOUSE.resolve(head))).results().map(found -> found.group(1)).toList();
    assertThat(named).allMatch(name -> OURS.contains(name) || FOREIGN.contains(name));
  }

  @Test
  void looksAtHeadsThatNameSomething() {
    assertThat(heads())
        .anyMatch(head -> NAMED.matcher(text(HOUSE.resolve(head))).find())
        .hasSizeGreaterThan(100);
  }

  static List<Path> heads() {
    return sources().stream()
        .filter(source -> source.endsWith("package-info.java"))
        .map(HOUSE::relativize)
        .sorted()
        .toList();
  }

  private static Set<String> types() {
    var names = new HashSet<String>();
    for (Path source : sources()) {
      TYPE.matcher(text(source)).results().map(found -> found.group(1)).forEach(names::add);
    }
    return names;
  }

  private static List<Path> sources() {
    try (Stream<Path> modules = Files.list(HOUSE)) {
      return modules
          .map(module -> module.resolve("src"))
          .filter(Files::isDirectory)
          .flatMap(PackageHeadsTest::files)
          .filter(file -> file.toString().endsWith(".java"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
