package io.anabranch.rules.expression;

import io.anabranch.rules.value.DatePattern;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code <INTERVAL>P=t_;SP=yyyyMM;DIA=1;DIU=Months;DL=202401;DU=202412}. */
final class IntervalNames {

  private static final Set<String> KEYS = Set.of("P", "SP", "DIA", "DIU", "DL", "DU", "C");

  private IntervalNames() {}

  static List<String> expand(String body, int offset) {
    Map<String, String> keys = keys(body, offset);
    String prefix = required(keys, "P", offset);
    try {
      DateTimeFormatter pattern = DatePattern.formatter(required(keys, "SP", offset));
      LocalDateTime lower = parse(required(keys, "DL", offset), pattern);
      LocalDateTime upper = parse(required(keys, "DU", offset), pattern);
      int amount = Integer.parseInt(keys.getOrDefault("DIA", "1"));
      ChronoUnit unit = unit(keys.getOrDefault("DIU", "Days"), offset);
      if (amount <= 0) {
        throw new ExpressionException(offset, "DIA must be positive");
      }
      List<String> names = new ArrayList<>();
      for (LocalDateTime at = lower; !at.isAfter(upper); at = at.plus(amount, unit)) {
        names.add(prefix + pattern.format(at));
        if (names.size() > Template.MAX_NAMES) {
          throw new ExpressionException(offset, "gives more than " + Template.MAX_NAMES + " names");
        }
      }
      return names;
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new ExpressionException(offset, "not a valid interval: " + e.getMessage());
    }
  }

  private static Map<String, String> keys(String body, int offset) {
    Map<String, String> keys = new HashMap<>();
    for (String entry : body.split(";", -1)) {
      if (entry.isBlank()) {
        continue;
      }
      int equals = entry.indexOf('=');
      String key = equals < 0 ? entry.strip() : entry.substring(0, equals).strip();
      if (equals < 0 || !KEYS.contains(key)) {
        throw new ExpressionException(
            offset, "unknown part '" + key + "'; there are P, SP, DIA, DIU, DL, DU, C");
      }
      keys.put(key, entry.substring(equals + 1).strip());
    }
    String calendar = keys.getOrDefault("C", "ISO");
    if (!calendar.equalsIgnoreCase("ISO")) {
      throw new ExpressionException(offset, "the calendar '" + calendar + "' is not supported");
    }
    return keys;
  }

  private static String required(Map<String, String> keys, String key, int offset) {
    String value = keys.get(key);
    if (value == null) {
      throw new ExpressionException(offset, "the part " + key + "= is missing");
    }
    return value;
  }

  private static ChronoUnit unit(String word, int offset) {
    for (ChronoUnit unit : ChronoUnit.values()) {
      if (unit.toString().equalsIgnoreCase(word)) {
        return unit;
      }
    }
    throw new ExpressionException(offset, "unknown unit '" + word + "'");
  }

  /** The time, with the fields that the pattern lacks at their first value. */
  private static LocalDateTime parse(String text, DateTimeFormatter pattern) {
    TemporalAccessor parsed = pattern.parse(text);
    LocalTime time = parsed.query(TemporalQueries.localTime());
    LocalDate date = parsed.query(TemporalQueries.localDate());
    if (date == null && time == null) {
      date =
          parsed.isSupported(java.time.temporal.ChronoField.MONTH_OF_YEAR)
              ? YearMonth.from(parsed).atDay(1)
              : Year.from(parsed).atDay(1);
    }
    return LocalDateTime.of(
        date == null ? LocalDate.of(2000, 1, 1) : date, time == null ? LocalTime.MIN : time);
  }
}
