package io.anabranch.frontend.effect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AftermathTest {

  private static Aftermath of(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    Scan scan = new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
    return Aftermath.of(scan, false, () -> SourceText.of(sql, LexerMode.DEFAULT));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select a from t where b = @x",
        "select 41 as `last_insert_id()`",
        "select last_insert_id( )",
        "select 'last_insert_id(5)'",
        "insert into t values (@x, last_insert_id(5))",
      })
  void mostStatementsLeaveNothing(String sql) {
    assertThat(of(sql).isEmpty()).isTrue();
  }

  @Test
  void functionsAndModifiersLeaveNumbers() {
    assertThat(of("select Last_Insert_Id (77)")).isEqualTo(new Aftermath(true, false, Set.of()));
    assertThat(of("update t set id = last_insert_id(id + 1)").insertId()).isTrue();
    assertThat(of("select SQL_CALC_FOUND_ROWS a from t limit 1"))
        .isEqualTo(new Aftermath(false, true, Set.of()));
  }

  @Test
  void insertsThatReturnRowsLeaveAnId() {
    assertThat(of("insert into t (a) values (1) returning id").insertId()).isTrue();
    assertThat(of("replace into t (a) values (1) Returning *").insertId()).isTrue();
    assertThat(of("insert into t (a) values ('returning')").insertId()).isFalse();
    assertThat(of("delete from t returning id").insertId()).isFalse();
  }

  @Test
  void assignmentsLeaveUserVariables() {
    assertThat(of("select a, b into @X, @`y z` from t where c = @@max_sp_recursion_depth"))
        .isEqualTo(new Aftermath(false, true, Set.of("x", "y z")));
    assertThat(of("update t set a = @n := a + 1").variables()).containsExactly("n");
  }

  @Test
  void severalRowsMayGetKeysBeforeOneFails() {
    assertThat(of("insert into t (a) values (1), (2)").keys()).isTrue();
    assertThat(of("insert into t (a) values (1),\n\t/* x */ (2)").keys()).isTrue();
    assertThat(of("insert into t (a) values (default), (2)").keys()).isTrue();
    assertThat(of("replace into t (a) select a from u").keys()).isTrue();
    assertThat(of("insert into t (a, b) values (1, f((2)))").keys()).isFalse();
    assertThat(of("insert into t (a) values (1), (2)").isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "insert into t (a) select 1 union all select 2",
        "insert into t table u",
        "insert into t values (1)/*c*/,(2)",
        "insert into t values (1) -- c\n,(2)",
        "insert into t values row(1), row(2)",
        "insert into t (a) values (last_insert_id(5))",
      })
  void onlyTheConnectionKnowsWhatFailedOnesMade(String sql) {
    assertThat(of(sql).keys()).isTrue();
  }

  @Test
  void queriesInsideOfOthersFindRows() {
    assertThat(of("insert into t (a) select a from u").foundRows()).isTrue();
    assertThat(of("create table t as select a from u").foundRows()).isTrue();
    assertThat(of("insert into t (a) values (1)").foundRows()).isFalse();
  }

  @Test
  void routinesMayLeaveEverything() {
    assertThat(of("call p(1, @out)"))
        .isEqualTo(new Aftermath(true, true, Set.of("out"), null, false, true, false));
    assertThat(of("execute p using @in"))
        .isEqualTo(new Aftermath(true, true, Set.of(), null, false, true, false));
  }
}
