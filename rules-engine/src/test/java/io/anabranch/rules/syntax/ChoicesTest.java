package io.anabranch.rules.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.syntax.query.SelectLayout;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The values of which an IF or a CASE gives one. */
class ChoicesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "IF(a > 1, b, c) | b;c",
        "IF(a, IF(b, c, d), f(e, g)) | IF ( b , c , d );f ( e , g )",
        "IF(a, CASE b WHEN 1 THEN c ELSE d END, e) | CASE b WHEN 1 THEN c ELSE d END;e",
        "CASE WHEN a THEN b WHEN c THEN d ELSE e END | b;d;e",
        "CASE a WHEN 1 THEN CASE WHEN b THEN c END END | CASE WHEN b THEN c END",
        "(CASE WHEN a THEN b END) | \"\"",
        "IF(a, b, c) + 1 | \"\"",
        "1 + IF(a, b, c) | \"\"",
        "CASE a WHEN 1 THEN b END + CASE c WHEN 2 THEN d END | \"\"",
        "IFNULL(a, b) | \"\""
      })
  void areFound(String expression, String choices) {
    SqlTokens tokens = SqlTokens.of(expression);
    assertThat(
            SelectLayout.choices(tokens, new Span(0, tokens.size())).stream()
                .map(span -> text(tokens, span))
                .collect(Collectors.joining(";")))
        .isEqualTo(choices);
  }

  private static String text(SqlTokens tokens, Span span) {
    var text = new StringBuilder();
    for (int token = span.first(); token < span.behind(); token++) {
      text.append(token == span.first() ? "" : " ").append(tokens.text(token));
    }
    return text.toString();
  }
}
