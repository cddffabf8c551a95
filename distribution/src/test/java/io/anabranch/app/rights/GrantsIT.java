package io.anabranch.app.rights;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Users with grants may do through the proxy what accounts with the same grants may do on a server,
 * on whatever path a statement comes.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class GrantsIT {

  private static final String SCHEMA = "it_grants";
  private static final String SHARDED = "it_grants_sharded";
  private static final String PASSWORD = "grants-secret";

  /** 1044, 1142, 1143, 1227, 1370. */
  private static final Set<Integer> DENIED = Set.of(1044, 1142, 1143, 1227, 1370);

  private static final Map<String, List<String>> USERS =
      new TreeMap<>(
          Map.of(
              "reader", List.of("SELECT, SHOW VIEW ON it_grants.*"),
              "writer", List.of("SELECT, INSERT, UPDATE, DELETE ON it_grants.*"),
              "clerk",
                  List.of(
                      "SELECT ON it_grants.open_t", "SELECT, INSERT, UPDATE ON it_grants.own_t"),
              "inserter", List.of("INSERT ON it_grants.own_t"),
              "definer",
                  List.of("CREATE, DROP, ALTER, INDEX, INSERT, CREATE VIEW, SELECT ON it_grants.*"),
              "owner", List.of("ALL PRIVILEGES ON it_grants.*")));

  /** None leaves anything that changes what the next one is answered. */
  private static final List<String> STATEMENTS =
      List.of(
          "SELECT * FROM open_t",
          "SELECT * FROM it_grants.secret_t",
          "SELECT * FROM open_t, secret_t",
          "SELECT * FROM open_t WHERE a IN (SELECT a FROM secret_t)",
          "SELECT (SELECT MAX(a) FROM secret_t)",
          "SELECT * FROM open_t UNION SELECT * FROM secret_t",
          "WITH c AS (SELECT * FROM secret_t) SELECT * FROM c",
          "WITH secret_t AS (SELECT 1 AS a) SELECT * FROM secret_t",
          "SELECT * FROM secret_v",
          "SELECT 1 FROM/**/secret_t",
          "SELECT 1.FROM secret_t",
          "SELECT * FROM open_t AS x, /*!50000 secret_t */",
          "SELECT * FROM /*!99999 (SELECT 1 */ secret_t",
          "DELETE FROM own_t /*!99999 it's -- not all */ WHERE a = 99",
          "UPDATE own_t SET a = 3 /*!99999 it's */ WHERE a = 98 /*!99999 it's */",
          "SELECT x'41', X'4f', b'01', 1 --\u0001 comment",
          "INSERT INTO own_t VALUES (1)",
          "INSERT INTO secret_t VALUES (1)",
          "INSERT INTO own_t SELECT a FROM secret_t",
          "INSERT INTO own_t VALUES (1) ON DUPLICATE KEY UPDATE a = 2",
          "REPLACE INTO own_t VALUES (1)",
          "UPDATE own_t SET a = 3",
          "UPDATE secret_t SET a = 3",
          "UPDATE own_t, secret_t SET own_t.a = secret_t.a",
          "UPDATE open_t, own_t SET own_t.a = open_t.a",
          "DELETE FROM own_t WHERE a = 99",
          "DELETE own_t FROM own_t JOIN open_t ON own_t.a = open_t.a WHERE own_t.a = 99",
          "EXPLAIN SELECT * FROM secret_t",
          "DESCRIBE secret_t",
          "SHOW COLUMNS FROM secret_t",
          "SHOW INDEX FROM open_t",
          "SHOW CREATE TABLE secret_t",
          "SHOW CREATE TABLE own_t",
          "CREATE TABLE IF NOT EXISTS secret_t (a INT)",
          "CREATE TABLE open_t LIKE secret_t",
          "ALTER TABLE secret_t COMMENT 'x'",
          "CREATE OR REPLACE VIEW made_v AS SELECT * FROM open_t",
          "DROP TABLE IF EXISTS nothing_t",
          "DROP VIEW IF EXISTS nothing_v",
          "TRUNCATE TABLE empty_t",
          "RENAME TABLE nothing_t TO nothing_u",
          "CREATE INDEX i ON nothing_t (a)",
          "CREATE PROCEDURE open_p() SELECT 1",
          "CALL open_p()",
          "SELECT open_f()",
          "SELECT it_grants.open_f()",
          "DO (SELECT MAX(a) FROM secret_t)",
          "SET @x = (SELECT MAX(a) FROM secret_t)",
          "SET STATEMENT max_statement_time = 10 FOR DELETE FROM secret_t",
          "HANDLER secret_t OPEN",
          "LOCK TABLES open_t READ",
          "UNLOCK TABLES",
          "CHECKSUM TABLE secret_t",
          "SHOW CREATE VIEW secret_v",
          "USE mysql",
          "SELECT * FROM mysql.user",
          "FLUSH TABLES",
          "SELECT 1",
          "START TRANSACTION",
          "ROLLBACK");

  private static RunningProxy proxy;
  private static MariaDbServer server;

  @BeforeAll
  static void start(MariaDbServers servers) {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS " + SCHEMA,
        "CREATE DATABASE " + SCHEMA,
        "USE " + SCHEMA,
        "CREATE TABLE open_t (a INT)",
        "CREATE TABLE own_t (a INT)",
        "CREATE TABLE secret_t (a INT)",
        "CREATE TABLE empty_t (a INT)",
        "CREATE VIEW secret_v AS SELECT * FROM secret_t",
        "CREATE VIEW made_v AS SELECT * FROM open_t",
        "CREATE PROCEDURE open_p() SELECT 1",
        "CREATE FUNCTION open_f() RETURNS INT DETERMINISTIC RETURN 1",
        "DROP DATABASE IF EXISTS " + SHARDED,
        "CREATE DATABASE " + SHARDED,
        "CREATE TABLE " + SHARDED + ".t_0 (id INT PRIMARY KEY, v INT)",
        "CREATE TABLE " + SHARDED + ".t_1 (id INT PRIMARY KEY, v INT)",
        "CREATE TABLE " + SHARDED + ".hidden (id INT PRIMARY KEY)");
    var users = new StringBuilder();
    USERS.forEach(
        (name, grants) -> {
          server.execute(
              "CREATE OR REPLACE USER " + name + "@'%' IDENTIFIED BY '" + PASSWORD + "'");
          grants.forEach(grant -> server.execute("GRANT " + grant + " TO " + name + "@'%'"));
          users.append(user(name, grants));
        });
    users.append(
        user("partial", List.of("READ ON " + SHARDED + ".t", "WRITE ON " + SHARDED + ".t")));
    users.append(user("looker", List.of("READ ON " + SHARDED + ".*")));
    String global =
        """
        authority:
          users:
            - { user: "app@%%", password: app-secret, admin: true }
            - { user: "plain@%%", password: %s }
            - { user: "hinter@%%", password: %s, hints: DATA_SOURCE_NAME }
        %s
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2 }
        """
            .formatted(PASSWORD, PASSWORD, users);
    String sharded =
        "databaseName: "
            + SHARDED
            + "\ndataSources:\n"
            + RunningProxy.source("ds_0", server, SHARDED)
            + """
            rules:
            - !SHARDING
              tables:
                t:
                  actualDataNodes: ds_0.t_${0..1}
                  tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: m } }
              shardingAlgorithms:
                m: { type: MOD, props: { sharding-count: 2 } }
            """;
    proxy = RunningProxy.startWith(global, RunningProxy.passThrough(SCHEMA, server), sharded);
  }

  private static String user(String name, List<String> grants) {
    var text = new StringBuilder();
    text.append("    - user: \"").append(name).append("@%\"\n");
    text.append("      password: ").append(PASSWORD).append('\n').append("      grants:\n");
    grants.forEach(grant -> text.append("        - ").append(grant).append('\n'));
    return text.toString();
  }

  @AfterAll
  static void stop() {
    proxy.close();
    USERS.keySet().forEach(name -> server.execute("DROP USER " + name + "@'%'"));
  }

  private static Connection connect(String user, String database) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(
        proxy.port(), database, user, PASSWORD, "allowMultiQueries=true");
  }

  /** What a server reads otherwise than the proxy is not sent to it. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void textsThatServersReadOtherwiseAreRefused(Way way) throws SQLException {
    List<String> texts =
        List.of(
            "SELECT x'41''\\' , ' , (SELECT MAX(a) FROM secret_t) -- '",
            "SELECT x'4g'', (SELECT MAX(a) FROM secret_t) -- '",
            "SELECT 1 --\u007F'\n, (SELECT MAX(a) FROM secret_t) -- '",
            "SELECT 1 /*!99999 it's */, (SELECT MAX(a) FROM secret_t) /*!99999 it's */");
    for (String sql : texts) {
      try (Connection connection = connect("clerk", SCHEMA)) {
        assertThatThrownBy(() -> way.run(connection, sql))
            .as(sql)
            .isInstanceOfSatisfying(
                SQLException.class,
                error -> assertThat(error.getErrorCode()).isIn(1064, 1142, 1143, 1235));
      }
    }
  }

  /** A no-break space is a blank to servers in one-byte character sets. */
  @Test
  void blanksOfOtherCharacterSetsAreRefused() throws IOException {
    try (var clerk = new CommandProbe(proxy.port(), "clerk", PASSWORD, SCHEMA)) {
      assertThat(clerk.answer("\u0003SET NAMES latin1".getBytes(ISO_8859_1))).isEqualTo("OK");
      for (String sql :
          List.of(
              "SELECT MAX(a)\u00A0FROM\u00A0secret_t",
              "SELECT (SELECT\u00A0MAX(a)\u00A0FROM\u00A0secret_t)",
              "DO GET_LOCK\u00A0('a', 1)",
              "SELECT 1 --\u00A0'\n, (SELECT MAX(a) FROM secret_t) -- '")) {
        assertThat(clerk.answer(("\u0003" + sql).getBytes(ISO_8859_1))).as(sql).contains("1064");
      }
      assertThat(clerk.answer("\u0003DO '\u00A0', `\u00A0`.x".getBytes(ISO_8859_1)))
          .doesNotContain("1064");
    }
  }

  /** A way to give a statement to a connection. */
  enum Way {
    TEXT {
      @Override
      void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
          statement.execute(sql);
        }
      }
    },
    SECOND {
      @Override
      void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
          statement.execute("DO 1; " + sql);
          while (statement.getMoreResults() || statement.getUpdateCount() >= 0) {
            statement.getWarnings();
          }
        }
      }
    },
    PREPARED {
      @Override
      void run(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
          statement.execute();
        }
      }
    },
    NAMED {
      @Override
      void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
          statement.execute("PREPARE way FROM '" + sql.replace("'", "''") + "'");
          statement.execute("EXECUTE way");
        }
      }
    },
    IMMEDIATE {
      @Override
      void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
          statement.execute("SET @way = '" + sql.replace("'", "''") + "'");
          statement.execute("EXECUTE IMMEDIATE @way");
        }
      }
    },
    /** Tells what would be done: as much as doing it. */
    ROUTE {
      @Override
      void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
          statement.execute("EXPLAIN ROUTE " + sql);
        }
      }
    };

    abstract void run(Connection connection, String sql) throws SQLException;

    /** Not all statements can be prepared by name, or have a route. */
    boolean takes(String sql) {
      return switch (this) {
        case TEXT, SECOND, PREPARED -> true;
        case NAMED, IMMEDIATE -> !sql.startsWith("LOCK") && !sql.startsWith("USE");
        case ROUTE -> sql.startsWith("SELECT");
      };
    }
  }

  /** The error of a denial; 0: it was allowed, whatever became of it. */
  private static int denial(Connection connection, Way way, String sql) throws SQLException {
    try {
      way.run(connection, sql);
      return 0;
    } catch (SQLException e) {
      return DENIED.contains(e.getErrorCode()) ? e.getErrorCode() : 0;
    } finally {
      if (sql.startsWith("LOCK") || sql.startsWith("HANDLER")) {
        connection.createStatement().execute("UNLOCK TABLES");
      }
    }
  }

  static Stream<Arguments> ways() {
    return USERS.keySet().stream()
        .flatMap(user -> Stream.of(Way.values()).map(way -> Arguments.of(user, way)));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void areTheServersOwn(String user, Way way) throws SQLException {
    var proxied = new ArrayList<String>();
    var direct = new ArrayList<String>();
    for (String sql : STATEMENTS) {
      if (!way.takes(sql)) {
        continue;
      }
      try (Connection through = connect(user, SCHEMA);
          Connection straight = DriverManager.getConnection(server.url(SCHEMA), user, PASSWORD)) {
        proxied.add(sql + " -> " + (denial(through, way, sql) != 0));
        direct.add(sql + " -> " + (denial(straight, Way.TEXT, sql) != 0));
      }
    }
    assertThat(proxied).isEqualTo(direct);
  }

  @Test
  void errorsAreInTheServersWords() throws SQLException {
    try (Connection through = connect("clerk", SCHEMA);
        Connection straight = DriverManager.getConnection(server.url(SCHEMA), "clerk", PASSWORD)) {
      for (String sql :
          List.of(
              "SELECT * FROM secret_t",
              "DELETE FROM own_t",
              "SELECT open_f()",
              "LOCK TABLES open_t READ")) {
        assertThat(error(through, sql)).isEqualTo(error(straight, sql));
      }
    }
  }

  private static String error(Connection connection, String sql) {
    try {
      Way.TEXT.run(connection, sql);
      return "";
    } catch (SQLException e) {
      String text = String.valueOf(e.getMessage()).replaceAll("^\\(conn[^)]*\\) ", "");
      return e.getErrorCode() + " " + e.getSQLState() + " " + text;
    }
  }

  private static List<String> column(Connection connection, String sql) throws SQLException {
    var values = new ArrayList<String>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SHOW TABLES",
        "SHOW FULL TABLES FROM it_grants LIKE '%t'",
        "SHOW TABLES WHERE Tables_in_it_grants <> 'open_t'",
        "SHOW TABLE STATUS",
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'it_grants'"
            + " ORDER BY 1",
        "SELECT DISTINCT table_name FROM information_schema.columns WHERE table_schema ="
            + " 'it_grants' ORDER BY 1",
        "SELECT routine_name FROM information_schema.routines WHERE routine_schema = 'it_grants'",
        "SHOW DATABASES",
      })
  void showsWhatTheServerShows(String sql) throws SQLException {
    for (String user : List.of("clerk", "reader", "owner")) {
      try (Connection through = connect(user, SCHEMA);
          Connection straight = DriverManager.getConnection(server.url(SCHEMA), user, PASSWORD)) {
        if (user.equals("reader") && sql.contains("routines")) {
          continue;
        }
        assertThat(column(through, sql)).as(user).isEqualTo(column(straight, sql));
      }
    }
  }

  @Test
  void grantsAreShownAsTheServerDoes() throws SQLException {
    for (String user : USERS.keySet()) {
      try (Connection through = connect(user, SCHEMA);
          Connection straight = DriverManager.getConnection(server.url(SCHEMA), user, PASSWORD)) {
        List<String> expected =
            column(straight, "SHOW GRANTS").stream()
                .map(line -> line.replaceFirst(" IDENTIFIED BY PASSWORD '[^']*'", ""))
                .toList();
        assertThat(column(through, "SHOW GRANTS")).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(column(through, "SHOW GRANTS FOR CURRENT_USER()")).hasSameSizeAs(expected);
      }
    }
  }

  @Test
  void shardedTablesAreGrantedByTheirLogicalNames() throws SQLException {
    try (Connection partial = connect("partial", SHARDED);
        Connection looker = connect("looker", SHARDED)) {
      for (int id = 0; id < 4; id++) {
        Way.TEXT.run(partial, "INSERT INTO t VALUES (" + id + ", 1)");
      }
      assertThat(column(partial, "SELECT COUNT(*) FROM t")).containsExactly("4");
      assertThat(column(looker, "SELECT COUNT(*) FROM t")).containsExactly("4");
      assertThat(denial(looker, Way.TEXT, "UPDATE t SET v = 2 WHERE id = 1")).isEqualTo(1142);
      assertThat(denial(looker, Way.PREPARED, "DELETE FROM t")).isEqualTo(1142);
      assertThat(denial(partial, Way.TEXT, "SELECT * FROM hidden")).isEqualTo(1142);
      assertThat(denial(partial, Way.TEXT, "SELECT * FROM t_0")).isEqualTo(1142);
      assertThat(denial(partial, Way.TEXT, "SELECT * FROM t, hidden")).isEqualTo(1142);
      assertThat(denial(partial, Way.TEXT, "DROP TABLE t")).isEqualTo(1142);
      assertThat(column(partial, "SHOW TABLES")).containsExactly("t");
      assertThat(column(looker, "SHOW TABLES")).containsExactlyInAnyOrder("hidden", "t");
      assertThat(
              column(
                  partial,
                  "SELECT table_name FROM information_schema.tables WHERE table_schema = '"
                      + SHARDED
                      + "'"))
          .containsExactly("t");
      // the plan of one is not the other's
      Way.TEXT.run(partial, "UPDATE t SET v = 3 WHERE id = 1");
      assertThat(denial(looker, Way.TEXT, "UPDATE t SET v = 3 WHERE id = 1")).isEqualTo(1142);
      Way.TEXT.run(partial, "DELETE FROM t");
    }
  }

  @Test
  void hintsThatLeaveTheRulesAreGranted() throws SQLException {
    String hinted = "/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME=ds_0 */ SELECT 1";
    try (Connection plain = connect("plain", SHARDED);
        Connection hinter = connect("hinter", SHARDED);
        Connection admin = proxy.connect(SHARDED)) {
      assertThat(column(admin, hinted)).containsExactly("1");
      assertThat(column(hinter, hinted)).containsExactly("1");
      assertThat(denial(plain, Way.TEXT, hinted)).isEqualTo(1227);
      assertThat(denial(plain, Way.PREPARED, hinted)).isEqualTo(1227);
      assertThat(error(admin, "/* SHARDINGSPHERE_HINT: SHADOW=true */ SELECT 1 FROM t"))
          .contains("SHADOW");
      assertThat(error(admin, "/* SHARDINGSPHERE_HINT: SHADOW=false */ SELECT 1 FROM t")).isEmpty();
      assertThat(error(admin, "/* SHARDINGSPHERE_HINT: SKIP_SQL_REWRITE=true */ SELECT 1 FROM t"))
          .contains("SKIP_SQL_REWRITE");
    }
  }
}
