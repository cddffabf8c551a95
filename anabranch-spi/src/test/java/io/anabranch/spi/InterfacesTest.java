package io.anabranch.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What plug-ins are compiled against is whole, and needs nothing else of the proxy. */
class InterfacesTest {

  private static final Path CLASSES = Path.of("target/classes");
  private static final Pattern SERVICE =
      Pattern.compile("META-INF/services/(io\\.anabranch\\.[\\w.]*\\w)");

  /** What classes refer to that is neither Java's nor among them; annotations do not count. */
  private static String missing(Path classes) {
    var out = new StringWriter();
    var writer = new PrintWriter(out);
    int code =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(writer, writer, "--missing-deps", classes.toString());
    assertThat(code).as(out.toString()).isZero();
    return out.toString();
  }

  @Test
  void nothingIsNeededButJava(@TempDir Path copy) throws IOException {
    assertThat(missing(CLASSES)).isEmpty();
    try (Stream<Path> files = Files.walk(CLASSES)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.endsWith("SqlValue.class")) {
          Path to = copy.resolve(CLASSES.relativize(file).toString());
          Files.createDirectories(to.getParent());
          Files.copy(file, to);
        }
      }
    }
    assertThat(missing(copy)).contains("SqlValue");
  }

  @Test
  void allThatThePagesNameIsThere() throws IOException {
    Set<String> named;
    try (Stream<String> lines = Files.lines(Path.of("../docs/extending.md"))) {
      named =
          lines
              .flatMap(line -> SERVICE.matcher(line).results())
              .map(found -> found.group(1))
              .collect(Collectors.toSet());
    }
    assertThat(named).isNotEmpty();
    assertThat(named)
        .allSatisfy(
            name -> assertThat(CLASSES.resolve(name.replace('.', '/') + ".class")).isRegularFile());
  }
}
