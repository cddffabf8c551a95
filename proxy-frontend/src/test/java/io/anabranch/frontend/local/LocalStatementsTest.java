package io.anabranch.frontend.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.frontend.show.ShowCommand;
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
        "ALTER USER USER() IDENTIFIED BY 'x'",
        "alter user current_user() identified by 'x'",
        "ALTER USER CURRENT_USER ACCOUNT LOCK",
        "SET DEFAULT ROLE r",
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
}
