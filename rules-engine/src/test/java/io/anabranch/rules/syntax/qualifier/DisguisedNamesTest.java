package io.anabranch.rules.syntax.qualifier;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.SqlTokens;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DisguisedNamesTest {

  @ParameterizedTest
  @ValueSource(strings = {"p\u0130n", "`t`.`P\u0130N`", "\u039f\u0394\u039f\u03a3"})
  void findsWhatServersFoldOtherwise(String name) {
    assertThat(DisguisedNames.first(SqlTokens.of("SELECT 1, " + name + " FROM t"))).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pin",
        "PIN",
        "to\u212aen",
        "\u00c4rger",
        "'p\u0130n'",
        "/* \u0130 */ 1",
        "\u59d3\u540d"
      })
  void leavesAllOthers(String name) {
    assertThat(DisguisedNames.first(SqlTokens.of("SELECT 1, " + name + " FROM t"))).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ph\u00f6ne", "`t`.`PH\u00d6NE`", "`phone `", "\u00fe\u0127one"})
  void findsWhatACollationTakesForAKnownName(String name) {
    SqlTokens tokens = SqlTokens.of("SELECT phone, " + name + " FROM t");
    assertThat(DisguisedNames.alike(tokens, Set.of("phone"))).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"phone", "`PHONE`", "gr\u00f6\u00dfe", "phones", "'ph\u00f6ne'", "\u59d3hone"})
  void leavesWhatIsNoneOrTheNameItself(String name) {
    SqlTokens tokens = SqlTokens.of("SELECT phone, " + name + " FROM t");
    assertThat(DisguisedNames.alike(tokens, Set.of("phone"))).isNull();
  }
}
