package io.anabranch.app.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Cutter;
import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ProxyProcess;
import io.anabranch.app.fixture.table.XaCluster;
import io.anabranch.testkit.MariaDbServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Money moves between two databases while links break at every step of the protocol; in the long
 * runs processes die as well. {@code -Dbank.faults=300 -Dbank.seed=7} for another long schedule.
 */
class BankIT {

  private static final String MANY = "bank.faults";
  private static final int FAULTS = Integer.getInteger(MANY, 0);
  private static final long SEED = Long.getLong("bank.seed", 1);
  private static final String SCHEMA = "bank";

  private final Path directory = Path.of("target", "bank-" + ProcessHandle.current().pid());
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<MariaDbServer> databases = new ArrayList<>();
  private final Map<String, Integer> faults = new TreeMap<>();

  @BeforeEach
  void startDatabases() {
    for (String name : List.of("bank-a", "bank-b")) {
      MariaDbServer server = MariaDbServer.start(name, "--innodb-lock-wait-timeout=2");
      open.addFirst(server);
      databases.add(server);
      server.execute("CREATE DATABASE " + SCHEMA);
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  /** A proxy whose links to both databases can be cut. */
  private record Node(ProxyProcess proxy, List<Cutter> links) {}

  private Node node(String name) throws IOException {
    var links = new ArrayList<Cutter>();
    var sources = new StringBuilder();
    for (MariaDbServer server : databases) {
      Cutter link = Cutter.to(server.port());
      open.addFirst(link);
      sources.append(
          "  ds_%d: { url: \"jdbc:mysql://127.0.0.1:%d/%s\", username: %s, password: %s, maxPoolSize: 12, minPoolSize: 1, connectionTimeoutMilliseconds: 2000 }\n"
              .formatted(
                  links.size(), link.port(), SCHEMA, MariaDbServer.USER, MariaDbServer.PASSWORD));
      links.add(link);
    }
    ProxyProcess proxy =
        ProxyProcess.start(
            name,
            directory.resolve(name),
            """
            transaction:
              defaultType: XA
              props: { cluster: bank, node: %s, log-data-source: bank.ds_0, recovery-interval-milliseconds: 500, node-timeout-milliseconds: 3000, answer-timeout-milliseconds: 3000, log-timeout-milliseconds: 3000, decision-retention-milliseconds: 5000 }
            """
                .formatted(name),
            XaCluster.bank(SCHEMA, sources.toString()));
    open.addFirst(proxy);
    return new Node(proxy, links);
  }

  private static Bank bank(Node node) {
    return new Bank(
        List.of(() -> node.proxy().connect(SCHEMA)),
        "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY;SELECT balance FROM account",
        SEED);
  }

  /** Each step once on a link that is cut, and the death of the proxy between log and COMMIT. */
  @Test
  void everyStepOnce() throws Exception {
    Node node = node("one");
    try (Connection connection = registered(node)) {
      Bank.create(connection);
    }
    Bank bank = bank(node);
    bank.start(3, 1);
    var random = new Random(SEED);
    for (Cutter.Step step : Cutter.Step.values()) {
      fault(step, Way.CUT, random, node, bank);
      repair(node);
    }
    fault(Cutter.Step.AFTER_LOG, Way.KILL_PROXY, random, node, bank);
    repair(node);
    settle(bank, node);
  }

  @Test
  @EnabledIfSystemProperty(named = MANY, matches = "[1-9].*")
  void oneProxy() throws Exception {
    Node node = node("one");
    try (Connection connection = registered(node)) {
      Bank.create(connection);
    }
    Bank bank = bank(node);
    bank.start(5, 1);
    var random = new Random(SEED);
    for (int i = 0; i < FAULTS; i++) {
      fault(random, node, bank);
      repair(node);
    }
    settle(bank, node);
  }

  @Test
  @EnabledIfSystemProperty(named = MANY, matches = "[1-9].*")
  void aSecondProxyRecoversWhatTheFirstHasLeft() throws Exception {
    Node first = node("one");
    try (Connection connection = registered(first)) {
      Bank.create(connection);
    }
    Node second = node("two");
    registered(second).close();
    var bank =
        new Bank(
            List.of(() -> first.proxy().connect(SCHEMA), () -> second.proxy().connect(SCHEMA)),
            "BEGIN;SELECT balance FROM account ORDER BY id LOCK IN SHARE MODE",
            SEED);
    bank.start(6, 1);
    var random = new Random(SEED + 1);
    for (int i = 0; i < FAULTS; i++) {
      boolean isFirst = random.nextBoolean();
      Node victim = isFirst ? first : second;
      String name = isFirst ? "one" : "two";
      fault(random, victim, bank);
      databasesRun();
      if (!victim.proxy().isAlive()) {
        Eventually.holds(
            "the branches of " + name + " are resolved while it is dead",
            () -> databases.stream().allMatch(server -> noneOf(server, "." + name + ".")));
      }
      repair(victim);
    }
    settle(bank, second);
  }

  private static boolean noneOf(MariaDbServer server, String node) {
    return XaCluster.prepared(server).stream().noneMatch(name -> name.contains(node));
  }

  /** A connection once the proxy may decide on transactions. */
  private Connection registered(Node node) throws SQLException {
    Eventually.holds(
        "registered",
        () ->
            databases
                .getFirst()
                .queryOne(
                    "SELECT COUNT(*) FROM information_schema.tables WHERE table_name ="
                        + " 'anabranch_xa_log'")
                .equals("1"));
    Eventually.holds("the proxy reaches both databases", () -> reaches(node, "SHOW TABLES"));
    return node.proxy().connect(SCHEMA);
  }

  /** How a step fails. */
  private enum Way {
    CUT,
    CUT_ALL,
    SILENCE,
    KILL_PROXY,
    KILL_DATABASE
  }

  /** One failure at one step, and some transfers after it. */
  private void fault(Random random, Node node, Bank bank) throws InterruptedException {
    Cutter.Step[] steps = Cutter.Step.values();
    Way[] ways = Way.values();
    fault(
        steps[random.nextInt(steps.length)], ways[random.nextInt(ways.length)], random, node, bank);
  }

  private void fault(Cutter.Step step, Way way, Random random, Node node, Bank bank)
      throws InterruptedException {
    int which = random.nextInt(node.links().size());
    if (step == Cutter.Step.BEFORE_LOG || step == Cutter.Step.AFTER_LOG) {
      which = 0;
    }
    Cutter link = node.links().get(which);
    MariaDbServer server = databases.get(which);
    CountDownLatch sprung =
        switch (way) {
          case CUT -> link.arm(step, Cutter.Way.CUT, () -> {});
          case CUT_ALL -> link.arm(step, Cutter.Way.CUT_ALL, () -> {});
          case SILENCE -> link.arm(step, Cutter.Way.SILENCE, () -> {});
          case KILL_PROXY -> link.arm(step, Cutter.Way.ACTION, () -> node.proxy().kill());
          case KILL_DATABASE -> link.arm(step, Cutter.Way.ACTION, server::kill);
        };
    faults.merge(step + " " + way, 1, Integer::sum);
    int before = bank.acknowledged();
    boolean isSprung = sprung.await(1, TimeUnit.MINUTES);
    assertThat(isSprung).as("%s is reached; %s; %s", step, bank, isSprung ? "" : state()).isTrue();
    // what happens beside and after the failure matters as much
    Eventually.holds(
        "transfers go on, or nobody can work",
        () -> bank.acknowledged() > before || !node.proxy().isAlive() || isDown());
  }

  private static boolean reaches(Node node, String sql) {
    try (Connection connection = node.proxy().connect(SCHEMA)) {
      return connection.createStatement().execute(sql);
    } catch (SQLException notYet) {
      return false;
    }
  }

  /** What the databases are doing, for whoever reads of a failure. */
  private String state() {
    var state = new StringBuilder();
    for (MariaDbServer server : databases) {
      state.append(server.name()).append(server.isRunning() ? " runs, " : " is down, ");
      if (server.isRunning()) {
        state.append("prepared ").append(XaCluster.prepared(server)).append(", threads ");
        state.append(
            server.queryOne(
                "SELECT GROUP_CONCAT(id, ' ', command, ' ', time, ' ', COALESCE(LEFT(info, 60), '')"
                    + " SEPARATOR '; ') FROM information_schema.processlist"));
        state.append(", transactions ");
        state.append(
            server.queryOne(
                "SELECT GROUP_CONCAT(trx_mysql_thread_id, ' ', trx_state SEPARATOR '; ') FROM"
                    + " information_schema.innodb_trx"));
      }
      state.append(System.lineSeparator());
    }
    return state.toString();
  }

  private boolean isDown() {
    return databases.stream().anyMatch(server -> !server.isRunning());
  }

  private void databasesRun() {
    for (MariaDbServer server : databases) {
      if (!server.isRunning()) {
        server.startAgain();
      }
    }
  }

  private void repair(Node node) {
    databasesRun();
    node.links().forEach(Cutter::disarm);
    node.links().forEach(Cutter::cutAll);
    if (!node.proxy().isAlive()) {
      node.proxy().startAgain();
    }
  }

  private void settle(Bank bank, Node node) throws Exception {
    int before = bank.acknowledged();
    int audits = bank.audited();
    Eventually.holds("transfers go on in the end", () -> bank.acknowledged() > before + 10);
    Eventually.holds("an audit beside them succeeds", () -> bank.audited() > audits);
    bank.stop();
    for (MariaDbServer server : databases) {
      Eventually.holds(
          Duration.ofMinutes(1),
          "nothing stays prepared in " + server.name(),
          () -> XaCluster.prepared(server).isEmpty());
    }
    Eventually.holds(
        "the proxy reaches both databases", () -> reaches(node, "SELECT COUNT(*) FROM account"));
    try (Connection connection = node.proxy().connect(SCHEMA)) {
      assertThat(bank.faults(connection)).as("%s, seed %d", bank, SEED).isEmpty();
    }
    Eventually.holds(
        "the log forgets",
        () ->
            databases
                .getFirst()
                .queryOne("SELECT COUNT(*) FROM " + SCHEMA + ".anabranch_xa_log")
                .equals("0"));
    System.out.println("bank: seed " + SEED + ": " + faults + ": " + bank);
  }
}
