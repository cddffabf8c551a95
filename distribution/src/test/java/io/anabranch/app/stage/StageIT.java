package io.anabranch.app.stage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Statements that run over copies of their tables answer as on one plain database, in both
 * protocols; they see what their transaction wrote; and whatever becomes of them, no copy is left
 * in a connection of the pool.
 */
@Tag("quick")
@ExtendWith(MariaDbServers.Resolver.class)
class StageIT {

  private static final String SCHEMA = "it_stage";

  /** A join that every shard has to give its rows for. */
  private static final String JOIN =
      "SELECT o.order_id, l.id FROM t_order o JOIN t_log l ON o.user_id = l.user_id ORDER BY 1, 2";

  /** As many as a data source of the fixture has connections. */
  private static final int POOL = 10;

  /** It runs for minutes over a hundred rows. */
  private static final String ENDLESS =
      "SELECT COUNT(*) FROM t_log a, t_log b, t_log c, t_order d, t_order e, t_order f, t_log g,"
          + " t_log h, t_log i, t_order j WHERE a.n + b.n + c.n + d.total + e.total + f.total"
          + " + g.n + h.n + i.n + j.total < -999999";

  private static final String RULES =
      """
      rules:
      - !SHARDING
        tables:
          t_order:
            actualDataNodes: ds_${0..1}.t_order_${0..3}
            databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: by_user } }
            tableStrategy: { standard: { shardingColumn: order_id, shardingAlgorithmName: by_order } }
          t_item:
            actualDataNodes: ds_${0..1}.t_item_${0..3}
            databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: by_user } }
            tableStrategy: { standard: { shardingColumn: order_id, shardingAlgorithmName: by_order } }
        autoTables:
          t_log:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: eighths } }
          t_emp:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: eighths } }
          t_types:
            actualDataSources: ds_0,ds_1
            shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: eighths } }
        bindingTables:
          - t_order, t_item
        shardingAlgorithms:
          by_user: { type: MOD, props: { sharding-count: 2 } }
          by_order: { type: MOD, props: { sharding-count: 4 } }
          eighths: { type: HASH_MOD, props: { sharding-count: 8 } }
      - !BROADCAST
        tables: [t_country]
      - !SINGLE
        tables: ["ds_0.t_conf", "ds_1.t_far"]
        defaultDataSource: ds_0
      """;

  private static ShardedFixture fixture;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException, IOException {
    fixture =
        ShardedFixture.start(
            servers,
            SCHEMA,
            RULES,
            List.of(
                "CREATE TABLE t_far (id INT PRIMARY KEY, w VARCHAR(20))",
                "INSERT INTO t_far VALUES (1, 'far one'), (2, 'far two')"));
    try (Connection plain = onPlain();
        Connection sharded = throughProxy();
        Statement one = plain.createStatement();
        Statement other = sharded.createStatement()) {
      for (Statement each : new Statement[] {one, other}) {
        each.execute("SET sql_mode = ''");
        for (String sql : lines("schema.sql")) {
          each.execute(sql);
        }
      }
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  private static Connection onPlain(String... options) throws SQLException {
    return fixture.onPlain(withYears(options));
  }

  private static Connection throughProxy(String... options) throws SQLException {
    return fixture.throughProxy(withYears(options));
  }

  /** The driver cannot read the year 0 as a date. */
  private static String[] withYears(String... options) {
    String[] all = Arrays.copyOf(options, options.length + 1);
    all[options.length] = "yearIsDateType=false";
    return all;
  }

  private static List<String> lines(String resource) throws IOException {
    try (InputStream in = StageIT.class.getResourceAsStream("/stage/" + resource)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8).lines().toList();
    }
  }

  static List<String> statements() throws IOException {
    return lines("statements.sql");
  }

  // ---------------------------------------------------------------- answers

  @ParameterizedTest
  @MethodSource("statements")
  void answersAsOneDatabase(String sql) throws SQLException {
    try (Connection plain = onPlain();
        Connection sharded = throughProxy()) {
      assertSame(sql, plain, sharded);
    }
  }

  @Test
  void answersAsOneDatabaseInTheBinaryProtocol() throws SQLException, IOException {
    String prepares = "useServerPrepStmts=true";
    try (Connection plain = onPlain(prepares);
        Connection sharded = throughProxy(prepares)) {
      var softly = new SoftAssertions();
      for (String sql : statements()) {
        softly.check(() -> assertSame(sql, plain, sharded));
      }
      softly.assertAll();
    }
  }

  /** Under other settings of the session, which the copies must not notice and the answers must. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET time_zone = '+05:30'",
        "SET sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,NO_ZERO_DATE'",
        "SET sql_select_limit = 2",
        "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
        "SET collation_connection = 'utf8mb4_bin'"
      })
  void keepsTheSessionsSettings(String setting) throws SQLException {
    try (Connection plain = onPlain();
        Connection sharded = throughProxy()) {
      for (Connection each : List.of(plain, sharded)) {
        try (Statement statement = each.createStatement()) {
          statement.execute(setting);
        }
      }
      for (String sql :
          List.of(
              "SELECT a.ts, a.dt, a.da, a.vl, a.vu, a.u16, a.bl FROM t_types a JOIN t_types b ON"
                  + " a.id = b.id + 1 ORDER BY a.id",
              JOIN,
              "SELECT l.id FROM t_log l JOIN t_types t ON l.id = t.id WHERE t.vu = 'a' OR t.ts >"
                  + " '2024-01-01' ORDER BY l.id",
              "SELECT l.msg FROM t_log l WHERE l.id IN (SELECT id FROM t_types) ORDER BY l.id")) {
        assertSame(sql, plain, sharded);
      }
    }
  }

  private static void assertSame(String sql, Connection plain, Connection sharded) {
    Transcript expected = Transcript.of(plain, sql);
    Transcript answer = Transcript.of(sharded, sql);
    assertThat(answer).as(sql).isEqualTo(expected);
  }

  @Test
  void takesParameters() throws SQLException {
    String sql =
        "SELECT o.order_id, l.id, ? FROM t_order o JOIN t_log l ON o.user_id = l.user_id AND l.n >"
            + " ? WHERE o.status <> ? AND o.created IS NOT NULL OR l.code = ? ORDER BY 1, 2 LIMIT"
            + " ?";
    for (String protocol : List.of("useServerPrepStmts=true", "useServerPrepStmts=false")) {
      try (Connection plain = onPlain(protocol);
          Connection sharded = throughProxy(protocol)) {
        for (Object[] values :
            new Object[][] {
              {"x", 4, "open", "at", 10}, {"ü", 0, "paid", "ch", 2}, {null, -5, "", null, 3}
            }) {
          assertThat(Transcript.of(sharded, sql, values))
              .as(protocol + List.of(values[1]))
              .isEqualTo(Transcript.of(plain, sql, values));
        }
      }
    }
  }

  // ---------------------------------------------------------------- transactions

  @Test
  void seesWhatItsTransactionWroteAndNobodyElseDoes() throws SQLException {
    try (Connection writer = throughProxy();
        Connection reader = throughProxy();
        Statement write = writer.createStatement()) {
      Transcript before = Transcript.of(reader, JOIN);
      writer.setAutoCommit(false);
      write.execute(
          "INSERT INTO t_order VALUES (100, 2, 'new', 1, NULL), (101, 1, 'new', 1, NULL)");
      write.execute("INSERT INTO t_log VALUES (100, 2, 'at', 'new', 1)");
      write.execute("UPDATE t_country SET name = 'Helvetia' WHERE code = 'ch'");
      assertThat(Transcript.of(writer, JOIN).rows()).hasSizeGreaterThan(before.rows().size());
      assertThat(
              Transcript.of(
                      writer,
                      "SELECT c.name FROM t_log l JOIN t_country c ON c.code = l.code JOIN t_order"
                          + " o ON o.user_id = l.user_id WHERE l.id = 2 AND o.order_id = 100")
                  .rows())
          .containsExactly("'Helvetia'|");
      assertThat(Transcript.of(reader, JOIN)).isEqualTo(before);
      writer.rollback();
      assertThat(Transcript.of(writer, JOIN)).isEqualTo(before);
    }
  }

  @Test
  void readsInReadOnlyTransactions() throws SQLException {
    try (Connection reader = throughProxy();
        Statement statement = reader.createStatement()) {
      Transcript before = Transcript.of(reader, JOIN);
      statement.execute("START TRANSACTION READ ONLY");
      assertThat(Transcript.of(reader, JOIN)).isEqualTo(before);
      statement.execute("COMMIT");
    }
  }

  @Test
  void locksTheRowsOfTheTablesThemselves() throws SQLException {
    try (Connection holder = throughProxy();
        Connection other = throughProxy();
        Statement statement = other.createStatement()) {
      holder.setAutoCommit(false);
      Transcript.of(
          holder,
          "SELECT o.order_id FROM t_order o JOIN t_log l ON o.user_id = l.user_id WHERE"
              + " o.order_id = 2 FOR UPDATE");
      statement.execute("SET innodb_lock_wait_timeout = 1");
      assertThatThrownBy(() -> statement.execute("UPDATE t_order SET total = 5 WHERE order_id = 2"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1205));
      holder.rollback();
    }
  }

  // ---------------------------------------------------------------- ends

  @Test
  void passesTheDatabasesErrorOnAndGoesOn() throws SQLException {
    try (Connection sharded = throughProxy()) {
      Transcript failed =
          Transcript.of(
              sharded, "SELECT order_id FROM t_order WHERE total = (SELECT n FROM t_log)");
      assertThat(failed.head()).startsWith("error 1242 21000");
      assertThat(Transcript.of(sharded, JOIN).isError()).isFalse();
    }
    assertNoCopies();
  }

  @Test
  void leavesNoCopyWhenItIsKilled() throws SQLException {
    try (Connection victim = throughProxy();
        Connection killer = throughProxy();
        Statement statement = victim.createStatement();
        Statement kill = killer.createStatement()) {
      long id = id(statement);
      var ended = CompletableFuture.supplyAsync(() -> Transcript.of(victim, ENDLESS));
      awaitRunning(true);
      kill.execute("KILL QUERY " + id);
      assertThat(ended.join().head()).startsWith("error 1317 70100");
      awaitRunning(false);
      assertThat(Transcript.of(victim, JOIN).isError()).isFalse();
    }
    assertNoCopies();
  }

  @Test
  void leavesNoCopyWhenTheClientIsGone() throws SQLException {
    Connection gone = throughProxy();
    var ended = CompletableFuture.supplyAsync(() -> Transcript.of(gone, ENDLESS));
    awaitRunning(true);
    gone.abort(Runnable::run);
    ended.join();
    awaitRunning(false);
    assertNoCopies();
  }

  @Test
  void keepsToItsLimits() throws SQLException {
    try (RunningProxy narrow =
            RunningProxy.start(List.of("proxy-stage-max-rows: 10"), fixture.database());
        Connection sharded = narrow.connect(SCHEMA)) {
      assertThat(Transcript.of(sharded, JOIN).head())
          .startsWith("error 1038 HY001")
          .contains("10 rows", "proxy-stage-max-rows");
      assertThat(Transcript.of(sharded, "SELECT COUNT(*) FROM t_order").isError()).isFalse();
    }
    try (RunningProxy narrow =
            RunningProxy.start(List.of("proxy-stage-max-bytes: 100"), fixture.database());
        Connection sharded = narrow.connect(SCHEMA)) {
      assertThat(Transcript.of(sharded, JOIN).head()).contains("proxy-stage-max-bytes");
    }
    try (RunningProxy narrow =
            RunningProxy.start(List.of("proxy-stage-total-bytes: 100"), fixture.database());
        Connection sharded = narrow.connect(SCHEMA)) {
      assertThat(Transcript.of(sharded, JOIN).head())
          .startsWith("error 1041 HY000")
          .contains("try again later", "proxy-stage-total-bytes");
    }
    try (RunningProxy none =
            RunningProxy.start(List.of("proxy-stage-max-rows: 0"), fixture.database());
        Connection sharded = none.connect(SCHEMA)) {
      assertThat(Transcript.of(sharded, JOIN).isRefusal()).isTrue();
    }
    assertNoCopies();
  }

  /** As many sessions as the pools have connections, all in the middle of staging. */
  @Test
  void manyStageAtTheSameTime() throws InterruptedException, ExecutionException, SQLException {
    Transcript expected;
    try (Connection plain = onPlain()) {
      expected = Transcript.of(plain, JOIN);
    }
    var answers = new ArrayList<CompletableFuture<Transcript>>();
    for (int i = 0; i < 24; i++) {
      answers.add(
          CompletableFuture.supplyAsync(
              () -> {
                try (Connection sharded = throughProxy()) {
                  return Transcript.of(sharded, JOIN);
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              },
              Thread::startVirtualThread));
    }
    for (CompletableFuture<Transcript> answer : answers) {
      assertThat(answer.get()).isEqualTo(expected);
    }
    assertNoCopies();
  }

  /** More long joins than the pools have connections leave half of these to others. */
  @Test
  void othersFindConnectionsBesideLongJoins() throws SQLException {
    var joining = new ArrayList<Connection>();
    var ids = new ArrayList<Long>();
    var answers = new ArrayList<CompletableFuture<Transcript>>();
    var others = new ArrayList<Connection>();
    try {
      for (int i = 0; i < POOL + 2; i++) {
        Connection sharded = throughProxy();
        joining.add(sharded);
        try (Statement statement = sharded.createStatement()) {
          ids.add(id(statement));
        }
        answers.add(
            CompletableFuture.supplyAsync(
                () -> Transcript.of(sharded, ENDLESS), Thread::startVirtualThread));
      }
      Eventually.holds("some of them run", () -> running() == POOL / 4);
      for (int i = 0; i < POOL / 2; i++) {
        Connection other = throughProxy();
        others.add(other);
        other.setAutoCommit(false);
        assertThat(Transcript.of(other, "SELECT COUNT(*) FROM t_order").isError()).isFalse();
      }
      assertThat(answers).noneMatch(CompletableFuture::isDone);
    } finally {
      for (Connection other : others) {
        other.close();
      }
      try (Connection sharded = throughProxy();
          Statement statement = sharded.createStatement()) {
        for (long id : ids) {
          statement.execute("KILL QUERY " + id);
        }
      }
      answers.forEach(CompletableFuture::join);
      for (Connection each : joining) {
        each.close();
      }
    }
    assertThat(answers).allMatch(answer -> answer.join().isError());
    assertNoCopies();
  }

  private static long id(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT CONNECTION_ID()")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void awaitRunning(boolean wanted) {
    Instant deadline = Instant.now().plusSeconds(20);
    while ((running() > 0) != wanted) {
      assertThat(Instant.now()).as("statements that run").isBefore(deadline);
    }
  }

  private static long running() {
    String sql =
        "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT%ab_stage%'"
            + " AND DB = '"
            + SCHEMA
            + "'";
    return Long.parseLong(fixture.home().queryOne(sql))
        + Long.parseLong(fixture.away().queryOne(sql));
  }

  /** Whoever takes connections of the pool next, all of them, finds no copy. */
  private static void assertNoCopies() throws SQLException {
    var holders = new ArrayList<Connection>();
    try {
      for (int i = 0; i < POOL; i++) {
        Connection holder = throughProxy();
        holders.add(holder);
        holder.setAutoCommit(false);
        for (String source : List.of("ds_0", "ds_1")) {
          String hint = "/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME=" + source + " */ ";
          assertThat(Transcript.of(holder, hint + "SELECT 1 FROM ab_stage_1").head())
              .startsWith("error 1146");
        }
      }
    } finally {
      for (Connection holder : holders) {
        holder.close();
      }
    }
  }
}
