package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A statement is read in {@code rules.syntax}, once: nobody else goes over its tokens. Found are
 * the heads of {@code for} and {@code while} that go from token to token outside of {@code
 * rules.lexer}, {@code rules.digest} and {@code rules.syntax}; a list of what they have found may
 * be gone through.
 */
class TokenLoopsTest {

  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
  private static final Pattern LOOP =
      Pattern.compile(
          "(?si)\\bfor \\((?=[^{;]*;[^{]*(?:token|\\.behind\\(\\)))[^{]*?\\) \\{"
              + "|\\bfor \\((?=[^{;]*token[^{;]*;)[^{]*?\\) \\{"
              + "|\\bwhile \\((?=[^{;]*(?:token|words\\.))[^{;]*?\\) ?[{;]");

  @Test
  void areInNoOtherRoom() {
    assertThat(products().filter(source -> !isReader(source)))
        .as("loops over tokens: ask a TokenRange, or read it in rules.syntax")
        .filteredOn(source -> loops(source) > 0)
        .isEmpty();
  }

  @Test
  void areFound() {
    assertThat(products().filter(TokenLoopsTest::isReader))
        .filteredOn(source -> loops(source) > 0)
        .hasSizeGreaterThan(5);
  }

  private static Stream<Path> products() {
    Path main = Path.of("src", "main");
    return SourceFiles.all().stream()
        .filter(source -> source.subpath(1, 3).equals(main))
        .filter(source -> SourceFiles.text(source).contains("SqlTokens"));
  }

  private static boolean isReader(Path source) {
    return source
        .toString()
        .matches(".*\\brules.(lexer|digest|syntax|syntax.(query|qualifier)).[\\w-]+\\.java");
  }

  private static long loops(Path source) {
    String code = COMMENT.matcher(SourceFiles.text(source)).replaceAll("");
    return LOOP.matcher(code).results().count();
  }
}
