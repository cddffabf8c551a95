package io.anabranch.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Load;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Statements over two groups whose members are stopped, killed, paused and promoted under load. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ShardedReplicasIT {

  private final ReplicaFixture fixture =
      ReplicaFixture.startSharded(
          "shardedreplicas",
          "healthCheck: { intervalMilliseconds: 1000, timeoutMilliseconds: 1000, rise: 1, fall: 2 }",
          "discovery: { type: REPLICATION, holdWritesMilliseconds: 20000 }");

  @AfterEach
  void stop() {
    fixture.close();
  }

  /** The sum over both shards, and that the rows came whole. */
  private static int read(Connection client) throws SQLException {
    try (Statement statement = client.createStatement()) {
      try (ResultSet rows = statement.executeQuery("SELECT id, v FROM s ORDER BY id")) {
        for (int id = 0; rows.next(); id++) {
          if (rows.getInt(1) != id) {
            throw new SQLException("row " + id + " is " + rows.getInt(1));
          }
        }
      }
      return ReplicaFixture.serverOf(client, "SELECT SUM(v) FROM s");
    }
  }

  private void fill() throws SQLException {
    try (Connection client = fixture.connect()) {
      ReplicaFixture.execute(
          client, "INSERT INTO s VALUES (0, 1), (1, 2), (2, 4), (3, 8), (4, 16), (5, 32)");
    }
    fixture.a.awaitReplica(fixture.b);
    fixture.a.awaitReplica(fixture.c);
  }

  @Test
  void mergedReadsOutliveReplicas() throws Exception {
    fill();
    var load =
        Load.start(
            3,
            () -> fixture.connect(),
            (client, _) -> {
              if (read(client) != 63) {
                throw new SQLException("a part is missing");
              }
            });
    load.awaitMore(100);
    fixture.b.stop();
    load.awaitMore(100);
    fixture.c.kill();
    load.awaitMore(100);
    fixture.b.startAgain();
    fixture.c.startAgain();
    load.awaitMore(100);
    fixture.c.pause();
    load.awaitMore(100);
    fixture.c.goOn();
    load.end();
    assertThat(load.errors()).isEmpty();
  }

  /** Each step a row on either shard, in one transaction of the statement's own. */
  @Test
  void aPlannedChangeCostsNoStatementOverShards() throws Exception {
    var next = new AtomicInteger();
    var load =
        Load.start(
            3,
            () -> fixture.connect(),
            (client, _) -> {
              int id = 2 * next.getAndIncrement();
              ReplicaFixture.execute(
                  client, "INSERT INTO s VALUES (%d, 1), (%d, 1)".formatted(id, id + 1));
            });
    load.awaitMore(60);
    try (Connection admin = fixture.connect()) {
      // Both are on one server: a statement that has begun on one of them must reach the other.
      ReplicaFixture.execute(admin, "ALTER READWRITE_SPLITTING RULE g0 DISABLE a0");
      ReplicaFixture.execute(admin, "ALTER READWRITE_SPLITTING RULE g1 DISABLE a1");
      fixture.awaitIdle(fixture.a);
    }
    fixture.a.execute("SET GLOBAL read_only = ON");
    fixture.a.awaitReplica(fixture.b);
    fixture.b.promote();
    fixture.a.follow(fixture.b);
    fixture.c.execute("STOP SLAVE");
    fixture.c.follow(fixture.b);
    load.awaitMore(60);
    load.end();
    assertThat(load.errors()).isEmpty();
    String acknowledged = Integer.toString(load.done());
    assertThat(fixture.b.queryOne("SELECT COUNT(*) FROM rw0.s")).isEqualTo(acknowledged);
    assertThat(fixture.b.queryOne("SELECT COUNT(*) FROM rw1.s")).isEqualTo(acknowledged);
  }
}
