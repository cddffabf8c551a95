package io.anabranch.frontend.administration;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which words are the proxy's, and which are left to databases. */
class UnknownStatementTest {

  private static @Nullable UnknownStatement find(String sql) {
    SqlTokens tokens = SqlTokens.of(sql);
    return AdministrationStatements.find(tokens, LexerMode.DEFAULT) == null
        ? UnknownStatement.find(tokens)
        : null;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          LABEL COMPUTE NODE ds_1 (URL='x', PASSWORD='secret') | LABEL COMPUTE NODE | `SHOW COMPUTE NODES`
          SHOW SHARDING TABEL RULES | SHOW SHARDING TABEL RULES | `SHOW SHARDING TABLE RULES`
          SHOW STORAG UNITS | SHOW STORAG UNITS | `SHOW STORAGE UNITS`
          SHOW STORAGE UNTS | SHOW STORAGE UNTS | `SHOW STORAGE UNITS`
          SHOW SHARDNG TABLE RULES | SHOW SHARDNG TABLE RULES | `SHOW SHARDING TABLE RULES`
          SHOW DSIT VARIABLES | SHOW DSIT VARIABLES | `SHOW DIST VARIABLES`
          SHOW CONFIGURATON HISTORY | SHOW CONFIGURATON HISTORY | `SHOW CONFIGURATION HISTORY`
          SHOW STORAGE UNIT ds_1 | SHOW STORAGE UNIT | `SHOW STORAGE UNITS`
          SHOW SHARDING TABLE RULE | SHOW SHARDING TABLE RULE | it is written SHOW SHARDING TABLE RULE table [FROM database]
          SHOW DIST VARIABLE sql_show | SHOW DIST VARIABLE | `SHOW DIST VARIABLES`
          COUNT SHARDIN RULE | COUNT SHARDIN RULE | `COUNT SHARDING RULE`
          RELOAD CONFIG | RELOAD CONFIG | RELOAD CONFIGURATION
          SHOW CONFIGURATION HISTORIES | SHOW CONFIGURATION HISTORIES | `SHOW CONFIGURATION HISTORY`
          ROLLBACK CONFIGURATION TO 3 | ROLLBACK CONFIGURATION TO | it is written ROLLBACK CONFIGURATION
          SHOW ENCRYPT RULE | SHOW ENCRYPT RULE | it is written SHOW ENCRYPT RULE table [FROM database]
          SHOW ENCRYPT TABLES | SHOW ENCRYPT TABLES | `SHOW ENCRYPT RULES`
          DISABLE COMPUTE NODE x | DISABLE COMPUTE NODE | `SHOW COMPUTE NODES`
          create mask t (x) | create mask | SHOW ADMINISTRATION STATEMENTS
          REGISTR STORAGE UNIT ds_9 (URL='x', PASSWORD='secret') | REGISTR STORAGE UNIT | `REGISTER STORAGE UNIT`
          UNREGSTER STORAGE UNIT ds_9 | UNREGSTER STORAGE UNIT | `UNREGISTER STORAGE UNIT`
          CRETAE SHARDING TABLE RULE t (x) | CRETAE SHARDING TABLE RULE | `CREATE SHARDING TABLE RULE`
          ALTER STORGE UNIT ds_0 (PASSWORD='secret') | ALTER STORGE UNIT | `ALTER STORAGE UNIT`
          alter storge unit ds_0 (PASSWORD='secret') | alter storge | SHOW ADMINISTRATION STATEMENTS
          RELAOD CONFIGURATION | RELAOD CONFIGURATION | `RELOAD CONFIGURATION`
          SAVE CONFIG | SAVE CONFIG | SAVE CONFIGURATION
          STE DIST VARIABLE x = 'secret' | STE DIST VARIABLE | `SET DIST VARIABLE`
          LOCK CLUSTER WITH READ | LOCK CLUSTER WITH READ | nothing is to be locked
          START MIGRATION 'j' | START MIGRATION | copy rows
          ROLLBACK MIGRATION 'j' | ROLLBACK MIGRATION | copy rows
          DROP STREAMING 'j' | DROP STREAMING | copy rows
          SHOW MIGRATION LIST | SHOW MIGRATION LIST | copy rows
          ALTER SQL_PARSER RULE (PARSE_TREE_CACHE()) | ALTER SQL_PARSER RULE | global.yaml
          ALTER TRANSACTION RULE (DEFAULT='XA') | ALTER TRANSACTION RULE | global.yaml
          SHOW SQL_TRANSLATOR RULE | SHOW SQL_TRANSLATOR RULE | `SHOW TRANSACTION RULE`
          SHOW LOGICAL TABLES | SHOW LOGICAL TABLES | SHOW TABLES
          SHOW UNLOADED SINGLE TABLES | SHOW UNLOADED SINGLE TABLES | `UNLOAD SINGLE TABLE`
          SHOW TABLE METADATA t | SHOW TABLE METADATA | DESCRIBE
          SHOW LOAD BALANCE PLUGINS | SHOW LOAD BALANCE PLUGINS | SHOW ADMINISTRATION STATEMENTS
          PARSE SELECT 1 | PARSE SELECT | EXPLAIN ROUTE
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

  static Stream<String> statementsOfShardingSphere() throws IOException {
    try (InputStream list =
        UnknownStatementTest.class.getResourceAsStream("/administration/distsql.txt")) {
      String lines =
          new String(Objects.requireNonNull(list).readAllBytes(), StandardCharsets.UTF_8);
      return lines.lines().filter(line -> !line.startsWith("#"));
    }
  }

  /** Whatever its manual has, of whatever release: the proxy knows it, or says what there is. */
  @ParameterizedTest
  @MethodSource
  void statementsOfShardingSphere(String sql) {
    byte[] text = sql.getBytes(StandardCharsets.UTF_8);
    Scan scan = new SqlScanner().scan(text, 0, text.length, LexerMode.DEFAULT, new Scan());
    if (scan.kind() == StatementKind.EXPLAIN_ROUTE) {
      return;
    }
    assertThat(AdministrationCommand.mayBe(scan.kind()))
        .as("%s is looked at", scan.kind())
        .isTrue();
    SqlTokens tokens = SqlTokens.of(sql);
    boolean isKnown = AdministrationStatements.find(tokens, LexerMode.DEFAULT) != null;
    UnknownStatement unknown = UnknownStatement.find(tokens);
    assertThat(isKnown || unknown != null).isTrue();
    if (!isKnown && unknown != null) {
      assertThat(unknown.words()).isNotBlank().doesNotContain("secret");
      assertThat(unknown.instead()).isNotBlank().doesNotContain("secret");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "COMMIT",
        "COMMIT WORK AND CHAIN",
        "CHECK TABLE migration",
        "PREPARE distsql FROM 'SELECT 1'",
        "ALTER RESOURCE GROUP g DISABLE",
        "DROP RESOURCE GROUP g",
        "ALTER INSTANCE ROTATE INNODB MASTER KEY",
        "ALTER INSTANCE RELOAD TLS",
        "SET variable = 1",
        "apply: BEGIN NOT ATOMIC DO 0; END",
        "format: LOOP LEAVE format; END LOOP",
        "SHOW STORAGE ENGINES",
        "SHOW PLUGINS",
        "SHOW MASTER STATUS",
        "SHOW TABEL STATUS",
        "SHOW ENGINE INNODB STATUS",
        "SHOW FOO BAR",
        "SHOW STATISTICS FOR t",
        "LOCK TABLES cluster READ",
        "ROLLBACK",
        "START TRANSACTION",
        "START SLAVE",
        "SHOW KEYS FROM t",
        "SHOW TABLE STATUS",
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
        "UNLOK TABLES",
        "some random gibberish",
        "lable of contents",
        "SELCT a FROM t",
        "SELCT storage FROM t",
        "CREAT TABLE t (a INT)",
        "CREATE TABEL t (a INT)",
        "GET DIAGNOSTICS @n = NUMBER",
        "RESET MASTER",
        "label1: LOOP LEAVE label1; END LOOP",
        "ALTER SERVER s OPTIONS (HOST 'x')",
        "SELECT count FROM t",
      })
  void allOthersAreLeftAlone(String sql) {
    assertThat(find(sql)).isNull();
  }
}
