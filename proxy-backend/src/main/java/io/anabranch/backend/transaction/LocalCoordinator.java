package io.anabranch.backend.transaction;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.shard.ShardException;
import java.util.ArrayList;
import java.util.List;

/**
 * Commits one database after the other. The first that does not commit stops it: those that have
 * not been asked yet are rolled back, those that have committed stay so, and the endings tell.
 */
public final class LocalCoordinator implements Coordinator {

  @Override
  public List<String> opening(TransactionOptions options) {
    return options.opening();
  }

  @Override
  public List<Ending> commit(List<Lease> leases) {
    var endings = new ArrayList<Ending>(leases.size());
    boolean stopped = false;
    for (Lease lease : leases) {
      Ending ending = stopped ? rollback(lease) : commit(lease);
      stopped |= ending.state() != State.COMMITTED;
      endings.add(ending);
    }
    return endings;
  }

  @Override
  public List<Ending> rollback(List<Lease> leases) {
    var endings = new ArrayList<Ending>(leases.size());
    for (Lease lease : leases) {
      endings.add(rollback(lease));
    }
    return endings;
  }

  private static Ending commit(Lease lease) {
    try {
      Commands.run(lease, "COMMIT");
      return new Ending(lease, State.COMMITTED, null);
    } catch (ShardException.Database refused) {
      Ending rolledBack = rollback(lease);
      return new Ending(lease, rolledBack.state(), refused);
    } catch (ShardException.Lost lost) {
      return new Ending(lease, lost.mayHaveRun() ? State.UNKNOWN : State.ROLLED_BACK, lost);
    }
  }

  /** A database whose connection is gone, or is now closed, rolls back by itself. */
  private static Ending rollback(Lease lease) {
    try {
      Commands.run(lease, "ROLLBACK");
      return new Ending(lease, State.ROLLED_BACK, null);
    } catch (ShardException failure) {
      State state = failure instanceof ShardException.Lost ? State.ROLLED_BACK : State.UNKNOWN;
      return new Ending(lease, state, failure);
    }
  }
}
