package io.anabranch.rules.effort;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Scan;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Where large and deep statements are planned: on a platform thread each, whose stack is as large
 * as the statement is deep, and as many at a time as leave processors to the others. Virtual
 * threads would keep all of their carriers until they are through. Thread-safe; each {@link #call}
 * ends the thread that it starts.
 */
public final class PlanningRoom {

  /** Statements that are longer, in bytes, are planned here. */
  public static final int LARGE = 1 << 16;

  /** So many levels fit into any stack. */
  private static final int SHALLOW = 128;

  /** More than the parser and what reads its trees were seen to take for a level, in bytes. */
  private static final long BYTES_PER_LEVEL = 6 * 1024;

  private static final long LEAST_STACK = 1 << 20;
  private static final long LARGEST_STACK = 256L << 20;

  private final Semaphore places;

  /**
   * @param most statements that are planned here at the same time
   */
  public PlanningRoom(int most) {
    places = new Semaphore(most, true);
  }

  /** A room that leaves half of the machine's processors to others. */
  public static PlanningRoom ofHalf() {
    return new PlanningRoom(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
  }

  /**
   * Runs {@code work} on this thread, or in the room if the statement is large or deep. Blocks.
   *
   * @throws io.anabranch.rules.error.RefusedException if the statement is nested too deeply, or if
   *     {@code wish} is abandoned
   */
  public <T> T call(Scan scan, Wish wish, Supplier<T> work) {
    int levels = Nesting.of(scan);
    if (levels <= SHALLOW && scan.end() - scan.start() <= LARGE) {
      return here(wish, work);
    }
    wish.enter();
    try {
      places.acquire();
      return finished(started(levels, work));
    } catch (InterruptedException _) {
      throw ErrorCatalogue.QUERY_INTERRUPTED.refuse();
    } finally {
      wish.leave();
    }
  }

  /**
   * Runs {@code work} on this thread, however large the statement is. Blocks.
   *
   * @throws io.anabranch.rules.error.RefusedException if {@code wish} is abandoned
   */
  public static <T> T here(Wish wish, Supplier<T> work) {
    wish.enter();
    try {
      return work.get();
    } catch (StackOverflowError deep) {
      // what views and common tables are written as is deeper than what the client has sent
      throw tooDeep();
    } finally {
      wish.leave();
    }
  }

  private record Running<T>(Thread thread, FutureTask<T> task) {}

  private <T> Running<T> started(int levels, Supplier<T> work) {
    var task = new FutureTask<>(work::get);
    Thread thread =
        Thread.ofPlatform()
            .name("anabranch-planning")
            .daemon()
            .stackSize(Math.clamp(levels * BYTES_PER_LEVEL, LEAST_STACK, LARGEST_STACK))
            .unstarted(
                () -> {
                  try {
                    task.run();
                  } finally {
                    places.release();
                  }
                });
    boolean isStarted = false;
    try {
      thread.start();
      isStarted = true;
    } finally {
      if (!isStarted) {
        places.release();
      }
    }
    return new Running<>(thread, task);
  }

  private static RefusedException tooDeep() {
    return ErrorCatalogue.NESTED_TOO_DEEPLY.refuse(LARGEST_STACK >> 20);
  }

  private static <T> T finished(Running<T> running) throws InterruptedException {
    try {
      return running.task().get();
    } catch (InterruptedException abandoned) {
      running.thread().interrupt();
      throw abandoned;
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      if (cause instanceof StackOverflowError) {
        throw tooDeep();
      }
      if (cause instanceof RuntimeException refused) {
        throw refused;
      }
      if (cause instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(cause);
    }
  }
}
