package io.anabranch.app.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Keys that two proxies make with the help of one database. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class StoredKeysIT {

  private static final String SCHEMA = "it_stored_keys";
  private static final int ROWS = 60;

  @TempDir Path temporary;
  private DatabaseServer server;
  private final List<ReloadFolder> folders = new ArrayList<>();
  private final List<RunningProxy> proxies = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeEach
  void prepare(DatabaseServers servers) throws IOException {
    server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    for (int shard = 0; shard < 2; shard++) {
      server.execute(
          "CREATE TABLE it_stored_keys.t_" + shard + " (id BIGINT PRIMARY KEY, n INT NOT NULL)");
    }
    for (int proxy = 0; proxy < 2; proxy++) {
      var folder = new ReloadFolder(Files.createDirectory(temporary.resolve("p" + proxy)));
      folder.global("");
      folders.add(folder);
    }
  }

  @AfterEach
  void stop() {
    proxies.forEach(RunningProxy::close);
    threads.close();
  }

  private void write(String generator) throws IOException {
    for (ReloadFolder folder : folders) {
      folder.write(
          "database-keys.yaml",
          "databaseName: it_stored_keys\ndataSources:\n"
              + ReloadFolder.source("ds_0", server, SCHEMA, 20)
              + """
              rules:
              - !SHARDING
                tables:
                  t:
                    actualDataNodes: ds_0.t_${0..1}
                    tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
                    keyGenerateStrategy: { column: id, keyGeneratorName: keys }
                shardingAlgorithms: { two: { type: MOD, props: { sharding-count: 2 } } }
                keyGenerators:
                  keys: %s
              """
                  .formatted(generator));
    }
  }

  private void start(String generator) throws IOException {
    write(generator);
    folders.forEach(folder -> proxies.add(RunningProxy.startFrom(folder.path())));
  }

  /** Rows of each of four sessions at each proxy, in text and prepared statements of some rows. */
  private void insert() throws Exception {
    var work = new ArrayList<Future<Integer>>();
    for (int session = 0; session < 8; session++) {
      RunningProxy proxy = proxies.get(session % 2);
      Callable<Integer> inserts = () -> insert(proxy);
      work.add(threads.submit(inserts));
    }
    for (Future<Integer> each : work) {
      assertThat(each.get()).isEqualTo(ROWS);
    }
  }

  private static int insert(RunningProxy proxy) throws SQLException {
    int rows = 0;
    try (Connection client = proxy.connect(SCHEMA);
        Statement text = client.createStatement();
        PreparedStatement prepared =
            client.prepareStatement("INSERT INTO t (n) VALUES (?), (2), (3)")) {
      for (int i = 0; i < ROWS / 6; i++) {
        rows += text.executeUpdate("INSERT INTO t (n) VALUES (1), (2), (3)");
        prepared.setInt(1, i);
        rows += prepared.executeUpdate();
      }
    }
    return rows;
  }

  private List<Long> ids() throws SQLException {
    var ids = new ArrayList<Long>();
    try (Connection direct = server.connect(SCHEMA);
        Statement statement = direct.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT id FROM t_0 UNION ALL SELECT id FROM t_1 ORDER BY 1")) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
      }
    }
    return ids;
  }

  @Test
  void segmentsGiveNoKeyTwice() throws Exception {
    start("{ type: SEGMENT, props: { name: t, data-source: ds_0, step: 20, start: 1000 } }");
    insert();

    List<Long> ids = ids();
    assertThat(ids).hasSize(8 * ROWS).doesNotHaveDuplicates();
    assertThat(ids.getFirst()).isGreaterThanOrEqualTo(1000);
    try (Connection direct = server.connect(SCHEMA)) {
      assertThat(Long.parseLong(ReloadFolder.one(direct, "SELECT next_key FROM anabranch_keys")))
          .isGreaterThan(ids.getLast());
    }
  }

  /** The step changes with the configuration; what the former one had not used is lost. */
  @Test
  void stepChangesWhileTheProxyRuns() throws Exception {
    start("{ type: SEGMENT, props: { name: t, data-source: ds_0, step: 5 } }");
    insert();
    write("{ type: SEGMENT, props: { name: t, data-source: ds_0, step: 5000 } }");
    for (RunningProxy proxy : proxies) {
      try (Connection client = proxy.connect(SCHEMA);
          Statement statement = client.createStatement()) {
        statement.execute("RELOAD CONFIGURATION");
      }
    }
    insert();

    List<Long> ids = ids();
    assertThat(ids).hasSize(16 * ROWS).doesNotHaveDuplicates();
    assertThat(ids.getLast() - ids.getFirst()).isGreaterThan(4000);
  }

  @Test
  void refusesWhatTheTableDoesNotGive() throws Exception {
    server.execute(
        "CREATE TABLE it_stored_keys.anabranch_keys (name VARCHAR(128) PRIMARY KEY, next_key"
            + " BIGINT NOT NULL)",
        "INSERT INTO it_stored_keys.anabranch_keys VALUES ('t', 9223372036854775800)");
    start("{ type: SEGMENT, props: { name: t, data-source: ds_0 } }");
    try (Connection client = proxies.getFirst().connect(SCHEMA);
        Statement statement = client.createStatement()) {
      SQLException refused =
          catchThrowableOfType(
              SQLException.class, () -> statement.execute("INSERT INTO t (n) VALUES (1)"));
      assertThat(refused.getMessage()).contains("AB2015", "is used up");
      server.execute("UPDATE it_stored_keys.anabranch_keys SET next_key = 7");
      statement.execute("INSERT INTO t (n) VALUES (1)");
      assertThat(ids()).containsExactly(7L);
    }
  }

  @Test
  void workersOfTwoProxiesDiffer() throws Exception {
    start("{ type: SNOWFLAKE, props: { worker-registry: ds_0, max-vibration-offset: 1 } }");
    insert();

    List<Long> ids = ids();
    assertThat(ids).hasSize(8 * ROWS).doesNotHaveDuplicates();
    assertThat(new HashSet<>(ids.stream().map(id -> id >> 12 & 1023).toList())).hasSize(2);
    try (Connection direct = server.connect(SCHEMA)) {
      assertThat(ReloadFolder.column(direct, "SELECT id FROM anabranch_workers ORDER BY id"))
          .containsExactly("0", "1");
    }
  }

  @Test
  void namesADataSourceThatIsNotThere() throws IOException {
    write("{ type: SEGMENT, props: { name: t, data-source: ds_1 } }");
    assertThat(
            catchThrowableOfType(
                RuntimeException.class, () -> RunningProxy.startFrom(folders.getFirst().path())))
        .hasStackTraceContaining("needs the data source `ds_1`");
  }
}
