package io.anabranch.frontend.statistics;

import io.anabranch.frontend.session.ExecutedStatement;
import io.anabranch.frontend.session.StatementListener.Lane;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one event loop has counted of one digest. The loop alone adds; whoever reads may be a moment
 * behind.
 */
final class DigestCounts {

  static final int EXECUTIONS = 0;
  static final int ERRORS = 1;
  static final int ROWS = 2;
  static final int AFFECTED = 3;
  static final int TOTAL = 4;
  static final int PLAN = 5;
  static final int LEASE = 6;
  static final int RUN = 7;
  static final int MERGE = 8;
  static final int WRITE = 9;
  static final int LANES = 10;
  static final int BUCKETS = LANES + 3;
  static final int SUMS = BUCKETS + LatencyBuckets.COUNT;
  static final int MIN = SUMS;
  static final int MAX = MIN + 1;
  static final int LAST = MAX + 1;

  private static final int PLACES = LAST + 1;

  /** Different errors, and data sources, that are kept. */
  private static final int MOST_KINDS = 64;

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] counts = new long[PLACES];
  private volatile Map<Integer, Long> errors = Map.of();
  private volatile Set<String> dataSources = Set.of();
  private volatile Set<String> strategies = Set.of();
  private String lastSource = "";
  private Set<String> lastSources = Set.of();

  DigestCounts() {
    counts[MIN] = Long.MAX_VALUE;
  }

  /** On the event loop. */
  void add(ExecutedStatement statement) {
    long total = statement.totalNanos();
    add(EXECUTIONS, 1);
    add(ROWS, statement.rows());
    add(AFFECTED, statement.affectedRows());
    add(TOTAL, total);
    add(PLAN, statement.planNanos());
    add(LEASE, statement.leaseNanos());
    add(RUN, statement.runNanos());
    if (statement.mergeNanos() != 0) {
      add(MERGE, statement.mergeNanos());
    }
    if (statement.writeNanos() != 0) {
      add(WRITE, statement.writeNanos());
    }
    add(LANES + place(statement.lane()), 1);
    add(BUCKETS + LatencyBuckets.of(total), 1);
    set(MIN, Math.min(counts[MIN], total));
    set(MAX, Math.max(counts[MAX], total));
    set(LAST, statement.ended());
    if (statement.errno() != 0) {
      failed(statement.errno());
    }
    if (!statement.strategy().isEmpty()) {
      strategies = with(strategies, Set.of(statement.strategy()));
    }
    String source = statement.dataSource();
    if (source != null && !source.equals(lastSource)) {
      lastSource = source;
      touched(Set.of(source));
      return;
    }
    Set<String> several = statement.dataSources();
    if (!several.isEmpty() && !several.equals(lastSources)) {
      lastSources = several;
      touched(several);
    }
  }

  /** On the event loop. */
  void addRows(long rows) {
    add(ROWS, rows);
  }

  private static int place(Lane lane) {
    return switch (lane) {
      case RELAY -> 0;
      case MERGE -> 1;
      case LOCAL -> 2;
    };
  }

  private void add(int place, long amount) {
    set(place, counts[place] + amount);
  }

  private void set(int place, long value) {
    LONGS.setOpaque(counts, place, value);
  }

  long get(int place) {
    return (long) LONGS.getOpaque(counts, place);
  }

  private void failed(int errno) {
    add(ERRORS, 1);
    if (errors.size() < MOST_KINDS || errors.containsKey(errno)) {
      var more = new TreeMap<>(errors);
      more.merge(errno, 1L, Long::sum);
      errors = more;
    }
  }

  private void touched(Set<String> sources) {
    dataSources = with(dataSources, sources);
  }

  private static Set<String> with(Set<String> known, Set<String> others) {
    if (known.containsAll(others) || known.size() >= MOST_KINDS) {
      return known;
    }
    var more = new TreeSet<>(known);
    more.addAll(others);
    return more;
  }

  /** Of the merge lane; not to be changed. */
  Set<String> strategies() {
    return strategies;
  }

  /** By errno; not to be changed. */
  Map<Integer, Long> errors() {
    return errors;
  }

  /** By name; not to be changed. */
  Set<String> dataSources() {
    return dataSources;
  }
}
