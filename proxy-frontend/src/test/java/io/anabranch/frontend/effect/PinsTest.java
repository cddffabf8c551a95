package io.anabranch.frontend.effect;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.transaction.Pin;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PinsTest {

  private static Scan scan(String sql) {
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    return new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lock tables t read|LOCK_TABLES",
        "flush tables with read lock|LOCK_TABLES",
        "FLUSH TABLES t FOR EXPORT|LOCK_TABLES",
        "lock instance for backup|OTHER",
        "backup stage start|OTHER",
        "execute immediate 'do get_lock(1, 2)'|OTHER",
        "execute s|OTHER",
        "begin not atomic set @a = 1; end|OTHER",
        "if 1 then set @a = 1; end if|OTHER",
        "set role r|OTHER",
        "create temporary table t (a int)|TEMPORARY_TABLE",
        "prepare s from 'select 1'|OTHER",
        "handler t open|OTHER",
        "call p()|OTHER",
        "set rand_seed1 = 5|OTHER",
      })
  void keepsConnectionsWhoseStateCannotBeReplayed(String sql, Pin pin) {
    assertThat(Pins.pin(scan(sql))).isEqualTo(pin);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select release_all_locks()|true",
        "do release_all_locks()|true",
        "select RELEASE_ALL_LOCKS() as n|true",
        "select release_all_locks() n|true",
        "select release_all_locks() from t where 1 = 0|false",
        "select release_all_locks(), get_lock('a', 1)|false",
        "select if(a, release_all_locks(), 0)|false",
      })
  void locksAreGoneWhereNothingElseIsDone(String sql, boolean gone) {
    assertThat(Pins.releasesAllLocks(SqlTokens.of(sql))).isEqualTo(gone);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "drop temporary table a|1",
        "drop temporary table if exists a, db.b|2",
        "drop table a|0",
        "drop temporary sequence a|0",
      })
  void countsTheTemporaryTablesThatAreDropped(String sql, int count) {
    assertThat(Pins.dropped(SqlTokens.of(sql))).isEqualTo(count);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"flush tables", "flush privileges", "select 'get_lock'", "create table t (a int)"})
  void letsOthersGo(String sql) {
    assertThat(Pins.pin(scan(sql))).isNull();
  }
}
