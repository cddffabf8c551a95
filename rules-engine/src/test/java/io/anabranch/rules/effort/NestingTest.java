package io.anabranch.rules.effort;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NestingTest {

  private static final int MANY = 500;

  private static int of(String sql) {
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    return Nesting.of(new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan()));
  }

  private static String list(String each) {
    return IntStream.range(0, MANY).mapToObj(i -> each + i).collect(Collectors.joining(", "));
  }

  private static String rows(String row) {
    return IntStream.range(0, MANY).mapToObj(_ -> row).collect(Collectors.joining(", "));
  }

  @Test
  void listsAreFlat() {
    assertThat(of("SELECT " + list("c") + " FROM t")).isLessThan(20);
    assertThat(of("SELECT " + list("t.`c") + "`")).isLessThan(20);
    assertThat(of("INSERT INTO t (" + list("c") + ") VALUES " + rows("(1, f(2), NULL)")))
        .isLessThan(20);
    assertThat(of("SELECT a FROM t WHERE b IN (" + rows("17") + ")")).isLessThan(20);
    assertThat(of("SELECT a FROM (SELECT " + list("c") + " FROM t) AS v")).isLessThan(30);
    assertThat(of("SELECT f(" + list("c") + ") FROM t")).isLessThan(20);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1 FROM %s",
        "SELECT 1 FROM (%s)",
        "SELECT 1 FROM a JOIN (b, %s)",
        "UPDATE %s SET a = 1",
        "DELETE FROM a USING %s",
        "DELETE %s FROM a",
        "SELECT (SELECT 1 FROM %s)",
        "SELECT 1 FROM `(select`, %s",
        "SELECT 1 FROM a AS '(select', %s",
        "SELECT 1 FROM a AS 'it\\'s (select', %s",
        "SELECT 1 FROM a /* (select */, %s",
        "SELECT 1 FROM a /*! (select */, %s",
        "SELECT /*+ (select */ 1 FROM a, %s",
        "SELECT 1 FROM `a``(select`, %s",
        "SELECT 1 FROM a -- (select\n, %s",
        "SELECT 1 FROM a AS \"(select\", %s",
        "SELECT 1 FROM `\u00e4`, `(select`, %s",
      })
  void tablesAreBelowEachOther(String sql) {
    assertThat(of(sql.formatted(list("t")))).isGreaterThan(MANY - 2);
  }

  @Test
  void whatIsWithinEachOtherIsDeep() {
    assertThat(of("SELECT " + "(".repeat(MANY) + "1" + ")".repeat(MANY))).isGreaterThan(MANY);
    assertThat(of("SELECT " + "-".repeat(MANY) + "a")).isGreaterThan(MANY);
    assertThat(of("SELECT 1" + " OR a".repeat(MANY))).isGreaterThan(MANY);
    assertThat(of("SELECT 1" + " UNION ALL SELECT 2".repeat(MANY))).isGreaterThan(MANY);
  }
}
