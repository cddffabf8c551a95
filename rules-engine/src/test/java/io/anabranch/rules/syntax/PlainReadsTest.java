package io.anabranch.rules.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.SqlTokens;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainReadsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT c FROM t WHERE id = 1",
        "select `c`, 'a' FROM shop.t AS x JOIN u USING (id) WHERE x.id IN (1, 2) ORDER BY 1 LIMIT 3",
        "SELECT COUNT(*), MAX(a), GROUP_CONCAT(b) FROM t GROUP BY c HAVING SUM(a) > 3",
        "SELECT CONCAT(a, 'INTO @x FOR UPDATE'), NOW(), SYSDATE() FROM t",
        "SELECT `next`, `into` FROM t",
        "SELECT a FROM t WHERE id = ? LIMIT ?",
        "SELECT a FROM t UNION ALL SELECT b FROM u WHERE b > (SELECT MIN(c) FROM v)"
      })
  void are(String sql) {
    assertThat(PlainReads.are(SqlTokens.of(sql))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT @a FROM t",
        "SELECT @@sql_mode FROM t",
        "SELECT @a := a FROM t",
        "SELECT a INTO @x FROM t",
        "SELECT a FROM t INTO OUTFILE 'x'",
        "SELECT a FROM t FOR UPDATE",
        "SELECT a FROM t LOCK IN SHARE MODE",
        "SELECT SQL_CALC_FOUND_ROWS a FROM t LIMIT 1",
        "SELECT FOUND_ROWS() FROM t",
        "SELECT LAST_INSERT_ID() FROM t",
        "SELECT ROW_COUNT() FROM t",
        "SELECT GET_LOCK('a', 1) FROM t",
        "SELECT RELEASE_LOCK('a') FROM t",
        "SELECT SLEEP(1) FROM t",
        "SELECT BENCHMARK(1, 2) FROM t",
        "SELECT RAND() FROM t",
        "SELECT UUID_SHORT() FROM t",
        "SELECT CONNECTION_ID() FROM t",
        "SELECT CURRENT_USER FROM t",
        "SELECT USER() FROM t",
        "SELECT VERSION() FROM t",
        "SELECT NEXTVAL(s) FROM t",
        "SELECT NEXT VALUE FOR s FROM t",
        "SELECT PREVIOUS VALUE FOR s FROM t",
        "SELECT s.NEXTVAL FROM t",
        "SELECT LASTVAL(s) FROM t",
        "SELECT DEFAULT(a) FROM t",
        "SELECT mine(a) FROM t",
        "SELECT `count`(a) FROM t",
        "SELECT shop.mine(a) FROM t",
        "SELECT /*+ MAX_EXECUTION_TIME(1) */ a FROM t",
        "SELECT a /*! FOR UPDATE */ FROM t",
        "SELECT * FROM information_schema.tables",
        "SELECT * FROM `performance_schema`.threads",
        "SELECT * FROM mysql.user",
        "SELECT * FROM t PROCEDURE ANALYSE()",
        "WITH x AS (SELECT 1) SELECT * FROM x",
        "TABLE t",
        ""
      })
  void areNot(String sql) {
    assertThat(PlainReads.are(SqlTokens.of(sql))).isFalse();
  }
}
