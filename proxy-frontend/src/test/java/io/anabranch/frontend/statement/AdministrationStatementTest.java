package io.anabranch.frontend.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which words are the proxy's, and which are left to databases. */
class AdministrationStatementTest {

  private static @Nullable AdministrationStatement find(String sql) {
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    var scan = new Scan();
    new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, scan);
    SourceText source = SourceText.of(sql, LexerMode.DEFAULT);
    return AdministrationStatement.find(scan.kind(), source.tokens());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          REGISTER STORAGE UNIT ds_1 (URL='x', PASSWORD='secret') | REGISTER STORAGE UNIT | RELOAD CONFIGURATION
          UNREGISTER STORAGE UNIT ds_1 | UNREGISTER STORAGE UNIT | RELOAD CONFIGURATION
          ALTER STORAGE UNIT ds_1 (URL='x') | ALTER STORAGE UNIT | RELOAD CONFIGURATION
          create sharding table rule t (x) | create sharding | RELOAD CONFIGURATION
          CREATE DEFAULT SHARDING DATABASE STRATEGY (x) | CREATE DEFAULT SHARDING DATABASE | RELOAD CONFIGURATION
          DROP BROADCAST TABLE RULE t | DROP BROADCAST TABLE RULE | RELOAD CONFIGURATION
          SET DIST VARIABLE sql_show = true | SET DIST VARIABLE | RELOAD CONFIGURATION
          SET DEFAULT SINGLE TABLE STORAGE UNIT = ds | SET DEFAULT SINGLE TABLE | RELOAD CONFIGURATION
          SHOW SHARDING TABLE RULES FROM x | SHOW SHARDING TABLE RULES | SHOW CONFIGURATION
          SHOW STORAGE UNITS | SHOW STORAGE UNITS | SHOW CONFIGURATION
          SHOW READWRITE_SPLITTING RULES | SHOW READWRITE_SPLITTING RULES | SHOW STATUS FROM
          COUNT SHARDING RULE | COUNT SHARDING RULE | SHOW CONFIGURATION
          EXPORT DATABASE CONFIGURATION | EXPORT DATABASE CONFIGURATION | SHOW CONFIGURATION
          REFRESH TABLE METADATA | REFRESH TABLE METADATA | RELOAD CONFIGURATION
          RELOAD CONFIG | RELOAD CONFIG | RELOAD CONFIGURATION
          DISABLE COMPUTE NODE x | DISABLE COMPUTE NODE | ALTER READWRITE_SPLITTING RULE
          MIGRATE TABLE a INTO b | MIGRATE TABLE | copy rows
          """)
  void unknownOnesAreNamed(String sql, String words, String instead) {
    assertThat(find(sql))
        .isNotNull()
        .satisfies(
            found -> {
              assertThat(found.words()).isEqualTo(words).doesNotContain("secret");
              assertThat(found.instead()).contains(instead);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SHOW STORAGE ENGINES",
        "SHOW TABLES FROM sharding",
        "SHOW READWRITE_SPLITTING EVENTS",
        "SHOW STATUS FROM READWRITE_SPLITTING RULES",
        "SHOW CREATE TABLE rules",
        "CREATE TABLE sharding (id INT)",
        "DROP TABLE broadcast",
        "ALTER TABLE mask ADD COLUMN encrypt INT",
        "SET dist = 1",
        "SET DEFAULT ROLE NONE",
        "IMPORT TABLE FROM 'x.sdi'",
        "refresh: BEGIN NOT ATOMIC DO 0; END",
        "ANALYZE TABLE t",
        "SELECT count FROM t",
      })
  void allOthersAreLeftAlone(String sql) {
    assertThat(find(sql)).isNull();
  }
}
