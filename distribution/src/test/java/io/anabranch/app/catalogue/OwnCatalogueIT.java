package io.anabranch.app.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users who are no administrators see their own databases of a server, and no others. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class OwnCatalogueIT {

  private static final String OWN = "it_catalogue_own";
  private static final String BESIDE = "it_catalogue_beside";
  private static final String SECRET = "it_catalogue_secret";
  private static final String ALL_SCHEMATA = "SELECT schema_name FROM information_schema.schemata";
  private static final String CATALOGUE = "information_schema";

  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    DatabaseServer server = servers.primaryA();
    for (String schema : new String[] {OWN, BESIDE, SECRET}) {
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema,
          "CREATE TABLE " + schema + ".t (a INT PRIMARY KEY)",
          "CREATE VIEW " + schema + ".v AS SELECT 'topsecret' AS k",
          "CREATE PROCEDURE " + schema + ".p() SELECT 'topsecret'",
          "CREATE FUNCTION " + schema + ".f() RETURNS INT DETERMINISTIC RETURN 1");
    }
    String global =
        """
        authority:
          users:
            - { user: "app@%%", password: app-secret, admin: true }
            - { user: "one@%%", password: app-secret }
            - { user: "two@%%", password: app-secret }
          privilege:
            type: DATABASE_PERMITTED
            props: { user-database-mappings: "app@%%=*, one@%%=%s, two@%%=%s, two@%%=%s" }
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2 }
        """
            .formatted(OWN, OWN, BESIDE);
    proxy =
        RunningProxy.startWith(
            global,
            RunningProxy.passThrough(OWN, server),
            RunningProxy.passThrough(BESIDE, server),
            RunningProxy.passThrough(SECRET, server));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static Connection connect(String user) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(proxy.port(), OWN, user, "app-secret");
  }

  /** Where the server has what the statement is about. */
  private static void assumeKnown(String sql) {
    boolean isOfMariaDb = sql.startsWith("EXECUTE IMMEDIATE") || sql.contains("innodb_sys");
    assumeFalse(isOfMariaDb && DatabaseServers.areMySql(), "MariaDB's");
  }

  private static Set<String> column(Connection connection, int column, String sql)
      throws SQLException {
    var values = new TreeSet<String>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(column));
      }
    }
    return values;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT table_schema FROM information_schema.tables WHERE table_schema NOT LIKE 'inf%'",
        "SELECT table_schema FROM information_schema.views",
        "SELECT DISTINCT t.table_schema FROM `information_schema` . `columns` t"
            + " WHERE t.table_name = 't'",
        "SELECT INFORMATION_SCHEMA.STATISTICS.TABLE_SCHEMA FROM INFORMATION_SCHEMA.STATISTICS",
        "SELECT routine_schema FROM information_schema.routines",
        "SELECT specific_schema FROM (SELECT * FROM information_schema.parameters) p",
        "SELECT table_schema FROM information_schema.key_column_usage",
        "EXECUTE IMMEDIATE 'SELECT routine_schema FROM information_schema.routines'",
      })
  void oneSeesItsOnlyDatabase(String sql) throws SQLException {
    assumeKnown(sql);
    try (Connection one = connect("one");
        Connection administrator = connect("app")) {
      assertThat(column(administrator, 1, sql)).contains(OWN, BESIDE, SECRET);
      assertThat(column(one, 1, sql)).containsExactly(OWN);
    }
  }

  @Test
  void listingsOfRoutinesAreOfOwnDatabases() throws SQLException {
    try (Connection one = connect("one");
        Connection administrator = connect("app")) {
      assertThat(column(administrator, 1, "SHOW PROCEDURE STATUS")).contains(OWN, SECRET);
      assertThat(column(one, 1, "SHOW PROCEDURE STATUS")).containsExactly(OWN);
      assertThat(column(one, 1, "SHOW FUNCTION STATUS LIKE 'f'")).containsExactly(OWN);
      assertThat(column(one, 1, "SHOW FUNCTION STATUS WHERE Name = 'f' OR 1")).containsExactly(OWN);
      assertThat(column(one, 1, "SHOW CREATE DATABASE " + OWN)).containsExactly(OWN);
      assertThat(column(one, 1, "SHOW OPEN TABLES FROM " + OWN)).doesNotContain(SECRET);
    }
  }

  @Test
  void usersDoNotShareWhatTheyMaySee() throws SQLException {
    String others = "SELECT COUNT(*) FROM " + BESIDE + ".t";
    try (Connection two = connect("two");
        Connection one = connect("one")) {
      assertThat(column(two, 1, ALL_SCHEMATA)).containsExactly(CATALOGUE, BESIDE, OWN);
      assertThat(column(one, 1, ALL_SCHEMATA)).containsExactly(CATALOGUE, OWN);
      assertThat(column(two, 1, others)).containsExactly("0");
      assertThatThrownBy(() -> column(one, 1, others))
          .isInstanceOfSatisfying(
              SQLException.class, denied -> assertThat(denied.getErrorCode()).isEqualTo(1044));
    }
  }

  /** Any statement, by whatever way it comes, and from wherever. */
  @Test
  void usersGoWhereTheyMay() throws SQLException {
    try (Connection two = connect("two");
        Connection one = connect("one");
        Statement statement = two.createStatement();
        Statement denied = one.createStatement()) {
      for (String to : new String[] {BESIDE, "`" + OWN + "`"}) {
        for (String shown : new String[] {BESIDE, OWN}) {
          assertThat(column(two, 1, "SHOW TABLES FROM " + shown)).containsExactly("t", "v");
          assertThat(column(two, 1, "SHOW COLUMNS FROM t FROM " + shown)).containsExactly("a");
          assertThat(column(two, 3, "SHOW INDEX FROM " + shown + ".t")).containsExactly("PRIMARY");
          assertThat(column(two, 1, "SHOW CREATE DATABASE " + shown)).containsExactly(shown);
          assertThat(column(two, 1, "DESCRIBE " + shown + ".t")).containsExactly("a");
        }
        statement.execute("USE " + to);
        assertThat(column(two, 1, "SELECT DATABASE()")).containsExactly(to.replace("`", ""));
      }
      for (String sql :
          new String[] {
            "USE " + BESIDE, "SHOW TABLES FROM " + BESIDE, "USE " + SECRET, "USE mysql"
          }) {
        assertThatThrownBy(() -> denied.execute(sql))
            .as(sql)
            .isInstanceOfSatisfying(
                SQLException.class, told -> assertThat(told.getErrorCode()).isEqualTo(1044));
      }
      assertThat(column(one, 1, "SELECT DATABASE()")).containsExactly(OWN);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM information_schema.innodb_sys_tables",
        "SELECT * FROM information_schema.innodb_trx",
        "SELECT * FROM information_schema.user_privileges",
        "SELECT * FROM information_schema.processlist",
        "SHOW CREATE DATABASE " + SECRET,
        "SHOW CREATE SCHEMA mysql",
        "SHOW OPEN TABLES",
        "SET @a = (SELECT COUNT(*) FROM information_schema.tables)",
        "CREATE VIEW w AS SELECT * FROM information_schema.tables",
        "EXECUTE IMMEDIATE 'SELECT * FROM mysql.user'",
        "EXECUTE IMMEDIATE CONCAT('SELECT * FROM mysql', '.user')",
        "PREPARE s FROM 'SELECT * FROM " + SECRET + ".t'",
        "PREPARE s FROM 'SELECT 1 INTO OUTFILE \\'/tmp/x\\''",
      })
  void whatIsOthersIsRefused(String sql) throws SQLException {
    assumeKnown(sql);
    try (Connection one = connect("one");
        Statement statement = one.createStatement()) {
      assertThatThrownBy(() -> statement.execute(sql))
          .isInstanceOfSatisfying(
              SQLException.class,
              denied -> assertThat(denied.getErrorCode()).isIn(1227, 1044, 1142, 1235));
    }
  }

  @Test
  void textsArePreparedAndCheckedWhenTheyAreKnown() throws SQLException {
    try (Connection one = connect("one");
        Statement statement = one.createStatement()) {
      statement.execute("PREPARE s FROM 'SELECT ? + 1'");
      statement.execute("SET @a = 41");
      assertThat(column(one, 1, "EXECUTE s USING @a")).containsExactly("42");
      statement.execute("DEALLOCATE PREPARE s");
      assertThatThrownBy(() -> statement.execute("EXECUTE s USING @a"))
          .hasMessageContaining("Unknown prepared statement");
      statement.execute("SET @text = 'SELECT a FROM t'");
      statement.execute("PREPARE s FROM @text");
      assertThat(column(one, 1, "EXECUTE s")).isEmpty();
      statement.execute("SET @text = 'SELECT * FROM mysql.user'");
      assertThatThrownBy(() -> statement.execute("PREPARE s FROM @text"))
          .isInstanceOfSatisfying(
              SQLException.class, denied -> assertThat(denied.getErrorCode()).isEqualTo(1044));
    }
  }
}
