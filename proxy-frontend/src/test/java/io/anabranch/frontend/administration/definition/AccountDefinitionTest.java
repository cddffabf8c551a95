package io.anabranch.frontend.administration.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SqlTokens;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MySQL's statements on accounts change the text of {@code global.yaml}. */
class AccountDefinitionTest {

  private static final Account OWN = new Account("root", "%");

  private static final String GLOBAL =
      """
      authority:
        users:
        # who administrates
        - { user: root@%, password: r, admin: true }
        - user: web@10.0.0.0/8 # the shop
          password: old
          grants:
            - SELECT, INSERT ON shop.* # for the pages
            - WRITE ON shop.cart
        - user: plain
          password: p
        - short@%:s
      props: { sql-show: false }
      """;

  /** Nobody drops its own, however it is written. */
  @Test
  void caseIsOfNoAccount() {
    assertThat(read("DROP USER ROOT@'%'"))
        .isInstanceOfSatisfying(
            AccountStatement.Removal.class,
            removal -> assertThat(removal.accounts()).contains(OWN));
  }

  private static AccountStatement read(String sql) {
    return reader(sql).read();
  }

  private static AccountReader reader(String sql) {
    return new AccountReader(SqlTokens.of(sql), LexerMode.DEFAULT, OWN, "shop");
  }

  private static String changed(String text, String... statements) {
    ConfigurationDocument document = ConfigurationDocument.of("global.yaml", text);
    for (String sql : statements) {
      document = AccountDefinition.changed(document, read(sql));
    }
    return document.text();
  }

  /** The file with other text in one place. */
  private static String global(String former, String now) {
    assertThat(GLOBAL).contains(former);
    return GLOBAL.replace(former, now);
  }

  @Test
  void aNewAccountMayDoNothing() {
    assertThat(
            changed(
                GLOBAL,
                "CREATE USER IF NOT EXISTS clerk@'192.168.%' IDENTIFIED BY 'it''s' REQUIRE SSL"
                    + " WITH MAX_USER_CONNECTIONS 5"))
        .isEqualTo(
            global(
                "  - short@%:s\n",
                "  - short@%:s\n"
                    + "  - { user: 'clerk@192.168.%', password: 'it''s', grants: [], require: SSL,"
                    + " maxConnections: 5 }\n"));
  }

  @Test
  void anAccountThatIsThereIsPassedOverOrAnError() {
    assertThat(changed(GLOBAL, "CREATE USER IF NOT EXISTS PLAIN IDENTIFIED BY 'x'"))
        .isEqualTo(GLOBAL);
    assertFails("CREATE USER plain@`%` IDENTIFIED BY 'x'", 1396, "'plain'@'%'");
    assertFails("ALTER USER nobody IDENTIFIED BY 'x'", 1396, "ALTER USER");
    assertFails("DROP USER web", 1396, "DROP USER failed for 'web'@'%'");
    assertThat(changed(GLOBAL, "DROP USER IF EXISTS web", "ALTER USER IF EXISTS web REQUIRE SSL"))
        .isEqualTo(GLOBAL);
  }

  @Test
  void aNewAccountHasAPassword() {
    for (String sql :
        List.of(
            "CREATE USER clerk",
            "CREATE USER clerk IDENTIFIED WITH caching_sha2_password",
            "CREATE USER clerk IDENTIFIED WITH caching_sha2_password, b")) {
      assertThatThrownBy(() -> changed(GLOBAL, sql))
          .as(sql)
          .isInstanceOf(ConfigurationRefusedException.class)
          .hasMessageContaining("clerk@% needs a password: IDENTIFIED BY");
    }
  }

  private static void assertFails(String sql, int errno, String words) {
    assertThatThrownBy(() -> changed(GLOBAL, sql))
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.errno()).isEqualTo(errno))
        .hasMessageContaining(words);
  }

  @Test
  void accountsGo() {
    assertThat(changed(GLOBAL, "DROP USER plain, web@'10.0.0.0/8'"))
        .isEqualTo(
            GLOBAL.substring(0, GLOBAL.indexOf("  - user: web"))
                + GLOBAL.substring(GLOBAL.indexOf("  - short")));
  }

  @Test
  void setPasswordChangesThemToo() {
    String changedOne = global("password: old", "password: new");
    String of = "SET PASSWORD FOR web@'10.0.0.0/8' ";
    assertThat(changed(GLOBAL, of + "= 'new'")).isEqualTo(changedOne);
    assertThat(changed(GLOBAL, of + ":= PASSWORD('new')")).isEqualTo(changedOne);
    assertThat(changed(GLOBAL, "SET PASSWORD = 'own'"))
        .isEqualTo(global("password: r,", "password: own,"));
    assertThat(changed(GLOBAL, "SET PASSWORD FOR CURRENT_USER() = 'own'"))
        .isEqualTo(global("password: r,", "password: own,"));
    assertThat(changed(GLOBAL, of + "= 'new' RETAIN CURRENT PASSWORD"))
        .contains("password: new\n", "retainedPassword: old\n");
    String hash = "*" + "0123456789ABCDEF0123456789ABCDEF01234567";
    assertThat(changed(GLOBAL, of + "= '" + hash + "'"))
        .isEqualTo(global("password: old", "password: '" + hash + "'"));
    assertFails("SET PASSWORD FOR nobody = 'x'", 1396, "ALTER USER");
    assertThat(reader("SET PASSWORD = 'x'").accounts()).containsExactly(OWN);
    assertThat(reader("SET PASSWORD FOR a@b = 'x'").accounts())
        .containsExactly(new Account("a", "b"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET PASSWORD TO RANDOM",
        "SET PASSWORD FOR plain TO RANDOM",
        "SET PASSWORD = OLD_PASSWORD('hidden')",
        "SET PASSWORD = 'hidden' REPLACE 'hidden'",
        "SET PASSWORD = PASSWORD('hidden'",
        "SET PASSWORD = hidden2",
        "SET PASSWORD FOR plain",
      })
  void otherFormsOfSetPasswordAreNone(String sql) {
    assertThatThrownBy(() -> changed(GLOBAL, sql))
        .isInstanceOf(ConfigurationRefusedException.class)
        .hasMessageNotContaining("'hidden'");
  }

  @Test
  void passwordsChange() {
    String account = "web@'10.0.0.0/8'";
    assertThat(changed(GLOBAL, "ALTER USER " + account + " IDENTIFIED BY 'new'"))
        .isEqualTo(global("password: old", "password: new"));
    String both =
        changed(GLOBAL, "ALTER USER " + account + " IDENTIFIED BY 'new' RETAIN CURRENT PASSWORD");
    assertThat(both).contains("password: new\n").contains("retainedPassword: old\n");
    assertThat(changed(both, "ALTER USER " + account + " DISCARD OLD PASSWORD"))
        .isEqualTo(global("password: old", "password: new"));
    assertThat(changed(GLOBAL, "ALTER USER CURRENT_USER() IDENTIFIED BY 'mine'"))
        .isEqualTo(global("password: r,", "password: mine,"));
  }

  @Test
  void passwordsAreGivenADay() {
    String dated = changed(GLOBAL, "ALTER USER plain PASSWORD EXPIRE INTERVAL 90 DAY");
    String day = LocalDate.now(ZoneOffset.UTC).plusDays(90).toString();
    assertThat(dated).contains("    passwordExpires: " + day + "\n");
    assertThat(changed(dated, "ALTER USER plain PASSWORD EXPIRE NEVER")).isEqualTo(GLOBAL);
    assertThat(
            changed(
                GLOBAL,
                "CREATE USER n@'%' IDENTIFIED BY 'p' REQUIRE SSL WITH MAX_USER_CONNECTIONS 3"
                    + " PASSWORD EXPIRE INTERVAL 90 DAY"))
        .contains("passwordExpires: " + day);
    assertRefused("ALTER USER plain PASSWORD EXPIRE", "INTERVAL n DAY");
    assertRefused("ALTER USER plain PASSWORD EXPIRE INTERVAL 0 DAY", "cannot be read");
    assertRefused("ALTER USER plain PASSWORD EXPIRE INTERVAL 9 WEEK", "WEEK");
  }

  @Test
  void methodsAreNamedWhereTheyAreNotTheFiles() {
    String made = changed(GLOBAL, "ALTER USER plain IDENTIFIED WITH caching_sha2_password BY 'x'");
    assertThat(made)
        .contains("    authenticationMethodName: caching_sha2_password\n")
        .contains("  authenticators: { caching_sha2_password: { type: CACHING_SHA2_PASSWORD } }\n");
    String hash = "*" + "0123456789".repeat(4);
    assertThat(
            changed(
                made, "ALTER USER plain IDENTIFIED WITH mysql_native_password AS '" + hash + "'"))
        .contains("password: '" + hash + "'")
        .doesNotContain("authenticationMethodName");
    assertRefused("ALTER USER plain IDENTIFIED BY '" + hash + "'", "write AS");
    assertRefused(
        "ALTER USER plain IDENTIFIED WITH caching_sha2_password AS '" + hash + "'", "a hash of");
    assertRefused(
        "ALTER USER plain IDENTIFIED WITH mysql_native_password AS 'hidden'", "is no hash");
  }

  @Test
  void rightsComeAndGo() {
    String account = " web@'10.0.0.0/8'";
    assertThat(changed(GLOBAL, "GRANT SELECT ON shop.* TO" + account)).isEqualTo(GLOBAL);
    assertThat(changed(GLOBAL, "GRANT USAGE ON *.* TO" + account)).isEqualTo(GLOBAL);
    String more = changed(GLOBAL, "GRANT DELETE ON SHOP.* TO" + account);
    assertThat(more)
        .contains("- WRITE ON shop.cart\n")
        .contains("- 'SELECT, INSERT, DELETE ON `SHOP`.*'\n")
        .doesNotContain("for the pages");
    assertThat(changed(GLOBAL, "REVOKE INSERT, UPDATE ON TABLE cart FROM" + account))
        .contains("- 'DELETE ON `shop`.`cart`'\n")
        .contains("# for the pages");
    assertThat(
            changed(
                GLOBAL,
                "REVOKE ALL PRIVILEGES ON shop.* FROM" + account,
                "REVOKE ALL ON shop.cart FROM" + account))
        .contains("grants: []\n");
    assertThat(changed(GLOBAL, "REVOKE ALL PRIVILEGES, GRANT OPTION FROM plain," + account))
        .contains("  password: p\n    grants: []\n")
        .contains("  password: old\n    grants: []\n");
    assertFails("REVOKE ALTER ON shop.* FROM" + account, 1141, "no such grant");
    assertFails("REVOKE SELECT ON shop.none FROM" + account, 1147, "on table 'none'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GRANT SELECT ON shop.* TO plain",
        "REVOKE SELECT ON shop.* FROM plain",
        "GRANT SELECT ON shop.* TO root",
        "GRANT SELECT ON shop.* TO short",
        "GRANT SELECT ON *.orders TO web@'10.0.0.0/8'",
        "GRANT SELECT ON shop.* TO web@'10.0.0.0/8' WITH GRANT OPTION",
        "GRANT SELECT (a) ON shop.t TO web@'10.0.0.0/8'",
        "GRANT EXECUTE ON PROCEDURE shop.p TO web@'10.0.0.0/8'",
        "GRANT SUPER ON *.* TO web@'10.0.0.0/8'",
        "GRANT SELECT ON shop.* TO web@'10.0.0.0/8' IDENTIFIED BY 'hidden'",
        "GRANT web TO plain",
        "CREATE USER new",
        "CREATE USER new IDENTIFIED BY",
        "CREATE USER new IDENTIFIED BY RANDOM PASSWORD",
        "CREATE USER new IDENTIFIED BY 'hidden' ACCOUNT LOCK",
        "CREATE USER new IDENTIFIED BY 'hidden' PASSWORD EXPIRE",
        "CREATE USER new@@host IDENTIFIED BY 'hidden'",
        "ALTER USER short IDENTIFIED BY 'hidden'",
        "DROP USER plain web"
      })
  void whatThereIsNotIsRefusedByName(String sql) {
    assertRefused(sql, "");
  }

  private static void assertRefused(String sql, String words) {
    assertThatThrownBy(() -> changed(GLOBAL, sql))
        .isInstanceOf(ConfigurationRefusedException.class)
        .hasMessageContaining(words)
        .message()
        .doesNotContain("hidden");
  }

  @Test
  void otherFormsOfTheFileAreChangedToo() {
    assertThat(
            changed(
                "rules:\n- !AUTHORITY\n  users: [ { user: a, password: p }, { user: b, password: p } ]\n",
                "DROP USER b",
                "CREATE USER c IDENTIFIED BY 'x'"))
        .isEqualTo(
            "rules:\n- !AUTHORITY\n  users: [ { user: a, password: p }, { user: 'c@%', password: x,"
                + " grants: [] } ]\n");
  }

  @Test
  void accountsAreFoundInWhateverFollows() {
    assertThat(reader("ALTER USER a@b ACCOUNT LOCK").accounts())
        .containsExactly(new Account("a", "b"));
    assertThat(reader("DROP USER IF EXISTS a, 'b'@'c'").accounts())
        .containsExactly(new Account("a", "%"), new Account("b", "c"));
    assertThat(reader("GRANT SELECT (x, y) ON `to`.* TO \"a\"@`h` WITH GRANT OPTION").accounts())
        .containsExactly(new Account("a", "h"));
    assertThat(reader("REVOKE x FROM USER()").accounts()).isEqualTo(List.of(OWN));
    assertThat(reader("GRANT").accounts()).isEmpty();
  }
}
