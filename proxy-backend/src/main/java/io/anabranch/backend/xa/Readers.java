package io.anabranch.backend.xa;

import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.Branch;
import io.anabranch.backend.transaction.BranchEnd;
import io.anabranch.backend.transaction.Coordinator.Ending;
import io.anabranch.backend.transaction.Coordinator.State;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Branches without changes: nothing is lost with them, whatever their connection says. */
final class Readers {

  private Readers() {}

  /** Ends one of a transaction that is, or is to be, committed. */
  static CompletableFuture<Ending> end(Branch branch) {
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
}
