package io.anabranch.backend.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.backend.topology.Topology;
import io.anabranch.backend.topology.TopologyListener;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.HealthCheck;
import io.anabranch.rules.model.LogicalDatabase;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HealthWatchTest {

  private static final HealthCheck CHECK = new HealthCheck(1, 300, 2, 2, 0, "");

  private final BlockingQueue<Long> limits = new LinkedBlockingQueue<>();

  /** Answers what a data source in no group is asked. */
  private static class Answering implements Asker {
    @Override
    public List<Map<String, @Nullable String>> ask(String sql) {
      return List.of(Map.of("version", "10.11"));
    }

    @Override
    public void close() {}
  }

  @Test
  void theFirstAnswerMayTakeLonger() throws InterruptedException {
    try (HealthWatch watch = new HealthWatch(topology(), _ -> {})) {
      watch.add(
          "ds_0",
          CHECK,
          limit -> {
            limits.add(limit);
            return new Answering();
          });
      watch.start();
      assertThat(limits.take()).isEqualTo(5 * CHECK.timeoutMilliseconds());
      assertThat(limits.take()).as("once it has answered").isEqualTo(CHECK.timeoutMilliseconds());
    }
  }

  @Test
  void aSourceThatHasNotAnsweredYetIsDownAfterSeveralFailures() throws InterruptedException {
    Topology topology = topology();
    var firstFailure = new LinkedBlockingQueue<Boolean>();
    try (HealthWatch watch = new HealthWatch(topology, _ -> {})) {
      watch.add(
          "ds_0",
          CHECK,
          limit -> {
            firstFailure.add(isReachable(topology));
            throw new AskException(0, "no answer", new IllegalStateException());
          });
      watch.start();
      assertThat(firstFailure.take()).as("before the first question").isTrue();
      assertThat(firstFailure.take()).as("after one failure").isTrue();
      assertThat(firstFailure.take()).as("after two").isFalse();
    }
  }

  /** Its next connection is a minute away: the one question that is asked meanwhile is wanted. */
  @Test
  void whereThereAreManyNoConnectionIsKept() throws InterruptedException {
    var closed = new LinkedBlockingQueue<Boolean>();
    try (HealthWatch watch = new HealthWatch(topology(), _ -> {}, () -> !limits.isEmpty())) {
      watch.add(
          "ds_0",
          CHECK,
          limit -> {
            limits.add(limit);
            return new Answering() {
              @Override
              public void close() {
                closed.add(true);
              }
            };
          });
      watch.start();
      closed.take();
      watch.askNow();
      closed.take();
      watch.askNow();
      closed.take();
      assertThat(limits).hasSize(3);
    }
  }

  private static boolean isReachable(Topology topology) {
    var condition = topology.conditions().get("ds_0");
    return condition != null && condition.isReachable();
  }

  private static Topology topology() {
    var source =
        new DataSourceDefinition(
            "ds_0", "jdbc:mysql://127.0.0.1/x", "u", "", 1, 1, 1, 1, 1, false, Map.of());
    var database =
        new LogicalDatabase(
            "shop",
            Map.of("ds_0", source),
            Map.of(),
            Map.of(),
            Map.of(),
            new LogicalDatabase.SingleTables(List.of(), null));
    return Topology.of(database, TopologyListener.NONE, new Random(42));
  }
}
