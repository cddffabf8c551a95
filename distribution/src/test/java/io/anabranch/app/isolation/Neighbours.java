package io.anabranch.app.isolation;

import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** What sessions know of each other: whom to kill, and how many may bind a connection. */
final class Neighbours {

  private final ConcurrentHashMap<Integer, Long> ids = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  private final Semaphore bound;

  Neighbours(int mostBound) {
    bound = new Semaphore(mostBound);
  }

  void connected(int session, long id) {
    ids.put(session, id);
  }

  void gone(int session) {
    ids.remove(session);
  }

  /** Somebody's connection; null: there is nobody. */
  @Nullable Long anybody(Random random) {
    List<Long> all = List.copyOf(ids.values());
    return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
  }

  /** Whether another may keep a connection to a database for itself; it gives that back. */
  boolean mayBind() {
    return bound.tryAcquire();
  }

  void unbound() {
    bound.release();
  }

  void saw(String what) {
    wrong.add(what);
  }

  /** What somebody has seen that was not its own. */
  List<String> wrong() {
    return List.copyOf(wrong);
  }
}
