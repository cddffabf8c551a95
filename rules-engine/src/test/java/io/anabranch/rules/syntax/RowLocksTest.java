package io.anabranch.rules.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.lexer.SqlTokens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowLocksTest {

  @Test
  void areTheRowsOfTheWholeStatement() {
    SqlTokens tokens =
        SqlTokens.of("SELECT a FROM t WHERE a IN (SELECT 1 UNION SELECT 2) FOR UPDATE");
    assertThat(RowLocks.of(tokens).first()).isEqualTo(tokens.size() - 2);
    assertThat(RowLocks.of(SqlTokens.of("SELECT a FROM t UNION SELECT b FROM u")).isEmpty())
        .isTrue();
  }

  /** It locks what the last SELECT reads, and nothing of the others. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a FROM t UNION ALL SELECT b FROM u FOR UPDATE",
        "SELECT a FROM t EXCEPT SELECT b FROM u LOCK IN SHARE MODE",
        "SELECT a FROM t INTERSECT SELECT b FROM u ORDER BY a LIMIT 1 FOR SHARE"
      })
  void areNotThoseOfASetOperation(String sql) {
    assertThatThrownBy(() -> RowLocks.of(SqlTokens.of(sql)))
        .isInstanceOf(NotMergeableException.class)
        .hasMessageContaining("behind a set operation");
  }
}
