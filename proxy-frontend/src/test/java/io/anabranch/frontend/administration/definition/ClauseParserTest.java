package io.anabranch.frontend.administration.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Definitions of DistSQL, part by part. */
class ClauseParserTest {

  private static List<Clause> parse(String text) {
    SqlTokens tokens = SqlTokens.of(text);
    return ClauseParser.parse(tokens, LexerMode.DEFAULT, 0, tokens.size());
  }

  @Test
  void partsHaveNamesValuesAndParts() {
    List<Clause> parts =
        parse("`a b` (X = 'it''s', Y(p, \"q\"), Z = -3), ds_0.t, *.*, (TYPE = none)");
    assertThat(parts).extracting(Clause::name).containsExactly("a b", "ds_0.t", "*.*", "");
    Clause first = parts.getFirst();
    assertThat(first.text("x")).isEqualTo("it's");
    assertThat(first.text("Z")).isEqualTo("-3");
    assertThat(first.parts().get(1).names()).containsExactly("p", "q");
    assertThat(parts.getLast().required("TYPE")).isEqualTo("none");
  }

  @Test
  void severalValuesFollowOneEqualsSign() {
    Clause strategy =
        parse("s (TYPE = 'complex', SHARDING_COLUMNS = a, b, c, OTHER(d))").getFirst();
    assertThat(strategy.values("SHARDING_COLUMNS")).containsExactly("a", "b", "c");
  }

  @Test
  void wordsThatNobodyReadsAreRefused() {
    parse("s (X = a, b, c, Y(d), Y(e))").getFirst().takeOnly("X", "Y");
    for (String text :
        List.of("s (X = a, Y)", "s (X = a, X = b)", "s (Y(a), X)", "s (z, X = a)", "s (Z = a)")) {
      assertThatThrownBy(() -> parse(text).getFirst().takeOnly("X", "Y"))
          .as(text)
          .isInstanceOf(ConfigurationRefusedException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a (",
        "a (b",
        "a (PASSWORD = )",
        "a (PASSWORD 'hidden')",
        "a, ",
        "a b",
        "a = 'x' 'y' z"
      })
  void whatIsWrongIsToldWithoutValues(String text) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(ConfigurationRefusedException.class)
        .message()
        .doesNotContain("hidden");
  }

  @Test
  void deepNestingIsRefused() {
    assertThatThrownBy(() -> parse("a(".repeat(50_000)))
        .isInstanceOf(ConfigurationRefusedException.class);
  }

  @Test
  void unknownPartsAreNamedWithTheNearest() {
    Clause unit = parse("u (HOTS = 'x')").getFirst();
    assertThatThrownBy(() -> unit.takeOnly("HOST", "PORT"))
        .isInstanceOf(ConfigurationRefusedException.class)
        .hasMessageContaining("HOTS")
        .hasMessageContaining("`HOST`");
  }
}
