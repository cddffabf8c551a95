package io.anabranch.rules.digest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatementDigestTest {

  private static final String RULE = "SELECT @@server_id, 'toprim', ? FROM t WHERE a = ?";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT @@server_id, 'toprim', 5 FROM t WHERE a = 'x'",
        "SELECT @@server_id ,'toprim',5 FROM t WHERE a=1",
        "select\n@@server_id,'other',-5 /* why */ from `t` where a=+5.5e3",
        "SELECT @@server_id, 'a' 'b', NULL FROM t WHERE a = TRUE -- so it is",
        "SELECT @@server_id, _utf8mb4'x', 0x41 FROM t WHERE a = DATE '2000-01-01'",
        "SELECT @@server_id, N'x', b'1' FROM t WHERE a = - - 1",
      })
  void statementsThatAreTheSameButForTheirValues(String sql) {
    assertThat(StatementDigest.of(sql)).isEqualTo(StatementDigest.of(RULE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT @@server_id, 'toprim', b FROM t WHERE a = 5",
        "SELECT @@server_id, 'toprim' FROM t WHERE a = 5",
        "SELECT @@server_id, 'toprim', 5 FROM t WHERE a <> 5",
        "SELECT @@server_id, 'toprim', 5 FROM t WHERE a IS NULL",
      })
  void othersAreNot(String sql) {
    assertThat(StatementDigest.of(sql)).isNotEqualTo(StatementDigest.of(RULE));
  }

  @Test
  void signsBetweenOperandsAndPredicatesStay() {
    assertThat(StatementDigest.of("SELECT a -5, -5 FROM t WHERE b IS NOT NULL LIMIT 3"))
        .isEqualTo("select a - ? , ? from t where b is not null limit ?");
    assertThat(StatementDigest.of("SELECT CURRENT_DATE - 5, - - a, d + INTERVAL - 1 DAY_HOUR + 2"))
        .isEqualTo("select current_date - ? , - - a , d + interval ? day_hour + ?");
  }
}
