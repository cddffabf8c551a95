package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A statement is to be read in {@code rules.syntax}, once. What still goes over its tokens
 * elsewhere is counted here and may only become less: whoever takes a loop away lowers the number.
 * Counted are the heads of {@code for} and {@code while} that speak of a token, outside of {@code
 * rules.syntax} and {@code rules.lexer}.
 */
class TokenLoopsTest {

  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
  private static final Pattern LOOP =
      Pattern.compile("(?si)\\b(?:for|while) \\((?=[^{]*token)[^{]*?\\) \\{");

  @ParameterizedTest
  @CsvSource({"rules-engine, 268", "proxy-frontend, 71"})
  void becomeFewer(String module, int most) {
    long loops =
        SourceFiles.all().stream()
            .filter(source -> source.startsWith(Path.of(module, "src", "main")))
            .filter(source -> !isReader(source))
            .mapToLong(TokenLoopsTest::loops)
            .sum();
    assertThat(loops)
        .as("loops over tokens: read it in rules.syntax, or ask who has that loop already")
        .isPositive()
        .isLessThanOrEqualTo(most);
  }

  private static boolean isReader(Path source) {
    return source.toString().matches(".*\\brules.(syntax|lexer).[\\w-]+\\.java");
  }

  private static long loops(Path source) {
    String code = COMMENT.matcher(SourceFiles.text(source)).replaceAll("");
    return LOOP.matcher(code).results().count();
  }
}
