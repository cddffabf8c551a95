package io.anabranch.rules.sql.wall;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InjectionWallTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "SELECT * FROM t WHERE id = 5 OR 1=1 | a condition that is always true",
        "SELECT * FROM t WHERE name = 'a' OR 'x'='x' | a condition that is always true",
        "DELETE FROM t WHERE id=1 OR 1 | a condition that is always true",
        "UPDATE t SET v=1 WHERE 1=1 | a condition that is always true",
        "SELECT * FROM t WHERE id IN (1,2) HAVING 1=1 | a condition that is always true",
        "SELECT COUNT(*) FROM t WHERE id = 5 AND 1=2 | a condition that is always false",
        "SELECT * FROM t WHERE id = 1 XOR 1=1 | XOR",
        "SELECT * FROM t WHERE id=5 -- ' AND p='x' | a comment that cuts off its end",
        "SELECT id FROM t WHERE id = 1 AND SLEEP(5) | function : sleep",
        "SELECT a, b FROM t WHERE id = 5 UNION SELECT user, password FROM mysql.user | schema : mysql"
      })
  void finds(String sql, String reason) {
    assertThat(InjectionWall.reason(sql)).isEqualTo(reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM t WHERE id = 5",
        "SELECT * FROM t WHERE id = ? AND name = ?",
        "/* ANABRANCH_HINT: class=batch */ SELECT * FROM t WHERE id = 5 /* why */ AND v = 1",
        "SELECT * FROM t WHERE 1=1 AND id = 5",
        "SELECT VERSION()",
        "SELECT DATABASE(), @@version",
        "SELECT a FROM t UNION ALL SELECT b FROM u WHERE id = 3",
        "SELECT * FROM t LIMIT 0",
        "INSERT INTO t VALUES (1, 'OR 1=1')",
        "DELETE FROM t",
        "CREATE TABLE x (a INT)",
        "CALL p(1)",
        "SELECT * FROM t FOR SYSTEM_TIME ALL WHERE id = 1",
        "what is this OR 1=1"
      })
  void passes(String sql) {
    assertThat(InjectionWall.reason(sql)).isEmpty();
  }

  @Test
  void isNotBroughtDownByDepth() {
    String deep = "SELECT " + "(".repeat(30_000) + "1" + ")".repeat(30_000);
    assertThat(InjectionWall.reason(deep)).isEqualTo("nested too deeply to be looked at");
  }
}
