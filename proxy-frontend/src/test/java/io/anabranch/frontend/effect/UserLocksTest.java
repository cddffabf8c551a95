package io.anabranch.frontend.effect;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.slot.TextSlotValues;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserLocksTest {

  private static @Nullable Set<String> names(String sql) {
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    var scan = new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
    var slots = new TextSlotValues().over(scan, StandardCharsets.UTF_8, LexerMode.DEFAULT);
    return UserLocks.names(SqlTokens.of(sql), slots);
  }

  @Test
  void theNamesThatAStatementTakes() {
    assertThat(names("select get_lock('job 1', 10)")).containsExactly("job 1");
    assertThat(names("do `get_lock`('a', 1), GET_LOCK('b', 0)"))
        .containsExactlyInAnyOrder("a", "b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select get_lock(concat('a', 'b'), 1)",
        "select get_lock('a', 1), get_lock(name, 1) from t",
        "select get_lock('it''s', 1)",
        "select get_lock('h\u00e4', 1)",
        "select get_lock(5, 1)",
      })
  void namesThatCannotBeAskedForAreNotKnown(String sql) {
    assertThat(names(sql)).isNull();
  }

  @Test
  void namesThatNoServerTakesAreNotKept() {
    assertThat(names("select get_lock('" + "a".repeat(192) + "', 1)")).hasSize(1);
    assertThat(names("select get_lock('" + "a".repeat(193) + "', 1)")).isNull();
  }
}
