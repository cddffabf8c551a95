package io.anabranch.backend.stage;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The rooms of one data source, and who waits for one. The next goes to the user who has fewest,
 * first come, first served among equals; one user alone never has all of three or more, so that
 * another's statement does not wait for the end of a long one. Thread-safe; the lock is held for
 * moments only.
 */
final class StageLine {

  /** Where there are fewer, one for others would be too much. */
  private static final int SHARED = 3;

  private final int size;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock:
  private final Map<String, Integer> rooms = new HashMap<>();
  private final SequencedSet<Asker> line = new LinkedHashSet<>();
  private int taken;

  /** One statement that wants a room. Compared by identity. */
  static final class Asker {
    private final String user;
    private final Semaphore turn = new Semaphore(0);

    private Asker(String user) {
      this.user = user;
    }

    /** Waits so long at most; whether it has got its room. */
    boolean await(long milliseconds) throws InterruptedException {
      return turn.tryAcquire(milliseconds, TimeUnit.MILLISECONDS);
    }
  }

  /**
   * @param size how many rooms there are, at least 1
   */
  StageLine(int size) {
    this.size = size;
  }

  /** Joins the line, and has a room at once where one is free. */
  Asker join(String user) {
    lock.lock();
    try {
      var asker = new Asker(user);
      line.add(asker);
      serve();
      return asker;
    } finally {
      lock.unlock();
    }
  }

  /** Gives the room back, or leaves the line without having had one. Once. */
  void leave(Asker asker) {
    lock.lock();
    try {
      if (!line.remove(asker)) {
        taken--;
        rooms.computeIfPresent(asker.user, (user, count) -> count == 1 ? null : count - 1);
        serve();
      }
    } finally {
      lock.unlock();
    }
  }

  // ---- under the lock

  private void serve() {
    Asker next = next();
    while (next != null) {
      line.remove(next);
      taken++;
      rooms.merge(next.user, 1, Integer::sum);
      next.turn.release();
      next = next();
    }
  }

  private @Nullable Asker next() {
    if (taken == size) {
      return null;
    }
    int most = size < SHARED ? size : size - 1;
    Asker next = null;
    int fewest = most;
    for (Asker asker : line) {
      int has = rooms.getOrDefault(asker.user, 0);
      if (has < fewest) {
        next = asker;
        fewest = has;
      }
    }
    return next;
  }
}
