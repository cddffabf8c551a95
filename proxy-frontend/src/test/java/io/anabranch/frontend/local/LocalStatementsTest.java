package io.anabranch.frontend.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.frontend.show.ShowCommand;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalStatementsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET PASSWORD = PASSWORD('x')",
        "set password = ''",
        "SET PASSWORD TO RANDOM",
        "SET PASSWORD TO RANDOM RETAIN CURRENT PASSWORD",
        "SET PASSWORD = 'x' REPLACE 'for'",
        "ALTER USER USER() IDENTIFIED BY 'x'",
        "alter user current_user() identified by 'x'",
        "ALTER USER CURRENT_USER ACCOUNT LOCK",
        "SET DEFAULT ROLE r",
        "SET DEFAULT ROLE `to`",
        "REVOKE ALL PRIVILEGES, GRANT OPTION FROM CURRENT_USER",
        "DROP USER CURRENT_USER()",
      })
  void theSessionsAccountIsTheProxys(String sql) {
    assertThat(LocalStatements.isOfOwnAccount(SqlTokens.of(sql))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET PASSWORD FOR 'app'@'%' = PASSWORD('x')",
        "ALTER USER 'app'@'%' IDENTIFIED BY 'x'",
        "SET DEFAULT ROLE r FOR app",
        "SET DEFAULT ROLE r TO app",
        "CREATE USER user IDENTIFIED BY 'current_user()'",
        "GRANT SELECT ON user TO app",
      })
  void othersAreTheServers(String sql) {
    assertThat(LocalStatements.isOfOwnAccount(SqlTokens.of(sql))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "set role none, SET ROLE",
    "SET DEFAULT ROLE r TO app, SET DEFAULT ROLE",
    "SET PASSWORD FOR app = x, SET PASSWORD",
    "CREATE OR REPLACE ROLE r, CREATE ROLE",
    "DROP USER IF EXISTS app, DROP USER",
    "grant select on t to app, GRANT",
    "REVOKE r FROM app, REVOKE",
  })
  void refusalsNameTheStatement(String sql, String words) {
    assertThat(LocalStatements.words(SqlTokens.of(sql))).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({
    "SHOW CREATE USER, true",
    "show create user current_user(), true",
    "SHOW CREATE USER CURRENT_USER, true",
    "SHOW CREATE USER app, false",
    "SHOW CREATE TABLE current_user_of, false",
  })
  void theSessionsAccountIsNotShown(String sql, boolean own) {
    assertThat(ShowCommand.isOfOwnAccount(SqlTokens.of(sql))).isEqualTo(own);
  }

  /** They are read on an event loop, which others share; values may be as long as they are. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET @a0 = 1%s|, @a = 1",
        "SET NAMES utf8mb4%s|, NAMES utf8mb4",
        "GRANT SELECT ON *.* TO a%s|, b",
        "EXECUTE s USING @a%s|, @a",
        "KILL 1%s|+1",
        "XA START 'a'%s|, 'b'",
        "SHOW TABLES WHERE 1%s| OR 1"
      })
  void thoseOfManyWordsAreRefused(String form) {
    String[] parts = form.split("\\|", 2);
    LocalStatements.requireShort(scan(parts[0].formatted(parts[1].repeat(500))));
    LocalStatements.requireShort(scan("SET @a = '" + "x".repeat(1 << 20) + "'"));
    Scan tooLong = scan(parts[0].formatted(parts[1].repeat(50_000)));
    assertThatThrownBy(() -> LocalStatements.requireShort(tooLong)).hasMessageContaining("AB2002");
  }

  /** Dumps lock all tables of a database at once; what others hold is as long as it is. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "LOCK TABLES a READ%s|, some_table READ",
        "PREPARE s FROM 'SELECT 1%s'|, 1 + 1 AS c",
        "SET STATEMENT max_statement_time = 1 FOR INSERT INTO t VALUES (1)%s|, (1, 'a')",
        "set  statement x = 1 FOR INSERT INTO t VALUES (1)%s|, (1, 'a')",
        "EXECUTE s USING @a%s|, @a",
      })
  void othersMayBeLong(String form) {
    String[] parts = form.split("\\|", 2);
    LocalStatements.requireShort(scan(parts[0].formatted(parts[1].repeat(16_382))));
  }

  private static Scan scan(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    return new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan());
  }
}
