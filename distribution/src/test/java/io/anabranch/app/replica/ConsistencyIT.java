package io.anabranch.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Writes, each followed by a read that must see it, while one of two replicas is a second late.
 * {@code -Dconsistency.pairs=N} is how many of each kind, a thousand without it.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class ConsistencyIT {

  private static final int PAIRS = Integer.getInteger("consistency.pairs", 1000);
  private static final int CLIENTS = 4;

  private static ReplicaFixture fixture;

  @BeforeAll
  static void start() throws SQLException {
    fixture =
        ReplicaFixture.start(
            "consistency",
            "consistencyTimeoutMilliseconds: 20",
            "healthCheck: { intervalMilliseconds: 1000, timeoutMilliseconds: 1000 }");
    try (Connection client = fixture.connect()) {
      for (int i = 0; i < CLIENTS; i++) {
        ReplicaFixture.execute(client, "INSERT INTO t VALUES (" + i + ", 0)");
      }
    }
    fixture.a.awaitReplica(fixture.b);
    fixture.a.awaitReplica(fixture.c);
    ReplicaFixture.delay(fixture.b);
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  /** How the reader of a pair is connected. */
  enum Reader {
    SAME_SESSION,
    OTHER_SESSION
  }

  /**
   * @param stale reads that did not see the write before them
   * @param servers who answered reads
   */
  private record Outcome(int stale, Set<Integer> servers) {}

  private static Outcome check(String level, Reader reader, boolean binary, boolean transactions)
      throws Exception {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<Outcome>>();
      for (int i = 0; i < CLIENTS; i++) {
        running.add(executor.submit(pairs(i, level, reader, binary, transactions)));
      }
      int stale = 0;
      var servers = new HashSet<Integer>();
      for (Future<Outcome> each : running) {
        stale += each.get().stale;
        servers.addAll(each.get().servers);
      }
      return new Outcome(stale, servers);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  private static Callable<Outcome> pairs(
      int client, String level, Reader reader, boolean binary, boolean transactions) {
    String[] options = binary ? new String[] {"useServerPrepStmts=true"} : new String[0];
    return () -> {
      var servers = new HashSet<Integer>();
      int stale = 0;
      try (Connection writing = fixture.connect(options);
          Connection other = fixture.connect(options)) {
        Connection reading = reader == Reader.SAME_SESSION ? writing : other;
        ReplicaFixture.execute(reading, "SET anabranch_read_consistency = '" + level + "'");
        try (PreparedStatement update =
                writing.prepareStatement("UPDATE t SET v = v + 1 WHERE id = ?");
            PreparedStatement select =
                reading.prepareStatement("SELECT v, @@server_id FROM t WHERE id = ?")) {
          int expected = value(client);
          for (int n = 0; n < PAIRS / CLIENTS; n++) {
            writing.setAutoCommit(!transactions);
            update.setInt(1, client);
            update.executeUpdate();
            if (transactions) {
              writing.commit();
              writing.setAutoCommit(true);
            }
            expected++;
            select.setInt(1, client);
            try (ResultSet rows = select.executeQuery()) {
              rows.next();
              stale += rows.getInt(1) < expected ? 1 : 0;
              servers.add(rows.getInt(2));
            }
          }
        }
      }
      return new Outcome(stale, servers);
    };
  }

  private static int value(int client) throws SQLException {
    try (Connection direct = ReplicaFixture.direct(fixture.a)) {
      return ReplicaFixture.serverOf(direct, "SELECT v FROM t WHERE id = " + client);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SESSION, SAME_SESSION, false, false",
    "SESSION, SAME_SESSION, true, false",
    "SESSION, SAME_SESSION, false, true",
    "USER, OTHER_SESSION, false, false",
    "USER, OTHER_SESSION, false, true",
    "GLOBAL, OTHER_SESSION, false, false",
    "GLOBAL, OTHER_SESSION, true, true"
  })
  void noReadIsStale(String level, Reader reader, boolean binary, boolean transactions)
      throws Exception {
    Outcome outcome = check(level, reader, binary, transactions);
    assertThat(outcome.stale).as("stale reads").isZero();
    assertThat(outcome.servers)
        .as("the replica that keeps up answers too")
        .contains(fixture.c.port());
  }

  @Test
  void withoutConsistencySomeAre() throws Exception {
    assertThat(check("EVENTUAL", Reader.SAME_SESSION, false, false).stale).isPositive();
    assertThat(check("SESSION", Reader.OTHER_SESSION, false, false).stale)
        .as("SESSION promises nothing of other sessions")
        .isPositive();
  }
}
