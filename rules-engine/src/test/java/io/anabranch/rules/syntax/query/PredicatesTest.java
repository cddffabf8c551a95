package io.anabranch.rules.syntax.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PredicatesTest {

  /** Which of the variables stand in a condition that decides. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "select 1 from t where u = @y|y",
        "select 1 from t where t.U = @y and name = @n|y",
        "select 1 from t where name = @n or `u` > @y|y",
        "select 1 from t where u between @y and @y2 and name between @n and @n2|y y2",
        "select 1 from t where name = @n and (u, id) in ((@y, 3), (@y2, 4)) and a = @a|y y2",
        "select 1 from t where (name = @n or u = @y) and b = @b|y",
        "select 1 from t where (name = @n && u = (@y)) xor id = @i|y",
        "select 1 from t join o on o.x = t.u and o.n = @n where o.x = @y and o.z in (@z)|y",
        "select 1 from t where a in (select b from s where c = @c) and u in (@y)|y",
        "select 1 from t where u in (select b from s where c = @c)|-",
        "select 1 from u where u.name = @n and u(1) = @f|-",
        "select 1 from t where name is not null and name in (@n, @m) or not name like @l|-",
        "update t set name = @s where name = @n and u = @y|y",
        "delete from t where name = @n|-",
      })
  void conditionsOfColumns(String sql, String deciding) {
    SqlTokens tokens = SqlTokens.of(sql);
    var predicates = new Predicates(tokens, Set.of("u"));
    var found = new StringBuilder();
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.kind(token) == TokenKind.VARIABLE && predicates.nameAny(token)) {
        found.append(found.isEmpty() ? "" : " ").append(tokens.text(token).substring(1));
      }
    }
    assertThat(found).hasToString(deciding.replace("-", ""));
  }
}
