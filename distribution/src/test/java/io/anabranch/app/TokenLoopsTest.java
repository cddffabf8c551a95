package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A statement is to be read in {@code rules.syntax}, once. What still goes over its tokens
 * elsewhere is counted here and may only become less: whoever takes a loop away lowers the number.
 * Counted are the heads of {@code for} and {@code while} that go from token to token outside of
 * {@code rules.lexer}, {@code rules.digest} and {@code rules.syntax}; a list of what they have
 * found may be gone through.
 */
class TokenLoopsTest {

  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
  private static final Pattern LOOP =
      Pattern.compile(
          "(?si)\\bfor \\((?=[^{;]*;[^{]*token)[^{]*?\\) \\{"
              + "|\\bfor \\((?=[^{;]*token[^{;]*;)[^{]*?\\) \\{"
              + "|\\bwhile \\((?=[^{;]*token)[^{;]*?\\) \\{");

  @ParameterizedTest
  @CsvSource({"rules-engine, 3", "proxy-frontend, 1"})
  void becomeFewer(String module, int most) {
    long loops =
        SourceFiles.all().stream()
            .filter(source -> source.startsWith(Path.of(module, "src", "main")))
            .filter(source -> !isReader(source))
            .mapToLong(TokenLoopsTest::loops)
            .sum();
    assertThat(loops)
        .as("loops over tokens: ask a TokenRange, or read it in rules.syntax")
        .isPositive()
        .isLessThanOrEqualTo(most);
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
