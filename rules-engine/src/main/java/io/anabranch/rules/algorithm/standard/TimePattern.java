package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.value.DatePattern;
import io.anabranch.rules.value.SqlValue;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import org.jspecify.annotations.Nullable;

/**
 * {@code datetime-pattern}: values of many forms to points in time, as fine as the pattern is.
 * Fields that the pattern lacks are at their first value.
 */
final class TimePattern {

  /** What a pattern tells. */
  enum Scope {
    DATE_TIME,
    DATE,
    YEAR_MONTH,
    YEAR,
    MONTH,
    TIME;

    /** Whether time runs on, rather than around. */
    boolean isLinear() {
      return this != MONTH && this != TIME;
    }
  }

  /** Any year will do for patterns without one; a leap year takes every day. */
  private static final int SOME_YEAR = 2000;

  private static final String FIELDS = "yMdHmsS";

  private final String pattern;
  private final DateTimeFormatter formatter;
  private final Scope scope;
  private final ChronoUnit resolution;
  private final boolean textOrderIsTimeOrder;

  /**
   * @param sample a value in this pattern, which tells the scope
   * @throws DateTimeException if the sample does not have the pattern
   * @throws IllegalArgumentException if it is no pattern
   */
  TimePattern(String pattern, String sample) {
    this.pattern = pattern;
    this.formatter = DatePattern.formatter(pattern);
    this.scope = scope(formatter.parse(sample));
    this.resolution = resolution(pattern);
    this.textOrderIsTimeOrder = isBigEndian(pattern);
  }

  Scope scope() {
    return scope;
  }

  /** A text in full length. */
  LocalDateTime parse(String text) {
    return complete(formatter.parse(text));
  }

  /** Null for what is no time of this pattern. */
  @Nullable LocalDateTime time(SqlValue value) {
    return switch (value) {
      case SqlValue.Text(String text) -> relaxed(text);
      case SqlValue.Int(long number) when number >= 0 -> relaxed(Long.toString(number));
      case SqlValue.Date(LocalDate date) -> within(date.atStartOfDay());
      case SqlValue.DateTime(LocalDateTime time) -> within(time);
      case SqlValue.Int _,
          SqlValue.Decimal _,
          SqlValue.Floating _,
          SqlValue.Bytes _,
          SqlValue.Null _,
          SqlValue.Unknown _ ->
          null;
    };
  }

  /** The same for a bound of a range; null also where the order of values is not that of time. */
  @Nullable LocalDateTime bound(@Nullable SqlValue value) {
    boolean ordered =
        switch (value) {
          case SqlValue.Text _ -> textOrderIsTimeOrder;
          case SqlValue.Int(long number) ->
              textOrderIsTimeOrder && Long.toString(number).length() == pattern.length();
          case null, default -> scope.isLinear();
        };
    return value != null && ordered ? time(value) : null;
  }

  private @Nullable LocalDateTime relaxed(String text) {
    try {
      if (text.length() >= pattern.length()) {
        return parse(text.substring(0, pattern.length()));
      }
      String shorter = pattern.substring(0, text.length());
      return complete(DatePattern.formatter(shorter).parse(text));
    } catch (DateTimeException | IllegalArgumentException e) {
      return null;
    }
  }

  private LocalDateTime complete(TemporalAccessor parsed) {
    LocalTime time = parsed.query(TemporalQueries.localTime());
    LocalDate date = parsed.query(TemporalQueries.localDate());
    if (date == null) {
      int year =
          parsed.isSupported(ChronoField.YEAR)
              ? parsed.get(ChronoField.YEAR)
              : parsed.isSupported(ChronoField.YEAR_OF_ERA)
                  ? parsed.get(ChronoField.YEAR_OF_ERA)
                  : SOME_YEAR;
      int month =
          parsed.isSupported(ChronoField.MONTH_OF_YEAR) ? parsed.get(ChronoField.MONTH_OF_YEAR) : 1;
      date = LocalDate.of(year, month, 1);
    }
    return LocalDateTime.of(date, time == null ? LocalTime.MIN : time);
  }

  /** What of a full time the pattern keeps. */
  private LocalDateTime within(LocalDateTime time) {
    LocalDate date =
        switch (scope) {
          case DATE_TIME, DATE -> time.toLocalDate();
          case YEAR_MONTH -> time.toLocalDate().withDayOfMonth(1);
          case YEAR -> time.toLocalDate().withDayOfYear(1);
          case MONTH -> LocalDate.of(SOME_YEAR, time.getMonth(), 1);
          case TIME -> LocalDate.of(SOME_YEAR, 1, 1);
        };
    boolean hasTime = scope == Scope.DATE_TIME || scope == Scope.TIME;
    return date.atTime(hasTime ? time.toLocalTime().truncatedTo(resolution) : LocalTime.MIN);
  }

  private static Scope scope(TemporalAccessor parsed) {
    boolean date = parsed.query(TemporalQueries.localDate()) != null;
    boolean time = parsed.query(TemporalQueries.localTime()) != null;
    if (date) {
      return time ? Scope.DATE_TIME : Scope.DATE;
    }
    boolean year =
        parsed.isSupported(ChronoField.YEAR) || parsed.isSupported(ChronoField.YEAR_OF_ERA);
    boolean month = parsed.isSupported(ChronoField.MONTH_OF_YEAR);
    if (time) {
      if (year || month) {
        throw new DateTimeException("the pattern has a time but no whole date");
      }
      return Scope.TIME;
    }
    if (!year && !month) {
      throw new DateTimeException("the pattern has neither year, month nor time");
    }
    return year ? (month ? Scope.YEAR_MONTH : Scope.YEAR) : Scope.MONTH;
  }

  private static ChronoUnit resolution(String pattern) {
    if (pattern.indexOf('n') >= 0 || pattern.contains("SSSSSSS")) {
      return ChronoUnit.NANOS;
    }
    if (pattern.contains("SSSS")) {
      return ChronoUnit.MICROS;
    }
    if (pattern.indexOf('S') >= 0) {
      return ChronoUnit.MILLIS;
    }
    if (pattern.indexOf('s') >= 0) {
      return ChronoUnit.SECONDS;
    }
    return pattern.indexOf('m') >= 0 ? ChronoUnit.MINUTES : ChronoUnit.HOURS;
  }

  /** Whether the fields stand from the largest to the smallest, all of fixed width. */
  private static boolean isBigEndian(String pattern) {
    int last = -1;
    for (int at = 0; at < pattern.length(); ) {
      char c = pattern.charAt(at);
      int end = at;
      while (end < pattern.length() && pattern.charAt(end) == c) {
        end++;
      }
      if (Character.isLetter(c)) {
        int field = FIELDS.indexOf(c == 'u' ? 'y' : c);
        boolean fixed = c == 'S' || end - at == (field == 0 ? 4 : 2);
        if (field <= last || !fixed) {
          return false;
        }
        last = field;
      } else if (c == '\'' || c == '[') {
        return false;
      }
      at = end;
    }
    return true;
  }
}
