package io.anabranch.backend.transaction;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.shard.ShardException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the parts of a transaction on several databases are opened and ended. Stateless. */
public interface Coordinator {

  /** The commands that open a transaction on a connection, in order. */
  List<String> opening(TransactionOptions options);

  /** Commits; blocks. One ending per lease, in their order; never throws for a database's sake. */
  List<Ending> commit(List<Lease> leases);

  /** Rolls back; blocks. One ending per lease, in their order. */
  List<Ending> rollback(List<Lease> leases);

  /**
   * How it ended on one connection.
   *
   * @param cause why it is not as asked for; null when it is
   */
  record Ending(Lease lease, State state, @Nullable ShardException cause) {

    /** Whether the connection is of no use any more. */
    public boolean isBroken() {
      return cause != null && (state == State.UNKNOWN || cause instanceof ShardException.Lost);
    }
  }

  /** What became of the work on one connection. */
  enum State {
    COMMITTED,
    ROLLED_BACK,
    /** Nobody can tell: the connection broke meanwhile. */
    UNKNOWN
  }
}
