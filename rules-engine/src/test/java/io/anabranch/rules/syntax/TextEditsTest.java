package io.anabranch.rules.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.lexer.SqlTokens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextEditsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "SELECT a FROM t | 3 | u | SELECT a FROM u",
        "SELECT a FROM`t`WHERE 1 | 3 | u | SELECT a FROM u WHERE 1",
        "SELECT a FROM`t`WHERE 1 | 3 | `u` | SELECT a FROM`u`WHERE 1",
        "SELECT a FROM/**/`t`/**/WHERE 1 | 3 | u | SELECT a FROM/**/u/**/WHERE 1",
        "SELECT 1`t` | 2 | 9 | SELECT 1 9",
        "SELECT 'a'`t` | 2 | ü | SELECT 'a'ü",
        "SELECT f(`t`) | 3 | t | SELECT f(t)"
      })
  void replacesATokenAndKeepsWordsApart(String text, int token, String by, String expected) {
    assertThat(of(text).replace(token, by).text()).isEqualTo(expected);
  }

  @Test
  void putsTextBesideTokens() {
    assertThat(of("SELECT a FROM`t`").before(3, "s.").text()).isEqualTo("SELECT a FROM s.`t`");
    assertThat(of("SHOW TABLES-- x").behind(1, " FROM s").text())
        .isEqualTo("SHOW TABLES FROM s-- x");
    assertThat(of("SELECT a FROM t").before(3, "s.").replace(3, "u").behind(3, " x").text())
        .isEqualTo("SELECT a FROM s.u x");
  }

  @Test
  void takesWhatIsInTheMiddleOutInAnyOrder() {
    TextEdits edits = of("f(g(a,0))");
    assertThat(edits.remove(0, 2).remove(8, 9).remove(2, 4).remove(5, 8).text()).isEqualTo("a");
  }

  @Test
  void tellsAPart() {
    TextEdits edits = of("SELECT a , b FROM t").replace(1, "x").replace(5, "u");
    assertThat(edits.text(1, 4)).isEqualTo("x , b");
    assertThat(edits.text(4, 4)).isEmpty();
    assertThat(edits.isEmpty()).isFalse();
    assertThat(of("SELECT").isEmpty()).isTrue();
  }

  @Test
  void refusesToEditTwice() {
    TextEdits edits = of("SELECT a FROM t").replace(1, 3, "x");
    assertThatThrownBy(() -> edits.replace(2, "y")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> edits.replace(0, 2, "y")).isInstanceOf(IllegalArgumentException.class);
  }

  private static TextEdits of(String text) {
    return new TextEdits(text, SqlTokens.of(text));
  }
}
