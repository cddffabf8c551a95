package io.anabranch.rules.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.SqlTokens;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FunctionUsesTest {

  private static SqlFunction first(String sql) {
    SqlTokens tokens = SqlTokens.of(sql);
    SqlFunction found = FunctionUses.first(tokens, 1, tokens.size(), function -> true);
    assertThat(found).as(sql).isNotNull();
    return found == null ? SqlFunctions.named("none") : found;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT uuid()                   | UUID         | RANDOM
          SELECT `Uuid`()                 | UUID         | RANDOM
          SELECT sysdate(6)               | SYSDATE      | CLOCK
          SELECT CURRENT_TIMESTAMP        | CURRENT_TIMESTAMP | MOMENT
          SELECT NEXT VALUE FOR s         | NEXTVAL      | SEQUENCE
          SELECT s.nextval                | NEXTVAL      | SEQUENCE
          SELECT shop.discount(3)         | DISCOUNT     | UNKNOWN
          SELECT shop.uuid()              | UUID         | UNKNOWN
          SELECT discount (3)             | DISCOUNT     | UNKNOWN
          SELECT `concat`('a')            | CONCAT       | UNKNOWN
          SELECT count(*)                 | COUNT        | AGGREGATE
          SELECT get_lock('a', 1)         | GET_LOCK     | LOCK
          """)
  void areFound(String sql, String name, Trait trait) {
    assertThat(first(sql).name()).isEqualTo(name);
    assertThat(first(sql).traits()).contains(trait);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a FROM t WHERE a IN (1, 2)",
        "SELECT t.now FROM t",
        "WITH y (c) AS (SELECT 1) SELECT c FROM y",
        "SELECT a.current_date FROM a"
      })
  void areNotFound(String sql) {
    SqlTokens tokens = SqlTokens.of(sql);
    assertThat(FunctionUses.any(tokens, function -> true)).isFalse();
  }

  @Test
  void whatIsOfOneServerIsUnknownToTheOther() {
    assertThat(SqlFunctions.named("sformat").isSameEverywhere(Flavour.MARIADB)).isTrue();
    assertThat(SqlFunctions.named("sformat").isSameEverywhere(Flavour.MYSQL)).isFalse();
    assertThat(SqlFunctions.named("concat").isSameEverywhere(Flavour.MYSQL)).isTrue();
    assertThat(SqlFunctions.named("brand_new").isSameEverywhere(Flavour.MARIADB)).isFalse();
    assertThat(Flavour.ofVersion("10.11.19-MariaDB-0+deb12u1")).isEqualTo(Flavour.MARIADB);
    assertThat(Flavour.ofVersion("9.7.4-2")).isEqualTo(Flavour.MYSQL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select Now(6)",
        "a=unix_timestamp()",
        "x.CURDATE",
        "(utc_date)",
        "LOCALTIME",
        "SELECT snow(6)",
        "SELECT `snow` (6)",
        "SELECT shop.count_up(1)"
      })
  void wordsThatTellTheMomentAreFoundInBytes(String sql) {
    assertThat(MomentWords.areIn(sql.getBytes(StandardCharsets.UTF_8))).isTrue();
    assertThat(MomentWords.areIn(sql.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8)))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT snow",
        "know",
        "NOW_1",
        "",
        "é",
        "SELECT COUNT(a) FROM (SELECT 1) t WHERE a IN (1, 2) AND (b)"
      })
  void othersAreNot(String sql) {
    assertThat(MomentWords.areIn(sql.getBytes(StandardCharsets.UTF_8))).isFalse();
  }
}
