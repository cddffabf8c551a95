package io.anabranch.backend.execute.source;

import io.anabranch.backend.execute.PlanWalker;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.RunningCommand;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ends one running merge-lane statement from another thread. Thread-safe; for one statement.
 *
 * <p>Cancelling ends the commands that run in databases, as KILL QUERY does there; what they still
 * answer is read away, and their connections serve others, but for those that {@link
 * RunningCommand} closes; those of a transaction stay once the database is told, and so does the
 * transaction. The statement fails with the reason that was given here.
 */
public final class Cancellation {

  // Guarded by this:
  private final Map<Lease, RunningCommand> running = new HashMap<>();

  /** Written under the lock. */
  private volatile @Nullable RuntimeException reason;

  /**
   * @param why what {@link PlanWalker#run} throws; the first call counts
   */
  public synchronized void cancel(RuntimeException why) {
    if (reason != null) {
      return;
    }
    reason = why;
    running.values().forEach(RunningCommand::end);
  }

  /** Why it was cancelled; null when it was not. */
  public @Nullable RuntimeException reason() {
    return reason;
  }

  /** Throws the reason once there is one. */
  public void check() {
    RuntimeException why = reason;
    if (why != null) {
      throw why;
    }
  }

  /**
   * From here on {@code lease} runs commands of the statement.
   *
   * @param stays whether the connection is wanted after the statement, whatever becomes of that;
   *     otherwise whoever holds the lease must not release it once there is a {@link #reason}
   */
  public synchronized void enter(Lease lease, boolean stays) {
    if (reason != null) {
      throw reason;
    }
    running.put(lease, new RunningCommand(lease, stays));
  }

  /**
   * From here on cancelling does not touch {@code lease}. Blocks while the database is being told
   * to end what runs on the connection.
   *
   * @return whether it was told: the next statement on the connection may be hit instead
   */
  public boolean leave(Lease lease) {
    RunningCommand command;
    synchronized (this) {
      command = running.remove(lease);
    }
    return command != null && command.leave();
  }
}
