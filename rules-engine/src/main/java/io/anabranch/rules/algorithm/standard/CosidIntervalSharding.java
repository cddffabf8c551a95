package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetReview;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.WholeNumber;
import io.anabranch.rules.algorithm.key.SnowflakeId;
import io.anabranch.rules.value.DatePattern;
import io.anabranch.rules.value.SqlValue;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@code COSID_INTERVAL} and {@code COSID_INTERVAL_SNOWFLAKE}: windows in time whose first begins
 * where the unit of {@code datetime-lower} does; the target of a window is the name of a prefix and
 * the window's start. By CosId's arithmetic: windows of hours and shorter change with the day
 * alone.
 */
final class CosidIntervalSharding implements ShardingAlgorithm, TargetReview {

  static final String TYPE = "COSID_INTERVAL";
  static final String OF_SNOWFLAKES = "COSID_INTERVAL_SNOWFLAKE";

  private static final String PATTERN = "yyyy-MM-dd HH:mm:ss";
  private static final int MONTHS_PER_YEAR = 12;
  private static final int MOST_WINDOWS = 100_000;

  private final String type;
  private final CosidTimes times;
  private final LocalDateTime lower;
  private final LocalDateTime upper;
  private final LocalDateTime start;
  private final ChronoUnit unit;
  private final int amount;
  private final List<String> names;

  private CosidIntervalSharding(
      String type,
      CosidTimes times,
      LocalDateTime lower,
      LocalDateTime upper,
      ChronoUnit unit,
      int amount,
      List<String> names) {
    this.type = type;
    this.times = times;
    this.lower = lower;
    this.upper = upper;
    this.start = floor(lower, unit);
    this.unit = unit;
    this.amount = amount;
    this.names = names;
  }

  static ShardingAlgorithm create(AlgorithmProperties properties) {
    String pattern = properties.text("datetime-pattern", PATTERN);
    String unit = properties.text("ts-unit", "MILLISECOND");
    boolean isSeconds = unit.equalsIgnoreCase("SECOND");
    if (!isSeconds && !unit.equalsIgnoreCase("MILLISECOND")) {
      properties.problem("ts-unit", "must be SECOND or MILLISECOND");
    }
    ZoneId zone = zone(properties);
    TimePattern read = null;
    try {
      DateTimeFormatter formatter = DatePattern.formatter(pattern);
      read = new TimePattern(pattern, formatter.format(LocalDateTime.of(2000, 1, 1, 0, 0)));
    } catch (DateTimeException | IllegalArgumentException e) {
      properties.problem("datetime-pattern", "is not a date pattern: " + e.getMessage());
    }
    return create(
        TYPE, properties, read == null ? null : new CosidTimes.Written(read, isSeconds, zone));
  }

  static ShardingAlgorithm createOfSnowflakes(AlgorithmProperties properties) {
    ZoneId zone = zone(properties);
    long epoch =
        properties.isPresent("epoch")
            ? properties.requiredLong("epoch")
            : SnowflakeId.epoch(ZoneId.systemDefault());
    return create(OF_SNOWFLAKES, properties, new CosidTimes.Snowflakes(epoch, zone));
  }

  private static ShardingAlgorithm create(
      String type, AlgorithmProperties properties, @Nullable CosidTimes times) {
    String prefix = properties.requiredText("logic-name-prefix");
    LocalDateTime lower = moment(properties, "datetime-lower");
    LocalDateTime upper = moment(properties, "datetime-upper");
    ChronoUnit unit = unit(properties);
    int amount = properties.integer("datetime-interval-amount", 1, 1, 1_000_000);
    DateTimeFormatter suffix = suffix(properties);
    if (lower != null && upper != null && upper.isBefore(lower)) {
      properties.problem("datetime-upper", "must not be before datetime-lower");
    }
    properties.check();
    if (times == null || lower == null || upper == null || suffix == null) {
      throw new IllegalStateException("what is wrong was reported");
    }
    var names = new ArrayList<String>();
    LocalDateTime last = floor(upper, unit);
    for (LocalDateTime next = floor(lower, unit);
        !next.isAfter(last);
        next = next.plus(amount, unit)) {
      names.add(prefix + suffix.format(next));
      if (names.size() > MOST_WINDOWS) {
        properties.problem("datetime-upper", "makes more than " + MOST_WINDOWS + " windows");
        properties.check();
      }
    }
    return new CosidIntervalSharding(type, times, lower, upper, unit, amount, List.copyOf(names));
  }

  private static ZoneId zone(AlgorithmProperties properties) {
    String name = properties.text("zone-id", "");
    try {
      return name.isBlank() ? ZoneId.systemDefault() : ZoneId.of(name.strip());
    } catch (DateTimeException e) {
      properties.problem("zone-id", "is no time zone: " + e.getMessage());
      return ZoneId.systemDefault();
    }
  }

  private static @Nullable LocalDateTime moment(AlgorithmProperties properties, String name) {
    String text = properties.requiredText(name);
    if (text.isBlank()) {
      return null;
    }
    try {
      return LocalDateTime.parse(text.strip(), DatePattern.formatter(PATTERN));
    } catch (DateTimeException e) {
      properties.problem(name, "does not have the form " + PATTERN);
      return null;
    }
  }

  private static ChronoUnit unit(AlgorithmProperties properties) {
    String word =
        properties.requiredText("datetime-interval-unit").strip().toUpperCase(Locale.ROOT);
    List<ChronoUnit> units =
        List.of(
            ChronoUnit.YEARS,
            ChronoUnit.MONTHS,
            ChronoUnit.DAYS,
            ChronoUnit.HOURS,
            ChronoUnit.MINUTES,
            ChronoUnit.SECONDS);
    for (ChronoUnit each : units) {
      if (each.name().equals(word)) {
        return each;
      }
    }
    if (!word.isEmpty()) {
      properties.problem("datetime-interval-unit", "must be one of " + units);
    }
    return ChronoUnit.DAYS;
  }

  private static @Nullable DateTimeFormatter suffix(AlgorithmProperties properties) {
    String name = "sharding-suffix-pattern";
    String text = properties.requiredText(name);
    if (text.isBlank()) {
      return null;
    }
    try {
      DateTimeFormatter suffix = DatePattern.formatter(text);
      suffix.formatTo(LocalDateTime.of(2000, 1, 1, 0, 0), new StringBuilder());
      return suffix;
    } catch (DateTimeException | IllegalArgumentException e) {
      properties.problem(name, "is not a date pattern: " + e.getMessage());
      return null;
    }
  }

  private static LocalDateTime floor(LocalDateTime time, ChronoUnit unit) {
    return switch (unit) {
      case YEARS -> time.toLocalDate().withDayOfYear(1).atStartOfDay();
      case MONTHS -> time.toLocalDate().withDayOfMonth(1).atStartOfDay();
      default -> time.truncatedTo(unit);
    };
  }

  /** Of a moment not before the first window. */
  private long window(LocalDateTime time) {
    long years = time.getYear() - (long) start.getYear();
    long days = ChronoUnit.DAYS.between(start.toLocalDate(), time.toLocalDate());
    long units =
        switch (unit) {
          case YEARS -> years;
          case MONTHS -> years * MONTHS_PER_YEAR + time.getMonthValue() - start.getMonthValue();
          default -> days * ChronoUnit.DAYS.getDuration().dividedBy(unit.getDuration());
        };
    return units / amount;
  }

  @Override
  public int precise(TargetSet targets, SqlValue value) {
    LocalDateTime time = times.of(value);
    if (time == null) {
      throw WholeNumber.refuse(type, value, "it stands for no moment");
    }
    if (time.isBefore(lower) || time.isAfter(upper)) {
      return NO_TARGET;
    }
    long window = window(time);
    return window < names.size() ? targets.indexOf(names.get((int) window)) : NO_TARGET;
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    LocalDateTime from = times.bound(range.lower());
    LocalDateTime to = times.bound(range.upper());
    long first = from == null || from.isBefore(lower) ? 0 : window(from);
    long last =
        to == null || to.isAfter(upper) ? names.size() - 1 : to.isBefore(lower) ? -1 : window(to);
    var result = new BitSet(targets.size());
    for (long i = first; i <= Math.min(last, names.size() - 1); i++) {
      int target = targets.indexOf(names.get((int) i));
      if (target != NO_TARGET) {
        result.set(target);
      }
    }
    return result;
  }

  @Override
  public List<Finding> review(String column, TargetSet targets) {
    List<String> missing =
        names.stream().distinct().filter(n -> targets.indexOf(n) == NO_TARGET).toList();
    return missing.isEmpty()
        ? List.of()
        : List.of(new Finding(false, "there is no node " + NearestName.shortened(missing), null));
  }
}
