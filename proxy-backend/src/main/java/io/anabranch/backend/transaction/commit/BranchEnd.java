package io.anabranch.backend.transaction.commit;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.ShownWarnings;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.backend.shard.ShardReply;
import io.anabranch.backend.transaction.commit.Coordinator.Ending;
import io.anabranch.backend.transaction.commit.Coordinator.State;
import io.anabranch.rules.plan.NameMapping;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Ends one branch by itself. Waits for nothing: the future is completed by the database's answer.
 */
public final class BranchEnd {

  /** XAER_NOTA: there is no such branch. */
  static final int UNKNOWN_XID = 1397;

  private static final NameMapping NO_NAMES = NameMapping.ofSchema("");

  /** A rollback that warns is rare: a thread of its own waits for what it warns of. */
  private static final Executor WAITING =
      work -> Thread.ofVirtual().name("rollback-warnings").start(work);

  private BranchEnd() {}

  /** Commits without a second phase; a branch that cannot be committed is rolled back. */
  public static CompletableFuture<Ending> commit(Branch branch) {
    return Commands.send(branch.lease(), branch.commit())
        .thenCompose(reply -> committed(branch, reply));
  }

  private static CompletableFuture<Ending> committed(Branch branch, ShardReply reply) {
    return switch (reply.failure()) {
      case null -> ended(branch, State.COMMITTED, null);
      case ShardException.Database refused ->
          rollback(branch).thenApply(undone -> new Ending(branch.lease(), undone.state(), refused));
      case ShardException.Lost lost ->
          ended(branch, lost.mayHaveRun() ? State.UNKNOWN : State.ROLLED_BACK, lost);
    };
  }

  /**
   * First phase. Tells why it is not prepared; an outcome means that it is.
   *
   * @return completed with what the database says
   */
  public static CompletableFuture<ShardReply> prepare(Branch branch) {
    String xid = named(branch).sql();
    return Commands.send(branch.lease(), List.of("XA END " + xid, "XA PREPARE " + xid));
  }

  /**
   * Second phase; where the database does not say that it is done, the connection is of no use.
   * Where it knows no such branch somebody else has ended it, and nobody can tell how.
   */
  public static CompletableFuture<Ending> commitPrepared(Branch branch) {
    return Commands.send(branch.lease(), List.of("XA COMMIT " + named(branch).sql()))
        .thenCompose(reply -> committedPrepared(branch, reply));
  }

  private static CompletableFuture<Ending> committedPrepared(Branch branch, ShardReply reply) {
    return switch (reply.failure()) {
      case null -> ended(branch, State.COMMITTED, null);
      case ShardException.Database refused -> {
        var cause = new ShardException.Lost(String.valueOf(refused.getMessage()), true);
        boolean isGone = refused.errno() == UNKNOWN_XID;
        yield ended(branch, isGone ? State.UNKNOWN : State.COMMITTED, cause);
      }
      case ShardException.Lost lost -> ended(branch, State.COMMITTED, lost);
    };
  }

  private static Xid named(Branch branch) {
    Xid xid = branch.xid();
    if (xid == null) {
      throw new IllegalArgumentException(branch.dataSource() + " has no branch");
    }
    return xid;
  }

  /** Rolls back. A database whose connection is gone, or is now closed, does so by itself. */
  public static CompletableFuture<Ending> rollback(Branch branch) {
    List<String> commands = branch.rollback();
    List<String> last = List.of(commands.getLast());
    if (commands.size() == 1) {
      return Commands.send(branch.lease(), last).thenCompose(reply -> rolledBack(branch, reply));
    }
    // XA END tells of a deadlock, or that the branch has ended before; XA ROLLBACK works then
    return Commands.send(branch.lease(), commands.subList(0, 1))
        .thenCompose(
            reply ->
                reply.isLost()
                    ? CompletableFuture.completedFuture(reply)
                    : Commands.send(branch.lease(), last))
        .thenCompose(reply -> rolledBack(branch, reply));
  }

  private static CompletableFuture<Ending> rolledBack(Branch branch, ShardReply reply) {
    return switch (reply.failure()) {
      case null -> {
        ShardOutcome outcome = reply.outcome();
        yield outcome == null || outcome.warnings() == 0
            ? ended(branch, State.ROLLED_BACK, null)
            : CompletableFuture.supplyAsync(() -> warned(branch.lease()), WAITING);
      }
      case ShardException.Lost lost -> ended(branch, State.ROLLED_BACK, lost);
      case ShardException.Database refused -> {
        boolean isGone = refused.errno() == UNKNOWN_XID;
        yield ended(branch, isGone ? State.ROLLED_BACK : State.UNKNOWN, isGone ? null : refused);
      }
    };
  }

  /** Something cannot be undone: only this connection can tell what. Blocks. */
  private static Ending warned(Lease lease) {
    try {
      List<List<String>> warnings = ShownWarnings.read(lease, NO_NAMES);
      return new Ending(lease, State.ROLLED_BACK, null, warnings);
    } catch (ShardException failure) {
      return new Ending(lease, State.ROLLED_BACK, failure);
    }
  }

  private static CompletableFuture<Ending> ended(
      Branch branch, State state, @Nullable ShardException cause) {
    return CompletableFuture.completedFuture(new Ending(branch.lease(), state, cause));
  }
}
