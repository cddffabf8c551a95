package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.pool.LeaseDesk;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeartbeatTest {

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final RefusingDesk desk = new RefusingDesk();
  private final Heartbeat heartbeat = new Heartbeat();

  @Test
  void aDataSourceIsDownUntilItAnswers() {
    desk.refusals.put("ds_0", ErrorCatalogue.DATA_SOURCE_DOWN.refuse("ds_0", "no route"));
    desk.refusals.put("ds_1", ErrorCatalogue.LEASE_TIMEOUT.refuse("ds_1", 5L));
    heartbeat.watch(database(), desk, loop());
    assertThat(heartbeat.reachable())
        .as("a pool without a free connection is not a database that is down")
        .containsExactlyInAnyOrderEntriesOf(Map.of("shop.ds_0", false, "shop.ds_1", true));
    assertThat(heartbeat.version()).isNotDone();
  }

  @Test
  void itAsksAgain() {
    desk.refusals.put("ds_0", ErrorCatalogue.DATA_SOURCE_DOWN.refuse("ds_0", "no route"));
    heartbeat.watch(database(), desk, loop());
    int asked = desk.asked;
    desk.refusals.put("ds_0", ErrorCatalogue.LEASE_TIMEOUT.refuse("ds_0", 5L));
    channel.advanceTimeBy(5, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    assertThat(desk.asked).isEqualTo(asked + 2);
    assertThat(heartbeat.reachable()).containsEntry("shop.ds_0", true);
  }

  @Test
  void greetsAsTheServerWould() {
    assertThat(Heartbeat.asGreeted("10.11.19-MariaDB-log")).isEqualTo("5.5.5-10.11.19-MariaDB-log");
    assertThat(Heartbeat.asGreeted("11.4.5-MariaDB")).isEqualTo("11.4.5-MariaDB");
    assertThat(Heartbeat.asGreeted("8.4.0")).isEqualTo("8.4.0");
  }

  private EventLoop loop() {
    channel.freezeTime();
    return channel.eventLoop();
  }

  private static LogicalDatabase database() {
    var sources = new HashMap<String, DataSourceDefinition>();
    for (String name : new String[] {"ds_0", "ds_1"}) {
      sources.put(
          name,
          new DataSourceDefinition(
              name, "jdbc:mysql://127.0.0.1:1/x", "u", "p", null, 1, 1, 1, 1, 1, false, Map.of()));
    }
    return new LogicalDatabase(
        "shop",
        sources,
        Map.of(),
        Map.of(),
        Map.of(),
        new LogicalDatabase.SingleTables(java.util.List.of(), null));
  }

  /** Gives no lease; the reasons may change between beats. */
  private static final class RefusingDesk implements LeaseDesk {
    private final Map<String, RuntimeException> refusals = new HashMap<>();
    private int asked;

    @Override
    public void lease(Request request, Callback callback) {
      asked++;
      callback.leased(
          null,
          refusals.getOrDefault(
              request.dataSource(), new IllegalStateException("no reason given")));
    }

    @Override
    public Lease leaseBlocking(Request request) {
      throw new UnsupportedOperationException("the heartbeat does not block");
    }
  }
}
