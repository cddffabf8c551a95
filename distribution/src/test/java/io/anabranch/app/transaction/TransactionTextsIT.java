package io.anabranch.app.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.protocol.type.Capability;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the proxy answers itself of transactions and of SET: results, errors word for word, and
 * status flags are a server's, statement by statement.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class TransactionTextsIT {

  /** IN_TRANS, AUTOCOMMIT and IN_TRANS_READONLY. */
  private static final int FLAGS = 0x2003;

  private static final String SCHEMA = "it_texts";

  private static ShardedFixture fixture;
  private static DatabaseServer a;

  @BeforeAll
  static void start(DatabaseServers servers) {
    fixture = ShardedFixture.start(servers, SCHEMA);
    a = servers.primaryA();
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  private static CommandProbe probe(int port, String user, String password, String schema)
      throws IOException {
    return new CommandProbe(port, user, password, schema, Capability.DEPRECATE_EOF);
  }

  private static CommandProbe plain() throws IOException {
    return probe(a.port(), MariaDbServer.USER, MariaDbServer.PASSWORD, SCHEMA + "_plain");
  }

  private static CommandProbe through(RunningProxy proxy, String database) throws IOException {
    return probe(proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, database);
  }

  /** The error's packet as text, or the status flags. */
  private static String answer(CommandProbe probe, String sql) {
    try {
      return "status " + (probe.ok(sql).status() & FLAGS);
    } catch (IOException refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  private static void compare(List<String> script) throws IOException {
    try (CommandProbe proxied = through(fixture.proxy, SCHEMA)) {
      compare(proxied, script);
    }
  }

  private static void compare(CommandProbe proxied, List<String> script) throws IOException {
    var softly = new SoftAssertions();
    try (CommandProbe plain = plain()) {
      for (String sql : script) {
        softly
            .assertThat(answer(proxied, sql))
            .as(sql)
            .isEqualTo(answer(plain, sql).replace(SCHEMA + "_plain", SCHEMA));
      }
    }
    softly.assertAll();
  }

  @Test
  void reservedWordsAreNoNamesOfSavepoints() throws IOException {
    compare(
        List.of(
            "SAVEPOINT select",
            "BEGIN",
            "SAVEPOINT select",
            "SAVEPOINT key",
            "SAVEPOINT over",
            "SAVEPOINT begin",
            "SAVEPOINT work",
            "SAVEPOINT savepoint",
            "ROLLBACK TO savepoint",
            "ROLLBACK TO to",
            "SAVEPOINT `table`",
            "ROLLBACK TO table",
            "ROLLBACK TO `table`",
            "RELEASE SAVEPOINT table",
            "RELEASE SAVEPOINT `table`",
            "RELEASE SAVEPOINT `table`",
            "SAVEPOINT 'x'",
            "SAVEPOINT a b",
            "SAVEPOINT a.b",
            "SAVEPOINT",
            "COMMIT"));
  }

  @Test
  void syntaxErrorsAreTheServers() throws IOException {
    compare(
        List.of(
            "START TRANSACTION FOO",
            "START FOO",
            "START TRANSACTION READ ONLY, READ WRITE",
            "BEGIN WORK FOO",
            "BEGIN",
            "COMMIT AND",
            "COMMIT AND CHAIN RELEASE",
            "COMMIT AND FOO",
            "ROLLBACK TO",
            "RELEASE SAVEPOINT",
            "ROLLBACK",
            "SET TRANSACTION",
            "SET TRANSACTION FOO",
            "SET TRANSACTION ISOLATION LEVEL\n FOO",
            "SET",
            "SET autocommit",
            "SET autocommit="));
  }

  @Test
  void autocommitTakesWhatAServerTakes() throws IOException {
    compare(
        List.of(
            "SET autocommit='foo'",
            "SET autocommit=foo",
            "SET autocommit=2",
            "SET autocommit='0'",
            "SET autocommit=1.0",
            "SET autocommit=NULL",
            "SET tx_isolation='FOO'",
            "SET autocommit=1-1",
            "SELECT @@autocommit",
            "SET autocommit=@@global.autocommit",
            "SELECT @@autocommit",
            "SET @x=0",
            "SET autocommit=@x",
            "SELECT @@autocommit",
            "SET autocommit=CONCAT('o', 'n')",
            "SET autocommit=nosuch",
            "SET autocommit=(SELECT 0)",
            "SELECT @@autocommit"));
  }

  @Test
  void whatUsesNoTablesOpensNothing() throws IOException {
    compare(
        List.of(
            "SET autocommit=0",
            "SELECT 1",
            "SET @y=1",
            "SELECT @y",
            "SAVEPOINT nowhere",
            "START FOO",
            "SAVEPOINT select",
            "SHOW VARIABLES LIKE 'autocommit'",
            "SELECT @@global.autocommit",
            "DO 1",
            "SELEC 1",
            "SELECT 1",
            "SELECT * FROM nosuch",
            "SHOW VARIABLES LIKE 'autocommit'",
            "COMMIT"));
  }

  /** The rows are of a data source that such statements are not sent to. */
  @Test
  void whatUsesNoTablesTellsOfTheTransaction() throws IOException {
    compare(
        List.of(
            "CREATE TABLE IF NOT EXISTS t_order (order_id BIGINT, user_id INT, note INT)",
            "SET autocommit=0",
            "INSERT INTO t_order (order_id, user_id) VALUES (12, 1)",
            "SELECT 1",
            "SELECT NOW() > 0",
            "SELECT @a",
            "DO 1",
            "SHOW STATUS LIKE 'nosuch'",
            "SHOW VARIABLES LIKE 'autocommit'",
            "SELECT COUNT(*) FROM t_order WHERE user_id = 0",
            "ROLLBACK",
            "SELECT 1",
            "DO 1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET ROLE NONE",
        "CHECKSUM TABLE t_single",
        "CHECK TABLE t_single",
        "RESET QUERY CACHE",
        "INSTALL SONAME 'nosuch'",
        "UNINSTALL SONAME 'nosuch'",
        "BACKUP STAGE END",
        "LOAD INDEX INTO CACHE t_single",
        "FLUSH STATUS",
        "CREATE OR REPLACE VIEW v_single AS SELECT * FROM t_single",
        "ALTER TABLE t_single ADD COLUMN IF NOT EXISTS more INT",
        "CREATE TEMPORARY TABLE t_gone (id INT)",
        "LOCK TABLES t_single READ",
      })
  void whatCommitsImplicitlyCommitsOnAllDataSources(String sql) throws IOException {
    try (CommandProbe proxied = through(fixture.proxy, SCHEMA);
        CommandProbe plain = plain()) {
      assertThat(survivors(proxied, sql)).as(sql).isEqualTo(survivors(plain, sql));
    }
  }

  /** How many of two rows, of two data sources, are there after a rollback. */
  private static long survivors(CommandProbe probe, String sql) throws IOException {
    probe.ok("CREATE TABLE IF NOT EXISTS t_single (id INT NOT NULL PRIMARY KEY)");
    probe.ok("CREATE TABLE IF NOT EXISTS t_order (order_id BIGINT, user_id INT, note INT)");
    probe.ok("DELETE FROM t_order");
    probe.ok("BEGIN");
    probe.ok("INSERT INTO t_order (order_id, user_id) VALUES (1, 0), (2, 1)");
    answer(probe, sql);
    probe.ok("UNLOCK TABLES");
    probe.ok("ROLLBACK");
    return probe.ok("UPDATE t_order SET note = 1").affectedRows();
  }

  /** Also before it has taken a connection. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "RENAME TABLE nosuch TO other",
        "CREATE TABLE nosuch.t (id INT)",
        "CREATE TABLE other AS SELECT * FROM nosuch",
        "CREATE TABLE other LIKE nosuch.t",
        "CREATE VIEW v_other AS SELECT * FROM nosuch",
        "CREATE INDEX i ON nosuch (id)",
        "CREATE TRIGGER tr BEFORE INSERT ON nosuch FOR EACH ROW SET @a = 1",
        "ALTER TABLE nosuch ADD COLUMN more INT",
        "DROP TABLE nosuch",
        "TRUNCATE TABLE nosuch",
        "LOCK TABLES nosuch READ",
        "SHOW CREATE TABLE nosuch",
        "SET @a = (SELECT id FROM nosuch)",
        "SELECT * FROM nosuch",
        "DROP",
      })
  void whatFailsLeavesTheNextStatementItsTransaction(String sql) throws IOException {
    try (CommandProbe proxied = through(fixture.proxy, SCHEMA);
        CommandProbe plain = plain()) {
      assertThat(keptOfRolledBack(proxied, sql)).as(sql).isEqualTo(keptOfRolledBack(plain, sql));
    }
  }

  /** Rows that are there after a rollback, of those that were written behind a failure. */
  private static String keptOfRolledBack(CommandProbe probe, String sql) throws IOException {
    probe.ok("CREATE TABLE IF NOT EXISTS t_order (order_id BIGINT, user_id INT, note INT)");
    probe.ok("DELETE FROM t_order");
    probe.ok("SET autocommit=0");
    assertThat(answer(probe, sql)).doesNotStartWith("status");
    String status = answer(probe, "INSERT INTO t_order (order_id, user_id) VALUES (1, 0), (2, 1)");
    probe.ok("ROLLBACK");
    long kept = probe.ok("UPDATE t_order SET note = 1").affectedRows();
    probe.ok("COMMIT");
    return status + ", " + kept + " rows";
  }

  @Test
  void setGlobalOpensNothing() throws IOException {
    String database =
        "databaseName: passed\ndataSources:\n"
            + RunningProxy.source("ds_0", a, SCHEMA + "_plain")
            + "rules: []\n";
    try (RunningProxy proxy = RunningProxy.start(List.of(), database);
        CommandProbe proxied = through(proxy, "passed")) {
      compare(
          proxied,
          List.of("SET autocommit=0", "SET GLOBAL autocommit=1", "SELECT 1", "BEGIN", "COMMIT"));
    }
  }
}
