package io.anabranch.rules.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.SqlTokens;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HiddenDigitsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a / 3 INTO @a FROM t",
        "SELECT IFNULL(AVG(a), 0) INTO @a FROM t",
        "SELECT m INTO @a FROM (SELECT avg(a) AS m FROM t) s",
        "SELECT ROUND(a, 2), a / b INTO @a, @b FROM t",
        "SELECT ROUND(a, 2) / 3 INTO @a FROM t",
      })
  void quotientsMayHaveThem(String sql) {
    assertThat(HiddenDigits.mayBeIn(SqlTokens.of(sql))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a INTO @a FROM t WHERE b / 2 > 1",
        "SELECT a, COUNT(*) INTO @a, @b FROM t GROUP BY a HAVING AVG(b) > 1",
        "SELECT ROUND(AVG(a), 2) INTO @a FROM t",
        "SELECT CAST(IF(a > 0, (b + 1) / 2, 0) AS DECIMAL(9, 2)) INTO @a FROM t",
        "SELECT SUM(avg) INTO @a FROM t",
      })
  void whatIsRoundedOrNotSelectedHasNone(String sql) {
    assertThat(HiddenDigits.mayBeIn(SqlTokens.of(sql))).isFalse();
  }
}
