package io.anabranch.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A client sees the right answer or an error, in time; nothing is done twice, by halves or behind
 * an error that denies it; nothing stays. {@code -Dfaults.every} says which part of the matrix is
 * tried: every build tries a few, {@code -Pfaults} all. The outcomes are written to {@code
 * target/faults.md}.
 */
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class FaultMatrixIT {

  private static final int MOST_STRUCK_LATE = 10;
  private static final int EVERY = Integer.getInteger("faults.every", 53);
  private static final String SCHEMA = "it_faults";
  private static final Path TABLE = Path.of("target", "faults.md");

  /** What LOAD DATA LOCAL sends. */
  static final Path FILE = Path.of("target", "faults.tsv").toAbsolutePath();

  /** More than any limit of the proxy and the driver. */
  private static final int DEADLINE_SECONDS = 30;

  private static final int POOL = 6;

  private static MariaDbServer even;
  private static MariaDbServer odd;
  private static FaultyLink backend;
  private static FaultyLink frontend;
  private static RunningProxy proxy;
  private static Connection past;
  private static Connection pastOther;

  private final FaultOutcomes outcomes = new FaultOutcomes();

  /** Where the fault is. */
  private enum Side {
    BACKEND,
    CLIENT
  }

  private record Case(FaultCommand command, Side side, Trigger trigger, Fault fault) {
    @Override
    public String toString() {
      return command + ", " + side + ", " + trigger.stage() + ", " + fault;
    }
  }

  @BeforeAll
  static void start(MariaDbServers servers) throws IOException, SQLException {
    even = servers.primaryA();
    odd = servers.primaryB();
    for (MariaDbServer server : List.of(even, odd)) {
      server.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    }
    Files.writeString(FILE, "1000\t1\n1001\t1\n1002\t1\n1003\t1\n");
    backend = FaultyLink.to(even.port());
    proxy =
        RunningProxy.startWith(
            """
            transaction:
              defaultType: XA
              props: { cluster: faults, node: one, log-data-source: %s.ds_1, recovery-interval-milliseconds: 200 }
            """
                .formatted(SCHEMA),
            List.of(
                "proxy-backend-silence-seconds: 1",
                "proxy-frontend-write-timeout: 3",
                "proxy-frontend-upload-timeout: 3",
                "proxy-frontend-connection-idle-timeout: 5"),
            database());
    frontend = FaultyLink.to(proxy.port());
    Eventually.holds("the proxy reaches the databases", FaultMatrixIT::answers);
    try (Connection connection = proxy.connect(SCHEMA)) {
      run(connection, "CREATE TABLE account (id BIGINT PRIMARY KEY, balance INT) ENGINE=InnoDB");
    }
    past = even.connect(SCHEMA);
    pastOther = odd.connect(SCHEMA);
  }

  private static String database() {
    String source =
        "  %s: { url: \"%s\", username: %s, password: %s, maxPoolSize: %d, minPoolSize: 1,"
            + " connectionTimeoutMilliseconds: 2000 }\n";
    String url = even.url(SCHEMA).replace(":" + even.port(), ":" + backend.port());
    String user = MariaDbServer.USER;
    String password = MariaDbServer.PASSWORD;
    return "databaseName: "
        + SCHEMA
        + "\ndataSources:\n"
        + source.formatted("ds_0", url, user, password, POOL)
        + source.formatted("ds_1", odd.url(SCHEMA), user, password, POOL)
        + """
          rules:
          - !SHARDING
            tables:
              account:
                actualDataNodes: ds_${0..1}.account
                databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: by_id } }
            shardingAlgorithms:
              by_id: { type: MOD, props: { sharding-count: 2 } }
          - !SINGLE
            tables: ["*.*"]
          """;
  }

  @AfterAll
  static void stop() throws SQLException {
    past.close();
    pastOther.close();
    frontend.close();
    proxy.close();
    backend.close();
  }

  private int struckLate;

  @Test
  void theMatrix() throws Exception {
    List<Case> cases = cases();
    var failures = new ArrayList<String>();
    for (int i = 0; i < cases.size(); i += EVERY) {
      tryOut(cases.get(i), failures);
    }
    Files.writeString(TABLE, outcomes.table());
    assertThat(failures).isEmpty();
    assertThat(outcomes.count()).isPositive();
    thePoolIsWhole();
  }

  /**
   * What is answered without a fault. The one before may have struck a connection that is noticed
   * only when it is used: that is not this one's.
   */
  private String undisturbed(Case each) throws Exception {
    while (true) {
      try (Connection connection =
          each.command
              .driver()
              .connect(
                  proxy.port(),
                  SCHEMA,
                  RunningProxy.USER,
                  RunningProxy.PASSWORD,
                  options(each.command))) {
        return each.command.run(connection);
      } catch (SQLException late) {
        if (!String.valueOf(late.getMessage()).contains("AB3003")
            || ++struckLate > MOST_STRUCK_LATE) {
          throw late;
        }
        prepare();
      }
    }
  }

  private static List<Case> cases() {
    var cases = new ArrayList<Case>();
    for (Side side : Side.values()) {
      for (FaultCommand command : FaultCommand.values()) {
        List<Trigger> triggers = command.triggers();
        if (side == Side.CLIENT) {
          triggers.removeIf(each -> each.mark().startsWith("XA"));
        }
        if (command == FaultCommand.POINT_SELECT
            || command == FaultCommand.MERGED_ROWS
            || command == FaultCommand.UPDATE_OF_ALL) {
          triggers.add(Trigger.onConnection("connect", 0));
          triggers.add(Trigger.onConnection("greeting", 1));
          triggers.add(Trigger.onConnection("login", 2));
          triggers.add(Trigger.onConnection("login: answer", 3));
        }
        triggers.add(Trigger.between());
        for (Trigger trigger : triggers) {
          for (Fault fault : Fault.values()) {
            if (!trigger.isBetween() || fault.strikesIdle()) {
              cases.add(new Case(command, side, trigger, fault));
            }
          }
        }
      }
    }
    return cases;
  }

  private void tryOut(Case each, List<String> failures) throws Exception {
    prepare();
    String expected = undisturbed(each);
    prepare();
    FaultyLink link = each.side == Side.BACKEND ? backend : frontend;
    var sprung = new AtomicBoolean[1];
    CompletableFuture<String> client =
        CompletableFuture.supplyAsync(
            () -> attempt(each, link, sprung),
            task -> Thread.ofVirtual().name("client").start(task));
    String outcome;
    try {
      outcome = client.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      outcome = "no answer within " + DEADLINE_SECONDS + " s";
      failures.add(each + ": " + outcome);
    } catch (ExecutionException failed) {
      throw new IllegalStateException(each.toString(), failed);
    }
    backend.heal();
    frontend.heal();
    settle(each.toString());
    if (sprung[0] == null || !sprung[0].get()) {
      return;
    }
    String wrong = wrong(each, expected, outcome);
    if (wrong != null) {
      failures.add(each + ": " + wrong);
    }
    outcomes.add(
        each.side + " | " + each.trigger.stage(),
        each.side + " | " + each.command,
        each.fault,
        outcome,
        expected);
  }

  private static String[] options(FaultCommand command) {
    if (command.driver() == RunningProxy.Driver.MYSQL) {
      return new String[] {
        "useServerPrepStmts=true",
        "useCursorFetch=true",
        "socketTimeout=8000",
        "connectTimeout=8000"
      };
    }
    return new String[] {
      "useServerPrepStmts=true",
      "allowLocalInfile=true",
      "allowMultiQueries=true",
      "socketTimeout=8000",
      "connectTimeout=8000",
      "transactionReplay=false"
    };
  }

  /** The answer, or the error's number. */
  private static String attempt(Case each, FaultyLink link, AtomicBoolean[] sprung) {
    boolean isOfConnection = each.trigger.isOfConnection();
    if (isOfConnection && each.side == Side.BACKEND) {
      link.resetAll();
    }
    if (isOfConnection) {
      sprung[0] = link.arm(each.trigger, each.fault);
    }
    try (Connection connection =
        each.command
            .driver()
            .connect(
                frontend.port(),
                SCHEMA,
                RunningProxy.USER,
                RunningProxy.PASSWORD,
                options(each.command))) {
      if (each.trigger.isBetween()) {
        run(connection, "SELECT balance FROM account WHERE id = 2");
        link.strike(each.fault);
        sprung[0] = new AtomicBoolean(true);
      } else if (!isOfConnection) {
        sprung[0] = link.arm(each.trigger, each.fault);
      }
      return each.command.run(connection);
    } catch (SQLException failed) {
      return FaultOutcomes.ERROR + failed.getErrorCode() + " " + failed.getMessage();
    }
  }

  /** What is wrong with the outcome; null: nothing. */
  private static @Nullable String wrong(Case each, String expected, String outcome)
      throws SQLException {
    boolean isError = outcome.startsWith(FaultOutcomes.ERROR);
    if (outcome.contains("AB9001")) {
      return outcome;
    }
    boolean isPing = each.command == FaultCommand.PING;
    if (!isError && !outcome.equals(expected) && !(isPing && !each.fault.isHarmless)) {
      return "answered " + outcome;
    }
    if (isError && each.fault.isHarmless) {
      return outcome;
    }
    int evenAdded = sum(past) - 2000;
    int oddAdded = sum(pastOther) - 2000;
    boolean isDone = evenAdded == each.command.even && oddAdded == each.command.odd;
    boolean isNotDone = evenAdded == 0 && oddAdded == 0;
    if (!isDone && (!isNotDone || !isError)) {
      return outcome + ", and added " + evenAdded + " and " + oddAdded;
    }
    return null;
  }

  private static int sum(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT SUM(balance) FROM account")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static void prepare() throws SQLException {
    prepare(past, 2);
    prepare(pastOther, 1);
  }

  /** Twenty rows with every other id from the first on. */
  private static void prepare(Connection connection, int first) throws SQLException {
    var rows = new StringBuilder("INSERT INTO account VALUES ");
    for (int i = 0; i < 20; i++) {
      rows.append(i == 0 ? "(" : ", (").append(first + 2 * i).append(", 100)");
    }
    run(connection, "DELETE FROM account", rows.toString());
  }

  /** Others are answered, and nothing is open, locked, in doubt or kept. */
  private static void settle(String after) {
    Eventually.holds("others are answered after " + after, FaultMatrixIT::answers);
    Eventually.holds(
        "transactions end after " + after,
        () ->
            List.of(even, odd).stream()
                .allMatch(
                    server ->
                        server
                            .queryOne("SELECT COUNT(*) FROM information_schema.innodb_trx")
                            .equals("0")));
    Eventually.holds(
        "memory is given back after " + after,
        () ->
            proxy.memory().taken(MemoryKind.DIRECT) < 8192
                && proxy.memory().taken(MemoryKind.HEAP) < 8192);
  }

  private static boolean answers() {
    try (Connection connection = proxy.connect(SCHEMA)) {
      run(connection, "SHOW TABLES", "SELECT 1");
      return true;
    } catch (SQLException notYet) {
      return false;
    }
  }

  private static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** As many transactions at a time as there are connections. */
  private static void thePoolIsWhole() throws Exception {
    try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
      var held = new ArrayList<Connection>();
      for (int i = 0; i < POOL; i++) {
        Connection connection = proxy.connect(SCHEMA);
        held.add(connection);
        connection.setAutoCommit(false);
        clients
            .submit(
                () -> {
                  run(connection, "SELECT balance FROM account WHERE id = 2");
                  return null;
                })
            .get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      }
      for (Connection each : held) {
        each.close();
      }
    }
  }
}
