package io.anabranch.app.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.Load;
import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two configurations that take turns while clients work: rules, pools, groups and databases change
 * with each. Nobody gets an error or a wrong row, no transaction loses its shards, nothing stays.
 *
 * <p>{@code -Dreload.rounds} says how often (1000 for a release).
 */
@Timeout(value = 900, unit = TimeUnit.SECONDS)
@Tag("long")
class ReloadLoadIT {

  private static final Logger log = LoggerFactory.getLogger(ReloadLoadIT.class);
  private static final int ROUNDS = Integer.getInteger("reload.rounds", 200);
  private static final int IDS = 40;

  @AutoClose private static final MariaDbServer primary = MariaDbServer.start("turns");

  @AutoClose private static final MariaDbServer replica = primary.startReplica("turns-replica");

  @TempDir Path temporary;
  private ReloadFolder folder;
  private final AtomicInteger updates = new AtomicInteger();

  @BeforeEach
  void prepare() throws IOException {
    for (int i = 0; i < 2; i++) {
      String schema = "it_turns_" + i;
      primary.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema,
          "CREATE TABLE %s.t_where (id INT PRIMARY KEY, place VARCHAR(9))".formatted(schema),
          "INSERT INTO %s.t_where VALUES (1, 'at %d')".formatted(schema, i),
          "CREATE TABLE %s.t_order (id INT PRIMARY KEY, v INT, n INT)".formatted(schema),
          "INSERT INTO %1$s.t_order SELECT seq, seq * 7, 0 FROM %1$s.seq_0_to_%2$d WHERE seq %% 2 = %3$d"
              .formatted(schema, IDS - 1, i));
    }
    primary.execute(
        "DROP DATABASE IF EXISTS it_turns_rw",
        "CREATE DATABASE it_turns_rw",
        "CREATE TABLE it_turns_rw.t (id INT PRIMARY KEY, v INT)",
        "INSERT INTO it_turns_rw.t SELECT seq, seq * 3 FROM it_turns_rw.seq_0_to_99",
        "CREATE TABLE it_turns_rw.log (id BIGINT AUTO_INCREMENT PRIMARY KEY, v INT)");
    primary.awaitReplica(replica);
    folder = new ReloadFolder(temporary);
    write(0);
  }

  private void write(int turn) throws IOException {
    folder.global(turn == 0 ? "" : ", proxy-merge-max-rows: 900000");
    folder.write(
        "database-turns.yaml",
        "databaseName: turns\ndataSources:\n"
            + ReloadFolder.source("ds_0", primary, "it_turns_0", 10)
            + ReloadFolder.source("ds_1", primary, "it_turns_1", 10 + turn)
            + """
            rules:
            - !SHARDING
              tables:
                t_order:
                  actualDataNodes: ds_${0..1}.t_order
                  databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
              shardingAlgorithms:
                two: %s
            - !SINGLE
              tables: [ds_%d.t_where]
            """
                .formatted(
                    turn == 0
                        ? "{ type: MOD, props: { sharding-count: 2 } }"
                        : "{ type: INLINE, props: { algorithm-expression: 'ds_${id % 2}', allow-range-query-with-inline-sharding: true } }",
                    turn));
    folder.write(
        "database-rw.yaml",
        "databaseName: turns_rw\ndataSources:\n"
            + ReloadFolder.source("a", primary, "it_turns_rw", 10)
            + ReloadFolder.source("b", replica, "it_turns_rw", 10 + turn)
            + """
            rules:
            - !READWRITE_SPLITTING
              dataSourceGroups:
                g: { writeDataSourceName: a, readDataSourceNames: [b], loadBalancerName: lb }
              loadBalancers: { lb: { type: %s } }
            """
                .formatted(turn == 0 ? "ROUND_ROBIN" : "RANDOM"));
    if (turn == 1) {
      folder.write(
          "database-guest.yaml",
          "databaseName: guest\ndataSources:\n"
              + ReloadFolder.source("ds", primary, "it_turns_0", 4)
              + "rules: []\n");
    } else if (temporary.resolve("database-guest.yaml").toFile().exists()) {
      folder.delete("database-guest.yaml");
    }
  }

  @Test
  void configurationsTakeTurnsUnderLoad() throws Exception {
    try (RunningProxy proxy = RunningProxy.startFrom(temporary)) {
      List<Load> loads =
          List.of(
              Load.start(2, () -> proxy.connect("turns"), ReloadLoadIT::reads),
              Load.start(
                  2, () -> proxy.connect("turns", "useServerPrepStmts=true"), ReloadLoadIT::reads),
              Load.start(2, () -> proxy.connect("turns"), this::transaction),
              Load.start(
                  1, () -> proxy.connect("turns", "useServerPrepStmts=true"), this::transaction),
              Load.start(1, () -> proxy.connect("turns_rw"), ReloadLoadIT::splits),
              Load.start(
                  1,
                  () -> proxy.connect("turns_rw", "useServerPrepStmts=true"),
                  ReloadLoadIT::splits));
      loads.forEach(load -> load.awaitMore(20));
      turn(proxy, 4);
      Counts before = Counts.of(primary);
      long start = System.nanoTime();
      turn(proxy, ROUNDS);
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
      for (Load load : loads) {
        load.end();
      }
      for (Load load : loads) {
        assertThat(load.errors()).isEmpty();
      }
      assertThat(sum()).isEqualTo(updates.get());
      Eventually.holds(
          "what was replaced is closed: " + before, () -> Counts.of(primary).isWithin(before));
      log.info("{} rounds in {} s: {}, then {}", ROUNDS, seconds, before, Counts.of(primary));
    }
    Eventually.holds("all pools are closed", () -> Counts.of(primary).connections() == 0);
  }

  /** A table's second shard goes and comes back while rows are written to it. */
  @Test
  void aShardGoesWhileItsTableIsWritten() throws Exception {
    for (int i = 0; i < 2; i++) {
      primary.execute("CREATE TABLE it_turns_%d.t_log (id BIGINT PRIMARY KEY, v INT)".formatted(i));
    }
    folder.delete("database-rw.yaml");
    shards(2);
    var ids = new AtomicInteger();
    var written = new AtomicInteger();
    try (RunningProxy proxy = RunningProxy.startFrom(temporary)) {
      List<Load> loads =
          List.of(
              Load.start(
                  2, () -> proxy.connect("turns"), (client, _) -> write(client, ids, written)),
              Load.start(
                  2,
                  () -> proxy.connect("turns", "useServerPrepStmts=true"),
                  (client, _) -> write(client, ids, written)),
              Load.start(
                  2,
                  () -> proxy.connect("turns"),
                  (client, _) -> {
                    client.setAutoCommit(false);
                    var own = new AtomicInteger();
                    write(client, ids, own);
                    write(client, ids, own);
                    client.commit();
                    written.addAndGet(own.get());
                  }));
      for (int round = 0; round < 10; round++) {
        loads.forEach(load -> load.awaitMore(5));
        shards(1);
        assertThat(proxy.configuration().reload("test")).isNotEmpty();
        Eventually.holds("the last transaction has left the shard", () -> connections(1) == 0);
        String there = primary.queryOne("SELECT COUNT(*) FROM it_turns_1.t_log");
        loads.forEach(load -> load.awaitMore(5));
        assertThat(primary.queryOne("SELECT COUNT(*) FROM it_turns_1.t_log")).isEqualTo(there);
        shards(2);
        assertThat(proxy.configuration().reload("test")).isNotEmpty();
      }
      for (Load load : loads) {
        load.end();
        assertThat(load.errors()).isEmpty();
      }
      assertThat(primary.queryOne("SELECT COUNT(*) FROM it_turns_1.t_log WHERE id % 2 = 0"))
          .isEqualTo("0");
      assertThat(
              primary.queryOne(
                  "SELECT COUNT(*) FROM (SELECT id FROM it_turns_0.t_log UNION ALL"
                      + " SELECT id FROM it_turns_1.t_log) AS both_shards"))
          .isEqualTo("" + written.get());
    }
  }

  private void shards(int count) throws IOException {
    folder.write(
        "database-turns.yaml",
        "databaseName: turns\ndataSources:\n"
            + ReloadFolder.source("ds_0", primary, "it_turns_0", 10)
            + (count == 1 ? "" : ReloadFolder.source("ds_1", primary, "it_turns_1", 10))
            + """
            rules:
            - !SHARDING
              tables:
                t_log:
                  actualDataNodes: ds_${0..%d}.t_log
                  databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: by_id } }
              shardingAlgorithms:
                by_id: { type: MOD, props: { sharding-count: %d } }
            """
                .formatted(count - 1, count));
  }

  private static void write(Connection client, AtomicInteger ids, AtomicInteger written)
      throws SQLException {
    try (PreparedStatement insert =
        client.prepareStatement("INSERT INTO t_log (id, v) VALUES (?, 1)")) {
      insert.setInt(1, ids.incrementAndGet());
      expect(1, String.valueOf(insert.executeUpdate()));
      written.incrementAndGet();
    }
  }

  private long connections(int shard) {
    return Long.parseLong(
        primary.queryOne(
            "SELECT COUNT(*) FROM information_schema.processlist WHERE db = 'it_turns_"
                + shard
                + "'"));
  }

  private void turn(RunningProxy proxy, int rounds) throws IOException {
    for (int i = 1; i <= rounds; i++) {
      write(i % 2);
      assertThat(proxy.configuration().reload("test")).isNotEmpty();
    }
  }

  private long sum() {
    return Long.parseLong(primary.queryOne("SELECT SUM(n) FROM it_turns_0.t_order"))
        + Long.parseLong(primary.queryOne("SELECT SUM(n) FROM it_turns_1.t_order"));
  }

  /** What the proxy has of threads, connections and descriptors. */
  private record Counts(long threads, long connections, long descriptors) {

    static Counts of(MariaDbServer server) {
      long connections =
          Long.parseLong(
              server.queryOne(
                  "SELECT COUNT(*) FROM information_schema.processlist WHERE db LIKE 'it\\_turns%'"));
      var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      return new Counts(Thread.activeCount(), connections, system.getOpenFileDescriptorCount());
    }

    /** Pools of data sources that had no client yet open a connection or two more. */
    boolean isWithin(Counts before) {
      return threads <= before.threads + 2
          && connections <= 40
          && descriptors <= before.descriptors + 40;
    }
  }

  private static String first(Connection client, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = client.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getString(1) : "no row";
      }
    }
  }

  private static void expect(Object expected, String actual) throws SQLException {
    if (!String.valueOf(expected).equals(actual)) {
      throw new SQLException("expected " + expected + ", got " + actual);
    }
  }

  private static void reads(Connection client, int step) throws SQLException {
    int id = step % IDS;
    expect(id * 7, first(client, "SELECT v FROM t_order WHERE id = ?", id));
    expect(IDS, first(client, "SELECT COUNT(*) FROM t_order"));
    int next = (id + 1) % IDS;
    expect(
        7 * (id + next), first(client, "SELECT SUM(v) FROM t_order WHERE id IN (?, ?)", id, next));
    String place = first(client, "SELECT place FROM t_where WHERE id = ?", 1);
    if (!place.startsWith("at ")) {
      throw new SQLException("got " + place);
    }
  }

  /** Both shards, the second perhaps after a reload; the place is what it was at the beginning. */
  private void transaction(Connection client, int step) throws SQLException {
    client.setAutoCommit(false);
    String place = first(client, "SELECT place FROM t_where");
    int id = step * 2 % IDS;
    var touched = new ArrayList<Integer>(List.of(id, id + 1));
    for (int each : touched) {
      try (PreparedStatement update =
          client.prepareStatement("UPDATE t_order SET n = n + 1 WHERE id = ?")) {
        update.setInt(1, each);
        expect(1, String.valueOf(update.executeUpdate()));
      }
      try (Statement pause = client.createStatement()) {
        pause.execute("DO 0");
      }
      expect(place, first(client, "SELECT place FROM t_where"));
    }
    client.commit();
    updates.addAndGet(touched.size());
  }

  private static void splits(Connection client, int step) throws SQLException {
    int id = step % 100;
    expect(id * 3, first(client, "SELECT v FROM t WHERE id = ?", id));
    try (PreparedStatement insert = client.prepareStatement("INSERT INTO log (v) VALUES (?)")) {
      insert.setInt(1, step);
      expect(1, String.valueOf(insert.executeUpdate()));
    }
  }
}
