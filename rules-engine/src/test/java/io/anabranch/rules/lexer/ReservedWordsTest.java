package io.anabranch.rules.lexer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Words that one server reserves and another takes for a name: where they stand tells. */
class ReservedWordsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT w FROM t",
        "SELECT a, w FROM t",
        "SELECT a w FROM t",
        "SELECT a AS w FROM t",
        "SELECT a w, b FROM t",
        "SELECT w * 2 FROM t",
        "SELECT a FROM t WHERE w > 3 AND a = w",
        "SELECT a FROM t WHERE w IN (1) ORDER BY w",
        "SELECT a FROM t ORDER BY w LIMIT 3",
        "SELECT a FROM t GROUP BY w HAVING w < 3",
        "SELECT w.a FROM t AS w JOIN u ON w.a = u.a",
        "SELECT a FROM t w WHERE a = 1",
        "SELECT a FROM t w LEFT JOIN u ON a = b",
        "SELECT a FROM t w",
        "WITH w AS (SELECT 1) SELECT * FROM w",
        "WITH v AS (SELECT 1), w AS (SELECT 2) SELECT * FROM v, w",
        "INSERT INTO w VALUES (1)",
        "INSERT INTO t (a, w) VALUES (1, 2) ON DUPLICATE KEY UPDATE w = VALUES(w) + 1",
        "UPDATE t SET w = w + 1 WHERE w = 1",
        "UPDATE w SET a = 1",
        "DELETE FROM w WHERE a = 1",
        "SELECT (w) FROM t",
        "SELECT COUNT(w) FROM t",
        "SELECT a FROM (SELECT 1 a) w",
      })
  void areNames(String text) {
    for (String word : new String[] {"returning", "OFFSET", "window", "MINUS"}) {
      String sql = text.replaceAll("\\bw\\b", word);
      SqlTokens tokens = SqlTokens.of(sql);
      assertThat(tokens.all().where(token -> tokens.text(token).equals(word)))
          .as(sql)
          .isNotEmpty()
          .allMatch(tokens::isPlainName)
          .allMatch(token -> tokens.isName(token) && tokens.word(token).isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM t RETURNING id",
        "DELETE FROM t WHERE a IS NULL RETURNING *",
        "DELETE FROM t ORDER BY a DESC LIMIT 1 RETURNING -a",
        "INSERT INTO t VALUES (1) RETURNING id, a",
        "INSERT INTO t SET a = DEFAULT RETURNING (a)",
        "INSERT INTO t SELECT * FROM u RETURNING IF(a, 1, 2)",
        "REPLACE INTO t VALUES (1) /* c */ RETURNING CASE a WHEN 1 THEN 2 END",
        "SELECT JSON_VALUE(a, '$.b' RETURNING UNSIGNED) FROM t",
        "SELECT JSON_VALUE(a, '$.b' RETURNING DECIMAL(4, 2)) FROM t",
        "SELECT a FROM t LIMIT 2 OFFSET 1",
        "SELECT a FROM t LIMIT ? OFFSET ?",
        "SELECT a FROM t LIMIT n OFFSET m",
        "SELECT a FROM t ORDER BY a OFFSET 2 ROWS",
        "SELECT SUM(a) OVER v FROM t WINDOW v AS (ORDER BY b)",
        "SELECT a FROM t MINUS SELECT b FROM u",
        "(SELECT a FROM t) MINUS (SELECT b FROM u)",
      })
  void beginClauses(String sql) {
    SqlTokens tokens = SqlTokens.of(sql);
    assertThat(tokens.all().where(tokens::isPlainName)).isEmpty();
  }
}
