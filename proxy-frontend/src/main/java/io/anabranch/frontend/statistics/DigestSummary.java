package io.anabranch.frontend.statistics;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A digest's counts over all event loops; times in nanoseconds.
 *
 * @param database empty: none was selected
 * @param hash 32 hexadecimal digits of the text
 * @param sample the first text that was met, literals as {@code ?}
 * @param errorsByErrno the first 64 different ones
 * @param strategies of those that were merged
 * @param relayed statements that went to one data source and whose answer was passed on
 * @param merged statements whose answer was merged, or read by the proxy
 * @param local statements that the proxy answered itself
 * @param first when it was first met, {@link System#nanoTime}
 * @param last when it was last answered
 */
public record DigestSummary(
    String database,
    String text,
    String hash,
    String sample,
    long executions,
    long errors,
    Map<Integer, Long> errorsByErrno,
    long rows,
    long affectedRows,
    long totalNanos,
    long minNanos,
    long maxNanos,
    long medianNanos,
    long p95Nanos,
    long p99Nanos,
    long planNanos,
    long leaseNanos,
    long runNanos,
    long mergeNanos,
    long writeNanos,
    Set<String> dataSources,
    Set<String> strategies,
    long relayed,
    long merged,
    long local,
    long first,
    long last) {

  /** Waiting for databases. */
  public long databaseNanos() {
    return runNanos - mergeNanos - writeNanos;
  }

  static DigestSummary of(Digest digest) {
    var sums = new long[DigestCounts.SUMS];
    var errors = new TreeMap<Integer, Long>();
    var sources = new TreeSet<String>();
    var strategies = new TreeSet<String>();
    long min = Long.MAX_VALUE;
    long max = 0;
    long last = digest.firstNanos();
    for (DigestCounts each : digest.counts()) {
      for (int place = 0; place < sums.length; place++) {
        sums[place] += each.get(place);
      }
      min = Math.min(min, each.get(DigestCounts.MIN));
      max = Math.max(max, each.get(DigestCounts.MAX));
      if (each.get(DigestCounts.EXECUTIONS) > 0 && each.get(DigestCounts.LAST) - last > 0) {
        last = each.get(DigestCounts.LAST);
      }
      each.errors().forEach((errno, count) -> errors.merge(errno, count, Long::sum));
      sources.addAll(each.dataSources());
      strategies.addAll(each.strategies());
    }
    var buckets = new long[LatencyBuckets.COUNT];
    System.arraycopy(sums, DigestCounts.BUCKETS, buckets, 0, buckets.length);
    return new DigestSummary(
        digest.key().database(),
        digest.key().text(),
        digest.hash(),
        digest.sample(),
        sums[DigestCounts.EXECUTIONS],
        sums[DigestCounts.ERRORS],
        errors,
        sums[DigestCounts.ROWS],
        sums[DigestCounts.AFFECTED],
        sums[DigestCounts.TOTAL],
        min == Long.MAX_VALUE ? 0 : min,
        max,
        LatencyBuckets.percentile(buckets, 50, max),
        LatencyBuckets.percentile(buckets, 95, max),
        LatencyBuckets.percentile(buckets, 99, max),
        sums[DigestCounts.PLAN],
        sums[DigestCounts.LEASE],
        sums[DigestCounts.RUN],
        sums[DigestCounts.MERGE],
        sums[DigestCounts.WRITE],
        sources,
        strategies,
        sums[DigestCounts.LANES],
        sums[DigestCounts.LANES + 1],
        sums[DigestCounts.LANES + 2],
        digest.firstNanos(),
        last);
  }
}
