package io.anabranch.backend.xa;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.commit.Branch;
import io.anabranch.backend.transaction.commit.BranchEnd;
import io.anabranch.backend.transaction.commit.Coordinator.Ending;
import io.anabranch.backend.transaction.commit.Coordinator.State;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A phase of all branches of a transaction at the same time: all is sent before the first answer is
 * looked at, and the last answer goes on. Waits for nothing; thread-safe.
 */
final class BranchPhases {

  private final EventLoopGroup loops;
  private final long timeoutMilliseconds;

  /**
   * @param loops whose clocks are used for connections that are on none of them
   * @param timeoutMilliseconds a connection that does not answer for so long is closed
   */
  BranchPhases(EventLoopGroup loops, long timeoutMilliseconds) {
    this.loops = loops;
    this.timeoutMilliseconds = timeoutMilliseconds;
  }

  /** One result per branch, in their order. */
  <T extends @Nullable Object> CompletableFuture<List<T>> each(
      List<Branch> branches, Function<Branch, CompletableFuture<T>> work) {
    var all = new ArrayList<CompletableFuture<T>>(branches.size());
    for (Branch branch : branches) {
      all.add(timed(branch.lease(), () -> work.apply(branch)));
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenApply(_ -> all.stream().map(CompletableFuture::join).toList());
  }

  /**
   * Ends a branch without changes, of a transaction that is, or is to be, committed: nothing is
   * lost with it, whatever its connection says.
   */
  static CompletableFuture<Ending> endReader(Branch branch) {
    return BranchEnd.commit(branch)
        .thenApply(
            ending ->
                ending.state() == State.COMMITTED
                    ? ending
                    : new Ending(branch.lease(), State.COMMITTED, lost(ending.cause())));
  }

  private static ShardException lost(@Nullable ShardException cause) {
    return cause instanceof ShardException.Lost
        ? cause
        : new ShardException.Lost(cause == null ? "" : String.valueOf(cause.getMessage()), true);
  }

  private <T extends @Nullable Object> CompletableFuture<T> timed(
      Lease lease, Supplier<CompletableFuture<T>> work) {
    var deadline =
        clockOf(lease)
            .schedule(
                () -> lease.discard("no answer within " + timeoutMilliseconds + " ms"),
                timeoutMilliseconds,
                TimeUnit.MILLISECONDS);
    return work.get().whenComplete((_, _) -> deadline.cancel(false));
  }

  /** The connection's own loop need not be woken up for it. */
  private EventExecutorGroup clockOf(Lease lease) {
    BackendConnection connection = lease.connection();
    return connection == null ? loops : connection.channel().eventLoop();
  }
}
