package io.anabranch.app.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Sessions that share the connections of few pools, with variables, temporary tables, statements,
 * databases, character sets, transactions and rows of their own, that kill each other, change their
 * user and vanish in the middle of results and transactions: none ever sees what is another's, or
 * its own from before it was reset. {@code -Disolation.sessions}, {@code -Disolation.steps}, {@code
 * -Disolation.seed} choose; {@code -Pisolation} for many.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class IsolationIT {

  private static final int SESSIONS = Integer.getInteger("isolation.sessions", 40);
  private static final int STEPS = Integer.getInteger("isolation.steps", 25);
  private static final long SEED = Long.getLong("isolation.seed", 20_261_122);
  private static final int POOL = 30;
  private static final String SCHEMA = "it_isolation";

  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    MariaDbServer even = servers.primaryA();
    MariaDbServer odd = servers.primaryB();
    for (MariaDbServer server : List.of(even, odd)) {
      server.execute(
          "DROP DATABASE IF EXISTS " + SCHEMA,
          "CREATE DATABASE " + SCHEMA,
          "DROP DATABASE IF EXISTS it_isolation_plain",
          "CREATE DATABASE it_isolation_plain");
    }
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: sharded\ndataSources:\n"
                + source("ds_0", even, SCHEMA)
                + source("ds_1", odd, SCHEMA)
                + """
                rules:
                - !SHARDING
                  tables:
                    own:
                      actualDataNodes: ds_${0..1}.own
                      databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: by_id } }
                  shardingAlgorithms:
                    by_id: { type: MOD, props: { sharding-count: 2 } }
                """,
            "databaseName: plain\ndataSources:\n"
                + source("ds_0", even, "it_isolation_plain")
                + "rules: []\n");
    try (Connection connection = proxy.connect("sharded");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE own (id BIGINT PRIMARY KEY, owner INT, tag BIGINT) ENGINE=InnoDB");
    }
  }

  private static String source(String name, MariaDbServer server, String schema) {
    return RunningProxy.source(name, server, schema)
        .replace("maxPoolSize: 10", "maxPoolSize: " + POOL)
        .replace("connectionTimeoutMilliseconds: 3000", "connectionTimeoutMilliseconds: 30000");
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @Test
  void nobodySeesWhatIsAnothers() throws Exception {
    var neighbours = new Neighbours(POOL / 2);
    var sessions = new ArrayList<TaggedSession>();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < SESSIONS; i++) {
      var session = new TaggedSession(proxy.port(), i, SEED, neighbours);
      sessions.add(session);
      threads.add(Thread.ofVirtual().start(() -> session.run(STEPS)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(neighbours.wrong()).isEmpty();
    int done = sessions.stream().mapToInt(TaggedSession::done).sum();
    assertThat(done).as("steps that nobody has interrupted").isGreaterThan(SESSIONS * STEPS / 2);
    for (TaggedSession session : sessions) {
      session.checkStored();
    }
    assertThat(neighbours.wrong()).isEmpty();
    Eventually.holds("nobody else is left", () -> othersLeft() == 0);
  }

  private static int othersLeft() {
    try (Connection connection = proxy.connect("");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW PROCESSLIST")) {
      int count = -1;
      while (rows.next()) {
        count++;
      }
      return count;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
