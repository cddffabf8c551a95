package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What sessions leave in connections and servers keep for them, where a database that passes
 * through has a shadow of its own name: no statement takes another way for that.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class ShadowSessionsIT {

  private static final String SCHEMA = "it_shadow_alike";
  private static final String HINT = "/* SHARDINGSPHERE_HINT: SHADOW=true */ ";

  @TempDir static Path temporary;
  private static DatabaseServer production;
  private static DatabaseServer shadow;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) throws IOException {
    production = servers.primaryA();
    shadow = servers.primaryB();
    for (DatabaseServer server : List.of(production, shadow)) {
      server.execute(
          "DROP DATABASE IF EXISTS it_shadow_made",
          "DROP DATABASE IF EXISTS it_shadow_alike",
          "CREATE DATABASE it_shadow_alike");
    }
    var folder = new ReloadFolder(temporary);
    folder.write(
        "global.yaml",
        """
        authority:
          users:
          - { user: "%s@%%", password: %s, admin: true }
          - { user: tester, password: tester }
          privilege: { type: ALL_PERMITTED }
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2 }
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD));
    folder.write(
        "database-0.yaml",
        "databaseName: it_shadow_alike\ndataSources:\n"
            + ReloadFolder.source("ds", production, SCHEMA, 10)
            + ReloadFolder.source("test", shadow, SCHEMA, 10)
            + """
            rules:
            - !CREATE_DATABASE { names: [it_shadow_made] }
            - !SHADOW
              dataSources:
                pair: { productionDataSourceName: ds, shadowDataSourceName: test }
              tables:
                t_order:
                  dataSourceNames: [pair]
                  shadowAlgorithmNames: [by_insert, by_select, by_hint, by_user]
              shadowAlgorithms:
                by_insert: { type: VALUE_MATCH, props: { column: user_id, operation: insert, value: 900 } }
                by_select: { type: VALUE_MATCH, props: { column: user_id, operation: select, value: 900 } }
                by_hint: { type: SQL_HINT }
                by_user: { type: USER_MATCH, props: { users: tester } }
            """);
    proxy = RunningProxy.startFrom(temporary);
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static Connection client(String... options) throws SQLException {
    return proxy.connect(SCHEMA, options);
  }

  private static Connection tester() throws SQLException {
    return Driver.MARIADB.connect(proxy.port(), SCHEMA, "tester", "tester");
  }

  @BeforeEach
  void create() throws SQLException {
    try (Connection client = client();
        Statement statement = client.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS t_order, t_other");
      statement.execute(
          "CREATE TABLE t_order (id INT PRIMARY KEY, user_id INT NOT NULL, note VARCHAR(20))");
    }
  }

  private static void areThere(String onProduction, String onShadow) {
    assertThat(ids(production)).as("production").isEqualTo(onProduction);
    assertThat(ids(shadow)).as("shadow").isEqualTo(onShadow);
  }

  private static String ids(DatabaseServer server) {
    return String.valueOf(
        server.queryOne(
            "SELECT COALESCE(GROUP_CONCAT(id ORDER BY id), '') FROM it_shadow_alike.t_order"));
  }

  private static String one(Statement statement, String sql) throws SQLException {
    return ReloadFolder.one(statement.getConnection(), sql);
  }

  @Test
  void namedStatementsAreLookedAt() throws SQLException {
    try (Connection tester = tester();
        Connection client = client();
        Statement test = tester.createStatement();
        Statement statement = client.createStatement()) {
      test.execute("PREPARE p FROM 'INSERT INTO t_order VALUES (1, 1, ''a'')'");
      test.execute("EXECUTE p");
      statement.execute("PREPARE p FROM 'INSERT INTO t_order VALUES (?, ?, ''a'')'");
      statement.execute("SET @id = 2, @user = 900, @other = 5");
      statement.execute("EXECUTE p USING @id, @user");
      statement.execute("EXECUTE p USING @other, @other");
    }
    areThere("5", "1,2");
  }

  @Test
  void userVariablesAreValues() throws SQLException {
    try (Connection client = client();
        Statement statement = client.createStatement()) {
      statement.execute("SET @user = 900, @other = 5");
      statement.execute("INSERT INTO t_order VALUES (1, @user, 'a')");
      statement.execute("INSERT INTO t_order VALUES (2, @other, 'a')");
      assertThat(one(statement, "SELECT id FROM t_order WHERE user_id = @user")).isEqualTo("1");
      assertThat(one(statement, "SELECT id FROM t_order WHERE user_id = @other")).isEqualTo("2");
    }
    areThere("2", "1");
  }

  @Test
  void settingsForAStatementChangeNoWay() throws SQLException {
    assumeFalse(DatabaseServers.areMySql(), "MariaDB's");
    try (Connection client = client();
        Statement statement = client.createStatement()) {
      String settings = "SET STATEMENT max_statement_time = 10 FOR ";
      statement.execute(settings + "INSERT INTO t_order VALUES (1, 900, 'a')");
      statement.execute(settings + "INSERT INTO t_order VALUES (2, 1, 'a')");
      areThere("2", "1");
      statement.execute("EXECUTE IMMEDIATE 'INSERT INTO t_order VALUES (3, 900, ''a'')'");
      statement.execute(settings + "TRUNCATE TABLE t_order");
    }
    areThere("", "");
  }

  /** Bulk execution has one way for all of its rows: it is not offered. */
  @Test
  void rowsOfABatchGoApart() throws SQLException {
    try (Connection client = client("useServerPrepStmts=true", "useBulkStmts=true");
        PreparedStatement insert =
            client.prepareStatement("INSERT INTO t_order VALUES (?, ?, 'a')")) {
      for (int id = 1; id <= 4; id++) {
        insert.setInt(1, id);
        insert.setInt(2, id % 2 == 0 ? 900 : id);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    areThere("1,3", "2,4");
  }

  /** As drivers send numbers. */
  @Test
  void numbersAreComparedAsServersWriteThem() throws SQLException {
    try (Connection client = client("useServerPrepStmts=true");
        PreparedStatement insert =
            client.prepareStatement("INSERT INTO t_order VALUES (?, ?, 'a')")) {
      List<Object> values = List.of(900.0, 900.5, 900f, new BigDecimal("900"), "900");
      for (int id = 0; id < values.size(); id++) {
        insert.setInt(1, id);
        insert.setObject(2, values.get(id));
        insert.execute();
      }
    }
    areThere("1", "0,2,3,4");
  }

  @Test
  void aTemporaryTableHidesTheTable() throws SQLException {
    try (Connection client = client();
        Statement statement = client.createStatement()) {
      statement.execute("INSERT INTO t_order VALUES (1, 1, 'a')");
      statement.execute("INSERT INTO t_order VALUES (2, 900, 'a')");
      statement.execute("CREATE TEMPORARY TABLE t_order (id INT, user_id INT, note VARCHAR(9))");
      statement.execute("INSERT INTO t_order VALUES (3, 900, 'mine')");
      assertThat(one(statement, "SELECT note FROM t_order WHERE user_id = 900")).isEqualTo("mine");
      areThere("1", "2");
      statement.execute("TRUNCATE TABLE t_order");
      statement.execute("DROP TABLE t_order");
      areThere("1", "2");
      assertThat(one(statement, "SELECT id FROM t_order WHERE user_id = 900")).isEqualTo("2");
    }
  }

  @Test
  void temporaryTablesOfTheTestAreWhereTheyWereMade() throws SQLException {
    try (Connection tester = tester();
        Statement statement = tester.createStatement()) {
      statement.execute("INSERT INTO t_order VALUES (1, 1, 'a')");
      statement.execute("CREATE TEMPORARY TABLE t_copy AS SELECT * FROM t_order");
      statement.execute("INSERT INTO t_copy VALUES (2, 2, 'b')");
      assertThat(one(statement, "SELECT GROUP_CONCAT(id ORDER BY id) FROM t_copy"))
          .isEqualTo("1,2");
      statement.execute("INSERT INTO t_order SELECT * FROM t_copy WHERE id = 2");
      statement.execute("DROP TEMPORARY TABLE t_copy");
      statement.execute("CREATE TEMPORARY TABLE t_order (id INT, user_id INT, note VARCHAR(9))");
      statement.execute("INSERT INTO t_order VALUES (3, 3, 'c')");
      assertThat(one(statement, "SELECT id FROM t_order")).isEqualTo("3");
      statement.execute("DROP TABLE t_order");
    }
    areThere("", "1,2");
  }

  /** Where a value stands is told by the table as it is now. */
  @Test
  void columnsMayMove() throws SQLException {
    try (Connection client = client();
        Statement statement = client.createStatement()) {
      statement.execute("INSERT INTO t_order VALUES (1, 900, 'a')");
      statement.execute("INSERT INTO t_order VALUES (2, 1, 'a')");
      areThere("2", "1");
      statement.execute("ALTER TABLE t_order MODIFY user_id INT NOT NULL FIRST");
      statement.execute("INSERT INTO t_order VALUES (900, 3, 'a')");
      statement.execute("INSERT INTO t_order VALUES (1, 900, 'a')");
      statement.execute("INSERT INTO t_order () VALUES (900, 4, 'a')");
    }
    areThere("2,900", "1,3,4");
  }

  @Test
  void definitionsThatOnlyReadTheTableAreProductions() throws SQLException {
    try (Connection client = client();
        Statement statement = client.createStatement()) {
      statement.execute("INSERT INTO t_order VALUES (1, 1, 'a')");
      statement.execute("INSERT INTO t_order VALUES (2, 900, 'a')");
      statement.execute("CREATE TABLE t_other AS SELECT * FROM t_order");
      assertThat(one(statement, "SELECT GROUP_CONCAT(id) FROM t_other")).isEqualTo("1");
      statement.execute("DROP TABLE t_other");
      statement.execute("CREATE TABLE t_other (id INT, FOREIGN KEY (id) REFERENCES t_order (id))");
      statement.execute("INSERT INTO t_other VALUES (1)");
      statement.execute("DROP TABLE t_other");
      SQLException refusal =
          catchThrowableOfType(
              SQLException.class,
              () -> statement.execute("CREATE TABLE IF NOT EXISTS t_order SELECT 1 AS id"));
      assertThat(refusal.getMessage()).contains("AB2002", "create the table first");
    }
  }

  @Test
  void tablesAreRenamedOnBoth() throws SQLException {
    try (Connection client = client();
        Statement statement = client.createStatement()) {
      statement.execute("INSERT INTO t_order VALUES (1, 1, 'a')");
      statement.execute("INSERT INTO t_order VALUES (2, 900, 'a')");
      statement.execute("RENAME TABLE t_order TO t_other");
      statement.execute("ALTER TABLE t_other RENAME TO t_order");
    }
    areThere("1", "2");
  }

  @Test
  void indexesAreMadeOnBoth() throws SQLException {
    assumeFalse(DatabaseServers.areMySql(), "MariaDB's");
    try (Connection client = client();
        Statement statement = client.createStatement()) {
      statement.execute("CREATE OR REPLACE UNIQUE INDEX by_note ON t_order (note)");
    }
    for (DatabaseServer server : List.of(production, shadow)) {
      assertThat(
              server.queryOne(
                  "SELECT COUNT(*) FROM information_schema.statistics WHERE index_name = 'by_note'"
                      + " AND table_schema = 'it_shadow_alike'"))
          .isEqualTo("1");
    }
  }

  /** The condition on a column of another table says nothing of the test. */
  @Test
  void conditionsOfOtherTablesDecideNothing() throws SQLException {
    try (Connection client = client();
        Statement statement = client.createStatement()) {
      statement.execute("CREATE TABLE t_other (id INT, user_id INT, t_order INT)");
      statement.execute("INSERT INTO t_other VALUES (1, 900, 7)");
      statement.execute("INSERT INTO t_order VALUES (2, 1, 'production')");
      statement.execute("INSERT INTO t_order VALUES (3, 900, 'shadow')");
      for (String sql :
          List.of(
              "SELECT t_order FROM t_other WHERE user_id = 900",
              "SELECT t_order FROM t_other WHERE user_id = 900 AND id IN (SELECT 1 FROM t_order)",
              "SELECT t_order FROM (SELECT o.*, t.note FROM t_other o JOIN t_order t) d"
                  + " WHERE user_id = 900",
              "SELECT o.t_order FROM t_other o JOIN t_order t WHERE o.user_id = 900")) {
        assertThat(one(statement, sql)).as(sql).isEqualTo("7");
      }
      assertThat(one(statement, "SELECT note FROM it_shadow_alike.t_order t WHERE t.user_id = 900"))
          .isEqualTo("shadow");
      assertThat(one(statement, "SELECT note FROM (t_order) WHERE user_id = 900"))
          .isEqualTo("shadow");
    }
  }

  @Test
  void databasesThatClientsMakeAreProductions() throws SQLException {
    try (Connection client = client();
        Statement statement = client.createStatement()) {
      statement.execute("CREATE DATABASE it_shadow_made");
      statement.execute("USE it_shadow_made");
      statement.execute("CREATE TABLE t (id INT)");
      statement.execute("INSERT INTO t VALUES (1)");
      assertThat(one(statement, "SELECT id FROM t")).isEqualTo("1");
      statement.execute("DROP DATABASE it_shadow_made");
      statement.execute("USE it_shadow_alike");
      assertThat(
              shadow.queryOne(
                  "SELECT COUNT(*) FROM information_schema.schemata"
                      + " WHERE schema_name = 'it_shadow_made'"))
          .isEqualTo("0");
    }
  }

  @Test
  void theHintIsRefusedForATemporaryTable() throws SQLException {
    try (Connection client = client();
        Statement statement = client.createStatement()) {
      statement.execute("CREATE TEMPORARY TABLE t_order (id INT)");
      SQLException refusal =
          catchThrowableOfType(
              SQLException.class, () -> statement.execute(HINT + "INSERT INTO t_order VALUES (1)"));
      assertThat(refusal.getMessage()).contains("AB2002", "SHADOW");
    }
  }
}
