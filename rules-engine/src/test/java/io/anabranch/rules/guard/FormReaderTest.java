package io.anabranch.rules.guard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.protection.StatementTrait;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What rules ask of a statement's form. */
class FormReaderTest {

  private static FormReader reader(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    Scan scan = new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
    return new FormReader(SourceText.of(scan, UTF_8, LexerMode.DEFAULT).tokens(), scan.kind());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT 1 | SELECT",
        "WITH c AS (SELECT 1) SELECT * FROM c | SELECT",
        "WITH c AS (SELECT 1) DELETE FROM t WHERE a IN (SELECT * FROM c) | DELETE",
        "WITH c AS (SELECT 1) UPDATE t, c SET t.a = 1 | UPDATE",
        "(SELECT 1) UNION (SELECT 2) | SELECT",
        "TABLE t | SELECT",
        "DELETE FROM t | DELETE",
        "ANALYZE DELETE FROM t | DELETE",
        "ANALYZE FORMAT=JSON UPDATE t SET a = 1 | UPDATE",
        "ANALYZE TABLE t | TABLE_MAINTENANCE",
        "EXPLAIN ANALYZE SELECT * FROM t | SELECT",
        "EXPLAIN DELETE FROM t | DESCRIBE",
        "SET STATEMENT max_statement_time = 1 FOR DELETE FROM t | DELETE",
        "SET a = 1 | SET",
        "INSERT INTO t SELECT * FROM u | INSERT"
      })
  void whatItDoes(String sql, StatementKind expected) {
    assertThat(reader(sql).kind()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM t",
        "DELETE FROM t LIMIT 5",
        "DELETE FROM t ORDER BY (SELECT 1 FROM u WHERE a = 1)",
        "UPDATE t SET a = (SELECT 1 FROM u WHERE u.a = 2)",
        "UPDATE t JOIN u ON t.a = u.a SET t.b = 1",
        "UPDATE t SET t.`where` = 1",
        "WITH c AS (SELECT 1 FROM u WHERE a = 1) DELETE FROM t",
        "SELECT * FROM t",
        "SELECT * FROM t LIMIT 10",
        "TABLE t",
        "(SELECT * FROM t)",
        "SELECT * FROM (SELECT * FROM t WHERE a = 1) d",
        "SELECT * FROM t WHERE a = 1 UNION ALL SELECT * FROM t",
        "(SELECT * FROM t WHERE a = 1) UNION DISTINCT (SELECT * FROM t) ORDER BY 1"
      })
  void withoutWhere(String sql) {
    assertThat(reader(sql).traits()).contains(StatementTrait.WITHOUT_WHERE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM t WHERE a = 1",
        "DELETE t FROM t JOIN u USING (a) WHERE u.b = 1",
        "UPDATE t SET a = 1 WHERE TRUE",
        "SELECT 1",
        "SELECT 1 FROM DUAL",
        "SELECT EXTRACT(DAY FROM NOW())",
        "SELECT * FROM t WHERE a = 1",
        "SELECT 1 UNION SELECT a FROM t WHERE a = 1",
        "(SELECT * FROM t WHERE a = 1)",
        "WITH c AS (SELECT * FROM t) SELECT * FROM c WHERE a = 1",
        "INSERT INTO t SELECT * FROM u",
        "INSERT INTO t VALUES (1)",
        "CALL p()"
      })
  void withWhereOrWithoutNeed(String sql) {
    assertThat(reader(sql).traits()).doesNotContain(StatementTrait.WITHOUT_WHERE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM t, u",
        "SELECT * FROM t JOIN u",
        "SELECT * FROM t CROSS JOIN u",
        "SELECT * FROM t STRAIGHT_JOIN u WHERE t.a = 1",
        "SELECT * FROM t, u WHERE t.a = 1 AND u.b = 2",
        "SELECT * FROM t, u WHERE t.a = t.b",
        "SELECT * FROM t JOIN u ON t.a = u.a JOIN v",
        "SELECT * FROM a JOIN (b, c) ON a.x = b.x",
        "SELECT * FROM t, (SELECT a FROM u) d",
        "SELECT (SELECT COUNT(*) FROM t, u) FROM v WHERE v.a = 1",
        "SELECT * FROM t WHERE a IN (SELECT u.a FROM u, v)",
        "DELETE t FROM t, u",
        "UPDATE t, u SET t.a = 1 WHERE u.b = 5",
        "INSERT INTO t SELECT u.* FROM u, v"
      })
  void joinsWithoutCondition(String sql) {
    assertThat(reader(sql).traits()).contains(StatementTrait.JOIN_WITHOUT_CONDITION);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM t",
        "SELECT * FROM t JOIN u ON t.a = u.a",
        "SELECT * FROM t JOIN u USING (a, b)",
        "SELECT * FROM t NATURAL JOIN u",
        "SELECT * FROM t NATURAL LEFT OUTER JOIN u",
        "SELECT * FROM t, u WHERE t.a = u.a",
        "SELECT * FROM t, u WHERE t.c = 1 AND (a > b OR c = 2)",
        "SELECT * FROM t CROSS JOIN u WHERE t.a <=> u.a",
        "SELECT * FROM a JOIN b JOIN c ON b.x = c.x ON a.x = b.x",
        "SELECT * FROM a JOIN (b JOIN c ON b.x = c.x) ON a.x = b.x",
        "SELECT * FROM t, (SELECT @n := 0) n",
        "SELECT * FROM t, JSON_TABLE(t.doc, '$[*]' COLUMNS (a INT PATH '$')) j",
        "SELECT * FROM t, LATERAL (SELECT * FROM u WHERE u.a = t.a) d",
        "SELECT * FROM t USE INDEX FOR JOIN (i, j) JOIN u ON t.a = u.a",
        "SELECT a, b FROM t WHERE f(a, b) = 1",
        "SELECT TRIM(LEADING 'a' FROM b), c FROM t",
        "UPDATE t, u SET t.a = 1 WHERE u.b = t.b",
        "DELETE FROM t USING t, u WHERE t.a = u.a",
        "INSERT INTO t (a, b) VALUES (1, 2), (3, 4)"
      })
  void joinsWithCondition(String sql) {
    assertThat(reader(sql).traits()).doesNotContain(StatementTrait.JOIN_WITHOUT_CONDITION);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM t ORDER BY a | true",
        "SELECT * FROM t ORDER BY a LIMIT 5 | false",
        "SELECT * FROM t ORDER BY a FETCH FIRST 5 ROWS ONLY | false",
        "SELECT * FROM (SELECT * FROM t LIMIT 5) d ORDER BY a | true",
        "SELECT * FROM (SELECT * FROM t ORDER BY a) d | false",
        "SELECT a FROM t UNION SELECT b FROM u ORDER BY 1 | true",
        "(SELECT a FROM t ORDER BY a) | true",
        "(SELECT a FROM t LIMIT 1) ORDER BY a | true",
        "SELECT ROW_NUMBER() OVER (ORDER BY a) FROM t | false",
        "SELECT GROUP_CONCAT(a ORDER BY b) FROM t | false",
        "DELETE FROM t ORDER BY a | false"
      })
  void sortsEverything(String sql, boolean expected) {
    assertThat(reader(sql).traits().contains(StatementTrait.ORDER_BY_WITHOUT_LIMIT))
        .isEqualTo(expected);
  }
}
