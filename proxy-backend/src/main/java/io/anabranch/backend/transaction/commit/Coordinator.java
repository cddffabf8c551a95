package io.anabranch.backend.transaction.commit;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.shard.ShardException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * How the parts of a transaction on several databases are made to end alike. Shared by sessions;
 * thread-safe.
 */
public interface Coordinator {

  /**
   * Names a new transaction whose parts are XA branches; called when its first branch is opened.
   * Does not block.
   *
   * @return null where the parts are plain transactions
   * @throws io.anabranch.rules.error.RefusedException if distributed transactions cannot be had now
   */
  @Nullable String newTransaction();

  /**
   * Whether it commits all or nothing; a transaction that has no branches although this holds
   * (because of its snapshot) may change one data source only.
   */
  boolean isAtomic();

  /**
   * Commits; does not wait. One ending per branch, in their order; never fails for a database's
   * sake. Completed by whoever brings the last answer: the branches' event loop where nothing is
   * amiss.
   *
   * @param branches of one transaction
   */
  CompletableFuture<List<Ending>> commit(List<Branch> branches);

  /** Rolls back, likewise. */
  CompletableFuture<List<Ending>> rollback(List<Branch> branches);

  /**
   * How it ended on one connection.
   *
   * @param cause why it is not as asked for, or why the connection is of no use; null when all went
   *     well
   * @param warnings what the database says of it: level, code, message each
   */
  record Ending(
      Lease lease, State state, @Nullable ShardException cause, List<List<String>> warnings) {

    public Ending {
      warnings = List.copyOf(warnings);
    }

    /** The same without a word of the database. */
    public Ending(Lease lease, State state, @Nullable ShardException cause) {
      this(lease, state, cause, List.of());
    }

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
