package io.anabranch.backend.xa;

import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.Branch;
import io.anabranch.backend.transaction.BranchEnd;
import io.anabranch.backend.transaction.Coordinator.Ending;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The phases of all branches of a transaction at the same time. Blocks; thread-safe. */
final class BranchPhases {

  private final Executor threads;
  private final EventLoopGroup loops;
  private final long timeoutMilliseconds;

  /**
   * @param threads one per task; they block
   * @param timeoutMilliseconds a connection that does not answer for so long is closed
   */
  BranchPhases(Executor threads, EventLoopGroup loops, long timeoutMilliseconds) {
    this.threads = threads;
    this.loops = loops;
    this.timeoutMilliseconds = timeoutMilliseconds;
  }

  /** One result per branch, in their order; the calling thread does the first. */
  <T extends @Nullable Object> List<T> each(List<Branch> branches, Function<Branch, T> work) {
    var others = new ArrayList<CompletableFuture<T>>(branches.size());
    for (Branch branch : branches.subList(Math.min(1, branches.size()), branches.size())) {
      others.add(CompletableFuture.supplyAsync(() -> timed(branch, work), threads));
    }
    var results = new ArrayList<T>(branches.size());
    if (!branches.isEmpty()) {
      results.add(timed(branches.getFirst(), work));
    }
    for (CompletableFuture<T> other : others) {
      results.add(other.join());
    }
    return results;
  }

  private <T extends @Nullable Object> T timed(Branch branch, Function<Branch, T> work) {
    var deadline =
        loops.schedule(
            () -> branch.lease().discard("no answer within " + timeoutMilliseconds + " ms"),
            timeoutMilliseconds,
            TimeUnit.MILLISECONDS);
    try {
      return work.apply(branch);
    } finally {
      deadline.cancel(false);
    }
  }

  @Nullable ShardException prepare(Branch branch) {
    return BranchEnd.prepare(branch);
  }

  Ending commitPrepared(Branch branch) {
    return BranchEnd.commitPrepared(branch);
  }
}
