package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetReview;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.algorithm.WholeNumber;
import io.anabranch.rules.value.DatePattern;
import io.anabranch.rules.value.SqlValue;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.Year;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code INTERVAL}: windows in time from {@code datetime-lower} on; the target of a window is the
 * one whose name ends with the window's start, printed with {@code sharding-suffix-pattern}.
 */
public final class IntervalSharding implements ShardingAlgorithm, TargetReview {

  static final String TYPE = "INTERVAL";

  /** A range over more windows than this asks all targets. */
  private static final long MAX_WINDOWS = 10_000;

  private final TimePattern pattern;
  private final Windows windows;
  private final DateTimeFormatter suffix;
  private final @Nullable LocalDateTime upper;
  private final Supplier<LocalDateTime> now;

  private IntervalSharding(
      TimePattern pattern,
      Windows windows,
      DateTimeFormatter suffix,
      @Nullable LocalDateTime upper,
      Supplier<LocalDateTime> now) {
    this.pattern = pattern;
    this.windows = windows;
    this.suffix = suffix;
    this.upper = upper;
    this.now = now;
  }

  public static ShardingAlgorithm create(AlgorithmProperties properties) {
    return create(properties, LocalDateTime::now);
  }

  public static ShardingAlgorithm create(
      AlgorithmProperties properties, Supplier<LocalDateTime> now) {
    String patternText = properties.requiredText("datetime-pattern");
    String lowerText = properties.requiredText("datetime-lower");
    String upperText = properties.text("datetime-upper", "");
    String suffixText = properties.requiredText("sharding-suffix-pattern");
    int amount = properties.integer("datetime-interval-amount", 1, 1, 1_000_000);
    ChronoUnit unit = unit(properties);
    TimePattern pattern =
        patternText.isBlank() || lowerText.isBlank()
            ? null
            : pattern(properties, patternText, lowerText);
    DateTimeFormatter suffix = suffixText.isBlank() ? null : suffix(properties, suffixText);
    LocalDateTime lower = pattern == null ? LocalDateTime.MIN : pattern.parse(lowerText);
    LocalDateTime upper = pattern == null ? null : upper(properties, pattern, upperText, lower);
    if (pattern == null || suffix == null) {
      properties.check();
      throw new IllegalStateException("what is missing was reported");
    }
    checkUnit(properties, pattern.scope(), unit);
    checkSuffix(properties, pattern.scope(), suffix, lower);
    properties.check();
    // without an upper bound the last window moves with the clock
    LocalDateTime end = upper == null ? now.get().plusYears(100) : upper;
    Windows windows = new Windows(lower, amount, unit, end);
    return new IntervalSharding(pattern, windows, suffix, upper, now);
  }

  @Override
  public int precise(TargetSet targets, SqlValue value) {
    LocalDateTime time = pattern.time(value);
    if (time == null) {
      throw WholeNumber.refuse(TYPE, value, "it takes times in the form of datetime-pattern");
    }
    long window = windows.indexOf(time);
    if (window < 0) {
      return NO_TARGET;
    }
    LocalDateTime start = windows.start(window);
    return start.isAfter(upper()) ? NO_TARGET : target(targets, start);
  }

  @Override
  public BitSet range(TargetSet targets, Range range) {
    LocalDateTime from = pattern.bound(range.lower());
    LocalDateTime to = pattern.bound(range.upper());
    long first = from == null ? 0 : Math.max(0, windows.indexOf(from));
    LocalDateTime end = upper();
    long last = windows.indexOf(to == null || to.isAfter(end) ? end : to);
    BitSet result = new BitSet(targets.size());
    if (last - first >= MAX_WINDOWS) {
      result.set(0, targets.size());
      return result;
    }
    for (long window = first; window <= last; window++) {
      int target = target(targets, windows.start(window));
      if (target != NO_TARGET) {
        result.set(target);
      }
    }
    return result;
  }

  /** Suffixes that end several names, and windows without a target. */
  @Override
  public List<Finding> review(String column, TargetSet targets) {
    long last = windows.indexOf(upper());
    Set<String> missing = new LinkedHashSet<>();
    for (long window = 0; window <= Math.min(last, MAX_WINDOWS); window++) {
      String ending = suffix.format(windows.start(window));
      List<String> names = targets.names().stream().filter(n -> n.endsWith(ending)).toList();
      if (names.size() > 1) {
        String reason = "the suffix " + ending + " ends several names: " + String.join(", ", names);
        return List.of(new Finding(true, reason, "use a sharding-suffix-pattern of fixed width"));
      }
      if (names.isEmpty()) {
        missing.add(ending);
      }
    }
    if (missing.isEmpty()) {
      return List.of();
    }
    String reason = "no node ends with " + NearestName.shortened(missing);
    return List.of(new Finding(false, reason, null));
  }

  private int target(TargetSet targets, LocalDateTime start) {
    String ending = suffix.format(start);
    List<String> names = targets.names();
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).endsWith(ending)) {
        return i;
      }
    }
    return NO_TARGET;
  }

  private LocalDateTime upper() {
    return upper == null ? now.get() : upper;
  }

  private static @Nullable TimePattern pattern(
      AlgorithmProperties properties, String pattern, String lower) {
    try {
      return new TimePattern(pattern, lower);
    } catch (DateTimeException e) {
      properties.problem("datetime-lower", "does not have the form " + pattern);
    } catch (IllegalArgumentException e) {
      properties.problem("datetime-pattern", "is not a date pattern: " + e.getMessage());
    }
    return null;
  }

  private static @Nullable DateTimeFormatter suffix(AlgorithmProperties properties, String text) {
    try {
      return DatePattern.formatter(text);
    } catch (IllegalArgumentException e) {
      properties.problem("sharding-suffix-pattern", "is not a date pattern: " + e.getMessage());
      return null;
    }
  }

  private static @Nullable LocalDateTime upper(
      AlgorithmProperties properties, TimePattern pattern, String text, LocalDateTime lower) {
    if (text.isBlank()) {
      if (!pattern.scope().isLinear()) {
        properties.problem("datetime-upper", "is required for a pattern without a year");
      }
      return null;
    }
    try {
      LocalDateTime upper = pattern.parse(text);
      if (upper.isBefore(lower)) {
        properties.problem("datetime-upper", "must not be before datetime-lower");
      }
      return upper;
    } catch (DateTimeException e) {
      properties.problem("datetime-upper", "does not have the form of datetime-pattern");
      return null;
    }
  }

  private static ChronoUnit unit(AlgorithmProperties properties) {
    String word = properties.text("datetime-interval-unit", "DAYS");
    List<String> names = new ArrayList<>();
    for (ChronoUnit unit : EnumSet.range(ChronoUnit.SECONDS, ChronoUnit.MILLENNIA)) {
      if (unit.toString().equalsIgnoreCase(word) || unit.name().equalsIgnoreCase(word)) {
        return unit;
      }
      names.add(unit.name());
    }
    properties.problem("datetime-interval-unit", "must be one of " + String.join(", ", names));
    return ChronoUnit.DAYS;
  }

  private static void checkUnit(
      AlgorithmProperties properties, TimePattern.Scope scope, ChronoUnit unit) {
    boolean fits =
        switch (scope) {
          case DATE_TIME -> true;
          case DATE -> unit.isDateBased();
          case YEAR_MONTH -> unit.compareTo(ChronoUnit.MONTHS) >= 0;
          case YEAR -> unit.compareTo(ChronoUnit.YEARS) >= 0;
          case MONTH -> unit == ChronoUnit.MONTHS;
          case TIME -> unit.isTimeBased();
        };
    if (!fits) {
      properties.problem(
          "datetime-interval-unit", "cannot be " + unit.name() + " with this datetime-pattern");
    }
  }

  private static void checkSuffix(
      AlgorithmProperties properties,
      TimePattern.Scope scope,
      DateTimeFormatter suffix,
      LocalDateTime lower) {
    TemporalAccessor typed =
        switch (scope) {
          case DATE_TIME -> lower;
          case DATE -> lower.toLocalDate();
          case YEAR_MONTH -> YearMonth.from(lower);
          case YEAR -> Year.from(lower);
          case MONTH -> Month.from(lower);
          case TIME -> lower.toLocalTime();
        };
    try {
      suffix.formatTo(typed, new StringBuilder());
    } catch (DateTimeException e) {
      properties.problem(
          "sharding-suffix-pattern", "has fields that datetime-pattern does not have");
    }
  }
}
