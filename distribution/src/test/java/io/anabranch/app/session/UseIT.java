package io.anabranch.app.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** USE of another database of the same server takes the session's state along, as on a server. */
@Tag("quick")
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class UseIT {

  private static final String ONE = "it_use_one";
  private static final String TWO = "it_use_two";
  private static final String RED = "it_use_red";
  private static final String BLUE = "it_use_blue";

  private static DatabaseServer plain;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    plain = servers.primaryA();
    DatabaseServer behind = servers.primaryB();
    for (DatabaseServer server : List.of(plain, behind)) {
      for (String schema : List.of(ONE, TWO)) {
        server.execute(
            "DROP DATABASE IF EXISTS " + schema,
            "CREATE DATABASE " + schema,
            "CREATE TABLE " + schema + ".t (a VARCHAR(20))",
            "INSERT INTO " + schema + ".t VALUES ('" + schema + "')",
            "CREATE PROCEDURE " + schema + ".p() SET @left = CONCAT(DATABASE(), ' was here')");
      }
    }
    for (String schema : List.of(RED, BLUE)) {
      make(plain, schema, schema);
      make(behind, schema + "_actual", schema);
      make(behind, schema, "somebody else's");
    }
    proxy =
        RunningProxy.start(
            List.of(),
            RunningProxy.passThrough(RED, behind)
                .replace("/" + RED, "/" + RED + "_actual")
                .replace("ds_0", "ds_red"),
            RunningProxy.passThrough(BLUE, behind)
                .replace("/" + BLUE, "/" + BLUE + "_actual")
                .replace("ds_0", "ds_blue"),
            RunningProxy.passThrough(ONE, behind),
            RunningProxy.passThrough(TWO, behind).replace("ds_0", "ds_two"));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static void make(DatabaseServer server, String schema, String content) {
    server.execute(
        "DROP DATABASE IF EXISTS " + schema,
        "CREATE DATABASE " + schema,
        "CREATE TABLE " + schema + ".t (a VARCHAR(40) PRIMARY KEY)",
        "INSERT INTO " + schema + ".t VALUES (\"" + content + "\")");
  }

  /** Databases that the server calls otherwise, and it has others of their names. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN; INSERT INTO t VALUES ('new'); USE it_use_blue; INSERT INTO t VALUES ('new, too');"
            + " SELECT a FROM t ORDER BY a; SELECT nope FROM t; INSERT INTO t VALUES ('it_use_blue');"
            + " SELECT * FROM nosuch; ROLLBACK; SELECT a FROM t; USE it_use_red; SELECT a FROM t;"
            + " SELECT it_use_red.t.a FROM it_use_red.t",
        "BEGIN; DELETE FROM t; DESCRIBE it_use_blue.t; SHOW COLUMNS FROM it_use_blue.t;"
            + " SHOW TABLES FROM it_use_blue; SHOW CREATE TABLE it_use_blue.t; SELECT DATABASE();"
            + " SELECT COUNT(*) FROM t; SHOW INDEX FROM it_use_blue.nosuch; ROLLBACK; SELECT a FROM t",
        "CREATE TEMPORARY TABLE mine SELECT 5 AS b; USE it_use_blue; SELECT a FROM t;"
            + " SELECT * FROM mine; USE it_use_red; SELECT * FROM mine; DROP TEMPORARY TABLE mine;"
            + " SELECT a FROM t",
        "PREPARE s FROM 'SELECT a FROM t'; USE it_use_blue; EXECUTE s; BEGIN; DELETE FROM t;"
            + " EXECUTE s; SELECT COUNT(*) FROM t; ROLLBACK; DEALLOCATE PREPARE s; SELECT a FROM t",
        "SET autocommit = 0; SELECT a FROM t; USE it_use_blue; SELECT DATABASE(), a FROM t;"
            + " INSERT INTO t VALUES (REPEAT('x', 50)); SHOW WARNINGS; COMMIT; SET autocommit = 1;"
            + " SELECT a FROM t",
      })
  void answersAreTheServersWhateverItCallsThem(String statements) throws SQLException {
    try (Connection proxied = proxy.connect(RED);
        Connection direct = direct()) {
      Transcript.of(direct, "USE " + RED);
      var softly = new SoftAssertions();
      for (String sql : statements.split("; ?", -1)) {
        softly
            .assertThat(Transcript.of(proxied, sql))
            .as(sql)
            .isEqualTo(Transcript.of(direct, sql));
      }
      softly.assertAll();
    }
    try (Connection next = proxy.connect(RED)) {
      assertThat(Transcript.of(next, "SELECT DATABASE(), a FROM t").rows())
          .containsExactly("'it_use_red'|'it_use_red'|");
    }
  }

  private static Connection direct(String... options) throws SQLException {
    return Driver.MARIADB.connect(
        plain.port(), ONE, MariaDbServer.USER, MariaDbServer.PASSWORD, options);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CALL p(); USE it_use_two; SELECT @left, DATABASE(), a FROM t; CALL p(); SELECT @left;"
            + " USE it_use_one; SELECT @left, DATABASE(), a FROM t",
        "CREATE TEMPORARY TABLE mine SELECT 5 AS b; USE it_use_two;"
            + " SELECT b, t.a FROM it_use_one.mine, t; USE it_use_one; SELECT * FROM mine;"
            + " DROP TEMPORARY TABLE mine; USE it_use_two; SELECT a FROM t",
        "SELECT GET_LOCK('it_use', 5); USE it_use_two; SELECT IS_USED_LOCK('it_use') IS NULL;"
            + " SELECT RELEASE_LOCK('it_use'); SELECT a FROM t",
        "BEGIN; INSERT INTO t VALUES ('new'); USE it_use_two; INSERT INTO t VALUES ('new, too');"
            + " SELECT a FROM t ORDER BY a; ROLLBACK; SELECT a FROM t; USE it_use_one;"
            + " SELECT a FROM t",
        "BEGIN; DELETE FROM t; USE it_use_two; DELETE FROM t; COMMIT; SELECT COUNT(*) FROM t;"
            + " INSERT INTO t VALUES ('it_use_two'); INSERT INTO it_use_one.t VALUES ('it_use_one');"
            + " SELECT a FROM t",
        "PREPARE s FROM 'SELECT a FROM t'; USE it_use_two; EXECUTE s; DEALLOCATE PREPARE s;"
            + " SELECT a FROM t",
        "SET autocommit = 0; SELECT a FROM t; USE it_use_two; SELECT a FROM t; COMMIT;"
            + " SELECT a FROM t; SET autocommit = 1; SELECT DATABASE(), a FROM t",
        "CALL p(); USE it_use_two; SELECT * FROM it_use_one.t; SELECT * FROM nosuch;"
            + " SELECT * FROM it_use_one.nosuch; SHOW TABLES; USE nosuch; SELECT DATABASE()",
        "EXECUTE IMMEDIATE 'USE it_use_two'; SELECT DATABASE(); SELECT DATABASE(), a FROM t;"
            + " USE it_use_one; SELECT DATABASE(), a FROM t",
        "PREPARE s FROM 'USE it_use_two'; BEGIN; DELETE FROM t; EXECUTE s; SELECT DATABASE();"
            + " DELETE FROM t; ROLLBACK; SELECT DATABASE(), a FROM t; EXECUTE s",
        "EXECUTE IMMEDIATE 'USE mysql'; SELECT DATABASE(); SHOW TABLES LIKE 'proc';"
            + " USE it_use_one; SELECT DATABASE(), a FROM t",
      })
  void answersAreTheServers(String statements) throws SQLException {
    try (Connection proxied = proxy.connect(ONE);
        Connection direct = direct()) {
      var softly = new SoftAssertions();
      for (String sql : statements.split("; ?", -1)) {
        softly
            .assertThat(Transcript.of(proxied, sql))
            .as(sql)
            .isEqualTo(Transcript.of(direct, sql));
      }
      softly.assertAll();
    }
    try (Connection next = proxy.connect(ONE)) {
      assertThat(Transcript.of(next, "SELECT DATABASE(), a, @left FROM t").rows().toString())
          .contains(ONE)
          .doesNotContain(TWO)
          .doesNotContain("was here");
    }
  }

  @Test
  void preparedStatementsStayWithTheirDatabase() throws SQLException {
    String sql = "SELECT a FROM t WHERE a <> ?";
    try (Connection proxied = proxy.connect(ONE, "useServerPrepStmts=true");
        Connection direct = direct("useServerPrepStmts=true");
        PreparedStatement here = proxied.prepareStatement(sql);
        PreparedStatement there = direct.prepareStatement(sql)) {
      for (PreparedStatement statement : List.of(here, there)) {
        statement.setString(1, "");
        for (String database : List.of(ONE, TWO, ONE)) {
          statement.getConnection().setCatalog(database);
          try (var rows = statement.executeQuery()) {
            rows.next();
            assertThat(rows.getString(1)).isEqualTo(ONE);
          }
        }
      }
    }
  }

  @Test
  void preparedStatementsStayWithTheirDatabaseWithinATransaction() throws SQLException {
    try (Connection proxied = proxy.connect(ONE, "useServerPrepStmts=true");
        Connection direct = direct("useServerPrepStmts=true")) {
      assertThat(written(proxied)).isEqualTo(written(direct));
    }
  }

  private static String written(Connection connection) throws SQLException {
    var told = new StringBuilder();
    try (PreparedStatement inOne = connection.prepareStatement("INSERT INTO t VALUES (?)")) {
      connection.setAutoCommit(false);
      connection.setCatalog(TWO);
      for (String value : List.of("first", "second")) {
        inOne.setString(1, value);
        inOne.executeUpdate();
        told.append(Transcript.of(connection, "SELECT DATABASE(), a FROM t").rows());
        told.append(Transcript.of(connection, "SELECT a FROM it_use_one.t ORDER BY a").rows());
      }
      connection.rollback();
      told.append(Transcript.of(connection, "SELECT a FROM it_use_one.t").rows());
    }
    return told.toString();
  }

  @Test
  void aCursorIsReadOnInAnotherDatabase() throws SQLException {
    try (Connection connection =
            Driver.MYSQL.connect(
                proxy.port(),
                ONE,
                RunningProxy.USER,
                RunningProxy.PASSWORD,
                "useCursorFetch=true",
                "useServerPrepStmts=true");
        PreparedStatement statement =
            connection.prepareStatement("SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3")) {
      for (boolean commits : List.of(true, false)) {
        connection.setAutoCommit(commits);
        connection.setCatalog(ONE);
        statement.setFetchSize(1);
        try (var rows = statement.executeQuery()) {
          rows.next();
          connection.setCatalog(TWO);
          assertThat(Transcript.of(connection, "SELECT a FROM t").rows().toString()).contains(TWO);
          rows.next();
          connection.setCatalog(ONE);
          assertThat(Transcript.of(connection, "SELECT a FROM t").rows().toString()).contains(ONE);
          assertThat(rows.next()).isTrue();
          assertThat(rows.getInt(1)).isEqualTo(3);
          assertThat(rows.next()).isFalse();
        }
      }
    }
  }
}
