package io.anabranch.backend.relay;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.PoolListener;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.pool.wire.BackendTransport;
import io.anabranch.backend.pool.wire.DatabaseChannels;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.relay.command.RelayRequest;
import io.anabranch.backend.relay.command.ResponseSink;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.backend.relay.shard.WireShardConnections;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.plan.NameMapping;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A lease desk over one database, with event loops of its own. */
public final class LeaseBed implements AutoCloseable {

  public final MultiThreadIoEventLoopGroup loops;
  public final HikariLeaseDesk desk;
  final Relay relay = new Relay(new KeptStatements(4));

  LeaseBed(String url, int poolSize, long timeout) {
    this(url, poolSize, timeout, false);
  }

  public LeaseBed(String url, int poolSize, long timeout, boolean epoll) {
    loops =
        new MultiThreadIoEventLoopGroup(
            2, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    var wire = new WireShardConnections(new KeptStatements(4));
    desk =
        new HikariLeaseDesk(
            "logic",
            List.of(
                new DataSourceDefinition(
                    "ds_0", url, "test", "test", timeout, 60_000, 1_800_000, poolSize, 0, false,
                    Map.of())),
            new BackendTransport(
                loops,
                DatabaseChannels.of(epoll ? EpollSocketChannel::new : NioSocketChannel::new)),
            wire::over,
            PoolListener.NONE);
  }

  public Lease lease(boolean foundRows, EventLoop loop) {
    return desk.leaseBlocking(new LeaseDesk.Request("ds_0", foundRows, loop));
  }

  RelayOutcome run(Lease lease, RelayRequest request, ResponseSink sink) {
    var done = new CompletableFuture<RelayOutcome>();
    loopOf(lease).execute(() -> relay.exchange(lease, request, sink, done::complete));
    return done.orTimeout(30, TimeUnit.SECONDS).join();
  }

  RelayOutcome query(Lease lease, ResponseSink sink, String sql) {
    return run(
        lease,
        new RelayRequest(
            List.of(),
            new RelayCommand.Query(sql.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
            NameMapping.ofSchema("")),
        sink);
  }

  public static BackendConnection wire(Lease lease) {
    return Objects.requireNonNull(lease.connection());
  }

  public static EventLoop loopOf(Lease lease) {
    return wire(lease).channel().eventLoop();
  }

  @Override
  public void close() {
    desk.drain().orTimeout(30, TimeUnit.SECONDS).join();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
