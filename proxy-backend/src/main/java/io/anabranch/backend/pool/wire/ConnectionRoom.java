package io.anabranch.backend.pool.wire;

import java.sql.SQLException;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the connections of all pools together by the heap: of each the driver keeps some 32 KB,
 * used or not. Who needs one more than fit has the pool close its idle ones that was used the
 * longest ago. Where there are so many pools that one connection for each would take half of the
 * heap, none is kept that is not used. Thread-safe.
 */
public final class ConnectionRoom {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionRoom.class);

  /** What a pool, its metrics and the plans of its statements take, by experience. */
  private static final long BYTES_OF_POOL = 32L << 10;

  private static final long BYTES_OF_CONNECTION = 40L << 10;

  /** Of the heap; however many pools there are, connections may take one part in so many. */
  private static final int LEAST_PART = 16;

  private static final long PAUSE_MILLISECONDS = 10;

  /** A pool whose idle connections may go. */
  public interface Pool {

    /** When a connection was taken last, by {@link System#nanoTime}. */
    long lastUsed();

    boolean hasIdle();

    /** Closes them, now or soon. May block. */
    void closeIdle();

    /** From now on no connection is to be kept for want of use. May block. */
    void keepNone();
  }

  private final long heap;
  private final Set<Pool> pools = ConcurrentHashMap.newKeySet();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicBoolean crowded = new AtomicBoolean();

  /**
   * @param heap bytes
   */
  public ConnectionRoom(long heap) {
    this.heap = heap;
  }

  /** Of this Java process. */
  public static ConnectionRoom ofThisProcess() {
    return new ConnectionRoom(Runtime.getRuntime().maxMemory());
  }

  /** May block. */
  public void join(Pool pool) {
    pools.add(pool);
    if (isCrowded() && crowded.compareAndSet(false, true)) {
      LOG.warn(
          "{} pools of connections for a heap of {} MB: none keeps idle connections, and data"
              + " sources in no group are asked for their health once a minute; a larger heap"
              + " keeps them",
          pools.size(),
          heap >> 20);
      pools.forEach(Pool::keepNone);
    }
  }

  public void leave(Pool pool) {
    pools.remove(pool);
    if (!isCrowded()) {
      crowded.set(false);
    }
  }

  /** Whether there are too many pools to keep a connection of each. */
  public boolean isCrowded() {
    return pools.size() * (BYTES_OF_POOL + BYTES_OF_CONNECTION) > heap / 2;
  }

  /** How many connections fit. */
  int limit() {
    long bytes = Math.max(heap / LEAST_PART, heap / 2 - pools.size() * BYTES_OF_POOL);
    return (int) Math.min(Integer.MAX_VALUE, bytes / BYTES_OF_CONNECTION);
  }

  /**
   * Takes room for a connection, which is to be given back by {@link #left}. Blocks while others
   * are closed for it.
   *
   * @param milliseconds how long at most
   * @throws SQLException if there is none
   */
  public void enter(long milliseconds) throws SQLException {
    long start = System.nanoTime();
    while (!tryEnter()) {
      closeLongestUnused();
      if (tryEnter()) {
        return;
      }
      if (System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(milliseconds)) {
        throw new SQLException(
            "the proxy has no memory for another connection: "
                + open.get()
                + " are open, all in use; give it more heap, or data sources a smaller maxPoolSize",
            "08004");
      }
      pause();
    }
  }

  /** Takes room whether there is any or not: for what ends statements. */
  public void enterAnyway() {
    open.incrementAndGet();
  }

  /** A connection has closed, or could not be opened. */
  public void left() {
    open.decrementAndGet();
  }

  private boolean tryEnter() {
    int before = open.getAndIncrement();
    if (before < limit()) {
      return true;
    }
    open.decrementAndGet();
    return false;
  }

  private synchronized void closeLongestUnused() {
    long now = System.nanoTime();
    if (open.get() < limit()) {
      return;
    }
    pools.stream()
        .filter(Pool::hasIdle)
        .max(Comparator.comparingLong(pool -> now - pool.lastUsed()))
        .ifPresent(Pool::closeIdle);
  }

  private static void pause() throws SQLException {
    try {
      Thread.sleep(PAUSE_MILLISECONDS);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted while there was no memory for a connection", ended);
    }
  }
}
