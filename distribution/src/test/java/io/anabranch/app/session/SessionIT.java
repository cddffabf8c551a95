package io.anabranch.app.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a session keeps between its statements is the same through the proxy as on one plain
 * database: over shards and in a pass-through database.
 */
@Tag("quick")
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class SessionIT {

  private static final String PASSED = "it_session_passed";

  /** No statement comes in them: Java lacks them, or their letters are no ASCII. */
  private static final Set<String> NOT_SPOKEN =
      Set.of("armscii8", "dec8", "geostd8", "hp8", "keybcs2", "swe7", "ucs2");

  private static ShardedFixture sharded;
  private static DatabaseServer plain;
  private static RunningProxy passing;

  @BeforeAll
  static void start(DatabaseServers servers) {
    sharded = ShardedFixture.start(servers, "it_session");
    plain = servers.primaryA();
    DatabaseServer behind = servers.primaryB();
    for (DatabaseServer server : List.of(plain, behind)) {
      server.execute("DROP DATABASE IF EXISTS " + PASSED, "CREATE DATABASE " + PASSED);
    }
    passing = RunningProxy.start(List.of(), RunningProxy.passThrough(PASSED, behind));
  }

  @AfterAll
  static void stop() {
    sharded.close();
    passing.close();
  }

  /** Frozen where it is a moment, running where it is none: on all connections alike. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "0.0", "@zero", "DEFAULT", "100"})
  void theTimeOfDayGoesOn(String value) throws SQLException {
    overShards(
        "SET timestamp = 5, @zero = 0",
        "SET timestamp = " + value,
        "DO SLEEP(2.1)",
        "SELECT TIMESTAMPDIFF(SECOND, NOW(), SYSDATE()) > 1",
        "SELECT COUNT(*) FROM t_order WHERE TIMESTAMPDIFF(SECOND, NOW(), SYSDATE()) > 1");
  }

  /** Whichever name was said last. */
  @Test
  void variablesOfTwoNamesAreOne() throws SQLException {
    overShards(
        "SET SESSION max_join_size = 5, sql_big_selects = 1",
        "SET sql_big_selects = 1",
        "SET max_join_size = 1000",
        "SELECT @@sql_big_selects, @@max_join_size",
        "SET max_join_size = DEFAULT");
  }

  private static void overShards(String... statements) throws SQLException {
    try (Connection proxied = sharded.throughProxy();
        Connection direct = sharded.onPlain()) {
      for (Connection each : List.of(proxied, direct)) {
        try (Statement statement = each.createStatement()) {
          statement.execute("DROP TABLE IF EXISTS t_order");
        }
      }
      compare(
          proxied,
          direct,
          "CREATE TABLE t_order (order_id BIGINT PRIMARY KEY, user_id INT, name VARCHAR(30))",
          "INSERT INTO t_order VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 1, 'c'), (4, 4, 'd')");
      compare(proxied, direct, statements);
    }
  }

  private static void passedThrough(String... statements) throws SQLException {
    passedThrough(Driver.MARIADB, statements);
  }

  private static void passedThrough(Driver driver, String... statements) throws SQLException {
    try (Connection proxied =
            driver.connect(passing.port(), PASSED, RunningProxy.USER, RunningProxy.PASSWORD);
        Connection direct =
            driver.connect(plain.port(), PASSED, MariaDbServer.USER, MariaDbServer.PASSWORD)) {
      compare(proxied, direct, statements);
    }
  }

  private static void compare(Connection proxied, Connection direct, String... statements) {
    var softly = new SoftAssertions();
    for (String sql : statements) {
      softly.assertThat(Transcript.of(proxied, sql)).as(sql).isEqualTo(Transcript.of(direct, sql));
    }
    softly.assertAll();
  }

  @Test
  void namedStatementsRunOverShards() throws SQLException {
    overShards(
        "SET @a = 1, @l = 2, @n = 'x''y'",
        "PREPARE s FROM 'SELECT order_id, name FROM t_order WHERE user_id = ? ORDER BY order_id LIMIT ?'",
        "EXECUTE s USING @a, @l",
        "EXECUTE s USING @a",
        "EXECUTE unknown",
        "PREPARE w FROM 'INSERT INTO t_order VALUES (?, ?, ?)'",
        "SET @i = 20",
        "EXECUTE w USING @i, @a, @n",
        "SELECT name FROM t_order WHERE order_id = 20",
        "SET @q = 'SELECT COUNT(*) FROM t_order'",
        "PREPARE q FROM @q",
        "EXECUTE q",
        "PREPARE q FROM 'SELECT 1; SELECT 2'",
        "EXECUTE q",
        "PREPARE q FROM 'PREPARE r FROM \\'SELECT 1\\''",
        "PREPARE v FROM 'SET @w = ?'",
        "EXECUTE v USING @n",
        "SELECT COUNT(*) FROM t_order WHERE name = @w",
        "DEALLOCATE PREPARE s",
        "DEALLOCATE PREPARE s",
        "PREPARE b FROM 'BEGIN'",
        "EXECUTE b",
        "DELETE FROM t_order WHERE user_id = 1",
        "ROLLBACK",
        "SELECT COUNT(*) FROM t_order");
  }

  /** By name as by number: what would now mean something else is not read anew. */
  @Test
  void namedStatementsAreNotReadUnderALaterMode() throws SQLException {
    overShards(
        "PREPARE s FROM 'SELECT \"x\", order_id FROM t_order ORDER BY order_id'",
        "SET @kept = 1, max_join_size = 1000000",
        "EXECUTE s");
    try (Connection proxied = sharded.throughProxy();
        Statement statement = proxied.createStatement()) {
      statement.execute("PREPARE s FROM 'SELECT \"x\" FROM t_order'");
      statement.execute("SET sql_mode = 'ANSI_QUOTES'");
      assertThatThrownBy(() -> statement.execute("EXECUTE s"))
          .hasMessageContaining("prepared under another");
    }
  }

  /** A server looks at all of them before it sets one. */
  @Test
  void oneOfSeveralThatCannotBeSetSetsNone() throws SQLException {
    String[] statements = {
      "SET @t = 'before'",
      "SET NAMES latin1, sql_mode = 'no such mode'",
      "SELECT @@character_set_client, @@character_set_results, @@collation_connection",
      "SET sql_mode = 'ANSI_QUOTES', NAMES no_such_set",
      "SELECT @@sql_mode = @@global.sql_mode, \"a string\"",
      "SET autocommit = 0, sql_mode = 'no such mode'",
      "SELECT @@autocommit",
      "SET @t = 'after', sql_mode = 'no such mode'",
      "SET SESSION sql_auto_is_null = 0, NAMES utf8mb4, max_execution_times = 3",
      "SET TRANSACTION READ ONLY",
      "SET NAMES utf8mb4, sql_mode = 'no such mode'",
      "BEGIN",
      "UPDATE t_order SET name = 'written' WHERE user_id = 1",
      "ROLLBACK"
    };
    overShards(statements);
    try (Connection proxied = sharded.throughProxy();
        Statement statement = proxied.createStatement()) {
      assertThatThrownBy(
              () ->
                  statement.execute("SET anabranch_read_consistency = 'USER', sql_mode = 'bogus'"))
          .hasMessageContaining("bogus");
      try (ResultSet chosen =
          statement.executeQuery("SHOW VARIABLES LIKE 'anabranch_read_consistency'")) {
        assertThat(chosen.next()).isTrue();
        assertThat(chosen.getString(2)).isEqualTo("DEFAULT");
      }
    }
  }

  @Test
  void userVariablesRouteStatements() throws SQLException {
    overShards(
        "SET @a = 1, @k = 3, @neg = -1, @n = 'x\\\\y''z'",
        "SELECT order_id FROM t_order WHERE user_id = @a ORDER BY order_id",
        "SELECT name FROM t_order WHERE user_id = @a AND order_id = @k",
        "SELECT name FROM t_order WHERE user_id = 0-@neg AND order_id = 3",
        "INSERT INTO t_order VALUES (10, @a, @n)",
        "UPDATE t_order SET name = @n WHERE user_id = @a AND order_id = 1",
        "SELECT order_id, name FROM t_order WHERE name = @n ORDER BY order_id",
        "DELETE FROM t_order WHERE user_id = @a AND order_id = @k",
        "SELECT COUNT(*) FROM t_order WHERE user_id = @unset");
    try (Connection proxied = sharded.throughProxy();
        Statement statement = proxied.createStatement()) {
      statement.execute("SET @a = 1");
      try (ResultSet route =
          statement.executeQuery("EXPLAIN ROUTE SELECT * FROM t_order WHERE user_id = @a")) {
        int sources = 0;
        while (route.next()) {
          sources++;
        }
        assertThat(sources).isEqualTo(1);
      }
    }
  }

  @Test
  void sqlModesAreReadAsTheDatabaseReadsThem() throws SQLException {
    overShards(
        "SET sql_mode = 'ANSI_QUOTES'",
        "SELECT \"order_id\" FROM \"t_order\" WHERE \"user_id\" = 1 ORDER BY \"order_id\"",
        "SELECT \"name\" FROM \"t_order\" ORDER BY \"order_id\" DESC",
        "INSERT INTO \"t_order\" (\"order_id\", \"user_id\", \"name\") VALUES (30, 3, 'q\"r')",
        "SELECT name FROM t_order WHERE order_id = 30",
        "SET sql_mode = 'NO_BACKSLASH_ESCAPES'",
        "INSERT INTO t_order VALUES (31, 3, 'b\\'), (32, 4, 'c\\d')",
        "SELECT order_id, name FROM t_order WHERE name = 'b\\' OR name = 'c\\d' ORDER BY order_id",
        "SET sql_mode = 'PIPES_AS_CONCAT'",
        "SELECT order_id || 'x' FROM t_order ORDER BY order_id",
        "SET sql_mode = DEFAULT",
        "SELECT order_id || 0 FROM t_order ORDER BY order_id");
  }

  @Test
  void parametersOfSessionStatementsAreBound() throws SQLException {
    try (Connection proxied = sharded.throughProxy("useServerPrepStmts=true");
        PreparedStatement set = proxied.prepareStatement("SET @p = ?");
        Statement statement = proxied.createStatement()) {
      set.setString(1, "it's");
      set.execute();
      try (ResultSet rows = statement.executeQuery("SELECT @p")) {
        rows.next();
        assertThat(rows.getString(1)).isEqualTo("it's");
      }
      set.setLong(1, 7);
      set.execute();
      try (ResultSet rows = statement.executeQuery("SELECT @p + 1")) {
        rows.next();
        assertThat(rows.getLong(1)).isEqualTo(8);
      }
    }
  }

  @Test
  void whatTheServerTakesPassesThrough() throws SQLException {
    passedThrough(
        "CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, a VARCHAR(20))",
        "FOR i IN 1..5 DO INSERT INTO t (a) VALUES (i); END FOR",
        "FOR rec IN (SELECT a FROM t) DO INSERT INTO t (a) VALUES (rec.a + 10); INSERT INTO t (a) VALUES (1); END FOR",
        "SELECT COUNT(*), SUM(a) FROM t",
        "SET STATEMENT sql_mode = 'ANSI_QUOTES' FOR SELECT \"a\" FROM t LIMIT 1",
        "SET STATEMENT join_buffer_size = 100000 FOR INSERT INTO t (a) VALUES ('set')",
        "SELECT LAST_INSERT_ID()",
        "XA START 'it-session'",
        "INSERT INTO t (a) VALUES ('xa')",
        "XA END 'it-session'",
        "XA ROLLBACK 'it-session'",
        "SELECT COUNT(*) FROM t",
        "SET insert_id = 500",
        "INSERT INTO t (a) VALUES ('given')",
        "SELECT LAST_INSERT_ID()",
        "SET last_insert_id = 9",
        "SELECT LAST_INSERT_ID()",
        "SET rand_seed1 = 1, rand_seed2 = 2",
        "SELECT RAND(), RAND()",
        "SELECT 1;;",
        "/* nothing */",
        ";",
        "DROP TABLE t");
  }

  @Test
  void transactionsThatBeginUnlockTables() throws SQLException {
    passedThrough(
        "CREATE TABLE t (id INT PRIMARY KEY)",
        "CREATE TABLE u (id INT PRIMARY KEY)",
        "LOCK TABLES t WRITE",
        "SELECT COUNT(*) FROM u",
        "BEGIN",
        "COMMIT",
        "SELECT COUNT(*) FROM u",
        "LOCK TABLES t READ",
        "START TRANSACTION",
        "INSERT INTO t VALUES (1)",
        "ROLLBACK",
        "SELECT COUNT(*) FROM t",
        "DROP TABLE t, u");
  }

  @Test
  void onlyWhatParsesCommits() throws SQLException {
    passedThrough(
        "CREATE TABLE t (id INT PRIMARY KEY)",
        "BEGIN",
        "INSERT INTO t VALUES (1)",
        "CREATE TABLE",
        "ALTER TABLE t FOO BAR",
        "LOCK TABLES t FOO",
        "SELECT COUNT(*) FROM t",
        "ROLLBACK",
        "SELECT COUNT(*) FROM t",
        "BEGIN",
        "TRUNCATE TABLE",
        "INSERT INTO t VALUES (2)",
        "ROLLBACK",
        "SELECT COUNT(*) FROM t",
        "SET autocommit = 0",
        "INSERT INTO t VALUES (3)",
        "DROP",
        "ROLLBACK",
        "SELECT COUNT(*) FROM t",
        "INSERT INTO t VALUES (4)",
        "CREATE TABLE t (id INT)",
        "ROLLBACK",
        "SET autocommit = 1",
        "SELECT COUNT(*) FROM t",
        "DROP TABLE t");
  }

  @Test
  void aBranchOfTheClientsIsLeftToTheServer() throws SQLException {
    passedThrough(
        "CREATE TABLE t (id INT PRIMARY KEY)",
        "SET autocommit = 0",
        "XA START 'it-branch'",
        "INSERT INTO t VALUES (1)",
        "SAVEPOINT x",
        "INSERT INTO t VALUES (2)",
        "ROLLBACK TO x",
        "CREATE TABLE other (id INT)",
        "BEGIN",
        "COMMIT",
        "XA END 'it-branch'",
        "XA PREPARE 'it-branch'",
        "XA COMMIT 'it-branch'",
        "SET autocommit = 1",
        "SELECT id FROM t",
        "DROP TABLE t");
  }

  @Test
  void systemSchemasAreUsed() throws SQLException {
    passedThrough(
        "USE information_schema",
        "SELECT DATABASE()",
        "SELECT COUNT(*) > 1 FROM schemata, character_sets AS c WHERE c.character_set_name = 'utf8mb4'",
        "SHOW TABLES LIKE 'SCHEMATA'",
        "DESCRIBE schemata",
        "SHOW COLUMNS FROM engines",
        "SELECT * FROM nowhere",
        "USE mysql",
        "SELECT DATABASE()",
        "SELECT COUNT(*) > 0 FROM user",
        "WITH q AS (SELECT 1 AS a FROM db) SELECT COUNT(*) >= 0 FROM q",
        "USE " + PASSED,
        "SELECT DATABASE()",
        "USE nowhere");
  }

  @Test
  void characterSetsPassThrough() throws SQLException {
    // MariaDB's driver closes the connection when the server tells of such a set.
    passedThrough(
        Driver.MYSQL,
        "SET NAMES latin2",
        "SELECT @@character_set_client, @@collation_connection, 'a'",
        "SET NAMES cp1251 COLLATE cp1251_bin",
        "SELECT @@character_set_results, @@collation_connection",
        "SET character_set_results = swe7",
        "SELECT @@character_set_results, @@collation_connection",
        "SET NAMES gbk",
        "SELECT @@character_set_client, HEX(CONVERT(_gbk x'815C' USING utf8mb4))",
        "SET NAMES utf8mb4",
        "SELECT @@collation_connection",
        "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
        "SELECT @@collation_connection");
  }

  @Test
  void deprecatedCharacterSetsAreWarnedOf() throws SQLException {
    assumeTrue(DatabaseServers.areMySql(), "MariaDB warns of none");
    var statements = new ArrayList<String>();
    for (String sets : List.of("'UTF8'", "utf8", "utf8mb3", "DEFAULT")) {
      statements.add("SET NAMES " + sets);
      statements.add("SET @a = 1, NAMES " + sets + ", @b = 2");
      statements.add("SET autocommit = 1, NAMES " + sets);
      statements.add("SET CHARACTER SET " + sets);
    }
    try (Connection direct = plain.connect("");
        Statement statement = direct.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT character_set_name, collation_name, is_default FROM"
                    + " information_schema.collations WHERE character_set_name IS NOT NULL"
                    + " ORDER BY 1, 2")) {
      while (rows.next()) {
        String set = rows.getString(1);
        boolean isOfTwoNumbers = rows.getString(2).endsWith("_croatian_ci");
        if (isOfTwoNumbers || NOT_SPOKEN.contains(set)) {
          continue;
        }
        if (rows.getString(3).equals("Yes")) {
          statements.add("SET NAMES " + set);
          statements.add("SET NAMES " + set.toUpperCase(Locale.ROOT));
          statements.add("SET CHARACTER SET " + set);
          statements.add("SET character_set_client = " + set);
          statements.add("SET character_set_connection = " + set);
        }
        statements.add("SET NAMES %s COLLATE %s".formatted(set, rows.getString(2)));
        statements.add("SET collation_connection = " + rows.getString(2));
      }
    }
    var asked = new ArrayList<String>();
    for (String sql : statements) {
      asked.add(sql);
      asked.add("SHOW WARNINGS");
      asked.add("SET NAMES utf8mb4");
    }
    passedThrough(Driver.MYSQL, asked.toArray(String[]::new));
  }

  @Test
  void whatIsKilledEndsInTheDatabasesToo(DatabaseServers servers) throws Exception {
    try (Connection proxied = sharded.throughProxy();
        Connection killer = sharded.throughProxy();
        Statement statement = proxied.createStatement();
        Statement killing = killer.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS t_order");
      statement.execute("CREATE TABLE t_order (order_id BIGINT PRIMARY KEY, user_id INT)");
      statement.execute("INSERT INTO t_order VALUES (1, 1), (2, 2), (3, 3), (4, 4)");
      long id;
      try (ResultSet own = statement.executeQuery("SELECT CONNECTION_ID()")) {
        own.next();
        id = own.getLong(1);
      }
      var outcome = new CompletableFuture<Integer>();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  statement.executeQuery("SELECT order_id, SLEEP(300) FROM t_order").close();
                  outcome.complete(0);
                } catch (SQLException e) {
                  outcome.complete(e.getErrorCode());
                }
              });
      for (DatabaseServer server : List.of(servers.primaryA(), servers.primaryB())) {
        Eventually.holds("the statement runs", () -> sleepers(server) > 0);
      }
      killing.execute("KILL QUERY " + id);
      assertThat(outcome.get(60, TimeUnit.SECONDS)).isEqualTo(1317);
      for (DatabaseServer server : List.of(servers.primaryA(), servers.primaryB())) {
        Eventually.holds("the statement has ended", () -> sleepers(server) == 0);
      }
    }
  }

  private static int sleepers(DatabaseServer server) {
    try (Connection direct =
            Driver.MARIADB.connect(server.port(), "", MariaDbServer.USER, MariaDbServer.PASSWORD);
        Statement statement = direct.createStatement();
        ResultSet count =
            statement.executeQuery(
                "SELECT COUNT(*) FROM information_schema.processlist"
                    + " WHERE info LIKE '%SLEEP(300)%' AND info NOT LIKE '%processlist%'")) {
      count.next();
      return count.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void givenKeysAreNoGeneratedOnes() throws SQLException {
    passedThrough(
        "CREATE TABLE k (id INT PRIMARY KEY AUTO_INCREMENT, a INT)",
        "INSERT INTO k (a) VALUES (5)",
        "INSERT INTO k VALUES (10, 1)",
        "SELECT LAST_INSERT_ID()",
        "INSERT INTO k VALUES (20, 1), (30, 1)",
        "SELECT LAST_INSERT_ID()",
        "INSERT INTO k VALUES (40, 1), (NULL, 2)",
        "SELECT LAST_INSERT_ID()",
        "INSERT INTO k VALUES (10, 3) ON DUPLICATE KEY UPDATE a = 4",
        "SELECT LAST_INSERT_ID()",
        "INSERT INTO k (a) SELECT 1",
        "SELECT LAST_INSERT_ID()",
        "DROP TABLE k");
  }

  @Test
  void theConnectionsCharacterSetBecomesTheDatabases() throws SQLException {
    passedThrough(
        "ALTER DATABASE CHARACTER SET latin1",
        "SET CHARACTER SET utf8mb4",
        "SELECT @@character_set_client, @@character_set_connection, @@collation_connection, @@character_set_results",
        "SET NAMES utf8mb4",
        "SELECT @@character_set_connection, @@collation_connection");
  }
}
