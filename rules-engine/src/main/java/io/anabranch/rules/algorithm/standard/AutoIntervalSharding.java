package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.AutomaticAlgorithm;
import io.anabranch.rules.algorithm.DateTimeText;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.WholeNumber;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * {@code AUTO_INTERVAL}: partitions of equal length in time. Partition 0 ends <em>with</em> {@code
 * datetime-lower}; the quotient is rounded to two decimals before it is rounded up, as in
 * ShardingSphere, so a bound reaches half a percent of the length into the next partition.
 */
final class AutoIntervalSharding implements AutomaticAlgorithm {

  static final String TYPE = "AUTO_INTERVAL";

  private final LocalDateTime lower;
  private final long seconds;
  private final int count;

  private AutoIntervalSharding(LocalDateTime lower, long seconds, int count) {
    this.lower = lower;
    this.seconds = seconds;
    this.count = count;
  }

  static ShardingAlgorithm create(AlgorithmProperties properties) {
    LocalDateTime lower = time(properties, "datetime-lower");
    LocalDateTime upper = time(properties, "datetime-upper");
    long seconds = properties.requiredLong("sharding-seconds");
    long count = 0;
    if (properties.isValid()) {
      if (upper.isBefore(lower)) {
        properties.problem("datetime-upper", "must not be before datetime-lower");
      }
      if (seconds <= 0) {
        properties.problem("sharding-seconds", "must be positive");
      }
    }
    if (properties.isValid()) {
      count = ChronoUnit.SECONDS.between(lower, upper) / seconds + 2;
      if (count > AlgorithmProperties.MAX_TARGETS) {
        properties.problem(
            "sharding-seconds", "gives more than " + AlgorithmProperties.MAX_TARGETS + " targets");
      }
    }
    properties.check();
    return new AutoIntervalSharding(lower, seconds, (int) count);
  }

  private static LocalDateTime time(AlgorithmProperties properties, String name) {
    String text = properties.requiredText(name);
    LocalDateTime time = text.length() == 19 ? DateTimeText.parse(text) : null;
    if (time == null && !text.isBlank()) {
      properties.problem(name, "must be a time like 2024-01-31 00:00:00");
    }
    return time == null ? LocalDateTime.MIN : time;
  }

  @Override
  public int targetCount() {
    return count;
  }

  @Override
  public boolean needsEveryTarget() {
    return false;
  }

  @Override
  public int precise(TargetSet targets, SqlValue value) {
    LocalDateTime time = time(value);
    if (time == null) {
      throw WholeNumber.refuse(TYPE, value, "it takes times like 2024-01-31 00:00:00");
    }
    return targets.indexOfSuffix(partition(time));
  }

  private int partition(LocalDateTime time) {
    double quotient = (double) ChronoUnit.SECONDS.between(lower, time) / seconds;
    double position =
        new BigDecimal(quotient)
            .setScale(2, RoundingMode.HALF_EVEN)
            .setScale(0, RoundingMode.CEILING)
            .doubleValue();
    return (int) Math.clamp(position, 0, count - 1);
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    int first = edge(range.lower(), 0);
    int last = edge(range.upper(), count - 1);
    BitSet result = new BitSet(targets.size());
    for (int i = first; i <= last; i++) {
      int target = targets.indexOfSuffix(i);
      if (target != NO_TARGET) {
        result.set(target);
      }
    }
    return result;
  }

  private int edge(@Nullable SqlValue bound, int open) {
    LocalDateTime time = bound == null ? null : time(bound);
    return time == null ? open : partition(time);
  }

  /** Whole seconds; null for what is no time. */
  private static @Nullable LocalDateTime time(SqlValue value) {
    return switch (value) {
      case SqlValue.Text(String text) -> DateTimeText.parse(text);
      case SqlValue.Date(var date) -> date.atStartOfDay();
      case SqlValue.DateTime(var time) -> time.truncatedTo(ChronoUnit.SECONDS);
      case SqlValue.Int _,
          SqlValue.Decimal _,
          SqlValue.Floating _,
          SqlValue.Bytes _,
          SqlValue.Null _,
          SqlValue.Unknown _ ->
          null;
    };
  }
}
