package io.anabranch.frontend.current;

import io.anabranch.backend.execute.source.Cancellation;
import io.anabranch.backend.lease.BlockingWork;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.rules.effort.Wish;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends what runs in a session, for KILL and for clients that went away. Knows where the current
 * statement is: waiting, on a lease of the relay lane, in the merge lane, or at other work that
 * waits for databases.
 */
public final class Interruption {

  /** What a database answers to a statement that was killed. */
  public static final int ERRNO = ErrorCatalogue.QUERY_INTERRUPTED.errno();

  private static final int MOST_SECONDS = 10;

  private final Session session;
  private Wish wish = new Wish();
  private boolean isPlanning;
  private boolean endsWithClient;
  private @Nullable Lease lease;
  private @Nullable Cancellation merging;

  /** A thread waits for databases, in no lane. */
  private @Nullable BlockingWork work;

  private @Nullable Kill kill;

  /** Ends the waiting for a place among the statements that run; null where it does not wait. */
  private @Nullable Consumer<RuntimeException> line;

  private Consumer<RelayOutcome> resume = _ -> {};

  public Interruption(Session session) {
    this.session = session;
  }

  /** The database only knows that the statement was interrupted. */
  public ErrPacket told(ErrPacket error) {
    Kill begun = kill;
    return error.errno() == ERRNO
            && begun != null
            && begun.reason instanceof RefusedException why
            && isTold(why)
        ? new ErrPacket(why.errno(), why.sqlState(), String.valueOf(why.getMessage()))
        : error;
  }

  /** Whether the client is to know more than that its statement was interrupted. */
  private static boolean isTold(RefusedException reason) {
    return reason.is(ErrorCatalogue.DEADLOCK)
        || reason.is(ErrorCatalogue.SERVER_SHUTDOWN)
        || reason.is(ErrorCatalogue.RULE_TIME)
        || reason.is(ErrorCatalogue.RULE_ROWS)
        || reason.is(ErrorCatalogue.RULE_BYTES);
  }

  /** Whether the statement was ended because it waited in a deadlock. */
  public boolean isDeadlocked() {
    Kill begun = kill;
    return begun != null && begun.isForDeadlock();
  }

  /** One demand to end the current statement. */
  private static final class Kill {
    final RuntimeException reason;

    /** Whether the database is being told. */
    boolean asking;

    /** What the statement came to while the database was being told. */
    @Nullable RelayOutcome outcome;

    /** Whether the next statement on the connection may be hit instead. */
    boolean isLate;

    Kill(RuntimeException reason) {
      this.reason = reason;
    }

    boolean wasHit() {
      return outcome instanceof RelayOutcome.Failed failed
          && (failed.errno() == ERRNO || isForDeadlock());
    }

    boolean isForDeadlock() {
      return reason instanceof RefusedException refused && refused.is(ErrorCatalogue.DEADLOCK);
    }
  }

  /**
   * The current statement is being planned.
   *
   * @param ends whether the planning ends when the client goes, whatever the statement does
   */
  public void planning(Wish current, boolean ends) {
    wish = current;
    isPlanning = true;
    endsWithClient = ends;
  }

  /** For which the current statement is planned. */
  public Wish wish() {
    return wish;
  }

  /** The current statement begins to run. */
  public void planned() {
    isPlanning = false;
  }

  /** Whether the statement has not begun, and ends with its client: it is one of the large ones. */
  public boolean endsPlanning() {
    return isPlanning && endsWithClient;
  }

  /** Whether the statement has not begun. */
  public boolean isPlanning() {
    return isPlanning;
  }

  /**
   * The current statement waits for a place among those that run.
   *
   * @param ending ends the waiting, with what the client is told
   */
  public void queued(Consumer<RuntimeException> ending) {
    line = ending;
  }

  /** The current statement waits no more. */
  public void unqueued() {
    line = null;
  }

  /** Whether the statement waits for a place: nothing of it has been done. */
  public boolean isQueued() {
    return line != null;
  }

  /** Another statement starts. */
  public void clear() {
    isPlanning = false;
    line = null;
    kill = null;
    lease = null;
    merging = null;
    work = null;
    session.members().waiting().clear();
    session.connections().waiting().clear();
  }

  /** Why the current statement is to end; null when it is not. */
  public @Nullable RuntimeException reason() {
    Kill begun = kill;
    return begun == null ? null : begun.reason;
  }

  /**
   * Whether the database was told to end the statement and did not: it had ended, or went on. Then
   * the next one on the connection may be hit.
   */
  public boolean cameLate() {
    Kill begun = kill;
    return begun != null && begun.isLate;
  }

  /** Who goes on with outcomes that had to wait for the database's answer to KILL. */
  public void resumes(Consumer<RelayOutcome> whenTold) {
    resume = whenTold;
  }

  /** The relay lane runs the statement there. */
  public void runsOn(Lease given) {
    lease = given;
  }

  /** The merge lane runs the statement. */
  public void runs(Cancellation cancellation) {
    merging = cancellation;
    Kill begun = kill;
    if (begun != null) {
      cancellation.cancel(begun.reason);
    }
  }

  /** A thread does something for the statement, and waits for databases there. */
  public void works(BlockingWork begun) {
    work = begun;
    Kill demanded = kill;
    if (demanded != null) {
      begun.end(demanded.reason);
    }
  }

  /** It has done that. */
  public void worked() {
    work = null;
  }

  /** Whether a thread works for the statement, be it in no lane. */
  public boolean isWorking() {
    return work != null;
  }

  /** The relay lane is through; true if its outcome is kept and given later. */
  public boolean keeps(RelayOutcome outcome) {
    Kill begun = kill;
    if (begun != null && begun.asking) {
      begun.outcome = outcome;
      return true;
    }
    lease = null;
    return false;
  }

  /**
   * Ends what runs.
   *
   * @param reason what the client is told
   */
  public void interrupt(RuntimeException reason) {
    if (kill != null) {
      return;
    }
    var begun = new Kill(reason);
    kill = begun;
    Consumer<RuntimeException> waiting = line;
    if (waiting != null) {
      waiting.accept(reason);
      return;
    }
    session.members().waiting().end(reason);
    if (isPlanning) {
      wish.abandon();
    }
    Cancellation running = merging;
    BlockingWork working = work;
    Lease used = lease;
    if (running != null) {
      running.cancel(reason);
    } else if (working != null) {
      // what plans ends with the wish for it: others may wait for the same answers
      if (!isPlanning) {
        working.end(reason);
      }
    } else if (used != null) {
      endOnDatabase(used, begun);
    }
    session.connections().waiting().end(reason);
  }

  /**
   * The outcome waits until the database has answered the KILL: nobody else gets the connection
   * while it may still hit it. Where that fails or takes long, the connection is closed.
   */
  private void endOnDatabase(Lease used, Kill begun) {
    begun.asking = true;
    var timeout =
        session
            .loop()
            .schedule(
                () -> told(used, begun, "KILL was not answered"), MOST_SECONDS, TimeUnit.SECONDS);
    session
        .background()
        .execute(
            () -> {
              String failure = null;
              try {
                used.interrupt();
              } catch (RuntimeException e) {
                failure = "KILL failed: " + e.getMessage();
              }
              String outcome = failure;
              session
                  .loop()
                  .execute(
                      () -> {
                        timeout.cancel(false);
                        told(used, begun, outcome);
                      });
            });
  }

  private void told(Lease used, Kill begun, @Nullable String failure) {
    if (!begun.asking) {
      return;
    }
    begun.asking = false;
    RelayOutcome outcome = begun.outcome;
    if (failure != null) {
      used.discard(failure);
    } else if (outcome != null && !begun.wasHit()) {
      begun.isLate = true;
    }
    if (outcome != null) {
      begun.outcome = null;
      resume.accept(outcome);
    }
  }
}
