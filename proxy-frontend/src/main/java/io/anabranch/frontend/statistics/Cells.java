package io.anabranch.frontend.statistics;

import io.anabranch.frontend.statementlog.Milliseconds;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.StringJoiner;

/** Values as tables show them. */
final class Cells {

  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

  private Cells() {}

  static String number(long value) {
    return Long.toString(value);
  }

  static String milliseconds(long nanos) {
    return Milliseconds.of(nanos);
  }

  /**
   * In UTC.
   *
   * @param nanoTime of {@link System#nanoTime}
   */
  static String moment(long nanoTime) {
    return MOMENT.format(Instant.now().minusNanos(System.nanoTime() - nanoTime));
  }

  static String moment(Instant instant) {
    return MOMENT.format(instant);
  }

  /** {@code ds_0:1.500, ds_1:3.120}, in milliseconds. */
  static String times(Map<String, Long> nanos) {
    var text = new StringJoiner(", ");
    nanos.forEach((key, time) -> text.add(key + ":" + milliseconds(time)));
    return text.toString();
  }

  /** {@code 1062:3, 1213:1}. */
  static String counts(Map<Integer, Long> counts) {
    var text = new StringJoiner(", ");
    counts.forEach((key, count) -> text.add(key + ":" + count));
    return text.toString();
  }
}
