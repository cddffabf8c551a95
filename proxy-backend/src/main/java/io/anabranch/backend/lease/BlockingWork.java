package io.anabranch.backend.lease;

import io.anabranch.backend.shard.ShardException;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one thread does for a statement while it waits for databases, and how that is ended from
 * another. Every command that the thread waits for is known here, whoever sends it: leases {@link
 * #enter} what runs on them. Thread-safe; for one piece of work.
 *
 * <p>Ending it ends the {@link RunningCommand}; connections that the session keeps stay once the
 * database is told. What begins later, such as what tidies up, gets {@value #MOMENT_MILLISECONDS}
 * milliseconds. Commits and rollbacks are sent and not waited for by a cursor: nothing ends those.
 */
public final class BlockingWork {

  private static final ScopedValue<BlockingWork> CURRENT = ScopedValue.newInstance();

  /** How long a command may take that begins when the work is to end. */
  static final int MOMENT_MILLISECONDS = 1000;

  private final boolean isConclusion;
  private final BooleanSupplier keeps;

  // Guarded by this:
  private final Set<RunningCommand> running = new HashSet<>();
  private @Nullable RuntimeException reason;
  private @Nullable Thread asking;
  private int askings;
  private boolean isInterrupted;

  private BlockingWork(boolean isConclusion, BooleanSupplier keeps) {
    this.isConclusion = isConclusion;
    this.keeps = keeps;
  }

  /**
   * Work that ends at once.
   *
   * @param keeps whether the session keeps its connections, as in a transaction; asked by the
   *     thread that works
   */
  public static BlockingWork endable(BooleanSupplier keeps) {
    return new BlockingWork(false, keeps);
  }

  /**
   * What is asked behind an answer, without which the session would not be what it is: each command
   * has its moment, whenever the work is to end.
   */
  public static BlockingWork conclusion(BooleanSupplier keeps) {
    return new BlockingWork(true, keeps);
  }

  /** That of the calling thread; null: it has none. */
  public static @Nullable BlockingWork current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /** Does it, on the calling thread. */
  public <T extends @Nullable Object> T call(Supplier<T> work) {
    return ScopedValue.where(CURRENT, this).call(work::get);
  }

  /**
   * Asks what others may wait for as well, on connections that are no session's: the thread is
   * interrupted where its work is to end, and the answer is of no use to it.
   *
   * @throws RuntimeException why the work is to end
   */
  public static <T extends @Nullable Object> T shared(Supplier<T> asking) {
    BlockingWork work = current();
    return work == null || work.isConclusion ? asking.get() : work.ask(asking);
  }

  private <T extends @Nullable Object> T ask(Supplier<T> question) {
    asks();
    T answer;
    try {
      answer = question.get();
    } catch (RuntimeException failure) {
      RuntimeException ending = asked();
      throw ending == null ? failure : ending;
    }
    RuntimeException ending = asked();
    if (ending != null) {
      throw ending;
    }
    return answer;
  }

  private synchronized void asks() {
    if (reason != null) {
      throw reason;
    }
    asking = Thread.currentThread();
    askings++;
  }

  /** The reason if the thread was interrupted, and the outermost question is over. */
  private synchronized @Nullable RuntimeException asked() {
    if (--askings > 0) {
      return null;
    }
    asking = null;
    if (!isInterrupted) {
      return null;
    }
    isInterrupted = false;
    var _ = Thread.interrupted();
    return reason;
  }

  /**
   * @param why what {@link #told} gives; the first call counts
   */
  public synchronized void end(RuntimeException why) {
    if (reason != null) {
      return;
    }
    reason = why;
    for (RunningCommand command : running) {
      if (isConclusion) {
        command.endAfter(MOMENT_MILLISECONDS);
      } else {
        command.end();
      }
    }
    if (asking != null) {
      isInterrupted = true;
      asking.interrupt();
    }
  }

  /** What the client is told of a failure: why the work was ended, if that has caused it. */
  public synchronized Throwable told(Throwable failure) {
    return reason != null && isOfEnding(failure) ? reason : failure;
  }

  private static boolean isOfEnding(Throwable failure) {
    return switch (failure) {
      case ShardException.Database refused ->
          refused.errno() == ErrorCatalogue.QUERY_INTERRUPTED.errno();
      case ShardException.Lost _ -> true;
      // a connection is lost, or none could be had, while the client had stopped waiting for it
      case RefusedException refused ->
          refused.is(ErrorCatalogue.BACKEND_LOST)
              || refused.is(ErrorCatalogue.LEASE_TIMEOUT)
              || refused.isAway();
      default -> false;
    };
  }

  /** A command begins on {@code lease}; the thread that waits for it {@link #leave}s. */
  RunningCommand enter(Lease lease) {
    var command = new RunningCommand(lease, keeps.getAsBoolean());
    synchronized (this) {
      running.add(command);
      if (reason != null) {
        command.endAfter(MOMENT_MILLISECONDS);
      }
    }
    return command;
  }

  /** See {@link RunningCommand#leave}. */
  boolean leave(RunningCommand command) {
    synchronized (this) {
      running.remove(command);
    }
    return command.leave();
  }
}
