package io.anabranch.frontend.statistics;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * All digests, a bounded number: when it is reached, one that was not used since it was last
 * considered goes (second chance), and is counted. Thread-safe; event loops come here only with a
 * text that they have not met before, and hold the lock for as long as a look-up takes.
 */
public final class Digests {

  /** About what one digest takes: texts, and the counts of an event loop or two. */
  private static final int WEIGHT = 4096;

  private static final int PART_OF_HEAP = 16;

  private final int capacity;
  private final int loops;
  private final AtomicInteger nextLoop = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Digest.Key, Digest> all = new HashMap<>();
  private final Deque<Digest> order = new ArrayDeque<>();
  private final AtomicLong evicted = new AtomicLong();

  /**
   * @param capacity how many are kept at most, and no more than a sixteenth of the heap has room
   *     for; 0: none are
   * @param loops event loops that count
   */
  public Digests(int capacity, int loops) {
    long room = Runtime.getRuntime().maxMemory() / PART_OF_HEAP / WEIGHT;
    this.capacity = (int) Math.min(capacity, room);
    this.loops = loops;
  }

  /** Where one more event loop counts. */
  LoopDigests ofLoop() {
    return new LoopDigests(this, nextLoop.getAndIncrement() % loops);
  }

  boolean areKept() {
    return capacity > 0;
  }

  /**
   * The digest of that text.
   *
   * @param sample where it is a new one
   * @param now {@link System#nanoTime}
   */
  Digest of(Digest.Key key, Supplier<String> sample, long now) {
    lock.lock();
    try {
      Digest known = all.get(key);
      if (known != null) {
        return known;
      }
      while (all.size() >= capacity) {
        evictOne();
      }
      var made = new Digest(key, sample.get(), loops, now);
      all.put(key, made);
      order.add(made);
      return made;
    } finally {
      lock.unlock();
    }
  }

  private void evictOne() {
    for (int tries = order.size(); tries >= 0; tries--) {
      Digest oldest = order.remove();
      if (oldest.takeUsed() && tries > 0) {
        order.add(oldest);
      } else {
        oldest.leave();
        all.remove(oldest.key());
        evicted.incrementAndGet();
        return;
      }
    }
  }

  /** Forgets all of them. */
  public void clear() {
    lock.lock();
    try {
      order.forEach(Digest::leave);
      order.clear();
      all.clear();
    } finally {
      lock.unlock();
    }
  }

  /** How many have made room for others so far. */
  public long evicted() {
    return evicted.get();
  }

  /** How many there are. */
  public int size() {
    lock.lock();
    try {
      return all.size();
    } finally {
      lock.unlock();
    }
  }

  /** What is known of each, in the order in which they were first met. */
  public List<DigestSummary> summaries() {
    List<Digest> present;
    lock.lock();
    try {
      present = new ArrayList<>(order);
    } finally {
      lock.unlock();
    }
    return present.stream().map(DigestSummary::of).toList();
  }
}
