package io.anabranch.backend.execute.source;

import io.anabranch.backend.shard.DatabaseWait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the time of one statement in the merge lane went to: waiting for connections, waiting for
 * databases, and each of its queries. Times are in nanoseconds. Thread-safe.
 */
public final class QueryTimes implements DatabaseWait {

  private static final int MOST_QUERIES = 128;

  private final LongSupplier clock;
  private final List<Ran> queries = new ArrayList<>();
  private final Map<String, Long> sources = new TreeMap<>();
  private long leased;

  /** Threads that wait for a database; as long as one does the statement counts as waiting. */
  private int waiting;

  private long since;
  private long waited;

  public QueryTimes() {
    this(System::nanoTime);
  }

  QueryTimes(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * A query of the merge lane.
   *
   * @param began {@link System#nanoTime}
   * @param ended of the end of its answer
   * @param errno 0: it succeeded
   */
  public record Ran(String dataSource, long began, long ended, int errno) {}

  /** A query has ended. */
  synchronized void ran(String dataSource, long began, long ended, int errno) {
    sources.merge(dataSource, ended - began, Long::sum);
    if (queries.size() < MOST_QUERIES) {
      queries.add(new Ran(dataSource, began, ended, errno));
    }
  }

  /** Takes a connection, however long that may take. */
  public <T> T leasing(Supplier<T> connection) {
    long began = clock.getAsLong();
    try {
      return connection.get();
    } finally {
      leased(clock.getAsLong() - began);
    }
  }

  private synchronized void leased(long nanos) {
    leased += nanos;
  }

  /** Does what waits for databases from its beginning to its end. */
  public void waiting(Runnable exchange) {
    begins();
    try {
      exchange.run();
    } finally {
      ends();
    }
  }

  @Override
  public synchronized void begins() {
    if (waiting++ == 0) {
      since = clock.getAsLong();
    }
  }

  @Override
  public synchronized void ends() {
    if (--waiting == 0) {
      waited += clock.getAsLong() - since;
    }
  }

  /** Waiting for connections. */
  public synchronized long leaseNanos() {
    return leased;
  }

  /** While something of it waited for a database. */
  public synchronized long databaseNanos() {
    return waiting == 0 ? waited : waited + clock.getAsLong() - since;
  }

  /** By data source: its queries, from the command to the end of the answer each. */
  public synchronized Map<String, Long> sources() {
    return Collections.unmodifiableMap(new TreeMap<>(sources));
  }

  /** The first queries that ended, in that order. */
  public synchronized List<Ran> queries() {
    return List.copyOf(queries);
  }
}
