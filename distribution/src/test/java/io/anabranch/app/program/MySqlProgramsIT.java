package io.anabranch.app.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * {@link FailedProgramsIT} for MySQL, which tells other things and has other programs: skipped
 * where no MySQL server is (see {@link MySqlServer}).
 */
class MySqlProgramsIT {

  private static final String FAIL = "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'";

  private static MySqlServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    MySqlServer.assumeInstalled();
    server = MySqlServer.start("programs", "--log-bin-trust-function-creators=1");
    server.execute(
        "CREATE DATABASE failed",
        "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'",
        "GRANT ALL ON failed.* TO proxy@'%'",
        "GRANT CONNECTION_ADMIN, PROCESS ON *.* TO proxy@'%'",
        "GRANT SELECT ON performance_schema.* TO proxy@'%'",
        "CREATE TABLE failed.plain (id INT PRIMARY KEY)",
        "CREATE TABLE failed.noted (id INT PRIMARY KEY, n INT)",
        "CREATE FUNCTION failed.scratch() RETURNS INT NO SQL"
            + " BEGIN CREATE TEMPORARY TABLE IF NOT EXISTS tmp (n INT); SET @u = 1; RETURN 1; END",
        "CREATE TRIGGER failed.note BEFORE INSERT ON failed.noted FOR EACH ROW SET @u = NEW.id",
        "CREATE TRIGGER failed.scratches BEFORE UPDATE ON failed.noted FOR EACH ROW"
            + " SET NEW.n = failed.scratch()",
        "CREATE TRIGGER failed.keeps BEFORE DELETE ON failed.noted FOR EACH ROW"
            + " BEGIN SET @u = OLD.id; %s; END".formatted(FAIL),
        "CREATE VIEW failed.scratching AS SELECT failed.scratch() AS n",
        "CREATE PROCEDURE failed.transfer() BEGIN START TRANSACTION;"
            + " INSERT INTO plain VALUES (1); %s; END".formatted(FAIL),
        "CREATE PROCEDURE failed.duplicate() BEGIN SET autocommit = 0;"
            + " INSERT INTO plain VALUES (1); INSERT INTO plain VALUES (1); END",
        "CREATE PROCEDURE failed.missing() BEGIN START TRANSACTION;"
            + " INSERT INTO plain VALUES (1); SELECT * FROM no_such_table; END",
        "CREATE PROCEDURE failed.holding() BEGIN SET autocommit = 0;"
            + " INSERT INTO plain VALUES (1); END",
        "CREATE PROCEDURE failed.patient() BEGIN START TRANSACTION;"
            + " INSERT INTO plain VALUES (9); DO SLEEP(60); SELECT 1; END",
        "INSERT INTO failed.plain VALUES (100)",
        "INSERT INTO failed.noted VALUES (1, 1), (2, 2)");
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: failed\ndataSources:\n"
                + server
                    .dataSource("ds_0", "failed")
                    .replace("username:", "maxPoolSize: 1, username:")
                + "rules: []\n");
    Eventually.holds("the proxy reaches the database", () -> XaFixture.reaches(proxy, "failed"));
  }

  @AfterAll
  static void stop() {
    if (proxy != null) {
      proxy.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void clear() {
    server.execute("DELETE FROM failed.plain WHERE id < 100");
  }

  @Test
  void aTransactionThatWasBegunIsTheSessions() throws SQLException {
    for (String name : List.of("transfer", "duplicate", "missing")) {
      try (Connection first = proxy.connect("failed")) {
        fails(first, "CALL " + name + "()");
        assertThat(seen(first, "SELECT id FROM plain WHERE id < 100")).as(name).isEqualTo("1");
        ok(first, "ROLLBACK");
        assertThat(seen(first, "SELECT id FROM plain WHERE id < 100")).as(name).isEqualTo("");
        assertThat(seen(first, "SELECT @@autocommit"))
            .as(name)
            .isEqualTo(name.equals("duplicate") ? "0" : "1");
      }
      try (Connection first = proxy.connect("failed")) {
        fails(first, "CALL " + name + "()");
      }
      isClean(name);
    }
  }

  @Test
  void stateReachesNobodyElse() throws SQLException {
    for (String sql :
        List.of(
            "INSERT INTO noted VALUES (3, 3), (1, 1)",
            "INSERT IGNORE INTO noted SELECT 3, (SELECT 1 UNION SELECT 2)",
            "REPLACE INTO noted SELECT 3 + scratch(), (SELECT 1 UNION SELECT 2)",
            "UPDATE noted SET id = 2 WHERE id = 1",
            "DELETE FROM noted",
            "SELECT scratch(), (SELECT 1 UNION SELECT 2)",
            "SELECT (SELECT n FROM scratching UNION SELECT 2)",
            "SELECT @u := 3, (SELECT 1 UNION SELECT 2)",
            "SET @x = (SELECT n FROM scratching UNION SELECT 2)",
            "SET @x = 2, sql_mode = IF((SELECT n FROM scratching) = 1, 'no mode', '')",
            "SET @u = 1, sql_mode = 'no mode'")) {
      try (Connection first = proxy.connect("failed")) {
        Transcript.of(first, sql);
      }
      isClean(sql);
    }
    for (String sql :
        List.of(
            "SELECT scratch(), 'information_schema'",
            "SELECT n, 'information_schema' FROM scratching",
            "SET @x = (SELECT n FROM scratching)",
            "SET sql_mode = IF((SELECT n FROM scratching) = 1, @@sql_mode, '')",
            "CALL holding()")) {
      try (Connection first = proxy.connect("failed")) {
        ok(first, sql);
      }
      isClean(sql);
    }
  }

  @Test
  void autocommitThatAProgramSwitchesOffStaysOff() throws SQLException {
    try (Connection first = proxy.connect("failed")) {
      ok(first, "CALL holding()");
      assertThat(seen(first, "SELECT @@autocommit, id FROM plain WHERE id < 100")).isEqualTo("0,1");
      ok(first, "ROLLBACK");
      ok(first, "INSERT INTO plain VALUES (3)");
      ok(first, "ROLLBACK");
      ok(first, "SET autocommit = 1");
      assertThat(seen(first, "SELECT @@autocommit, COUNT(*) FROM plain WHERE id < 100"))
          .isEqualTo("1,0");
    }
    isClean("holding");
  }

  @Test
  void aKilledProcedureKeepsItsTransaction() throws Exception {
    try (Connection first = proxy.connect("failed")) {
      String id = seen(first, "SELECT CONNECTION_ID()");
      try (Connection killer = proxy.connect("")) {
        var running = CompletableFuture.supplyAsync(() -> Transcript.of(first, "CALL patient()"));
        Eventually.holds(
            "the procedure sleeps",
            () ->
                server
                    .queryOne(
                        "SELECT COUNT(*) FROM information_schema.PROCESSLIST"
                            + " WHERE STATE = 'User sleep'")
                    .equals("1"));
        ok(killer, "KILL QUERY " + id);
        running.get(30, TimeUnit.SECONDS);
      }
      assertThat(seen(first, "SELECT id FROM plain WHERE id < 100")).isEqualTo("9");
      ok(first, "ROLLBACK");
      assertThat(seen(first, "SELECT id FROM plain WHERE id < 100")).isEqualTo("");
    }
    isClean("patient");
  }

  private static void isClean(String sql) throws SQLException {
    try (Connection second = proxy.connect("failed")) {
      assertThat(seen(second, "SELECT @u IS NULL, @@autocommit")).as(sql).isEqualTo("1,1");
      fails(second, "SELECT * FROM tmp");
      ok(second, "INSERT INTO plain VALUES (6)");
      ok(second, "ROLLBACK");
      assertThat(seen(second, "SELECT id FROM plain WHERE id < 100")).as(sql).isEqualTo("6");
      ok(second, "DELETE FROM plain WHERE id = 6");
    }
  }

  private static void ok(Connection connection, String sql) {
    assertThat(Transcript.of(connection, sql).head()).as(sql).doesNotStartWith("error ");
  }

  private static void fails(Connection connection, String sql) {
    assertThat(Transcript.of(connection, sql).head()).as(sql).startsWith("error ");
  }

  /** The one row, or nothing. */
  private static String seen(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement();
        var result = statement.executeQuery(sql)) {
      var row = new StringJoiner(",");
      while (result.next()) {
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getString(i));
        }
      }
      return row.toString();
    }
  }
}
