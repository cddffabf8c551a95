package io.anabranch.app.configuration;

import static io.anabranch.app.fixture.ReloadFolder.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A user may do less than before, or sees less, while its sessions are there. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class AccessReloadIT {

  private static final String SECRET = "it_access_secret";
  private static final String PLAIN = "it_access_plain";

  @TempDir Path temporary;
  private DatabaseServer server;
  private ReloadFolder folder;
  private RunningProxy proxy;

  @BeforeEach
  void start(DatabaseServers servers) throws IOException {
    server = servers.primaryA();
    for (String schema : new String[] {SECRET, PLAIN}) {
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema,
          "CREATE TABLE %s.t (id INT PRIMARY KEY, phone VARCHAR(20))".formatted(schema),
          "INSERT INTO %s.t VALUES (1, '13800000001'), (2, '13800000002')".formatted(schema));
    }
    folder = new ReloadFolder(temporary);
    folder.write("database-secret.yaml", RunningProxy.passThrough(SECRET, server));
    sees("web", "phone");
    users(false, "web@%=" + SECRET + ", web@%=" + PLAIN);
    proxy = RunningProxy.startFrom(temporary);
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  /** What web may use. */
  private void users(boolean isAdmin, String mappings) throws IOException {
    folder.write(
        "global.yaml",
        """
        authority:
          users:
          - { user: "%s@%%", password: %s, admin: true }
          - { user: web, password: web, admin: %s }
          - { user: hidden, password: hidden, admin: true }
          privilege:
            type: DATABASE_PERMITTED
            props: { user-database-mappings: "%s" }
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2 }
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD, isAdmin, mappings));
  }

  /** Who sees a column of the plain database as it is. */
  private void sees(String user, String column) throws IOException {
    folder.write(
        "database-plain.yaml",
        RunningProxy.passThrough(PLAIN, server)
            .replace(
                "rules: []\n",
                """
                rules:
                - !MASK
                  tables:
                    t: { columns: { %s: { maskAlgorithm: all } } }
                  maskAlgorithms:
                    all: { type: KEEP_FIRST_N_LAST_M, props: { first-n: 1, last-m: 1, replace-char: '*' } }
                  users: [%s]
                """
                    .formatted(column, user)));
  }

  private void reload() throws SQLException {
    try (Connection admin = proxy.connect("")) {
      assertThat(column(admin, "RELOAD CONFIGURATION")).isNotEmpty();
    }
  }

  private Connection web(String database) throws SQLException {
    return Driver.MARIADB.connect(
        proxy.port(), database, "web", "web", Driver.MARIADB.serverPrepare());
  }

  private static void assertDenied(ThrowingCallable statement) {
    assertThatThrownBy(statement)
        .isInstanceOfSatisfying(
            SQLException.class, denied -> assertThat(denied.getErrorCode()).isEqualTo(1044));
  }

  @Test
  void aDatabaseThatIsTakenAwayIsTakenFromOpenSessions() throws Exception {
    try (Connection inside = web(SECRET);
        Connection outside = web(SECRET);
        Connection prepares = web(SECRET);
        PreparedStatement prepared = prepares.prepareStatement("SELECT id FROM t WHERE id = ?");
        PreparedStatement left = outside.prepareStatement("SELECT id FROM t WHERE id = ?");
        Statement text = inside.createStatement()) {
      prepared.setInt(1, 1);
      prepared.executeQuery().close();
      left.setInt(1, 1);
      left.executeQuery().close();
      outside.createStatement().execute("USE " + PLAIN);
      text.execute("CREATE TEMPORARY TABLE kept AS SELECT * FROM t");
      text.execute("PREPARE s FROM 'SELECT * FROM t'");
      users(false, "web@%=" + PLAIN);
      reload();
      assertDenied(() -> web(SECRET).close());
      for (String statement :
          new String[] {
            "SELECT * FROM t",
            "SELECT * FROM kept",
            "SELECT * FROM " + SECRET + ".t",
            "UPDATE t SET id = id",
            "EXECUTE s",
            "SHOW TABLES",
            "SHOW CREATE TABLE t",
            "DESCRIBE t",
            "EXPLAIN ROUTE SELECT * FROM t",
            "SET @x = (SELECT MAX(phone) FROM t)",
            "HANDLER t OPEN AS h",
            "DROP TABLE t"
          }) {
        assertDenied(() -> text.execute(statement));
      }
      assertDenied(prepared::executeQuery);
      assertDenied(left::executeQuery);
      assertThat(column(outside, "SELECT id FROM t")).containsExactly("1", "2");
      // and what the session has left behind is no way in
      text.execute("USE " + PLAIN);
      assertThat(column(inside, "SELECT phone FROM t WHERE id = 1")).containsExactly("13800000001");
      assertDenied(() -> text.execute("SELECT * FROM " + SECRET + ".kept"));
      assertDenied(() -> text.execute("USE " + SECRET));
      users(false, "web@%=" + SECRET + ", web@%=" + PLAIN);
      reload();
      assertThat(column(prepares, "SELECT id FROM t")).containsExactly("1", "2");
      prepared.executeQuery().close();
      left.executeQuery().close();
    }
  }

  /** A HANDLER asks for no right: its session ends, whatever of the user's rights has changed. */
  @Test
  void anOpenHandlerEndsWithTheDatabase() throws Exception {
    try (Connection one = web(PLAIN)) {
      open(one, SECRET + ".t");
      users(false, "web@%=" + PLAIN);
      reload();
      assertEnded(one);
    }
  }

  @Test
  void anOpenHandlerEndsWithTheSightBehindAMask() throws Exception {
    try (Connection one = web(PLAIN)) {
      open(one, "t");
      sees("hidden", "phone");
      reload();
      assertEnded(one);
    }
  }

  /** Of a user that had seen another column masked before. */
  @Test
  void anOpenHandlerEndsWithAColumnThatIsMaskedNow() throws Exception {
    sees("hidden", "other");
    reload();
    try (Connection one = web(SECRET)) {
      open(one, SECRET + ".t");
      folder.write(
          "database-secret.yaml",
          RunningProxy.passThrough(SECRET, server)
              .replace(
                  "rules: []\n",
                  """
                  rules:
                  - !MASK
                    tables:
                      t: { columns: { phone: { maskAlgorithm: all } } }
                    maskAlgorithms:
                      all: { type: MD5 }
                  """));
      reload();
      assertEnded(one);
    }
  }

  @Test
  void anOpenHandlerEndsWithTheAdministrator() throws Exception {
    users(true, "web@%=*");
    reload();
    try (Connection one = web(PLAIN)) {
      open(one, SECRET + ".t");
      users(false, "web@%=*");
      reload();
      assertEnded(one);
    }
  }

  /** What changes nothing for the user is none of its concern. */
  @Test
  void anOpenHandlerStaysWhereNothingIsTaken() throws Exception {
    try (Connection one = web(PLAIN)) {
      open(one, "t");
      users(false, "web@%=" + PLAIN + ", web@%=" + SECRET + ", hidden@%=" + PLAIN);
      reload();
      assertThat(column(one, "HANDLER h READ NEXT")).containsExactly("2");
    }
  }

  private static void open(Connection client, String table) throws SQLException {
    try (Statement text = client.createStatement()) {
      text.execute("HANDLER " + table + " OPEN AS h");
    }
    assertThat(column(client, "HANDLER h READ FIRST")).containsExactly("1");
  }

  private static void assertEnded(Connection client) {
    assertThatThrownBy(() -> column(client, "HANDLER h READ NEXT"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("AB2061");
    assertThatThrownBy(() -> column(client, "SELECT 1")).isInstanceOf(SQLException.class);
  }
}
