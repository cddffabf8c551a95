package io.anabranch.rules.digest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DigestTextTest {

  private static byte[] form(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    return new SqlScanner()
        .scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan())
        .copyNormalForm();
  }

  private static String digest(String sql) {
    return DigestText.digest(form(sql), UTF_8, false);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "select  a,b from t where id=5 and c = 'x'|SELECT a, b FROM t WHERE id = ? AND c = ?",
        "SELECT * FROM t WHERE id IN (1, 2,3)|SELECT * FROM t WHERE id IN (...)",
        "SELECT * FROM t WHERE id IN (1)|SELECT * FROM t WHERE id IN (...)",
        "SELECT * FROM t WHERE id IN (?, ?)|SELECT * FROM t WHERE id IN (...)",
        "insert into t (a,b) values (1,NULL),(2,'y') , (3, -4)|INSERT INTO t(a, b) VALUES (...)",
        "SELECT a-5, -5, (-6) FROM t|SELECT a - ?, ?, (...) FROM t",
        "SELECT count(*), f(1, 2) FROM t|SELECT count(*), f(?, ?) FROM t",
        "SELECT a FROM t WHERE b IS NULL AND c = NULL|SELECT a FROM t WHERE b IS NULL AND c = ?",
        "SELECT `a`.`b` FROM s.t|SELECT `a`.`b` FROM s.t",
        "SELECT DATE '2020-01-01', N'secret', 1 AS 'one'|SELECT DATE ?, N ?, ? AS ?",
        "CREATE USER u IDENTIFIED WITH p AS 'hash'|CREATE USER u IDENTIFIED WITH p AS ?",
        "SELECT a FROM t /* it's */ LIMIT 3|SELECT a FROM t LIMIT ?",
        "SET @a := 3|SET @a := ?",
      })
  void saysEachStatementInOneWay(String sql, String expected) {
    assertThat(digest(sql)).isEqualTo(expected);
  }

  @Test
  void aSampleShowsListsAndNoLiteral() {
    assertThat(DigestText.sample(form("SELECT a FROM t WHERE b IN (1,'x')"), UTF_8, false))
        .isEqualTo("SELECT a FROM t WHERE b IN (?, ?)");
  }

  @Test
  void longTextsAreCut() {
    String digest = digest("SELECT " + "column_name, ".repeat(500) + "1");
    assertThat(digest).hasSize(DigestText.LONGEST).endsWith("...");
  }

  @Test
  void aQuoteThatNeverClosesHidesAllBehindIt() {
    assertThat(DigestText.digest("SELECT N'secr".getBytes(UTF_8), UTF_8, false))
        .doesNotContain("secr");
  }

  /** Where a character set is named, the normal form keeps what is behind it. */
  @Test
  void bytesBehindACharacterSetAreValues() {
    for (String value : List.of("0x7365637265", "0b1010", "x'7365637265'", "'secret'")) {
      assertThat(digest("INSERT INTO t VALUES (_binary " + value + ")"))
          .doesNotContain("7365")
          .doesNotContain("secret");
    }
    assertThat(digest("SELECT 0xyz, 0b2 FROM t")).contains("0xyz").contains("0b2");
  }
}
