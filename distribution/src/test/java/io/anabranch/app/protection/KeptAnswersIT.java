package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that others get, as query rules say: kept for a time, or waited for. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class KeptAnswersIT {

  private static final String PLAIN = "it_kept";
  private static final String SHARDED = "it_kept_sharded";
  private static final String GROUP = "it_kept_group";
  static final List<String> LAYOUTS = List.of(PLAIN, SHARDED);
  private static final int LOOPS = 2;
  private static final String BINARY = "useServerPrepStmts=true";
  private static final String TEXT = "useServerPrepStmts=false";
  private static final List<String> SCHEMAS = List.of(PLAIN, "it_kept_0", "it_kept_1");
  private static final String RULES =
      """
      queryRules:
      - { name: kept, match: { tables: [t, r, v, seq, parent, child, moments] }, cacheMilliseconds: 600000, next: true }
      - { name: merged, match: { tables: [m] }, merge: true }
      """;

  @TempDir static Path temporary;
  private static DatabaseServer server;
  private static ReloadFolder folder;
  private static RunningProxy proxy;
  private final List<Connection> clients = new ArrayList<>();

  @BeforeAll
  static void start(DatabaseServers servers) throws IOException, SQLException {
    server = servers.primaryA();
    for (String schema : SCHEMAS) {
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema,
          "CREATE TABLE %s.t (id INT PRIMARY KEY, v VARCHAR(100) CHARACTER SET utf8mb4)"
              .formatted(schema),
          "CREATE TABLE %s.r LIKE %s.t".formatted(schema, schema),
          "CREATE TABLE %s.m LIKE %s.t".formatted(schema, schema),
          "CREATE TABLE %s.moments (id INT PRIMARY KEY, at TIMESTAMP NULL)".formatted(schema));
    }
    server.execute(
        "CREATE TABLE it_kept.parent (id INT PRIMARY KEY)",
        "CREATE TABLE it_kept.child (id INT PRIMARY KEY, parent_id INT, FOREIGN KEY (parent_id) REFERENCES it_kept.parent (id) ON DELETE CASCADE)",
        "CREATE VIEW it_kept.v AS SELECT * FROM it_kept.t",
        "CREATE TABLE it_kept.told (id INT PRIMARY KEY)",
        "CREATE TRIGGER it_kept.tells AFTER INSERT ON it_kept.told FOR EACH ROW INSERT INTO it_kept.r VALUES (NEW.id, 'told')",
        "CREATE PROCEDURE it_kept.change_t() UPDATE it_kept.t SET v = 'called'");
    folder = new ReloadFolder(temporary);
    global(RULES);
    folder.write(
        "database-0.yaml",
        "databaseName: it_kept\ndataSources:\n"
            + ReloadFolder.source("ds", server, PLAIN, 20)
            + "rules: []\n");
    folder.write(
        "database-1.yaml",
        "databaseName: it_kept_sharded\ndataSources:\n"
            + ReloadFolder.source("ds_0", server, "it_kept_0", 20)
            + ReloadFolder.source("ds_1", server, "it_kept_1", 20)
            + """
            rules:
            - !SHARDING
              tables:
                t: { actualDataNodes: "ds_${0..1}.t", databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } } }
                r: { actualDataNodes: "ds_${0..1}.r", databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } } }
                m: { actualDataNodes: "ds_${0..1}.m", databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } } }
                moments: { actualDataNodes: "ds_${0..1}.moments", databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } } }
              shardingAlgorithms:
                two: { type: MOD, props: { sharding-count: 2 } }
            """);
    folder.write(
        "database-2.yaml",
        "databaseName: it_kept_group\ndataSources:\n"
            + ReloadFolder.source("w", server, PLAIN, 20)
            + ReloadFolder.source("r", server, "it_kept_0", 20)
            + """
            rules:
            - !READWRITE_SPLITTING
              dataSourceGroups:
                g: { writeDataSourceName: w, readDataSourceNames: [r] }
            """);
    proxy = RunningProxy.startFrom(temporary);
  }

  private static void global(String rules) throws IOException {
    folder.write(
        "global.yaml",
        """
        authority:
          users:
          - { user: "%s@%%", password: %s, admin: true }
          - { user: second, password: second }
          privilege: { type: ALL_PERMITTED }
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: %d }
        %s
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD, LOOPS, rules));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @BeforeEach
  void rows() throws SQLException {
    try (Connection plain = connect(PLAIN, TEXT);
        Connection sharded = connect(SHARDED, TEXT)) {
      for (Connection each : List.of(plain, sharded)) {
        for (String table : List.of("t", "r", "m", "moments")) {
          run(each, "DELETE FROM " + table);
        }
        run(each, "INSERT INTO t VALUES (1, 'a'), (2, 'b')");
        run(each, "INSERT INTO m VALUES (1, 'a'), (2, 'b')");
        settle(each);
      }
      Eventually.holds("answers are kept", () -> isKept(plain));
      run(plain, "TRUNCATE anabranch.rule_hits");
    }
  }

  private static boolean isKept(Connection client) {
    try {
      long before = count("kept", "cached");
      ReloadFolder.column(client, "SELECT 'open' FROM t");
      ReloadFolder.column(client, "SELECT 'open' FROM t");
      return count("kept", "cached") > before;
    } catch (SQLException unexpected) {
      throw new IllegalStateException(unexpected);
    }
  }

  @AfterEach
  void leave() throws SQLException {
    for (Connection client : clients) {
      client.close();
    }
  }

  static Stream<Arguments> layoutsAndProtocols() {
    return LAYOUTS.stream()
        .flatMap(layout -> Stream.of(TEXT, BINARY).map(each -> Arguments.of(layout, each)));
  }

  private static Connection connect(String layout, String... options) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(
        proxy.port(), layout, RunningProxy.USER, RunningProxy.PASSWORD, options);
  }

  private Connection client(String layout, String... options) throws SQLException {
    Connection client = connect(layout, options);
    clients.add(client);
    return client;
  }

  private static long count(String rule, String column) {
    try (Connection admin = proxy.connect(PLAIN)) {
      return Long.parseLong(
          ReloadFolder.one(
              admin,
              "SELECT %s FROM anabranch.rule_hits WHERE rule = '%s'".formatted(column, rule)));
    } catch (SQLException unexpected) {
      throw new IllegalStateException(unexpected);
    }
  }

  private static void run(Connection client, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = client.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.execute();
    }
  }

  private static String read(Connection client, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = client.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      var all = new ArrayList<String>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          var row = new ArrayList<String>();
          for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            row.add(rows.getMetaData().getColumnLabel(i) + "=" + rows.getString(i));
          }
          all.add(String.join(",", row));
        }
      }
      return String.join(" ", all);
    }
  }

  /** Whatever its statements before have left is known now: a session does one after the other. */
  private static void settle(Connection client) throws SQLException {
    read(client, "SELECT 1");
  }

  /** What event loops are at is done: of two connections each has one. */
  private void settleLoops() throws SQLException {
    for (int i = 0; i < LOOPS; i++) {
      settle(client(PLAIN, TEXT));
    }
  }

  /** How many of the reads were answered by what was kept. */
  private static long kept(Connection client, String sql, Object... values) throws SQLException {
    long before = count("kept", "cached");
    String first = read(client, sql, values);
    assertThat(read(client, sql, values)).isEqualTo(first);
    return count("kept", "cached") - before;
  }

  /** Once a write has ended, for its session hears of that a moment before. */
  private static void keeps(Connection client, String sql) {
    Eventually.holds("the answer is kept: " + sql, () -> quietly(() -> kept(client, sql)) > 0);
  }

  // ---------------------------------------------------------------- kept

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("layoutsAndProtocols")
  void othersGetTheSameUntilSomebodyWrites(String layout, String protocol) throws SQLException {
    Connection one = client(layout, protocol);
    Connection two = client(layout, protocol);
    String sql = "SELECT id, v FROM t WHERE v <> ? ORDER BY id";
    assertThat(read(one, sql, "x")).isEqualTo("id=1,v=a id=2,v=b");
    settle(one);
    for (String schema : SCHEMAS) {
      server.execute("UPDATE %s.t SET v = 'unseen' WHERE id = 1".formatted(schema));
    }
    assertThat(read(two, sql, "x")).isEqualTo("id=1,v=a id=2,v=b");
    assertThat(read(two, sql, "y")).isEqualTo("id=1,v=unseen id=2,v=b");
    assertThat(count("kept", "cached")).isEqualTo(1);
    assertThat(ReloadFolder.one(two, "SELECT FOUND_ROWS()")).isEqualTo("2");
    run(two, "UPDATE t SET v = ? WHERE id = 2", "c");
    assertThat(read(one, sql, "x")).isEqualTo("id=1,v=unseen id=2,v=c");
    assertThat(read(two, sql, "x")).isEqualTo("id=1,v=unseen id=2,v=c");
    run(one, "DELETE FROM t WHERE id = ?", 1);
    assertThat(read(two, sql, "x")).isEqualTo("id=2,v=c");
    run(one, "INSERT INTO t VALUES (4, 'd')");
    assertThat(read(two, sql, "x")).isEqualTo("id=2,v=c id=4,v=d");
    run(one, "TRUNCATE TABLE t");
    assertThat(read(two, sql, "x")).isEmpty();
    run(one, "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    keeps(two, "SELECT v FROM t ORDER BY id LIMIT 1 OFFSET 1");
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("layoutsAndProtocols")
  void transactionsAreSeenWhenTheyAreCommitted(String layout, String protocol) throws SQLException {
    Connection writer = client(layout, protocol);
    Connection reader = client(layout, protocol);
    String sql = "SELECT v FROM t WHERE id = 1";
    assertThat(kept(reader, sql)).isEqualTo(1);
    writer.setAutoCommit(false);
    run(writer, "UPDATE t SET v = 'mine' WHERE id = 1");
    assertThat(read(writer, sql)).isEqualTo("v=mine");
    assertThat(read(reader, sql)).isEqualTo("v=a");
    assertThat(kept(reader, sql)).isZero();
    writer.commit();
    assertThat(read(reader, sql)).isEqualTo("v=mine");
    keeps(reader, sql);
    run(writer, "UPDATE t SET v = 'lost' WHERE id = 1");
    writer.rollback();
    assertThat(read(reader, sql)).isEqualTo("v=mine");
    run(writer, "UPDATE t SET v = 'gone' WHERE id = 1");
    writer.close();
    keeps(reader, sql);
    assertThat(read(reader, sql)).isEqualTo("v=mine");
  }

  private interface Question {
    long ask() throws SQLException;
  }

  private static long quietly(Question question) {
    try {
      return question.ask();
    } catch (SQLException unexpected) {
      throw new IllegalStateException(unexpected);
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("layoutsAndProtocols")
  void whatASettingOrAUserDecidesIsTheirs(String layout, String protocol) throws SQLException {
    Connection one = client(layout, protocol);
    Connection two = client(layout, protocol);
    run(one, "SET time_zone = '+00:00'");
    run(two, "SET time_zone = '+02:00'");
    run(one, "INSERT INTO moments VALUES (1, '2026-01-01 10:00:00')");
    String sql = "SELECT CAST(at AS CHAR(19)) AS at FROM moments WHERE id = 1";
    assertThat(read(one, sql)).isEqualTo("at=2026-01-01 10:00:00");
    settle(one);
    assertThat(read(two, sql)).isEqualTo("at=2026-01-01 12:00:00");
    assertThat(count("kept", "cached")).isZero();
    run(two, "SET time_zone = '+00:00'");
    assertThat(read(two, sql)).isEqualTo("at=2026-01-01 10:00:00");
    assertThat(count("kept", "cached")).isEqualTo(1);
    run(two, "SET sql_select_limit = 0");
    assertThat(read(two, sql)).isEmpty();
    try (Connection other =
        RunningProxy.Driver.MARIADB.connect(proxy.port(), layout, "second", "second", protocol)) {
      run(other, "SET time_zone = '+00:00'");
      read(other, sql);
    }
    assertThat(count("kept", "cached")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT NOW(6) FROM t",
        "SELECT RAND() FROM t",
        "SELECT CONNECTION_ID() + RAND() FROM t",
        "SELECT @a FROM t",
        "SELECT id FROM t WHERE id = 1 FOR UPDATE",
        "SELECT v FROM v WHERE id = 1",
        "SELECT t.v FROM t JOIN v USING (id)",
        "SELECT SQL_CALC_FOUND_ROWS v FROM t LIMIT 1",
        "SELECT SLEEP(0) FROM t",
        "SELECT 1 + v FROM t",
        "SELECT v FROM t WHERE id = 1 UNION SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_NAME = 't'"
      })
  void whatMayBeAnotherAnswerIsNotKept(String sql) throws SQLException {
    Connection one = client(PLAIN, TEXT);
    long before = count("kept", "cached");
    read(one, sql);
    read(one, sql);
    assertThat(count("kept", "cached") - before).isZero();
  }

  @Test
  void whatASessionHasForItselfIsItsOwn() throws SQLException {
    Connection one = client(PLAIN, TEXT);
    assertThat(kept(one, "SELECT v FROM t")).isEqualTo(1);
    run(one, "CREATE TEMPORARY TABLE t (v INT)");
    assertThat(read(one, "SELECT v FROM t")).isEmpty();
    run(one, "DROP TEMPORARY TABLE t");
    assertThat(read(one, "SELECT v FROM t")).isEqualTo("v=a v=b");
    run(one, "LOCK TABLES t READ");
    assertThat(kept(one, "SELECT v FROM t")).isZero();
    assertThat(catchThrowable(() -> read(one, "SELECT v FROM r"))).isNotNull();
    run(one, "UNLOCK TABLES");
    run(one, "BEGIN");
    assertThat(kept(one, "SELECT v FROM t")).isZero();
    run(one, "COMMIT");
    assertThat(kept(one, "SELECT v FROM t")).isPositive();
  }

  /** Statements that write where their text does not say so. */
  @Test
  void whatProgramsAndReferencesChangeIsSeen() throws SQLException {
    Connection one = client(PLAIN, TEXT);
    Connection two = client(PLAIN, TEXT);
    keeps(two, "SELECT COUNT(*) FROM r");
    run(one, "DELETE FROM told");
    run(one, "INSERT INTO told VALUES (7)");
    assertThat(read(two, "SELECT COUNT(*) AS n FROM r")).isEqualTo("n=1");
    assertThat(read(two, "SELECT COUNT(*) FROM r")).endsWith("=1");
    keeps(two, "SELECT v FROM t WHERE id = 1");
    run(one, "CALL change_t()");
    assertThat(read(two, "SELECT v FROM t WHERE id = 1")).isEqualTo("v=called");
    run(one, "UPDATE v SET v = 'through' WHERE id = 1");
    assertThat(read(two, "SELECT v FROM t WHERE id = 1")).isEqualTo("v=through");
    run(one, "INSERT INTO parent VALUES (1)");
    run(one, "INSERT INTO child VALUES (1, 1)");
    keeps(two, "SELECT * FROM child");
    run(one, "DELETE FROM parent");
    assertThat(read(two, "SELECT * FROM child")).isEmpty();
    keeps(two, "SELECT * FROM t");
    run(one, "ALTER TABLE t ADD COLUMN more INT DEFAULT 5");
    assertThat(read(two, "SELECT * FROM t WHERE id = 1")).isEqualTo("id=1,v=through,more=5");
    run(one, "ALTER TABLE t DROP COLUMN more");
    assertThat(read(two, "SELECT * FROM t WHERE id = 1")).isEqualTo("id=1,v=through");
  }

  /** Its replica has other rows: it lags behind for ever. */
  @Test
  void whatIsKeptIsThePrimarys() throws SQLException {
    Connection one = client(GROUP, TEXT);
    Eventually.holds(
        "the replica answers", () -> quietly(() -> read(one, "SELECT v FROM m").length()) == 3);
    assertThat(read(one, "SELECT v FROM m")).isEqualTo("v=b");
    assertThat(kept(one, "SELECT v FROM t")).isEqualTo(1);
    assertThat(read(one, "SELECT v FROM t")).isEqualTo("v=a v=b");
    String hinted = "/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME=r */ SELECT v FROM t";
    assertThat(kept(one, hinted)).isZero();
    assertThat(read(one, hinted)).isEqualTo("v=b");
  }

  /** Plans know which tables a statement changes, and must not know it any longer. */
  @Test
  void whatIsDefinedLaterIsSeen() throws SQLException {
    Connection one = client(PLAIN, TEXT);
    Connection two = client(PLAIN, TEXT);
    String count = "SELECT COUNT(*) AS n FROM r";
    run(one, "CREATE TABLE late (id INT PRIMARY KEY)");
    run(one, "INSERT INTO late VALUES (1)");
    keeps(two, count);
    run(
        one,
        "CREATE TRIGGER later AFTER INSERT ON late FOR EACH ROW INSERT INTO r VALUES (NEW.id, '')");
    keeps(two, count);
    run(one, "INSERT INTO late VALUES (2)");
    assertThat(read(two, count)).isEqualTo("n=1");
    keeps(two, "SELECT v FROM t WHERE id = 1");
    run(one, "RENAME TABLE t TO t_before");
    run(one, "CREATE VIEW t AS SELECT * FROM t_before");
    assertThat(read(two, "SELECT v FROM t WHERE id = 1")).isEqualTo("v=a");
    run(one, "UPDATE t_before SET v = 'below' WHERE id = 1");
    assertThat(read(two, "SELECT v FROM t WHERE id = 1")).isEqualTo("v=below");
    run(one, "DROP VIEW t");
    run(one, "RENAME TABLE t_before TO t");
    run(one, "DROP TABLE late");
  }

  /** Statements inside of others, and tables that show the rows of others. */
  @Test
  void whatStandsInsideIsSeen() throws SQLException {
    Connection one = client(PLAIN, TEXT);
    Connection two = client(PLAIN, TEXT);
    String sql = "SELECT v FROM t WHERE id = 1";
    keeps(two, sql);
    run(one, "SET @sql = 'UPDATE t SET v = ''prepared'' WHERE id = 1'");
    run(one, "PREPARE p FROM @sql");
    run(one, "EXECUTE p");
    assertThat(read(two, sql)).isEqualTo("v=prepared");
    if (!DatabaseServers.areMySql()) {
      keeps(two, sql);
      run(one, "SET STATEMENT max_statement_time = 60 FOR UPDATE t SET v = 'set' WHERE id = 1");
      assertThat(read(two, sql)).isEqualTo("v=set");
      keeps(two, sql);
      run(one, "ANALYZE UPDATE t SET v = 'analyzed' WHERE id = 1");
      assertThat(read(two, sql)).isEqualTo("v=analyzed");
    }
    run(one, "DEALLOCATE PREPARE p");
    run(one, "CREATE TABLE part (id INT) ENGINE=MyISAM");
    run(one, "RENAME TABLE t TO t_before");
    run(one, "CREATE TABLE t (id INT) ENGINE=MERGE UNION=(part)");
    assertThat(kept(two, "SELECT id FROM t")).isZero();
    run(one, "INSERT INTO part VALUES (7)");
    assertThat(read(two, "SELECT id FROM t")).isEqualTo("id=7");
    run(one, "DROP TABLE t, part");
    run(one, "RENAME TABLE t_before TO t");
  }

  @ParameterizedTest
  @FieldSource("LAYOUTS")
  void nobodyMissesWhatItHasWritten(String layout) throws Exception {
    var failed = new AtomicLong();
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<?>>();
      for (int each = 1; each <= 4; each++) {
        int id = each;
        Connection writer = client(layout, each % 2 == 0 ? TEXT : BINARY);
        Connection reader = client(layout, TEXT);
        run(writer, "REPLACE INTO r VALUES (?, '')", id);
        running.add(
            all.submit(
                () -> {
                  for (int i = 0; i < 150; i++) {
                    run(writer, "UPDATE r SET v = ? WHERE id = ?", Integer.toString(i), id);
                    // of the same session, and of one that knows that it is done
                    for (Connection asked : List.of(writer, reader)) {
                      String found = read(asked, "SELECT v FROM r WHERE id = " + id);
                      if (!found.equals("v=" + i)) {
                        failed.incrementAndGet();
                      }
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
    assertThat(failed).hasValue(0);
  }

  /** Its transaction began under rules by which nobody told what it changed. */
  @Test
  void transactionsOfFormerRulesAreWaitedFor() throws Exception {
    Connection reader = client(PLAIN, TEXT);
    Connection writer = client(PLAIN, TEXT);
    String sql = "SELECT v FROM t WHERE id = 1";
    global("");
    proxy.configuration().reload("test");
    writer.setAutoCommit(false);
    run(writer, "UPDATE t SET v = 'former' WHERE id = 1");
    global(RULES);
    proxy.configuration().reload("test");
    assertThat(read(reader, sql)).isEqualTo("v=a");
    assertThat(kept(reader, sql)).isZero();
    writer.commit();
    assertThat(read(reader, sql)).isEqualTo("v=former");
    keeps(reader, sql);
    assertThat(read(reader, sql)).isEqualTo("v=former");
  }

  // ---------------------------------------------------------------- merged

  private static long waiting(String table) throws SQLException {
    try (Connection direct = server.connect("")) {
      return Long.parseLong(
          ReloadFolder.one(
              direct,
              "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE STATE LIKE 'Waiting for table metadata lock%' AND INFO LIKE '%FROM "
                  + table
                  + "%'"));
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("layoutsAndProtocols")
  void alikeReadsAreOne(String layout, String protocol) throws Exception {
    String sql = "SELECT id, v FROM m WHERE id > ? ORDER BY id";
    int count = 6;
    for (int i = 0; i < count; i++) {
      // planned and prepared while that waits for nobody
      read(client(layout, protocol), sql, 0);
    }
    run(clients.getFirst(), "TRUNCATE anabranch.rule_hits");
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor();
        Connection locking = server.connect("");
        Statement lock = locking.createStatement()) {
      lock.execute("LOCK TABLES it_kept.m WRITE, it_kept_0.m WRITE, it_kept_1.m WRITE");
      var running = new ArrayList<Future<String>>();
      for (int i = 0; i < count; i++) {
        Connection client = clients.get(i);
        running.add(all.submit(() -> read(client, sql, 0)));
      }
      Eventually.holds("all have come", () -> count("merged", "hits") == count);
      settleLoops();
      long leaders = layout.equals(PLAIN) ? 1 : 2;
      Eventually.holds("one has been sent", () -> quietly(() -> waiting("m")) == leaders);
      lock.execute("UNLOCK TABLES");
      for (Future<String> each : running) {
        assertThat(each.get()).isEqualTo("id=1,v=a id=2,v=b");
      }
    }
    assertThat(count("merged", "merged")).isEqualTo(count - 1);
    assertThat(count("kept", "cached")).isZero();
  }

  @ParameterizedTest
  @FieldSource("LAYOUTS")
  void whoeverWaitsGoesOnWithoutTheFirst(String layout) throws Exception {
    String sql = "SELECT id, v FROM m WHERE id > 0 ORDER BY id";
    Connection killer = client(layout, TEXT);
    read(killer, sql);
    run(killer, "TRUNCATE anabranch.rule_hits");
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor();
        Connection locking = server.connect("");
        Statement lock = locking.createStatement()) {
      lock.execute("LOCK TABLES it_kept.m WRITE, it_kept_0.m WRITE, it_kept_1.m WRITE");
      var running = new ArrayList<Future<String>>();
      var ids = new ArrayList<String>();
      for (int i = 0; i < 3; i++) {
        Connection client = client(layout, TEXT);
        ids.add(ReloadFolder.one(client, "SELECT CONNECTION_ID()"));
        running.add(all.submit(() -> read(client, sql)));
        long so = i + 1L;
        Eventually.holds("it has come", () -> count("merged", "hits") == so);
        settleLoops();
      }
      // one that waits, then the one that it waits for
      run(killer, "KILL QUERY " + ids.get(2));
      assertThat(catchThrowable(running.get(2)::get)).hasMessageContaining("interrupted");
      run(killer, "KILL QUERY " + ids.get(0));
      assertThat(catchThrowable(running.get(0)::get)).hasMessageContaining("interrupted");
      lock.execute("UNLOCK TABLES");
      assertThat(running.get(1).get()).isEqualTo("id=1,v=a id=2,v=b");
    }
    assertThat(count("merged", "merged")).isZero();
  }

  @Test
  void whoComesBehindAWriteDoesNotWaitForAReadBeforeIt() throws Exception {
    String sql = "SELECT m.v FROM m JOIN t USING (id) WHERE m.id = 1";
    Connection first = client(PLAIN, TEXT);
    Connection second = client(PLAIN, TEXT);
    run(second, "UPDATE m SET v = 'old' WHERE id = 1");
    assertThat(read(first, sql)).isEqualTo("v=old");
    run(second, "UPDATE m SET v = 'older' WHERE id = 1");
    run(second, "TRUNCATE anabranch.rule_hits");
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor();
        Connection locking = server.connect("");
        Statement lock = locking.createStatement()) {
      lock.execute("LOCK TABLES it_kept.t WRITE");
      Future<String> before = all.submit(() -> read(first, sql));
      Eventually.holds("it has been sent", () -> quietly(() -> waiting("m")) == 1);
      run(second, "UPDATE m SET v = 'new' WHERE id = 1");
      Future<String> behind = all.submit(() -> read(second, sql));
      Eventually.holds("it has been sent, too", () -> quietly(() -> waiting("m")) == 2);
      lock.execute("UNLOCK TABLES");
      assertThat(behind.get()).isEqualTo("v=new");
      before.get();
    }
    assertThat(count("merged", "merged")).isZero();
  }
}
