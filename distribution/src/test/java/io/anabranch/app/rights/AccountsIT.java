package io.anabranch.app.rights;

import static io.anabranch.app.fixture.ReloadFolder.column;
import static io.anabranch.app.fixture.ReloadFolder.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The proxy's own accounts are changed by MySQL's statements. */
@ExtendWith(MariaDbServers.Resolver.class)
class AccountsIT {

  @TempDir Path temporary;
  private MariaDbServer server;
  private RunningProxy proxy;

  @BeforeEach
  void start(MariaDbServers servers) throws IOException {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS it_accounts",
        "CREATE DATABASE it_accounts",
        "CREATE TABLE it_accounts.t (id INT PRIMARY KEY)",
        "CREATE TABLE it_accounts.other (id INT PRIMARY KEY)",
        "DROP USER IF EXISTS it_of_server");
    var folder = new ReloadFolder(temporary);
    folder.global("");
    folder.write("database-it_accounts.yaml", RunningProxy.passThrough("it_accounts", server));
    proxy = RunningProxy.startFrom(temporary);
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  private static void run(Connection client, String... statements) throws SQLException {
    try (Statement statement = client.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private Connection connect(String user, String password) throws SQLException {
    return Driver.MARIADB.connect(proxy.port(), "it_accounts", user, password);
  }

  private static void assertFails(Connection client, String sql, int errno, String words) {
    assertThatThrownBy(() -> run(client, sql))
        .isInstanceOfSatisfying(
            SQLException.class, failed -> assertThat(failed.getErrorCode()).isEqualTo(errno))
        .hasMessageContaining(words);
  }

  @Test
  void anAccountIsMadeGrantedChangedSavedAndDropped() throws Exception {
    try (Connection admin = proxy.connect("it_accounts")) {
      run(admin, "CREATE USER clerk IDENTIFIED BY 'hidden-one'");
      assertFails(admin, "CREATE USER clerk IDENTIFIED BY 'x'", 1396, "'clerk'@'%'");
      assertThatThrownBy(() -> connect("clerk", "hidden-one").close())
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("Access denied");
      run(admin, "GRANT SELECT, INSERT ON t TO clerk");
      try (Connection clerk = connect("clerk", "hidden-one")) {
        run(clerk, "INSERT INTO t VALUES (1)");
        assertThat(one(clerk, "SELECT COUNT(*) FROM t")).isEqualTo("1");
        assertFails(clerk, "SELECT * FROM other", 1142, "SELECT command denied");
        assertFails(clerk, "GRANT SELECT ON other TO clerk", 1227, "");
        run(admin, "REVOKE INSERT ON it_accounts.t FROM clerk");
        assertFails(clerk, "INSERT INTO t VALUES (2)", 1142, "INSERT command denied");
        run(admin, "ALTER USER clerk IDENTIFIED BY 'hidden-two' RETAIN CURRENT PASSWORD");
        connect("clerk", "hidden-one").close();
        connect("clerk", "hidden-two").close();
        run(admin, "ALTER USER clerk DISCARD OLD PASSWORD");
        assertThatThrownBy(() -> connect("clerk", "hidden-one").close())
            .isInstanceOf(SQLException.class);
        assertThat(column(admin, "SHOW GRANTS FOR clerk"))
            .containsExactly(
                "GRANT USAGE ON *.* TO `clerk`@`%`",
                "GRANT SELECT ON `it_accounts`.`t` TO `clerk`@`%`");

        assertThat(all(admin, "SHOW CONFIGURATION HISTORY"))
            .contains("authority.users[clerk@%]")
            .doesNotContain("hidden");
        assertThat(all(admin, "SHOW CONFIGURATION DIFF"))
            .contains("authority.users[clerk@%]")
            .doesNotContain("hidden");
        assertThat(all(admin, "SHOW FULL PROCESSLIST")).doesNotContain("hidden");
        assertThat(column(admin, "SAVE CONFIGURATION")).containsExactly("global.yaml");
        assertThat(Files.readString(temporary.resolve("global.yaml")))
            .contains(
                "{ user: 'clerk@%', password: hidden-two, grants: ['SELECT ON `it_accounts`.`t`'] }");
        assertThat(column(admin, "SHOW CONFIGURATION DIFF")).isEmpty();

        run(admin, "DROP USER clerk");
        assertFails(clerk, "SELECT * FROM t", 1045, "Access denied");
      }
      assertFails(admin, "DROP USER " + RunningProxy.USER, 1105, "drops its own account");
    }
  }

  /** As in front of DDL, and whether or not they succeed. */
  @Test
  void theyCommitATransaction() throws Exception {
    try (Connection admin = proxy.connect("it_accounts")) {
      int id = 0;
      for (String sql :
          List.of(
              "CREATE USER clerk IDENTIFIED BY 'x'",
              "CREATE USER IF NOT EXISTS clerk IDENTIFIED BY 'x'",
              "CREATE USER clerk IDENTIFIED BY 'x'",
              "GRANT SELECT ON t TO clerk",
              "REVOKE SELECT ON t FROM clerk",
              "ALTER USER clerk IDENTIFIED BY 'y'",
              "SET PASSWORD FOR clerk = 'z'",
              "DROP USER clerk",
              "CREATE DATABASE made",
              "CREATE DATABASE made",
              "DROP DATABASE made",
              "DROP DATABASE made",
              "DROP DATABASE IF EXISTS made")) {
        for (String begin : List.of("BEGIN", "SET autocommit = 0")) {
          run(admin, begin, "INSERT INTO t VALUES (" + ++id + ")");
          try {
            run(admin, sql);
          } catch (SQLException refused) {
            assertThat(refused.getErrorCode()).as(sql).isIn(1007, 1008, 1147, 1396);
          }
          run(admin, "INSERT INTO t VALUES (" + -id + ")", "ROLLBACK", "SET autocommit = 1");
          assertThat(column(admin, "SELECT id FROM t WHERE ABS(id) = " + id))
              .as(sql)
              .contains(Integer.toString(id))
              .hasSize(begin.equals("BEGIN") ? 2 : 1);
        }
      }
    }
  }

  @Test
  void whatIsPassedOverIsTold() throws Exception {
    try (Connection admin = proxy.connect("it_accounts")) {
      run(admin, "CREATE USER clerk IDENTIFIED BY 'x'");
      run(admin, "CREATE USER IF NOT EXISTS clerk IDENTIFIED BY 'x'");
      assertThat(all(admin, "SHOW WARNINGS")).contains("1973", "'clerk'@'%'; it already exists");
      run(admin, "DROP USER IF EXISTS nobody, clerk");
      assertThat(all(admin, "SHOW WARNINGS"))
          .contains("1974", "'nobody'@'%'; it doesn't exist")
          .doesNotContain("clerk");
    }
  }

  private static String all(Connection client, String sql) throws SQLException {
    var all = new StringBuilder();
    try (Statement statement = client.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          all.append(rows.getString(i)).append('\n');
        }
      }
    }
    return all.toString();
  }

  @Test
  void accountsOfTheServerAreItsOwn() throws Exception {
    server.execute("CREATE USER it_of_server IDENTIFIED BY 'x'");
    try (Connection admin = proxy.connect("it_accounts");
        Connection plain = connect("plain", "plain")) {
      run(admin, "GRANT SELECT ON it_accounts.* TO it_of_server");
      assertThat(
              server.queryOne(
                  "SELECT COUNT(*) FROM mysql.db WHERE user = 'it_of_server' AND db = 'it_accounts'"))
          .isEqualTo("1");
      run(admin, "DROP USER it_of_server");
      assertThat(server.queryOne("SELECT COUNT(*) FROM mysql.user WHERE user = 'it_of_server'"))
          .isEqualTo("0");
      assertThat(column(admin, "SHOW CONFIGURATION HISTORY")).containsExactly("1");
      assertFails(plain, "CREATE USER x IDENTIFIED BY 'x'", 1235, "CREATE USER");
      assertFails(admin, "CREATE OR REPLACE USER x IDENTIFIED BY 'x'", 1235, "CREATE USER");
    }
  }

  /** In a text that a server would keep as in a statement: it knows the data source's account. */
  @Test
  void textsOfAccountsAreReadLikeStatements() throws Exception {
    server.execute("CREATE USER it_of_server IDENTIFIED BY 'x'");
    try (Connection admin = proxy.connect("it_accounts");
        Connection plain = connect("plain", "plain")) {
      for (String own :
          List.of(
              "PREPARE p FROM 'SET PASSWORD = PASSWORD(\"x\")'",
              "PREPARE p FROM 'ALTER USER CURRENT_USER() IDENTIFIED BY \"x\"'",
              "PREPARE p FROM '/*!50000 ALTER */ USER CURRENT_USER() IDENTIFIED BY \"x\"'",
              "PREPARE p FROM '/*!999999 DO */ SET PASSWORD = PASSWORD(\"x\")'",
              "PREPARE p FROM 'ALTER /*!999999 TABLE t */ USER CURRENT_USER() IDENTIFIED BY \"x\"'",
              "ALTER /*!999999 TABLE t */ USER CURRENT_USER() IDENTIFIED BY 'x'",
              "EXECUTE IMMEDIATE 'ALTER USER USER() IDENTIFIED BY \"x\"'",
              "SET STATEMENT max_statement_time = 9 FOR SET PASSWORD = PASSWORD('x')",
              "SET PASSWORD TO RANDOM")) {
        assertFails(plain, own, 1235, "one's own account");
      }
      run(admin, "PREPARE p FROM 'CREATE USER clerk IDENTIFIED BY \"x\"'", "EXECUTE p");
      assertThat(column(admin, "SHOW GRANTS FOR clerk")).isNotEmpty();
      run(
          admin,
          "PREPARE p FROM 'GRANT SELECT ON it_accounts.* TO it_of_server'",
          "EXECUTE p",
          "SET STATEMENT max_statement_time = 9 FOR DROP USER it_of_server");
      assertThat(server.queryOne("SELECT COUNT(*) FROM mysql.user WHERE user = 'it_of_server'"))
          .isEqualTo("0");
    }
  }

  /** Who has no grants of its own has all rights: a grant must not take them away. */
  @Test
  void aGrantNeverTakesRightsAway() throws Exception {
    try (Connection admin = proxy.connect("it_accounts");
        Connection plain = connect("plain", "plain")) {
      assertFails(admin, "GRANT SELECT ON t TO plain", 1105, "has no grants of its own");
      run(plain, "INSERT INTO t VALUES (7)");
      run(
          admin,
          "REVOKE ALL PRIVILEGES, GRANT OPTION FROM plain",
          "GRANT READ ON it_accounts.* TO plain");
      assertThat(one(plain, "SELECT id FROM t")).isEqualTo("7");
      assertFails(plain, "INSERT INTO t VALUES (8)", 1142, "INSERT command denied");
      assertThat(column(admin, "ROLLBACK CONFIGURATION")).isNotEmpty();
    }
  }
}
