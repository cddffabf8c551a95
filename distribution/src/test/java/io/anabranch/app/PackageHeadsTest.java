package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Heads of packages lead to classes: all that they name are there. */
class PackageHeadsTest {

  private static final Pattern NAMED =
      Pattern.compile("\\{@(?:link|code)[\\s*]+(?:[a-z][\\w.\\s*]*\\.)?([A-Z]\\w*[a-z]\\w*)\\s*}");

  private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum) (\\w+)");

  /** Other people's. */
  private static final Set<String> FOREIGN = Set.of("ByteBuf", "ServiceLoader");

  private static final Set<String> OURS =
      SourceFiles.all().stream()
          .flatMap(source -> TYPE.matcher(SourceFiles.text(source)).results())
          .map(found -> found.group(1))
          .collect(Collectors.toSet());

  static List<Path> heads() {
    return SourceFiles.all().stream()
        .filter(source -> source.endsWith("package-info.java"))
        .toList();
  }

  private static List<String> named(Path head) {
    return NAMED.matcher(SourceFiles.text(head)).results().map(found -> found.group(1)).toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("heads")
  void nameWhatIsThere(Path head) {
    assertThat(named(head)).allMatch(name -> OURS.contains(name) || FOREIGN.contains(name));
  }

  @Test
  void mostNameSomething() {
    List<Path> heads = heads();
    assertThat(heads.stream().filter(head -> !named(head).isEmpty()))
        .hasSizeGreaterThan(heads.size() / 2);
  }
}
