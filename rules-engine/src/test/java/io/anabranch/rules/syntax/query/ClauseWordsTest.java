package io.anabranch.rules.syntax.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClauseWordsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a FROM t ORDER BY @x",
        "SELECT a FROM t ORDER BY b, (@x) DESC",
        "SELECT a FROM t GROUP BY f(g(a), @x), b",
        "SELECT RANK() OVER (PARTITION BY a ORDER BY b, @x) FROM t",
        "DELETE FROM t WHERE a = (SELECT 1) ORDER BY @x LIMIT 2",
        "SELECT a FROM t GROUP BY (SELECT 1), @x",
      })
  void isKey(String sql) {
    assertThat(isKeyThere(sql)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a FROM t WHERE b = @x ORDER BY a",
        "SELECT a FROM t ORDER BY a LIMIT @x",
        "SELECT a FROM t GROUP BY a HAVING @x",
        "SELECT a FROM t ORDER BY (SELECT b FROM u WHERE c = @x)",
        "SELECT RANK() OVER (ORDER BY b), @x FROM t",
        "UPDATE t SET a = @x ORDER BY b",
        "SELECT a FROM t JOIN u ON t.a = @x",
        "SELECT a FROM t GROUP BY a) + @x",
        "SELECT a FROM t WHERE t.by = @x",
      })
  void isNoKey(String sql) {
    assertThat(isKeyThere(sql)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"2, (2+0)", "-17, (-17+0)", "2.5, 2.5", "NULL, NULL", "1e1, 1e1", "x'32', x'32'"})
  void wholeNumbersAreNoPositions(String literal, String expected) {
    assertThat(ClauseWords.keyOf(literal)).isEqualTo(expected);
  }

  private static boolean isKeyThere(String sql) {
    SqlTokens tokens = SqlTokens.of(sql);
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.kind(token) == TokenKind.VARIABLE) {
        return new ClauseWords(tokens).isKey(token);
      }
    }
    throw new IllegalArgumentException(sql);
  }
}
