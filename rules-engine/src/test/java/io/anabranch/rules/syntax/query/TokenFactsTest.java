package io.anabranch.rules.syntax.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.sql.TableRef;
import io.anabranch.rules.syntax.CommonTables;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenFactsTest {

  private static List<String> tables(String sql) {
    SqlTokens tokens = SqlTokens.of(sql);
    return TokenFacts.of(tokens, new CommonTables(tokens, () -> true), StatementKind.SELECT, "shop")
        .orElseThrow()
        .blocks()
        .stream()
        .flatMap(block -> block.tables().stream())
        .map(TableRef::name)
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "WITH c AS (SELECT * FROM t) SELECT * FROM c; t",
        "WITH t AS (SELECT * FROM t) SELECT * FROM t; t",
        "WITH t AS (SELECT * FROM t), u AS (SELECT * FROM t) SELECT * FROM t, u; t",
        "WITH RECURSIVE t AS (SELECT 1 UNION SELECT 2 FROM t) SELECT * FROM t; ''",
        "WITH a AS (SELECT 1), b AS (SELECT * FROM a) SELECT * FROM a, b, c; c",
        "WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM b; b",
        "SELECT * FROM (WITH t AS (SELECT 1) SELECT * FROM t) x, t; t",
        "SELECT * FROM t, (WITH t AS (SELECT 1) SELECT * FROM t) x; t",
        "WITH t AS (SELECT 1) SELECT * FROM shop.t; t",
        "WITH t (a, b) AS (SELECT 1, 2) SELECT * FROM t UNION SELECT * FROM t; ''",
        "SELECT * FROM t WINDOW v AS (ORDER BY a), t AS (ORDER BY b); t",
        "SELECT * FROM u WINDOW v AS (ORDER BY a), t AS (ORDER BY b) UNION SELECT * FROM t; u,t",
      })
  void aCommonTableIsKnownWhereItsClauseHolds(String sql, String expected) {
    assertThat(String.join(",", tables(sql))).isEqualTo(expected);
  }

  /** A name in a row is a column, or NULL: none was a table. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "VALUES (1, 2), (3, NULL); ''",
        "(VALUES (1) LIMIT 1) UNION VALUES (2); ''",
        "SELECT * FROM (VALUES (1, 2), (a, NULL)) x, t; t",
        "SELECT * FROM (VALUES ROW(1, 2), ROW(a, NULL)) x, t; t",
        "SELECT * FROM t, (VALUES (a, NULL) UNION VALUES (b, c)) x, u; t,u",
        "SELECT * FROM (VALUES (1, (SELECT b FROM t, u WHERE b IN (VALUES (1), (c))))) x; t,u",
        "SELECT * FROM (SELECT * FROM (VALUES (1, a)) y, t) x, u; u,t",
        "VALUES ((SELECT a FROM t)), (b); t",
      })
  void namesInRowsAreNoTables(String sql, String expected) {
    assertThat(String.join(",", tables(sql))).isEqualTo(expected);
  }

  /** MySQL takes it for a table where it tells them apart by case, MariaDB does not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "WITH c AS (SELECT 1) SELECT * FROM C",
        "WITH `C` AS (SELECT 1) SELECT * FROM c",
        "WITH c AS (SELECT 1), C AS (SELECT 2) SELECT * FROM c",
        "WITH RECURSIVE c AS (SELECT 1 UNION SELECT 2 FROM C) SELECT * FROM c",
      })
  void aNameInAnotherCaseIsRefused(String sql) {
    assertThatThrownBy(() -> tables(sql))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("in another case");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM t UNION TABLE u",
        "SELECT * FROM (TABLE u) x, t",
        "WITH c AS (TABLE u) SELECT * FROM c",
      })
  void aTableThatNoSelectReadsIsRefused(String sql) {
    assertThatThrownBy(() -> tables(sql))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("TABLE u");
  }

  @Test
  void outsideOfItsClauseTheCaseDoesNotMatter() {
    assertThat(tables("SELECT * FROM (WITH c AS (SELECT 1) SELECT * FROM c) x, C"))
        .containsExactly("C");
  }
}
