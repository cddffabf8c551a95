package io.anabranch.backend.topology;

import io.anabranch.backend.topology.position.Position;
import io.anabranch.rules.algorithm.balance.LoadBalancer;
import io.anabranch.rules.discovery.PrimaryDiscovery;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One data source as a member of a group: what is known of it, and what it was given to do.
 * Thread-safe; the group that owns it is the only one to change its {@link Condition}.
 */
public final class Member implements LoadBalancer.Replica, PrimaryDiscovery.Candidate {

  /** How much a new measurement counts in the latency's moving average: an eighth. */
  private static final int SMOOTHING = 8;

  private static final long HALVED_AFTER_NANOS = 1_000_000_000L;

  private final String name;
  private final int index;
  private final double weight;
  private final boolean isLocal;
  private final LongAdder reads = new LongAdder();
  private final AtomicInteger running = new AtomicInteger();

  private volatile Condition condition =
      new Condition(MemberState.ONLINE, "not asked yet", System.currentTimeMillis(), null, true);

  /** Two loops may write at once; one of the two measurements is then lost. */
  private volatile long latencyNanos;

  /** Known to be applied here; of two that write at once one may be forgotten. */
  private volatile @Nullable Position reached;

  /** When it last did not catch up in time, {@link System#nanoTime}; 0: never. */
  private volatile long missedNanos;

  private volatile long measuredNanos = System.nanoTime();

  /**
   * @param index place in the group, from 0
   * @param weight share of reads, greater than 0
   * @param isLocal whether it is in the proxy's own zone
   */
  Member(String name, int index, double weight, boolean isLocal) {
    this.name = name;
    this.index = index;
    this.weight = weight;
    this.isLocal = isLocal;
  }

  /**
   * How a member is.
   *
   * @param reason why, for people
   * @param sinceMillis when the state became what it is, UNIX time
   * @param report its last answer; null before the first
   * @param isReachable false once it has failed to answer often enough; one that answers may be
   *     down all the same, because its cluster says so
   */
  public record Condition(
      MemberState state,
      String reason,
      long sinceMillis,
      @Nullable MemberReport report,
      boolean isReachable) {

    /** How far it is behind; -1: unknown. */
    public long lagMilliseconds() {
      return report == null ? MemberReport.UNKNOWN_LAG : report.lagMilliseconds();
    }
  }

  /** The data source's name. */
  @Override
  public String name() {
    return name;
  }

  public Condition condition() {
    return condition;
  }

  void condition(Condition changed) {
    condition = changed;
    if (!changed.isReachable()) {
      // Who knows with which data it comes back.
      reached = null;
    }
  }

  /** Whether it has surely applied all up to that position. */
  public boolean hasReached(Position position) {
    Position known = reached;
    return known != null && known.includes(position);
  }

  /** It has been seen to have applied all up to that position. */
  public void reached(Position position) {
    Position known = reached;
    reached = known == null ? position : known.withReached(position);
  }

  /** A read waited for it to catch up, in vain. */
  public void missed() {
    missedNanos = System.nanoTime();
  }

  /** Whether it is known to be further behind than a read would wait. */
  boolean isLate(long waitMilliseconds) {
    MemberReport report = condition.report();
    if (report == null) {
      return false;
    }
    long missed = missedNanos;
    boolean isNews = missed != 0 && report.askedNanos() - missed < 0;
    return isNews || report.lagMilliseconds() > waitMilliseconds;
  }

  /** Its bit in a set of members. */
  public long bit() {
    return 1L << index;
  }

  double weight() {
    return weight;
  }

  boolean isLocal() {
    return isLocal;
  }

  // ---------------------------------------------------------------- what it was given

  /** A read begins; exactly one {@link #readEnded} follows. */
  public void readBegins() {
    reads.increment();
    running.incrementAndGet();
  }

  /**
   * @param nanos from the read's beginning; negative if it failed, which says nothing of its speed
   */
  public void readEnded(long nanos) {
    running.decrementAndGet();
    if (nanos >= 0) {
      long before = latencyNanos;
      latencyNanos = before == 0 ? nanos : before + (nanos - before) / SMOOTHING;
      measuredNanos = System.nanoTime();
    }
  }

  /** Reads that it was given since the start. */
  public long reads() {
    return reads.sum();
  }

  /** Reads under way. */
  @Override
  public int running() {
    return running.get();
  }

  @Override
  public boolean isAnswering() {
    return condition.report() != null && condition.isReachable();
  }

  @Override
  public boolean isReadOnly() {
    MemberReport report = condition.report();
    return report == null || report.isReadOnly();
  }

  @Override
  public String identity() {
    MemberReport report = condition.report();
    return report == null ? "" : report.identity();
  }

  @Override
  public String sourceIdentity() {
    MemberReport report = condition.report();
    MemberReport.Source source = report == null ? null : report.source();
    return source == null ? "" : source.identity();
  }

  @Override
  public long lagMilliseconds() {
    return condition.lagMilliseconds();
  }

  /** The moving average; 0 before the first read. */
  @Override
  public long latencyNanos() {
    return latencyNanos;
  }

  /**
   * The cost to expect of one read more: the average, times those that would be under way, halved
   * for each second without a measurement, so that a member that was slow once is tried again.
   */
  double expectedNanos(long now) {
    double halves = (double) (now - measuredNanos) / HALVED_AFTER_NANOS;
    return latencyNanos * (running.get() + 1.0) * Math.pow(0.5, Math.max(0, halves));
  }

  @Override
  public String toString() {
    return name;
  }
}
