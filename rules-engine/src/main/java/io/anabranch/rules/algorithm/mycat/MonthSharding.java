package io.anabranch.rules.algorithm.mycat;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.value.SqlValue;
import java.time.LocalDateTime;
import java.util.BitSet;

/**
 * {@code PARTITION_BY_MONTH}: each month from a date on is a partition; with an end they go in a
 * circle, without begin and end the months of all years are 0 to 11.
 */
final class MonthSharding implements ShardingAlgorithm {

  static final String TYPE = "PARTITION_BY_MONTH";

  private static final int MONTHS = 12;

  private final DatePattern pattern;

  /** Since the year 0. */
  private final long begin;

  /** Length of the circle; 0: there is none. */
  private final long count;

  private MonthSharding(DatePattern pattern, long begin, long count) {
    this.pattern = pattern;
    this.begin = begin;
    this.count = count;
  }

  static ShardingAlgorithm create(AlgorithmProperties properties) {
    DatePattern pattern = DatePattern.read(properties, "date-format", "yyyy-MM-dd");
    LocalDateTime begin = pattern.property(properties, "begin-date");
    LocalDateTime end = pattern.property(properties, "end-date");
    if (begin == null && end != null) {
      properties.problem("begin-date", "is required beside end-date");
    }
    if (begin != null && end != null && month(end) < month(begin)) {
      properties.problem("end-date", "must not be before begin-date");
    }
    properties.check();
    if (begin == null) {
      return new MonthSharding(pattern, 0, MONTHS);
    }
    return new MonthSharding(
        pattern, month(begin), end == null ? 0 : month(end) - month(begin) + 1);
  }

  private static long month(LocalDateTime moment) {
    return (long) moment.getYear() * MONTHS + moment.getMonthValue() - 1;
  }

  @Override
  public int precise(TargetSet targets, SqlValue value) {
    return target(targets, month(pattern.of(value, TYPE)));
  }

  private int target(TargetSet targets, long month) {
    long partition = count == 0 ? month - begin : Math.floorMod(month - begin, count);
    return partition < 0 || partition > Integer.MAX_VALUE
        ? NO_TARGET
        : targets.indexOfSuffix((int) partition);
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    LocalDateTime lower = pattern.bound(range, range.lower(), TYPE);
    LocalDateTime upper = pattern.bound(range, range.upper(), TYPE);
    return lower == null || upper == null
        ? Covered.all(targets)
        : months(targets, month(lower), month(upper));
  }

  private BitSet months(TargetSet targets, long first, long last) {
    if (last - first > targets.size() + count) {
      return Covered.all(targets);
    }
    var result = new BitSet(targets.size());
    for (long month = first; month <= last; month++) {
      Covered.add(result, target(targets, month));
    }
    return result;
  }
}
