package io.anabranch.app.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.FreePorts;
import io.anabranch.testkit.MariaDbServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which member of a group runs a statement, by each policy that a group may have. The members are
 * three schemas of one server, and the only row of {@code who} says which of them it is; a logical
 * database for each policy.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ReadPolicyIT {

  private static final String WHO = "SELECT name FROM who";
  private static final int LONG_ENOUGH = 600_000;

  private static MariaDbServer server;
  private static RunningProxy proxy;
  private static int adminPort;

  @BeforeAll
  static void start() {
    server = MariaDbServer.start("policies", "--skip-log-bin");
    for (String member : List.of("p", "r1", "r2")) {
      server.execute(
          "CREATE DATABASE " + member,
          "CREATE TABLE " + member + ".who (name VARCHAR(9)) ENGINE=InnoDB",
          "CREATE TABLE " + member + ".t (id INT PRIMARY KEY, v INT) ENGINE=InnoDB",
          "CREATE SEQUENCE " + member + ".seq",
          "CREATE FUNCTION " + member + ".mine() RETURNS INT NO SQL RETURN 1",
          "INSERT INTO " + member + ".who VALUES ('" + member + "')");
    }
    adminPort = FreePorts.one();
    proxy =
        RunningProxy.startWith(
            global(adminPort),
            group("plain", ""),
            group("observed", ""),
            group("random", "", "{ type: RANDOM }"),
            group("weight", "", "{ type: WEIGHT, props: { r1: 1, r2: 9 } }"),
            group("fewest", "", "{ type: LEAST_CONNECTIONS }"),
            group("fastest", "", "{ type: LEAST_LATENCY }"),
            group(
                "zone",
                "",
                "{ type: LOCAL_ZONE, props: { local-zone: here, r1: there, r2: here } }"),
            group("fixed", "transactionalReadQueryStrategy: FIXED"),
            group("dynamic", "transactionalReadQueryStrategy: DYNAMIC"),
            group("strict", "readOnlyTransactionsOnReplicas: false"),
            group("sticky", "primaryAfterWriteMilliseconds: " + LONG_ENOUGH),
            group("brief", "primaryAfterWriteMilliseconds: 300"),
            group("error", "noReplica: ERROR"),
            group("wait", "{ noReplica: WAIT, noReplicaWaitMilliseconds: " + LONG_ENOUGH + " }"),
            group("late", "{ noReplica: WAIT, noReplicaWaitMilliseconds: 100 }"),
            group("session", "readConsistency: SESSION"),
            group("users", "userReads: { narrow: { destination: PRIMARY } }"),
            group(
                "digests",
                "statementReads: [ { statement: \"SELECT name FROM who WHERE name <> 'x'\","
                    + " destination: PRIMARY }, { statement: \"SELECT name, mine() FROM who\","
                    + " destination: REPLICA } ]"));
  }

  @AfterAll
  static void stop() {
    proxy.close();
    server.close();
  }

  private static String global(int port) {
    return """
        authority:
          users:
            - { user: "app@%%", password: app-secret, admin: true }
            - { user: "narrow@%%", password: narrow-secret }
          privilege: { type: ALL_PERMITTED }
        props: { proxy-admin-port: %d, proxy-frontend-executor-size: 2 }
        """
        .formatted(port);
  }

  private static String group(String database, String keys) {
    return group(database, keys, "{ type: ROUND_ROBIN }");
  }

  private static String group(String database, String keys, String balancer) {
    String own = keys.startsWith("{") ? keys.substring(1, keys.length() - 1).strip() : keys;
    return "databaseName: "
        + database
        + "\ndataSources:\n"
        + RunningProxy.source("p", server, "p")
        + RunningProxy.source("r1", server, "r1")
        + RunningProxy.source("r2", server, "r2")
        + "rules:\n- !READWRITE_SPLITTING\n  dataSourceGroups:\n    g: { writeDataSourceName: p,"
        + " readDataSourceNames: [r1, r2], loadBalancerName: chosen"
        + (own.isEmpty() ? "" : ", " + own)
        + " }\n  loadBalancers:\n    chosen: "
        + balancer
        + "\n";
  }

  private static Connection connect(String database) throws SQLException {
    return proxy.connect(database);
  }

  private static String who(Connection client) throws SQLException {
    return first(client, WHO);
  }

  private static String first(Connection client, String query) throws SQLException {
    try (Statement statement = client.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      assertThat(rows.next()).as(query).isTrue();
      return rows.getString(1);
    }
  }

  private static List<String> whos(Connection client, int count) throws SQLException {
    var seen = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      seen.add(who(client));
    }
    return seen;
  }

  private static void execute(Connection client, String sql) throws SQLException {
    ReplicaFixture.execute(client, sql);
  }

  // ---------------------------------------------------------------- balancing

  @Test
  void roundRobin() throws SQLException {
    try (Connection client = connect("plain")) {
      List<String> seen = whos(client, 20);
      assertThat(Collections.frequency(seen, "r1")).isEqualTo(10);
      assertThat(Collections.frequency(seen, "r2")).isEqualTo(10);
    }
  }

  @Test
  void random() throws SQLException {
    try (Connection client = connect("random")) {
      assertThat(whos(client, 100)).containsOnly("r1", "r2");
    }
  }

  @Test
  void weight() throws SQLException {
    try (Connection client = connect("weight")) {
      List<String> seen = whos(client, 300);
      assertThat(seen).containsOnly("r1", "r2");
      assertThat(Collections.frequency(seen, "r2")).isGreaterThan(200);
    }
  }

  /** A read that hangs on a lock makes its replica the busier one. */
  @Test
  void leastConnections() throws Exception {
    try (Connection client = connect("fewest");
        Connection hanging = connect("fewest");
        var blocked = new Blocked()) {
      Future<String> read = blocked.read(hanging);
      List<String> seen = whos(client, 10);
      blocked.end();
      assertThat(seen).containsOnly(read.get().equals("r1") ? "r2" : "r1");
    }
  }

  @Test
  void leastLatency() throws SQLException {
    try (Connection client = connect("fastest")) {
      var seen = new ArrayList<String>();
      for (int i = 0; i < 30; i++) {
        seen.add(first(client, "SELECT name, IF(name = 'r2', SLEEP(1), 0) FROM who"));
      }
      assertThat(Collections.frequency(seen, "r1")).isGreaterThan(20);
    }
  }

  @Test
  void localZoneFirst() throws SQLException {
    try (Connection client = connect("zone")) {
      assertThat(whos(client, 10)).containsOnly("r2");
      execute(client, "ALTER READWRITE_SPLITTING RULE g DISABLE r2");
      assertThat(whos(client, 10)).containsOnly("r1");
      execute(client, "ALTER READWRITE_SPLITTING RULE g ENABLE r2");
      assertThat(whos(client, 10)).containsOnly("r2");
    }
  }

  // ---------------------------------------------------------------- transactions

  @Test
  void transactionsReadFromThePrimary() throws SQLException {
    try (Connection client = connect("plain")) {
      execute(client, "BEGIN");
      assertThat(whos(client, 4)).containsOnly("p");
      execute(client, "COMMIT");
      assertThat(who(client)).isNotEqualTo("p");
    }
  }

  @Test
  void fixedTransactionsStayWithOneReplica() throws SQLException {
    try (Connection client = connect("fixed")) {
      execute(client, "BEGIN");
      List<String> seen = whos(client, 6);
      assertThat(seen).containsOnly(seen.getFirst()).doesNotContain("p");
      assertThat(first(client, WHO + " FOR UPDATE")).isEqualTo("p");
      assertThat(whos(client, 4)).as("after it has locked rows").containsOnly("p");
      execute(client, "COMMIT");
      execute(client, "BEGIN");
      assertThat(who(client)).isNotIn("p", seen.getFirst());
      execute(client, "ROLLBACK");
    }
  }

  @Test
  void dynamicTransactionsReadFromAll() throws SQLException {
    try (Connection client = connect("dynamic")) {
      execute(client, "BEGIN");
      assertThat(whos(client, 4)).containsOnly("r1", "r2");
      execute(client, "INSERT INTO t VALUES (1, 1)");
      assertThat(whos(client, 4)).as("after a write").containsOnly("p");
      execute(client, "ROLLBACK");
      assertThat(whos(client, 4)).containsOnly("r1", "r2");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "fixed", "dynamic"})
  void readOnlyTransactionsStayWithOneReplica(String database) throws SQLException {
    try (Connection client = connect(database)) {
      execute(client, "START TRANSACTION READ ONLY");
      List<String> seen = whos(client, 6);
      assertThat(seen).containsOnly(seen.getFirst()).doesNotContain("p");
      execute(client, "COMMIT");
      // As MySQL's driver does it for setReadOnly.
      execute(client, "SET SESSION TRANSACTION READ ONLY");
      client.setAutoCommit(false);
      List<String> following = whos(client, 4);
      assertThat(following).containsOnly(following.getFirst()).doesNotContain("p");
      assertThatThrownBy(() -> execute(client, "INSERT INTO t VALUES (9, 9)"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("READ ONLY transaction");
      client.rollback();
    }
  }

  @Test
  void readOnlyTransactionsMayBeKeptOnThePrimary() throws SQLException {
    try (Connection client = connect("strict")) {
      execute(client, "START TRANSACTION READ ONLY");
      assertThat(whos(client, 4)).containsOnly("p");
      execute(client, "COMMIT");
    }
  }

  // ---------------------------------------------------------------- what replicas must not run

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT name FROM who FOR UPDATE",
        "SELECT name FROM who LOCK IN SHARE MODE",
        "SELECT name, GET_LOCK('a', 0) FROM who",
        "SELECT name, IS_FREE_LOCK('a') FROM who",
        "SELECT name, LAST_INSERT_ID(7) FROM who",
        "SELECT name, NEXTVAL(seq) FROM who",
        "SELECT name, NEXT VALUE FOR seq FROM who",
        "SELECT name, @v := 1 FROM who",
        "SELECT name, mine() FROM who",
        "SELECT name, p.mine() FROM who",
        "/* SHARDINGSPHERE_HINT: WRITE_ROUTE_ONLY=true */ SELECT name FROM who",
        "/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME=p */ SELECT name FROM who",
        "SELECT /*!40001 SQL_NO_CACHE */ name FROM who"
      })
  void runsOnThePrimary(String query) throws SQLException {
    try (Connection client = connect("plain")) {
      for (int i = 0; i < 3; i++) {
        assertThat(first(client, query)).isEqualTo("p");
      }
    }
  }

  @Test
  void selectIntoRunsOnThePrimary() throws SQLException {
    try (Connection client = connect("plain")) {
      execute(client, "SELECT name INTO @seen FROM who");
      assertThat(first(client, "SELECT @seen")).isEqualTo("p");
    }
  }

  @Test
  void whatAConnectionKeepsIsReadWhereItIs() throws SQLException {
    try (Connection client = connect("plain")) {
      execute(client, "CREATE TEMPORARY TABLE mine (v INT)");
      assertThat(whos(client, 4)).containsOnly("p");
    }
    try (Connection client = connect("plain")) {
      assertThat(first(client, "SELECT GET_LOCK('b', 0)")).isEqualTo("1");
      assertThat(whos(client, 4)).containsOnly("p");
      assertThat(first(client, "SELECT RELEASE_LOCK('b')")).isEqualTo("1");
      assertThat(whos(client, 4)).containsOnly("r1", "r2");
    }
  }

  @Test
  void locksBindTheSessionUntilTheLastIsReleased() throws SQLException {
    try (Connection client = connect("plain");
        Connection other = connect("plain");
        PreparedStatement take = client.prepareStatement("SELECT GET_LOCK(?, 0)");
        PreparedStatement release = client.prepareStatement("SELECT RELEASE_LOCK(?)")) {
      assertThat(first(client, "SELECT GET_LOCK('one', 0)")).isEqualTo("1");
      assertThat(first(client, "SELECT GET_LOCK('one', 0)")).isEqualTo("1");
      assertThat(first(other, "SELECT GET_LOCK('one', 0)")).isEqualTo("0");
      assertThat(whos(other, 4)).as("has not got it").containsOnly("r1", "r2");
      take.setString(1, "two");
      take.executeQuery().close();
      execute(client, "DO RELEASE_LOCK('one')");
      release.setString(1, "two");
      release.executeQuery().close();
      assertThat(whos(client, 4)).as("taken twice").containsOnly("p");
      assertThat(first(other, "SELECT GET_LOCK('two', 0)")).isEqualTo("1");
      assertThat(first(client, "SELECT RELEASE_LOCK('one')")).isEqualTo("1");
      assertThat(whos(client, 4)).containsOnly("r1", "r2");
      assertThat(first(client, "SELECT RELEASE_LOCK('one')")).isNull();
      execute(client, "SET @got = GET_LOCK(CONCAT('thr', 'ee'), 0)");
      assertThat(first(other, "SELECT GET_LOCK('three', 0)")).isEqualTo("0");
      execute(client, "DO RELEASE_LOCK('three')");
      assertThat(whos(client, 4)).as("a name that was computed").containsOnly("p");
      execute(client, "DO RELEASE_ALL_LOCKS()");
      assertThat(whos(client, 4)).containsOnly("r1", "r2");
    }
  }

  @Test
  void replicasAreReadAgainWhenTheConnectionKeepsNothing() throws SQLException {
    try (Connection client = connect("plain")) {
      execute(client, "CREATE TEMPORARY TABLE mine (v INT)");
      execute(client, "CREATE TEMPORARY TABLE other (v INT)");
      execute(client, "DROP TEMPORARY TABLE mine");
      assertThat(whos(client, 4)).as("one is left").containsOnly("p");
      execute(client, "DROP TEMPORARY TABLE other");
      assertThat(whos(client, 4)).containsOnly("r1", "r2");
      assertThat(first(client, "SELECT GET_LOCK('all', 0)")).isEqualTo("1");
      assertThat(whos(client, 4)).containsOnly("p");
      assertThat(first(client, "SELECT RELEASE_ALL_LOCKS()")).isEqualTo("1");
      assertThat(whos(client, 4)).containsOnly("r1", "r2");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "fixed", "dynamic"})
  void transactionsSeeTheTemporaryTablesOfTheSession(String database) throws SQLException {
    try (Connection client = connect(database)) {
      execute(client, "CREATE TEMPORARY TABLE mine (v VARCHAR(8))");
      execute(client, "INSERT INTO mine VALUES ('here')");
      execute(client, "START TRANSACTION READ ONLY");
      assertThat(first(client, "SELECT v FROM mine")).isEqualTo("here");
      execute(client, "COMMIT");
      execute(client, "BEGIN");
      assertThat(first(client, "SELECT v FROM mine")).isEqualTo("here");
      execute(client, "COMMIT");
    }
  }

  /** What was drawn last is known to the connection that drew it. */
  @Test
  void whatASequenceGaveLastIsAskedOfThePrimary() throws SQLException {
    try (Connection client = connect("plain")) {
      assertThat(first(client, "SELECT name, NEXT VALUE FOR seq FROM who")).isEqualTo("p");
      assertThat(whos(client, 4)).as("other reads").containsOnly("r1", "r2");
      assertThat(first(client, "SELECT name, PREVIOUS VALUE FOR seq FROM who")).isEqualTo("p");
      assertThat(first(client, "SELECT name, SYSDATE() FROM who")).isNotEqualTo("p");
    }
  }

  @Test
  void aReadOnlyTransactionStaysWithItsReplicaThoughAWriteIsRefused() throws SQLException {
    try (Connection client = connect("plain")) {
      execute(client, "START TRANSACTION READ ONLY");
      String reader = who(client);
      assertThat(reader).isNotEqualTo("p");
      assertThatThrownBy(() -> execute(client, "INSERT INTO t VALUES (77, 1)"))
          .isInstanceOfSatisfying(
              SQLException.class, why -> assertThat(why.getErrorCode()).isEqualTo(1792));
      assertThat(whos(client, 4)).containsOnly(reader);
      execute(client, "COMMIT");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"r1", "r2"})
  void aHintNamesAnyMember(String member) throws SQLException {
    try (Connection client = connect("plain")) {
      String query = "/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME=" + member + " */ " + WHO;
      for (int i = 0; i < 3; i++) {
        assertThat(first(client, query)).isEqualTo(member);
      }
    }
  }

  // ---------------------------------------------------------------- rules

  @Test
  void usersMayBeSentToThePrimary() throws SQLException {
    try (Connection narrow =
            RunningProxy.Driver.MARIADB.connect(proxy.port(), "users", "narrow", "narrow-secret");
        Connection other = connect("users")) {
      assertThat(whos(narrow, 4)).containsOnly("p");
      assertThat(whos(other, 4)).containsOnly("r1", "r2");
    }
  }

  @Test
  void statementsMayBeSentToEither() throws SQLException {
    try (Connection client = connect("digests")) {
      for (String name : List.of("x", "y", "z")) {
        assertThat(first(client, "select name from who where name <> '" + name + "'"))
            .isEqualTo("p");
      }
      assertThat(first(client, "SELECT name FROM who WHERE name<>-5")).isEqualTo("p");
      assertThat(first(client, "SELECT name, mine() FROM who")).isNotEqualTo("p");
      assertThat(who(client)).isNotEqualTo("p");
    }
  }

  @Test
  void readsStayWithThePrimaryAfterAWrite() throws SQLException {
    try (Connection client = connect("sticky");
        Connection other = connect("sticky")) {
      assertThat(who(client)).isNotEqualTo("p");
      execute(client, "REPLACE INTO t VALUES (2, 2)");
      assertThat(whos(client, 4)).containsOnly("p");
      assertThat(whos(other, 4)).containsOnly("r1", "r2");
    }
    try (Connection client = connect("sticky")) {
      client.setAutoCommit(false);
      execute(client, "REPLACE INTO t VALUES (2, 3)");
      client.commit();
      client.setAutoCommit(true);
      assertThat(whos(client, 4)).as("after a transaction").containsOnly("p");
    }
  }

  @Test
  void readsStayForAWhileOnly() throws SQLException {
    try (Connection client = connect("brief")) {
      execute(client, "REPLACE INTO t VALUES (3, 3)");
      Eventually.holds("a replica is read again", () -> !unchecked(client).equals("p"));
    }
  }

  private static String unchecked(Connection client) {
    try {
      return who(client);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"session", "plain"})
  void withoutGtidsConsistencyIsThePrimarys(String database) throws SQLException {
    try (Connection client = connect(database)) {
      execute(client, "SET anabranch_read_consistency = 'SESSION'");
      assertThat(who(client)).isNotEqualTo("p");
      execute(client, "REPLACE INTO t VALUES (4, 4)");
      assertThat(whos(client, 4)).containsOnly("p");
      execute(client, "SET anabranch_read_consistency = 'GLOBAL'");
      assertThat(whos(client, 4)).containsOnly("p");
      execute(client, "SET anabranch_read_consistency = 'EVENTUAL'");
      assertThat(who(client)).isNotEqualTo("p");
    }
  }

  @Test
  void theProxysOwnVariablesAreListedAndSayWhatTheyTake() throws SQLException {
    try (Connection client = connect("plain")) {
      execute(client, "SET anabranch_read_consistency = 'SESSION'");
      assertThat(Transcript.of(client, "SHOW VARIABLES LIKE 'anabranch\\_read%'").rows().toString())
          .contains("anabranch_read_consistency", "SESSION");
      assertThat(Transcript.of(client, "SHOW SESSION VARIABLES LIKE 'anabranch%'").rows())
          .hasSize(3);
      assertThatThrownBy(() -> execute(client, "SET anabranch_read_consistency = 'SESION'"))
          .hasMessageContaining("it takes EVENTUAL, SESSION, USER, GLOBAL or DEFAULT");
      assertThatThrownBy(() -> execute(client, "SET anabranch_consistent_reads = 'maybe'"))
          .hasMessageContaining("it takes ON, OFF, 1, 0 or DEFAULT");
    }
  }

  @Test
  void theFallBackToThePrimaryIsToldAtTheStart() throws SQLException {
    try (Connection client = connect("session")) {
      Eventually.holds("the event", () -> events(client).contains("GTIDs of writes to p cannot"));
    }
    try (Connection client = connect("plain")) {
      assertThat(events(client)).doesNotContain("GTID");
    }
  }

  private static String events(Connection client) {
    var events = new StringBuilder();
    try (Statement statement = client.createStatement();
        ResultSet rows = statement.executeQuery("SHOW READWRITE_SPLITTING EVENTS")) {
      while (rows.next()) {
        events.append(rows.getString("event")).append('\n');
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return events.toString();
  }

  // ---------------------------------------------------------------- no replica

  private static void replicas(Connection client, String verb) throws SQLException {
    execute(client, "ALTER READWRITE_SPLITTING RULE g " + verb + " r1");
    execute(client, "ALTER READWRITE_SPLITTING RULE g " + verb + " r2");
  }

  @Test
  void withoutReplicasThePrimaryIsRead() throws SQLException {
    try (Connection client = connect("random")) {
      replicas(client, "DISABLE");
      assertThat(whos(client, 4)).containsOnly("p");
      replicas(client, "ENABLE");
      assertThat(who(client)).isNotEqualTo("p");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"error", "late"})
  void withoutReplicasReadsMayBeRefused(String database) throws SQLException {
    try (Connection client = connect(database)) {
      replicas(client, "DISABLE");
      assertThatThrownBy(() -> who(client))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("AB3012")
          .hasMessageContaining("r1 OFFLINE_SOFT");
      execute(client, "REPLACE INTO t VALUES (5, 5)");
      execute(client, "BEGIN");
      assertThat(who(client)).as("in a transaction").isEqualTo("p");
      execute(client, "COMMIT");
      replicas(client, "ENABLE");
      assertThat(who(client)).isNotEqualTo("p");
    }
  }

  @Test
  void withoutReplicasReadsMayWait() throws Exception {
    try (Connection admin = connect("wait");
        Connection client = connect("wait");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      replicas(admin, "DISABLE");
      Future<String> read = threads.submit(() -> who(client));
      Eventually.holds("the read waits", () -> runs(admin, WHO));
      assertThat(read.isDone()).isFalse();
      execute(admin, "ALTER READWRITE_SPLITTING RULE g ENABLE r2");
      assertThat(read.get()).isEqualTo("r2");
      replicas(admin, "ENABLE");
    }
  }

  /** Whether the proxy lists a statement as running. */
  private static boolean runs(Connection admin, String query) {
    try (Statement statement = admin.createStatement();
        ResultSet rows = statement.executeQuery("SHOW PROCESSLIST")) {
      boolean runs = false;
      while (rows.next()) {
        runs |= query.equals(rows.getString("Info"));
      }
      return runs;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  // ---------------------------------------------------------------- what administrators see

  @Test
  void membersAreShownByTheAdminPort() throws Exception {
    try (Connection client = connect("observed")) {
      whos(client, 4);
      execute(client, "ALTER READWRITE_SPLITTING RULE g DISABLE r2");
      whos(client, 2);
      String of = "data_source=\"%s\",database=\"observed\",group=\"g\"";
      assertThat(page("/metrics"))
          .contains("anabranch_member_reads_total{" + of.formatted("r1") + "} 4.0")
          .contains("anabranch_member_reads_total{" + of.formatted("r2") + "} 2.0")
          .contains("anabranch_member_state{" + of.formatted("r2") + ",state=\"OFFLINE_SOFT\"} 1.0")
          .contains("anabranch_member_state{" + of.formatted("r2") + ",state=\"ONLINE\"} 0.0")
          .contains("anabranch_group_writes_open{database=\"observed\",group=\"g\"} 1.0")
          .contains("anabranch_group_fallbacks_total{database=\"observed\",group=\"g\"} 0.0");
      assertThat(page("/replicas"))
          .contains(
              "\"database\":\"observed\",\"group\":\"g\",\"primary\":\"p\",\"writes\":\"OPEN\"")
          .contains("\"member\":\"r2\",\"state\":\"OFFLINE_SOFT\",\"takesReads\":false")
          .contains("r2 is OFFLINE_SOFT: taken out by an administrator");
    }
  }

  private static String page(String path) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + adminPort + path);
      return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    }
  }

  // ---------------------------------------------------------------- draining

  @Test
  void whatRunsOnAMemberThatIsTakenOutGoesOn() throws Exception {
    try (Connection client = connect("fixed");
        Connection transaction = connect("fixed");
        Connection hanging = connect("fixed");
        var blocked = new Blocked()) {
      Future<String> read = blocked.read(hanging);
      execute(transaction, "BEGIN");
      String kept = who(transaction);
      replicas(client, "DISABLE");
      assertThat(whos(client, 4)).containsOnly("p");
      assertThat(whos(transaction, 4)).as("its transaction goes on").containsOnly(kept);
      blocked.end();
      assertThat(read.get()).isNotEqualTo("p");
      execute(transaction, "COMMIT");
      assertThat(who(transaction)).isEqualTo("p");
      replicas(client, "ENABLE");
      assertThat(whos(client, 4)).containsOnly("r1", "r2");
    }
  }

  /** A lock on a table of either replica, and a read that waits for it. */
  private static final class Blocked implements AutoCloseable {
    private static final String QUERY = "SELECT name FROM who WHERE (SELECT COUNT(*) FROM t) >= 0";

    private final Connection locks;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    Blocked() throws SQLException {
      locks = server.connect("");
      execute(locks, "LOCK TABLES r1.t WRITE, r2.t WRITE");
    }

    /** Completes with the replica's name when the lock is gone; returns when the read waits. */
    Future<String> read(Connection client) throws ExecutionException, InterruptedException {
      Future<String> read = threads.submit(() -> first(client, QUERY));
      Eventually.holds(
          "the read waits for the table",
          () ->
              server
                  .queryOne(
                      "SELECT COUNT(*) FROM information_schema.processlist"
                          + " WHERE state LIKE 'Waiting for table%' AND db IN ('r1', 'r2')")
                  .equals("1"));
      return read;
    }

    void end() throws SQLException {
      execute(locks, "UNLOCK TABLES");
    }

    @Override
    public void close() throws SQLException {
      locks.close();
      threads.close();
    }
  }
}
