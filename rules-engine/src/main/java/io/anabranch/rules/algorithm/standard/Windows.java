package io.anabranch.rules.algorithm.standard;

import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Equal steps in time from a start on. Steps of months and longer are added one by one: 31 January,
 * 29 February, 29 March.
 */
final class Windows {

  private final LocalDateTime start;
  private final long stepSeconds;
  private final List<LocalDateTime> calendar;

  /**
   * @param amount positive
   * @param unit SECONDS or longer
   * @param end no window that starts later is asked for
   */
  Windows(LocalDateTime start, int amount, ChronoUnit unit, LocalDateTime end) {
    this.start = start;
    boolean fixed = unit.compareTo(ChronoUnit.WEEKS) <= 0;
    this.stepSeconds = fixed ? Math.multiplyExact(unit.getDuration().toSeconds(), amount) : 0;
    this.calendar = fixed ? List.of() : calendar(start, amount, unit, end);
  }

  private static List<LocalDateTime> calendar(
      LocalDateTime start, int amount, ChronoUnit unit, LocalDateTime end) {
    List<LocalDateTime> starts = new ArrayList<>();
    LocalDateTime next = start;
    while (!next.isAfter(end)) {
      starts.add(next);
      next = next.plus(amount, unit);
    }
    starts.add(next);
    return List.copyOf(starts);
  }

  /** The window that {@code time} is in, from 0; -1 before the first one. */
  long indexOf(LocalDateTime time) {
    if (time.isBefore(start)) {
      return -1;
    }
    if (stepSeconds > 0) {
      return ChronoUnit.SECONDS.between(start, time) / stepSeconds;
    }
    int found = Collections.binarySearch(calendar, time, LocalDateTime::compareTo);
    return found >= 0 ? found : -found - 2;
  }

  LocalDateTime start(long window) {
    return stepSeconds > 0 ? start.plusSeconds(window * stepSeconds) : calendar.get((int) window);
  }
}
