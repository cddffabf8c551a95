package io.anabranch.backend.execute.source;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** Runs the parts of one statement at the same time, one per data source. */
public final class Parallel {

  private static final ThreadFactory THREADS = Thread.ofVirtual().name("merge-", 0).factory();

  private Parallel() {}

  /**
   * Runs all tasks and returns when all have ended: the last one on the calling thread, the others
   * on virtual threads of their own. Tasks keep their failures to themselves.
   */
  public static void run(List<? extends Runnable> tasks) {
    var threads = new ArrayList<Thread>(tasks.size());
    for (Runnable task : tasks.subList(0, tasks.size() - 1)) {
      Thread thread = THREADS.newThread(task);
      threads.add(thread);
      thread.start();
    }
    tasks.getLast().run();
    boolean interrupted = false;
    for (Thread thread : threads) {
      interrupted |= join(thread);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the end whatever comes; true if it was interrupted meanwhile. */
  private static boolean join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        return interrupted;
      } catch (InterruptedException interruption) {
        interrupted = true;
      }
    }
  }
}
