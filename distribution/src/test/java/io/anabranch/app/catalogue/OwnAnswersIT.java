package io.anabranch.app.catalogue;

import static io.anabranch.app.fixture.table.XaFixture.column;
import static io.anabranch.app.fixture.table.XaFixture.one;
import static io.anabranch.app.fixture.table.XaFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.net.InetAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the proxy answers in a server's place: the values are its own, all else is a server's. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class OwnAnswersIT {

  private static final String SCHEMA = "it_own_answers";

  private static DatabaseServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    String source =
        """
        databaseName: %s
        dataSources:
          ds_0: { url: "%s", username: %s, password: %s, maxPoolSize: 4, minPoolSize: 1 }
        rules: []
        """;
    String user = MariaDbServer.USER;
    String url = server.url(SCHEMA);
    proxy =
        RunningProxy.start(
            List.of(),
            source.formatted(SCHEMA, url, user, MariaDbServer.PASSWORD),
            source.formatted(SCHEMA + "_alias", url, user, MariaDbServer.PASSWORD));
    Eventually.holds("the proxy reaches the database", () -> XaFixture.reaches(proxy, SCHEMA));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static Connection direct() throws SQLException {
    return server.connect(SCHEMA);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(information_schema.tables)",
        "(information_schema.tables t) WHERE t.table_name IS NOT NULL",
        "((information_schema.tables AS t)) WHERE t.table_name IS NOT NULL",
        "(information_schema.tables t) JOIN(information_schema.schemata)ON schema_name = table_schema",
        "(information_schema.tables t JOIN information_schema.schemata s ON s.schema_name = t.table_schema)",
        "((information_schema.tables), (information_schema.schemata s))",
        "(SELECT 1 FROM (information_schema.tables)) d",
      })
  void systemTablesStandInParentheses(String tables) throws SQLException {
    String query = "SELECT COUNT(*) > 0 FROM " + tables;
    try (Connection direct = direct();
        Connection through = proxy.connect(SCHEMA);
        Connection alias = proxy.connect(SCHEMA + "_alias")) {
      for (Connection each : List.of(direct, through, alias)) {
        assertThat(column(each, query)).containsExactly("1");
      }
    }
  }

  /** MySQL warns of SQL_CALC_FOUND_ROWS, and of values: what was found is not lost with that. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT SQL_CALC_FOUND_ROWS a FROM found ORDER BY a LIMIT 2",
        "SELECT SQL_CALC_FOUND_ROWS a + 'x' FROM found LIMIT 1, 2",
        "SELECT SQL_CALC_FOUND_ROWS a FROM found LIMIT 10, 2",
        "SELECT CAST('x' AS SIGNED) FROM found LIMIT 3",
        "SELECT a + 'x' FROM found LIMIT 10, 2",
        "SELECT a FROM found LIMIT 1, 2",
      })
  void foundRowsAreAServers(String query) throws SQLException {
    server.execute(
        "DROP TABLE IF EXISTS " + SCHEMA + ".found",
        "CREATE TABLE " + SCHEMA + ".found (a INT)",
        "INSERT INTO " + SCHEMA + ".found VALUES (1), (2), (3), (4), (5)");
    try (Connection direct = direct();
        Connection through = proxy.connect(SCHEMA);
        Connection alias = proxy.connect(SCHEMA + "_alias")) {
      for (List<String> between : List.of(List.<String>of(), List.of("SHOW WARNINGS"))) {
        var found = new ArrayList<List<String>>();
        for (Connection each : List.of(direct, through, alias)) {
          Transcript.of(each, query);
          between.forEach(sql -> Transcript.of(each, sql));
          found.add(Transcript.of(each, "SELECT FOUND_ROWS()").rows());
        }
        assertThat(found).as(between.toString()).containsOnly(found.getFirst());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "USER()",
        "SESSION_USER()",
        "SYSTEM_USER()",
        "CURRENT_USER()",
        "CURRENT_USER",
        "DATABASE()",
        "SCHEMA()",
        "LAST_INSERT_ID()",
        "ROW_COUNT()",
        "FOUND_ROWS()",
        "@@port",
        "CHARSET(USER())",
        "COLLATION(CURRENT_USER())",
        "COERCIBILITY(USER())",
        "COERCIBILITY(LAST_INSERT_ID())",
        "CONCAT(USER(), DATABASE())",
        "LAST_INSERT_ID() + 1",
      })
  void columnsAreAServers(String expression) throws SQLException {
    String create = "CREATE TABLE %s AS SELECT " + expression + " a";
    try (Connection direct = direct();
        Connection through = proxy.connect(SCHEMA);
        Connection alias = proxy.connect(SCHEMA + "_alias")) {
      run(direct, "DROP TABLE IF EXISTS t0, t1, t2", create.formatted("t0"));
      run(through, create.formatted("t1"));
      run(alias, create.formatted("t2"));
      // an alias stands in the text for the schema's name
      boolean isAlike = !expression.contains("DATABASE") && !expression.contains("SCHEMA");
      String kind =
          "SELECT CONCAT_WS(' ', column_type, collation_name, is_nullable) FROM"
              + " information_schema.columns WHERE table_schema = '"
              + SCHEMA
              + "' AND table_name = ";
      String wanted = server.queryOne(kind + "'t0'");
      assertThat(server.queryOne(kind + "'t1'")).isEqualTo(wanted);
      if (isAlike) {
        assertThat(server.queryOne(kind + "'t2'")).isEqualTo(wanted);
      }
    }
  }

  @Test
  void clientsThatConnectAnewFindTheProxy() throws Exception {
    String port = Integer.toString(proxy.port());
    try (Connection through = proxy.connect(SCHEMA)) {
      assertThat(one(through, "SELECT @@port")).isEqualTo(port);
      assertThat(one(through, "SELECT CONCAT(@@global.port, @@socket)")).isEqualTo(port);
      for (String scope : List.of("", "GLOBAL ", "SESSION ")) {
        assertThat(shown(through, "SHOW " + scope + "VARIABLES LIKE 'port'")).isEqualTo(port);
        assertThat(shown(through, "SHOW " + scope + "VARIABLES LIKE 'socket'")).isEmpty();
      }
      assertThat(one(through, "SELECT @@hostname"))
          .isEqualTo(shown(through, "SHOW VARIABLES LIKE 'hostname'"))
          .isEqualTo(InetAddress.getLocalHost().getHostName());
    }
  }

  private static String shown(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).as(sql).isTrue();
      return rows.getString(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET SESSION @x = 1",
        "SET LOCAL @x = 1",
        "SET GLOBAL @x = 1",
        "SET @y = 1, SESSION @x = 1",
        "SET SESSION @@sql_mode = ''",
        "SET SESSION NAMES utf8mb4",
        "SET SESSION CHARACTER SET utf8mb4",
      })
  void aScopeIsForVariablesOfTheSystem(String sql) throws SQLException {
    try (Connection direct = direct();
        Connection through = proxy.connect(SCHEMA)) {
      for (Connection each : List.of(direct, through)) {
        assertThatThrownBy(() -> run(each, sql))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1064));
      }
      assertThat(one(through, "SELECT IFNULL(@x, 'none')")).isEqualTo("none");
    }
  }

  @Test
  void preparedTextsThatTheProxyAnswers() throws SQLException {
    try (Connection through = proxy.connect(SCHEMA)) {
      List<String> wanted = column(through, "SHOW DATABASES");
      run(through, "PREPARE s FROM 'show databases'");
      assertThat(column(through, "EXECUTE s")).isEqualTo(wanted);
      run(through, "SET @t = 'SHOW DATABASES'", "PREPARE s FROM @t");
      assertThat(column(through, "EXECUTE s")).isEqualTo(wanted);
      run(through, "PREPARE s FROM 'SELECT USER(), ?'", "SET @p = 1");
      assertThat(one(through, "EXECUTE s USING @p")).startsWith(RunningProxy.USER + "@");
      run(through, "PREPARE s FROM 'SELECT 5 + ?'");
      assertThat(one(through, "EXECUTE s USING @p")).isEqualTo("6");
      run(through, "DEALLOCATE PREPARE s");
      assertThatThrownBy(() -> run(through, "EXECUTE s USING @p"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1243));
    }
  }

  /** MySQL has COM_REFRESH no more. */
  @Test
  void refreshes() throws IOException, SQLException {
    try (Connection direct =
            RunningProxy.Driver.MARIADB.connect(
                server.port(), SCHEMA, MariaDbServer.USER, MariaDbServer.PASSWORD);
        CommandProbe client =
            new CommandProbe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, "")) {
      boolean isMariaDb = direct.getMetaData().getDatabaseProductName().equals("MariaDB");
      for (int what : new int[] {0x00, 0x04, 0x1F, 0x40}) {
        assertThat(client.answer((byte) 0x07, (byte) what))
            .as("COM_REFRESH " + what)
            .contains(isMariaDb ? "OK" : "1047");
      }
    }
  }

  /** Two bytes do not hold their number. */
  @Test
  void manyColumns() throws SQLException {
    String sql = "SELECT 1" + ",1".repeat(70_000);
    String allowed = "maxAllowedColumns=100000";
    try (Connection direct =
            RunningProxy.Driver.MARIADB.connect(
                server.port(), SCHEMA, MariaDbServer.USER, MariaDbServer.PASSWORD, allowed);
        Connection through = proxy.connect(SCHEMA, allowed)) {
      assertThat(width(through, sql)).isEqualTo(width(direct, sql));
      assertThat(one(through, "SELECT 1")).isEqualTo("1");
    }
  }

  private static String width(Connection connection, String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return "columns " + rows.getMetaData().getColumnCount();
    } catch (SQLException refused) {
      return "error " + refused.getErrorCode();
    }
  }
}
