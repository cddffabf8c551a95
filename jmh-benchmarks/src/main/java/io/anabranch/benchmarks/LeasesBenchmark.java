package io.anabranch.benchmarks;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.PoolListener;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.pool.wire.BackendTransport;
import io.anabranch.backend.pool.wire.DatabaseChannels;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.backend.relay.shard.WireShardConnections;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.testkit.MariaDbServer;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * 64 sessions on two event loops that take a connection and give it back, again and again, without
 * a word to the database: the way through the loops' own caches where there are enough, and through
 * the line in front of the pool and from loop to loop where there are not.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LeasesBenchmark {

  private static final int SESSIONS = 64;
  private static final int LEASES = 100;
  private static final int LOOPS = 2;

  @Param({"64", "16", "4"})
  public int connections;

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(LOOPS, NioIoHandler.newFactory());
  private @Nullable MariaDbServer database;
  private @Nullable HikariLeaseDesk desk;

  @Setup
  public final void open() {
    MariaDbServer started = MariaDbServer.start("leases");
    database = started;
    var source =
        new DataSourceDefinition(
            "ds_0",
            started.url("mysql"),
            MariaDbServer.USER,
            MariaDbServer.PASSWORD,
            30_000,
            60_000,
            1_800_000,
            connections,
            0,
            false,
            Map.of());
    desk =
        new HikariLeaseDesk(
            "benchmark",
            List.of(source),
            new BackendTransport(loops, DatabaseChannels.of(NioSocketChannel::new)),
            new WireShardConnections(new KeptStatements(4))::over,
            PoolListener.NONE);
  }

  @TearDown
  public final void close() throws InterruptedException {
    if (desk != null) {
      desk.close();
    }
    if (database != null) {
      database.close();
    }
    loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
  }

  /** Time per lease. */
  @Benchmark
  @OperationsPerInvocation(SESSIONS * LEASES)
  public void leases() {
    CompletableFuture<?>[] sessions =
        IntStream.range(0, SESSIONS)
            .mapToObj(_ -> new Session(loops.next()).start())
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(sessions).join();
  }

  /** Holds each lease over one turn of its event loop, as a statement does. */
  private final class Session {

    private final EventLoop loop;
    private final LeaseDesk.Request request;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private int left = LEASES;

    Session(EventLoop loop) {
      this.loop = loop;
      this.request = new LeaseDesk.Request("ds_0", false, loop);
    }

    CompletableFuture<Void> start() {
      loop.execute(this::next);
      return done;
    }

    private void next() {
      if (left-- == 0 || desk == null) {
        done.complete(null);
      } else {
        desk.lease(request, this::leased);
      }
    }

    private void leased(@Nullable Lease lease, @Nullable RuntimeException refusal) {
      if (lease == null) {
        done.completeExceptionally(refusal);
        return;
      }
      loop.execute(
          () -> {
            lease.release();
            next();
          });
    }
  }
}
