package io.anabranch.rules.algorithm.mycat;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.value.SqlValue;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code PARTITION_BY_DATE}, dble's {@code date}: so many days from a date on are one partition.
 * With an end, what is later starts again at the first one.
 */
final class DaySharding implements ShardingAlgorithm {

  static final String TYPE = "PARTITION_BY_DATE";

  private static final int NO_DEFAULT = -1;

  private final DatePattern pattern;
  private final ZoneId zone;
  private final long begin;
  private final long end;
  private final long length;

  /** 0: without end. */
  private final long count;

  /** Before the begin; -1: as Mycat, which rounds towards it. */
  private final int defaultNode;

  private DaySharding(
      DatePattern pattern, ZoneId zone, long begin, @Nullable Long end, int days, int defaultNode) {
    this.pattern = pattern;
    this.zone = zone;
    this.begin = begin;
    this.length = TimeUnit.DAYS.toMillis(days);
    this.end = end == null ? 0 : end;
    this.count = end == null ? 0 : (end - begin) / length + 1;
    this.defaultNode = defaultNode;
  }

  static ShardingAlgorithm create(AlgorithmProperties properties) {
    DatePattern pattern = DatePattern.read(properties, "date-format", "yyyy-MM-dd");
    properties.requiredText("begin-date");
    LocalDateTime begin = pattern.property(properties, "begin-date");
    LocalDateTime end = pattern.property(properties, "end-date");
    int days =
        properties.isPresent("partition-day")
            ? properties.integer("partition-day", 1, 1, 1_000_000)
            : 1;
    if (!properties.isPresent("partition-day")) {
      properties.problem("partition-day", "is required");
    }
    int defaultNode =
        properties.integer(
            "default-node", NO_DEFAULT, NO_DEFAULT, AlgorithmProperties.MAX_TARGETS - 1);
    ZoneId zone = zone(properties);
    if (begin != null && end != null && end.isBefore(begin)) {
      properties.problem("end-date", "must not be before begin-date");
    }
    properties.check();
    return new DaySharding(
        pattern,
        zone,
        begin == null ? 0 : millisecond(begin, zone),
        end == null ? null : millisecond(end, zone),
        days,
        defaultNode);
  }

  private static ZoneId zone(AlgorithmProperties properties) {
    String name = properties.text("time-zone", "UTC");
    try {
      return ZoneId.of(name.strip());
    } catch (DateTimeException none) {
      properties.problem("time-zone", "`" + name + "` is no time zone");
      return ZoneId.of("UTC");
    }
  }

  private static long millisecond(LocalDateTime moment, ZoneId zone) {
    return moment.atZone(zone).withLaterOffsetAtOverlap().toInstant().toEpochMilli();
  }

  @Override
  public int precise(TargetSet targets, SqlValue value) {
    long moment = millisecond(pattern.of(value, TYPE), zone);
    if (moment < begin && defaultNode != NO_DEFAULT) {
      return targets.indexOfSuffix(defaultNode);
    }
    long partition = (moment - begin) / length;
    if (count != 0 && moment > end) {
      partition %= count;
    }
    return target(targets, partition);
  }

  private static int target(TargetSet targets, long partition) {
    return partition < 0 || partition > Integer.MAX_VALUE
        ? NO_TARGET
        : targets.indexOfSuffix((int) partition);
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    LocalDateTime lower = pattern.bound(range, range.lower(), TYPE);
    LocalDateTime upper = pattern.bound(range, range.upper(), TYPE);
    if (lower == null || upper == null) {
      return Covered.all(targets);
    }
    long first = millisecond(lower, zone);
    long last = millisecond(upper, zone);
    if (first < begin || last - first > length * (targets.size() + 1L)) {
      return Covered.all(targets);
    }
    var result = new BitSet(targets.size());
    for (long moment = first; moment < last; moment += length) {
      add(result, targets, moment);
    }
    if (first <= last) {
      add(result, targets, last);
      // the partitions on both sides of the end, where they start again
      if (count != 0 && first <= end && end < last) {
        add(result, targets, end);
        add(result, targets, end + 1);
      }
    }
    return result;
  }

  private void add(BitSet result, TargetSet targets, long moment) {
    long partition = (moment - begin) / length;
    Covered.add(
        result, target(targets, count != 0 && moment > end ? partition % count : partition));
  }
}
