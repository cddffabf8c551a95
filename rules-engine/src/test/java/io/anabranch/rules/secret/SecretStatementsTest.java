package io.anabranch.rules.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretStatementsTest {

  private static boolean mayBe(String sql) {
    byte[] bytes = sql.getBytes(UTF_8);
    return SecretStatements.mayBe(
        new SqlScanner().scan(bytes, 0, bytes.length, LexerMode.DEFAULT, new Scan()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE USER u IDENTIFIED BY 'x'",
        "create usr u identified by 'x'",
        "GRANT SELECT ON a.* TO u IDENTIFIED BY 'x'",
        "SET PASSWORD = 'x'",
        "/* c */ ALTER USER u IDENTIFIED VIA ed25519 USING 'x'",
        "CHANGE MASTER TO MASTER_PASSWORD = 'x'",
        "CHANGE REPLICATION SOURCE TO SOURCE_PASSWORD = 'x'",
        "CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (PASSWORD 'x')",
        "CREATE TABLE t (a INT) ENGINE=FEDERATED CONNECTION='mysql://u:x@h/d/t'",
        "REGISTER STORAGE UNIT ds (URL = 'u', PASSWORD = 'x')",
        "ALTER STORAGE UNIT ds (PASSWORD = 'x')",
        "CREATE ENCRYPT RULE t (COLUMNS((NAME = a, CIPHER = b, ENCRYPT_ALGORITHM(TYPE(NAME = 'P', PROPERTIES('p' = 'x'))))))",
        "CREATE MASK RULE t (COLUMNS((NAME = a, TYPE(NAME = 'MD5', PROPERTIES('salt' = 'x')))))",
        "SET DIST VARIABLE proxy_admin_token = 'x'",
        "PREPARE s FROM 'CREATE USER u IDENTIFIED BY \"x\"'",
        "EXECUTE IMMEDIATE 'SET PASSWORD = \"x\"'",
      })
  void theirLiteralsAreNotShown(String sql) {
    assertThat(mayBe(sql)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT password FROM users WHERE id = 1",
        "INSERT INTO users (id, password) VALUES (1, 'x')",
        "UPDATE users SET token = 'x'",
        "CREATE TABLE t (a INT DEFAULT 1)",
        "SET @a = 1",
      })
  void othersAreShownAsTheyAre(String sql) {
    assertThat(mayBe(sql)).isFalse();
  }
}
