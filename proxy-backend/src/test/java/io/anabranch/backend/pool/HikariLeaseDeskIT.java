package io.anabranch.backend.pool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.PoolGauges;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.VariableValue;
import io.anabranch.backend.relay.LeaseBed;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(MariaDbServers.Resolver.class)
class HikariLeaseDeskIT {

  private static String answer(Lease lease, String sql) {
    try (ShardCursor cursor = lease.shard().query(ShardQuery.text("ds_0", sql.getBytes(UTF_8)))) {
      byte[] row = Objects.requireNonNull(cursor.next());
      return new String(row, 1, row.length - 1, UTF_8);
    }
  }

  private static String url(MariaDbServers servers) {
    return servers.primaryA().url("mysql");
  }

  /** Many sessions of both loops share few connections: channels move all the time. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void channelsMoveBetweenLoopsUnderLoad(boolean epoll, MariaDbServers servers) throws Exception {
    boolean isLinux = System.getProperty("os.name", "").startsWith("Linux");
    assumeTrue(!epoll || isLinux, "epoll is Linux's");
    try (var bed = new LeaseBed(url(servers), 3, 20_000, epoll);
        var sessions = Executors.newVirtualThreadPerTaskExecutor()) {
      var results = new ArrayList<Future<Integer>>();
      for (int session = 0; session < 16; session++) {
        EventLoop loop = bed.loops.next();
        int number = session;
        results.add(
            sessions.submit(
                () -> {
                  int right = 0;
                  for (int i = 0; i < 100; i++) {
                    Lease lease = bed.lease(number % 4 == 0, loop);
                    String wanted = number + "-" + i;
                    if (LeaseBed.loopOf(lease).equals(loop)
                        && answer(lease, "SELECT '" + wanted + "'").equals(wanted)) {
                      right++;
                    }
                    lease.release();
                  }
                  return right;
                }));
      }
      for (Future<Integer> result : results) {
        assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo(100);
      }
      assertThat(bed.desk.gauges("ds_0").waiting()).isZero();
      // Completes only when every lease has come back.
      bed.desk.drain().orTimeout(30, TimeUnit.SECONDS).join();
    }
  }

  @Test
  void whoWaitsTooLongIsToldSo(MariaDbServers servers) {
    try (var bed = new LeaseBed(url(servers), 1, 300, false)) {
      Lease held = bed.lease(false, bed.loops.next());
      assertThatThrownBy(() -> bed.lease(false, bed.loops.next()))
          .isInstanceOfSatisfying(
              RefusedException.class, refused -> assertThat(refused.errno()).isEqualTo(1040))
          .hasMessageContaining("AB3002")
          .hasMessageContaining("maxPoolSize");
      assertThat(bed.desk.gauges("ds_0")).isEqualTo(new PoolGauges(1, 0, 0, 1, 1, 0));
      held.release();
      Lease next = bed.lease(false, bed.loops.next());
      next.release();
    }
  }

  @Test
  void theLineOfALoopIsServedInOrderWithTheConnectionThatComesBack(MariaDbServers servers) {
    try (var bed = new LeaseBed(url(servers), 1, 20_000, false)) {
      EventLoop one = bed.loops.next();
      Lease held = bed.lease(false, bed.loops.next());
      long connection = LeaseBed.wire(held).threadId();
      var served = new ArrayList<CompletableFuture<Lease>>();
      for (int i = 0; i < 4; i++) {
        var next = new CompletableFuture<Lease>();
        served.add(next);
        bed.desk.lease(
            new LeaseDesk.Request("ds_0", false, one),
            (lease, refusal) -> next.complete(Objects.requireNonNull(lease)));
        // In line before the next one comes.
        one.submit(() -> {}).syncUninterruptibly();
      }
      assertThat(bed.desk.gauges("ds_0").waiting()).isEqualTo(4);
      held.release();
      for (int i = 0; i < 4; i++) {
        Lease lease = served.get(i).orTimeout(20, TimeUnit.SECONDS).join();
        for (CompletableFuture<Lease> later : served.subList(i + 1, 4)) {
          assertThat(later).isNotDone();
        }
        assertThat(LeaseBed.wire(lease).threadId()).isEqualTo(connection);
        assertThat(answer(lease, "SELECT 1")).isEqualTo("1");
        lease.release();
        lease.release();
      }
    }
  }

  @Test
  void anotherFlavourAndAnotherLoopGetWhatACacheHolds(MariaDbServers servers) {
    try (var bed = new LeaseBed(url(servers), 1, 20_000, false)) {
      for (int i = 0; i < 20; i++) {
        Lease lease = bed.lease(i % 2 == 0, bed.loops.next());
        assertThat(answer(lease, "SELECT " + i)).isEqualTo(Integer.toString(i));
        lease.release();
      }
    }
  }

  @Test
  @Timeout(60)
  void interruptingNeedsNoPermitAndLeavesTheConnectionUsable(MariaDbServers servers)
      throws Exception {
    try (var bed = new LeaseBed(url(servers), 1, 20_000, false);
        var sessions = Executors.newVirtualThreadPerTaskExecutor();
        var watch = new LeaseBed(url(servers), 1, 20_000, false)) {
      Lease watcher = watch.lease(false, watch.loops.next());
      Lease held = bed.lease(false, bed.loops.next());
      Future<String> sleeper = sessions.submit(() -> answer(held, "SELECT SLEEP(1000)"));
      String running =
          "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP%' AND id="
              + LeaseBed.wire(held).threadId();
      String sleeping = "0";
      while (sleeping.equals("0")) {
        sleeping = answer(watcher, running);
      }
      watcher.release();
      held.interrupt();
      assertThatThrownBy(() -> sleeper.get(30, TimeUnit.SECONDS))
          .hasMessageContaining("interrupted");
      assertThat(answer(held, "SELECT 7")).isEqualTo("7");
      held.release();
    }
  }

  @Test
  void discardedConnectionsAreNotSeenAgain(MariaDbServers servers) {
    try (var bed = new LeaseBed(url(servers), 1, 20_000, false)) {
      EventLoop loop = bed.loops.next();
      Lease first = bed.lease(false, loop);
      long connection = LeaseBed.wire(first).threadId();
      first.applied(SessionSettings.INITIAL.assigned(Map.of("@a", new VariableValue.Whole("1"))));
      first.discard("test");
      first.release();
      Lease second = bed.lease(false, loop);
      assertThat(LeaseBed.wire(second).threadId()).isNotEqualTo(connection);
      assertThat(second.applied()).isEqualTo(SessionSettings.INITIAL);
      second.release();
    }
  }

  @Test
  void settingsAreRememberedWithTheConnection(MariaDbServers servers) {
    try (var bed = new LeaseBed(url(servers), 1, 20_000, false)) {
      SessionSettings settings =
          SessionSettings.INITIAL.assigned(Map.of("@a", new VariableValue.Whole("1")));
      Lease first = bed.lease(false, bed.loops.next());
      first.applied(settings);
      first.release();
      Lease second = bed.lease(false, bed.loops.next());
      assertThat(second.applied()).isEqualTo(settings);
      second.release();
    }
  }

  @Test
  void aDatabaseThatIsDownIsSaidAtOnceAndUsedAgainWhenItIsBack() {
    try (MariaDbServer server = MariaDbServer.start("lease-down");
        var bed = new LeaseBed(server.url("mysql"), 2, 60_000, false)) {
      EventLoop loop = bed.loops.next();
      Lease before = bed.lease(false, loop);
      server.kill();
      before.release();
      // Well before the 60 seconds that a lease may take.
      var refused =
          CompletableFuture.supplyAsync(() -> bed.lease(false, loop))
              .orTimeout(30, TimeUnit.SECONDS);
      assertThatThrownBy(refused::join)
          .cause()
          .isInstanceOfSatisfying(
              RefusedException.class, refusal -> assertThat(refusal.errno()).isEqualTo(1429))
          .hasMessageContaining("'ds_0' cannot be reached");
      server.startAgain();
      Lease after = null;
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (after == null && System.nanoTime() < deadline) {
        try {
          after = bed.lease(false, loop);
        } catch (RefusedException notYet) {
          Thread.onSpinWait();
        }
      }
      assertThat(answer(Objects.requireNonNull(after), "SELECT 1")).isEqualTo("1");
      after.release();
    }
  }

  /** The kernel accepts for a process that stands still; nobody greets. */
  @Test
  @Timeout(60)
  void whatOpensAConnectionToADatabaseThatHangsEndsWhenThatIsKnown() throws Exception {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var bed =
            new LeaseBed(
                "jdbc:mysql://127.0.0.1:" + silent.getLocalPort() + "/test", 2, 60_000, false)) {
      EventLoop loop = bed.loops.next();
      var refused = CompletableFuture.supplyAsync(() -> bed.lease(false, loop));
      silent.accept();
      bed.desk.down("ds_0", "it does not answer");
      bed.desk.cut("ds_0");
      assertThatThrownBy(refused::join)
          .cause()
          .isInstanceOfSatisfying(
              RefusedException.class, refusal -> assertThat(refusal.isAway()).isTrue())
          .message()
          .doesNotContain("did not let us in within");
    }
  }

  @Test
  void connectionsThatDiedIdleAreNotCounted() throws Exception {
    try (MariaDbServer server = MariaDbServer.start("lease-dead-idle");
        var bed = new LeaseBed(server.url("mysql"), 2, 60_000, false)) {
      EventLoop loop = bed.loops.next();
      Lease plain = bed.lease(false, loop);
      Lease foundRows = bed.lease(true, loop);
      var ends =
          List.of(
              LeaseBed.wire(plain).channel().closeFuture(),
              LeaseBed.wire(foundRows).channel().closeFuture());
      plain.release();
      foundRows.release();
      // Until they wait in HikariCP, where nobody uses them.
      loop.schedule(() -> {}, 2, TimeUnit.SECONDS).sync();
      assertThat(bed.desk.gauges("ds_0").idle()).isEqualTo(2);
      server.kill();
      for (var end : ends) {
        assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
      }
      // Whoever awaits a close is woken before those who listen to it.
      for (var each : bed.loops) {
        each.submit(() -> {}).sync();
      }
      assertThat(bed.desk.gauges("ds_0").idle()).isZero();
      assertThatThrownBy(() -> bed.lease(false, loop)).hasMessageContaining("AB3001");
      assertThat(bed.desk.gauges("ds_0")).isEqualTo(new PoolGauges(0, 0, 0, 2, 2, 0));
    }
  }

  @Test
  void aDatabaseThatAcceptsAndNeverGreetsIsDown() throws Exception {
    try (var hung = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var bed =
            new LeaseBed(
                "jdbc:mysql://127.0.0.1:" + hung.getLocalPort() + "/mysql", 1, 2000, false)) {
      EventLoop loop = bed.loops.next();
      var first = CompletableFuture.supplyAsync(() -> bed.lease(false, loop));
      var inLine = CompletableFuture.supplyAsync(() -> bed.lease(false, loop));
      for (var refused : List.of(first, inLine)) {
        assertThatThrownBy(() -> refused.get(30, TimeUnit.SECONDS))
            .cause()
            .hasMessageContaining("AB3001")
            // the pool's limit or the driver's, which are the same: whichever is noticed first
            .hasMessageMatching(".*(did not let us in within 1500 ms|Read timed out).*");
      }
    }
  }

  @Test
  void drainingWaitsForTheLastLease(MariaDbServers servers) {
    var bed = new LeaseBed(url(servers), 2, 20_000, false);
    try (bed) {
      Lease lease = bed.lease(false, bed.loops.next());
      CompletableFuture<Void> drained = bed.desk.drain();
      assertThatThrownBy(() -> bed.lease(false, bed.loops.next()))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("being closed");
      assertThat(drained).isNotDone();
      assertThat(answer(lease, "SELECT 1")).isEqualTo("1");
      lease.release();
      drained.orTimeout(30, TimeUnit.SECONDS).join();
    }
  }
}
