package io.anabranch.backend.transaction;

import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.transaction.Coordinator.Ending;
import io.anabranch.backend.transaction.Coordinator.State;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ends one branch by itself, waiting for the database. */
public final class BranchEnd {

  /** XAER_NOTA: there is no such branch. */
  private static final int UNKNOWN_XID = 1397;

  private BranchEnd() {}

  /** Commits without a second phase; a branch that cannot be committed is rolled back. */
  public static Ending commit(Branch branch) {
    try {
      Commands.train(branch.lease(), branch.commit());
      return new Ending(branch.lease(), State.COMMITTED, null);
    } catch (ShardException.Database refused) {
      return new Ending(branch.lease(), rollback(branch).state(), refused);
    } catch (ShardException.Lost lost) {
      State state = lost.mayHaveRun() ? State.UNKNOWN : State.ROLLED_BACK;
      return new Ending(branch.lease(), state, lost);
    }
  }

  /**
   * First phase.
   *
   * @return why it is not prepared; null when it is
   */
  public static @Nullable ShardException prepare(Branch branch) {
    String xid = named(branch).sql();
    try {
      Commands.train(branch.lease(), List.of("XA END " + xid, "XA PREPARE " + xid));
      return null;
    } catch (ShardException failure) {
      return failure;
    }
  }

  /**
   * Second phase; where the database does not say that it is done, the connection is of no use.
   * Where it knows no such branch somebody else has ended it, and nobody can tell how.
   */
  public static Ending commitPrepared(Branch branch) {
    try {
      Commands.run(branch.lease(), "XA COMMIT " + named(branch).sql());
      return new Ending(branch.lease(), State.COMMITTED, null);
    } catch (ShardException.Database refused) {
      var cause = new ShardException.Lost(String.valueOf(refused.getMessage()), true);
      State state = refused.errno() == UNKNOWN_XID ? State.UNKNOWN : State.COMMITTED;
      return new Ending(branch.lease(), state, cause);
    } catch (ShardException.Lost lost) {
      return new Ending(branch.lease(), State.COMMITTED, lost);
    }
  }

  private static Xid named(Branch branch) {
    Xid xid = branch.xid();
    if (xid == null) {
      throw new IllegalArgumentException(branch.dataSource() + " has no branch");
    }
    return xid;
  }

  /** Rolls back. A database whose connection is gone, or is now closed, does so by itself. */
  public static Ending rollback(Branch branch) {
    try {
      List<String> commands = branch.rollback();
      if (commands.size() > 1) {
        endWhateverStateItHas(branch, commands.getFirst());
      }
      Commands.run(branch.lease(), commands.getLast());
      return new Ending(branch.lease(), State.ROLLED_BACK, null);
    } catch (ShardException.Lost lost) {
      return new Ending(branch.lease(), State.ROLLED_BACK, lost);
    } catch (ShardException.Database refused) {
      boolean isGone = refused.errno() == UNKNOWN_XID;
      return new Ending(
          branch.lease(), isGone ? State.ROLLED_BACK : State.UNKNOWN, isGone ? null : refused);
    }
  }

  /** XA END tells of a deadlock, or that the branch has ended before; XA ROLLBACK works then. */
  private static void endWhateverStateItHas(Branch branch, String end) {
    try {
      Commands.run(branch.lease(), end);
    } catch (ShardException.Database told) {
      // what it tells is known already
    }
  }
}
