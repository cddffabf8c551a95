package io.anabranch.app.cluster;

import static io.anabranch.app.fixture.ReloadFolder.column;
import static io.anabranch.app.fixture.ReloadFolder.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Cutter;
import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Several proxies that share one configuration by a database. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class ClusterIT {

  private static final String SCHEMA = "it_cluster";
  private static final String REGISTRY = "it_cluster_registry";

  @TempDir Path temporary;
  private DatabaseServer server;
  private Cutter link;
  private final List<RunningProxy> proxies = new ArrayList<>();
  private final List<Connection> clients = new ArrayList<>();

  @BeforeEach
  void prepare(DatabaseServers servers) throws IOException {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS it_cluster_registry",
        "CREATE DATABASE it_cluster_registry",
        "DROP DATABASE IF EXISTS it_cluster",
        "CREATE DATABASE it_cluster",
        "CREATE TABLE it_cluster.t (id INT PRIMARY KEY)",
        "CREATE TABLE it_cluster.t_0 (id INT PRIMARY KEY)",
        "CREATE TABLE it_cluster.t_1 (id INT PRIMARY KEY)",
        "INSERT INTO it_cluster.t VALUES (1), (2), (3)",
        "INSERT INTO it_cluster.t_0 VALUES (4)");
    link = Cutter.to(server.port());
  }

  @AfterEach
  void stop() throws SQLException, IOException {
    for (Connection client : clients) {
      client.close();
    }
    proxies.forEach(RunningProxy::close);
    link.close();
  }

  /** A folder of files, with the registry at that port. */
  private ReloadFolder folder(String name, int port) throws IOException {
    Path path = Files.createDirectory(temporary.resolve(name));
    var folder = new ReloadFolder(path);
    folder.global("");
    String url = server.url(REGISTRY).replace(":" + server.port() + "/", ":" + port + "/");
    Files.writeString(
        path.resolve("global.yaml"),
        Files.readString(path.resolve("global.yaml"))
            + """
            mode:
              type: Cluster
              repository:
                type: JDBC
                props:
                  namespace: it
                  jdbc_url: "%s"
                  username: %s
                  password: %s
                  retryIntervalMilliseconds: 100
                  operationTimeoutMilliseconds: 1000
                  timeToLiveSeconds: 3
            """
                .formatted(url, MariaDbServer.USER, MariaDbServer.PASSWORD));
    folder.write("database-it_cluster.yaml", RunningProxy.passThrough(SCHEMA, server));
    return folder;
  }

  private RunningProxy start(ReloadFolder folder) {
    RunningProxy proxy = RunningProxy.startFrom(folder.path());
    proxies.add(proxy);
    return proxy;
  }

  private Connection connect(RunningProxy proxy) throws SQLException {
    Connection client = proxy.connect(SCHEMA);
    clients.add(client);
    return client;
  }

  private static void run(Connection client, String... statements) throws SQLException {
    try (Statement statement = client.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static boolean says(Connection client, String sql, String... values) {
    try {
      return column(client, sql).equals(List.of(values));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String variable(String name) {
    return "SHOW DIST VARIABLE WHERE NAME = " + name;
  }

  private static String second(Connection client, String sql) throws SQLException {
    try (Statement statement = client.createStatement();
        var rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(2);
    }
  }

  private static boolean has(Connection client, String variable, String value) {
    try {
      return second(client, variable(variable)).equals(value);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aChangeAtOneIsInForceAtAll() throws Exception {
    Connection a = connect(start(folder("a", server.port())));
    ReloadFolder other = folder("b", server.port());
    other.write("database-other.yaml", RunningProxy.passThrough(REGISTRY, server));
    Connection b = connect(start(other));
    Connection c = connect(start(folder("c", server.port())));

    assertThat(column(b, "SHOW DATABASES"))
        .as("what the cluster has agreed on, not its own files")
        .doesNotContain(REGISTRY);
    Eventually.holds("all are members", () -> says(a, "SHOW COMPUTE NODES", nodes()));
    run(c, "SET DIST VARIABLE sql_show = true");
    assertThat(has(c, "sql_show", "true")).isTrue();
    Eventually.holds("a has it", () -> has(a, "sql_show", "true"));
    Eventually.holds("b has it", () -> has(b, "sql_show", "true"));
    for (Connection each : List.of(a, b, c)) {
      Eventually.holds("history", () -> says(each, "SHOW CONFIGURATION HISTORY", "2", "1"));
    }
    run(b, "ROLLBACK CONFIGURATION");
    Eventually.holds("c is back", () -> has(c, "sql_show", "false"));
    Eventually.holds("a is back", () -> has(a, "sql_show", "false"));
    assertThat(column(a, "SHOW CONFIGURATION HISTORY")).containsExactly("3", "2", "1");
  }

  private String[] nodes() {
    return direct(server, "SELECT id FROM it_cluster_registry.anabranch_member ORDER BY port")
        .toArray(String[]::new);
  }

  private static List<String> direct(DatabaseServer server, String sql) {
    try (Connection direct = server.connect("")) {
      return column(direct, sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void rulesChangeUnderLoadAndNoAnswerIsWrong() throws Exception {
    Connection a = connect(start(folder("a", server.port())));
    List<RunningProxy> others =
        List.of(start(folder("b", server.port())), start(folder("c", server.port())));
    var isOver = new AtomicBoolean();
    var wrong = new CopyOnWriteArrayList<String>();
    var asked = new AtomicInteger();
    try (var threads = Executors.newCachedThreadPool()) {
      for (RunningProxy proxy : others) {
        Connection client = connect(proxy);
        threads.submit(
            () -> {
              while (!isOver.get()) {
                try {
                  String count = one(client, "SELECT COUNT(*) FROM t");
                  if (!List.of("3", "1").contains(count)) {
                    wrong.add(count);
                  }
                } catch (SQLException e) {
                  wrong.add(e.toString());
                }
                asked.incrementAndGet();
              }
            });
      }
      run(
          a,
          "CREATE SHARDING TABLE RULE t (DATANODES('ds_0.t_${0..1}'), TABLE_STRATEGY(TYPE='standard',"
              + " SHARDING_COLUMN=id, SHARDING_ALGORITHM(TYPE(NAME='MOD',"
              + " PROPERTIES('sharding-count'='2')))))");
      assertThat(one(a, "SELECT COUNT(*) FROM t")).isEqualTo("1");
      for (RunningProxy proxy : others) {
        Connection client = connect(proxy);
        Eventually.holds("sharded there", () -> says(client, "SELECT COUNT(*) FROM t", "1"));
      }
      isOver.set(true);
    }
    assertThat(wrong).isEmpty();
    assertThat(asked).hasPositiveValue();
  }

  @Test
  void ofChangesAtTheSameTimeNoneIsLost() throws Exception {
    List<RunningProxy> running =
        List.of(start(folder("a", server.port())), start(folder("b", server.port())));
    var made = new CopyOnWriteArrayList<String>();
    var refused = new AtomicInteger();
    try (var threads = Executors.newFixedThreadPool(2)) {
      var work = new ArrayList<Callable<Object>>();
      for (int p = 0; p < running.size(); p++) {
        Connection client = connect(running.get(p));
        String prefix = "u" + p + "_";
        work.add(
            () -> {
              for (int i = 0; i < 15; i++) {
                String user = prefix + i;
                try {
                  run(client, "CREATE USER " + user + " IDENTIFIED BY 'secret'");
                  made.add(user);
                } catch (SQLException lost) {
                  assertThat(lost.getMessage()).contains("at the same time");
                  refused.incrementAndGet();
                }
              }
              return prefix;
            });
      }
      for (Future<Object> each : threads.invokeAll(work)) {
        each.get();
      }
    }
    assertThat(made).isNotEmpty();
    for (RunningProxy proxy : running) {
      Eventually.holds(
          "all of them are there",
          () -> users(proxy).containsAll(made) && users(proxy).size() == made.size());
    }
    assertThat(direct(server, "SELECT COUNT(*) FROM it_cluster_registry.anabranch_configuration"))
        .containsExactly(Integer.toString(1 + made.size()));
    assertThat(refused.get() + made.size()).isEqualTo(30);
  }

  private static List<String> users(RunningProxy proxy) {
    return proxy.configuration().current().ruleSet().authority().users().stream()
        .map(user -> user.name())
        .filter(name -> name.startsWith("u"))
        .toList();
  }

  @Test
  void whoIsCutOffGoesOnAndCatchesUp() throws Exception {
    Connection a = connect(start(folder("a", server.port())));
    RunningProxy cutOff = start(folder("b", link.port()));
    Connection b = connect(cutOff);
    int port = link.port();
    link.close();
    run(a, "SET DIST VARIABLE sql_show = true");
    assertThatThrownBy(() -> run(b, "SET DIST VARIABLE max_connections_size_per_query = 5"))
        .hasMessageContaining("registry")
        .hasMessageNotContaining(MariaDbServer.PASSWORD);
    assertThat(one(b, "SELECT COUNT(*) FROM t")).as("it serves").isEqualTo("3");
    assertThat(has(b, "sql_show", "false")).isTrue();
    Eventually.holds(
        "the others miss it",
        () -> says(a, "SHOW COMPUTE NODES", present(a)) && present(a).length == 1);
    link = Cutter.at(port, server.port());
    Eventually.holds("it has caught up", () -> has(b, "sql_show", "true"));
    assertThat(has(b, "max_connections_size_per_query", "5")).isFalse();
    run(b, "SET DIST VARIABLE max_connections_size_per_query = 5");
    Eventually.holds("a hears of it", () -> has(a, "max_connections_size_per_query", "5"));
  }

  private static String[] present(Connection client) {
    try {
      return column(client, "SHOW COMPUTE NODES").toArray(String[]::new);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void withoutTheRegistryItStartsWithWhatItHasWorkedWith() throws Exception {
    ReloadFolder own = folder("b", link.port());
    RunningProxy first = start(own);
    run(connect(first), "SET DIST VARIABLE sql_show = true");
    proxies.remove(first);
    first.close();
    int port = link.port();
    link.close();
    ReloadFolder fresh = folder("fresh", port);
    assertThatThrownBy(() -> start(fresh)).hasMessageContaining("never worked in the cluster");
    Connection again = connect(start(own));
    assertThat(has(again, "sql_show", "true")).isTrue();
    Connection a = connect(start(folder("a", server.port())));
    assertThat(has(a, "sql_show", "true")).isTrue();
    run(a, "SET DIST VARIABLE sql_show = false");
    link = Cutter.at(port, server.port());
    Eventually.holds("it follows again", () -> has(again, "sql_show", "false"));
  }

  private String losesTheNewest() throws SQLException {
    // at once: a proxy that finds one table without them puts them back in front of the second
    String revisions = "it_cluster_registry.anabranch_configuration";
    String files = "it_cluster_registry.anabranch_configuration_file";
    server.execute(
        "DELETE %1$s, %2$s FROM %1$s JOIN %2$s USING (namespace, revision) WHERE revision > 1"
            .formatted(revisions, files));
    return "SELECT revision FROM " + revisions + " ORDER BY revision";
  }

  private boolean isThere(String table) {
    return !direct(server, "SHOW TABLES FROM it_cluster_registry LIKE '" + table + "'").isEmpty();
  }

  /** A registry that was restored from a backup, or whose database failed over. */
  @Test
  void whatTheRegistryHasLostIsPutBack() throws Exception {
    RunningProxy first = start(folder("a", server.port()));
    Connection a = connect(first);
    run(a, "SET DIST VARIABLE sql_show = true", "SET DIST VARIABLE sql_show = false");
    run(a, "SET DIST VARIABLE max_connections_size_per_query = 5");
    String revisions = losesTheNewest();
    Eventually.holds(
        "all are back", () -> direct(server, revisions).equals(List.of("1", "2", "3", "4")));
    Connection b = connect(start(folder("b", server.port())));
    assertThat(has(b, "max_connections_size_per_query", "5")).isTrue();
    run(b, "ROLLBACK CONFIGURATION");
    Eventually.holds("a follows", () -> !has(a, "max_connections_size_per_query", "5"));
    assertThat(column(a, "SHOW CONFIGURATION HISTORY")).containsExactly("5", "4", "3", "2", "1");

    server.execute("DROP DATABASE it_cluster_registry", "CREATE DATABASE it_cluster_registry");
    Eventually.holds(
        "all of it",
        () ->
            isThere("anabranch_configuration")
                && direct(server, revisions).equals(List.of("1", "2", "3", "4", "5")));
    Eventually.holds("both are there", () -> isThere("anabranch_member") && nodes().length == 2);
  }

  private void endAll() {
    proxies.forEach(RunningProxy::close);
    proxies.clear();
  }

  @Test
  void whatTheRegistryHasLostIsPutBackByWhoStartsFirst() throws Exception {
    ReloadFolder folder = folder("a", server.port());
    run(connect(start(folder)), "SET DIST VARIABLE sql_show = true");
    endAll();
    String revisions = losesTheNewest();
    Connection a = connect(start(folder));
    assertThat(has(a, "sql_show", "true")).isTrue();
    assertThat(direct(server, revisions)).containsExactly("1", "2");
    assertThat(second(a, "SHOW CONFIGURATION HISTORY")).isNotEmpty();
  }

  /** Whether it was lost or taken away on purpose, nobody can tell but who runs it. */
  @Test
  void anEmptyRegistryIsNotFilledWithOlderFiles() throws Exception {
    ReloadFolder folder = folder("a", server.port());
    run(connect(start(folder)), "SET DIST VARIABLE sql_show = true");
    endAll();
    server.execute("DROP DATABASE it_cluster_registry", "CREATE DATABASE it_cluster_registry");
    Path kept = folder.path().resolve(".cluster").resolve("revision-2");
    assertThatThrownBy(() -> start(folder))
        .hasMessageContaining("nothing of namespace 'it'")
        .hasMessageContaining(kept.toString());
    Path aside = temporary.resolve("aside");
    Files.move(kept, aside);
    assertThat(has(connect(start(folder)), "sql_show", "false")).isTrue();
    endAll();

    server.execute("DROP DATABASE it_cluster_registry", "CREATE DATABASE it_cluster_registry");
    for (String file : List.of("global.yaml", "database-it_cluster.yaml")) {
      Files.copy(
          aside.resolve(file), folder.path().resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    Files.move(aside, kept);
    assertThat(has(connect(start(folder)), "sql_show", "true")).isTrue();
  }

  /** Its number counts for nothing: the others have begun anew since. */
  @Test
  void whoComesBackToARegistryThatBeganAnewFollowsIt() throws Exception {
    ReloadFolder own = folder("b", server.port());
    run(
        connect(start(own)),
        "SET DIST VARIABLE sql_show = true",
        "SET DIST VARIABLE max_connections_size_per_query = 5");
    endAll();
    server.execute("DROP DATABASE it_cluster_registry", "CREATE DATABASE it_cluster_registry");
    start(folder("a", server.port()));
    Connection b = connect(start(own));
    assertThat(has(b, "sql_show", "false")).isTrue();
    assertThat(column(b, "SHOW CONFIGURATION HISTORY")).containsExactly("1");
  }

  /** Nobody was there to put it back, and the number was given to something else meanwhile. */
  @Test
  void whoWasCutOffFollowsWhatGotTheNumberThatWasLost() throws Exception {
    Connection cutOff = connect(start(folder("b", link.port())));
    run(cutOff, "SET DIST VARIABLE sql_show = true");
    int port = link.port();
    link.close();
    losesTheNewest();
    Connection a = connect(start(folder("a", server.port())));
    run(a, "SET DIST VARIABLE max_connections_size_per_query = 5");
    assertThat(has(cutOff, "sql_show", "true")).isTrue();
    link = Cutter.at(port, server.port());
    Eventually.holds("it follows", () -> has(cutOff, "max_connections_size_per_query", "5"));
    assertThat(has(cutOff, "sql_show", "false")).isTrue();
    assertThat(column(cutOff, "SHOW CONFIGURATION HISTORY")).containsExactly("2", "1");
    run(cutOff, "SET DIST VARIABLE sql_show = true");
    Eventually.holds("a hears of it", () -> has(a, "sql_show", "true"));
  }

  @Test
  void whoCannotTakeARevisionSaysSoAndTriesAgain() throws Exception {
    ReloadFolder first = folder("a", server.port());
    ReloadFolder second = folder("b", server.port());
    Connection a = connect(start(first));
    Connection b = connect(start(second));
    first.write("secret", "hidden");
    String password = MariaDbServer.PASSWORD;
    first.write("password", password);
    first.write(
        "database-it_cluster.yaml",
        RunningProxy.passThrough(SCHEMA, server)
            .replace("password: " + password, "password: \"${file:password}\""));
    assertThat(column(a, "RELOAD CONFIGURATION")).isNotEmpty();
    Eventually.holds(
        "b is told of as one that refuses",
        () ->
            direct(server, "SELECT state FROM it_cluster_registry.anabranch_member")
                .contains("REFUSED"));
    assertThat(one(b, "SELECT COUNT(*) FROM t")).as("it goes on").isEqualTo("3");
    second.write("password", password);
    Eventually.holds(
        "b takes it when it can",
        () ->
            !direct(server, "SELECT state FROM it_cluster_registry.anabranch_member")
                .contains("REFUSED"));
    assertThat(column(b, "SHOW CONFIGURATION HISTORY")).containsExactly("2", "1");
  }

  @Test
  void whoLeavesIsOffTheList() throws Exception {
    RunningProxy a = start(folder("a", server.port()));
    RunningProxy b = start(folder("b", server.port()));
    Connection client = connect(a);
    Eventually.holds("both are there", () -> present(client).length == 2);
    proxies.remove(b);
    b.close();
    assertThat(present(client)).hasSize(1);
  }

  // ---------------------------------------------------------------- questions

  private static long id(Connection client) throws SQLException {
    return Long.parseLong(one(client, "SELECT CONNECTION_ID()"));
  }

  private static int errno(Connection client, String sql) {
    try {
      run(client, sql);
      return 0;
    } catch (SQLException refused) {
      return refused.getErrorCode();
    }
  }

  private static boolean isGone(Connection client) {
    try {
      return !client.isValid(5);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void sessionsOfAllAreToldApartAndEndedFromAnywhere() throws Exception {
    RunningProxy first = start(folder("a", server.port()));
    RunningProxy second = start(folder("b", server.port()));
    Connection a = connect(first);
    Connection b = connect(second);
    assertThat(id(a) >> 21).isPositive().isNotEqualTo(id(b) >> 21);
    Eventually.holds("both are there", () -> present(a).length == 2);
    long victim = id(a);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Integer> running =
          threads.submit(() -> errno(a, "SELECT SLEEP(60) FROM t WHERE id = 1"));
      String runs =
          "SELECT COUNT(*) FROM anabranch.cluster_sessions WHERE id = "
              + victim
              + " AND sql_text LIKE '%SLEEP(60)%' AND proxy LIKE '127.0.0.1:%'";
      Eventually.holds("b sees it run", () -> says(b, runs, "1"));
      run(b, "KILL QUERY " + victim);
      assertThat(running.get(30, TimeUnit.SECONDS))
          .as("ended; MySQL's SLEEP gives 1 then, and no error")
          .isIn(1317, 0);
    }
    assertThat(id(a)).as("its connection stays").isEqualTo(victim);
    assertThat(column(b, "SELECT id FROM anabranch.cluster_sessions"))
        .contains(Long.toString(victim), Long.toString(id(b)));
    run(b, "KILL " + victim);
    Eventually.holds("it is gone", () -> isGone(a));
    assertThat(errno(b, "KILL " + victim)).isEqualTo(1094);

    try (Connection visitor =
            RunningProxy.Driver.MARIADB.connect(first.port(), SCHEMA, "plain", "plain");
        Connection other =
            RunningProxy.Driver.MARIADB.connect(second.port(), SCHEMA, "plain", "plain")) {
      assertThat(errno(visitor, "KILL " + id(b))).isEqualTo(1095);
      run(other, "KILL QUERY " + id(visitor));
      run(b, "KILL USER plain");
      Eventually.holds("here", () -> isGone(other));
      Eventually.holds("and there", () -> isGone(visitor));
    }
  }

  @Test
  void limitsOfTheClusterAreShared() throws Exception {
    ReloadFolder own = folder("a", server.port());
    Files.writeString(
        own.path().resolve("global.yaml"),
        Files.readString(own.path().resolve("global.yaml"))
            + """
            limits:
              together: { maxConnections: 5, scope: cluster }
              apart: { maxConnections: 7 }
            """);
    Connection a = connect(start(own));
    String allowed = "SELECT allowed FROM anabranch.limits WHERE kind = 'connections' ORDER BY 1";
    assertThat(column(a, allowed)).containsExactly("5", "7");
    RunningProxy second = start(folder("b", server.port()));
    Connection b = connect(second);
    Eventually.holds("a part", () -> says(a, allowed, "3", "7"));
    Eventually.holds("and a part", () -> says(b, allowed, "3", "7"));
    assertThat(column(b, "SELECT limit_name FROM anabranch.cluster_limits WHERE allowed = 3"))
        .containsExactly("together", "together");
    connect(second);
    connect(second);
    assertThatThrownBy(() -> connect(second)).hasMessageContaining("together");
    proxies.remove(second);
    second.close();
    Eventually.holds("all of it again", () -> says(a, allowed, "5", "7"));
  }

  @Test
  void whoDoesNotAnswerIsNamed() throws Exception {
    Connection a = connect(start(folder("a", server.port())));
    RunningProxy cutOff = start(folder("b", link.port()));
    Eventually.holds("both are there", () -> present(a).length == 2);
    link.close();
    assertThatThrownBy(() -> run(a, "SELECT * FROM anabranch.cluster_limits"))
        .hasMessageContaining("AB2090: the proxy 127.0.0.1:" + cutOff.port())
        .hasMessageContaining("does not answer");
  }
}
