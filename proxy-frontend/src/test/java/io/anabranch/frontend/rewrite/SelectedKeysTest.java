package io.anabranch.frontend.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.syntax.query.ClauseWords;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The select list of each statement is {@code a * @x}, with an alias or without one. */
class SelectedKeysTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT a * @x FROM t GROUP BY a * @x|true",
        "SELECT a * @x AS v FROM t GROUP BY b, A*@X HAVING 1|true",
        "SELECT a * @x v FROM t ORDER BY a * @x DESC, b|true",
        "SELECT a * @x FROM t ORDER BY a * @x + 1|false",
        "SELECT a * @x FROM t GROUP BY b * @x|false",
        "SELECT a * @x FROM t WHERE a * @x|false",
        "SELECT a * @x FROM t ORDER BY @x|false"
      })
  void knowsWhatIsSelected(String sql, boolean isSelected) {
    SqlTokens tokens = SqlTokens.of(sql);
    var keys = new SelectedKeys(tokens);
    int behind = 1;
    while (!tokens.isWord(behind, "FROM")) {
      behind++;
    }
    keys.add(1, behind, 0);
    int last = tokens.size() - 1;
    while (tokens.kind(last) != TokenKind.VARIABLE) {
      last--;
    }

    assertThat(keys.hasKey(last, new ClauseWords(tokens))).isEqualTo(isSelected);
  }
}
