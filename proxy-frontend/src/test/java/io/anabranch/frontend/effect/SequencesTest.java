package io.anabranch.frontend.effect;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.SqlTokens;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SequencesTest {

  private static Sequences of(String sql) {
    return Sequences.of(SqlTokens.of(sql), "here", sql.startsWith("/*oracle*/"));
  }

  private static String told(Set<String> names) {
    return names.stream().sorted().collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "select nextval(s)|here.s|''|true",
        "select next value for s|here.s|''|true",
        "select nextval(`there`.`s t`)|there.s t|''|true",
        "/*oracle*/ select s.nextval, a.b.nextval from dual|a.b here.s|''|true",
        "insert into t values (nextval(s), 1), (nextval(s), 2)|here.s|''|true",
        "insert into t select nextval(s) from u|here.s|''|true",
        "insert into t values (1, 2) on duplicate key update a = nextval(s)|here.s|''|false",
        "select if(a, nextval(s), 1) from t|here.s|''|false",
        "select 1 from t where a = 1 and b = nextval(s)|here.s|''|false",
        "select (select nextval(s) from t where 1 = 0)|here.s|''|false",
        "select lastval(s)|''|here.s|true",
        "select previous value for there.s|''|there.s|true",
        "select nextval(s), lastval(s)|here.s|''|true",
        "select lastval(s), nextval(s)|here.s|here.s|true",
        "select nextval(s), lastval(r)|here.s|here.r|true",
        "select if(a, nextval(s), 0), lastval(s) from t|here.s|here.s|false",
      })
  void tellsWhatIsDrawnFromAndWhatIsAsked(String sql, String drawn, String asked, boolean surely) {
    Sequences found = of(sql);
    assertThat(told(found.drawn())).isEqualTo(drawn);
    assertThat(told(found.asked())).isEqualTo(asked);
    assertThat(found.surely()).isEqualTo(surely);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select nextval('s')",
        "select lastval(?)",
        "select t.currval, t.nextval from t",
        "select 'next value for s'",
        "select next, previous from t",
      })
  void takesNothingElseForASequence(String sql) {
    assertThat(of(sql)).isEqualTo(Sequences.NONE);
  }
}
