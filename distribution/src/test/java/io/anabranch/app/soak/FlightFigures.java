package io.anabranch.app.soak;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What Java's Flight Recorder says about a process under load. */
final class FlightFigures {

  private Instant first = Instant.MAX;
  private Instant last = Instant.MIN;
  private int collections;
  private Duration pauses = Duration.ZERO;
  private Duration longestPause = Duration.ZERO;
  private Duration longestSafepoint = Duration.ZERO;
  private Duration longestMonitor = Duration.ZERO;
  private long allocated;
  private int pinned;
  private int errors;

  private FlightFigures() {}

  static FlightFigures of(Path recording) throws IOException {
    var figures = new FlightFigures();
    try (var file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        figures.add(file.readEvent());
      }
    }
    return figures;
  }

  private void add(RecordedEvent event) {
    first = event.getStartTime().isBefore(first) ? event.getStartTime() : first;
    last = event.getEndTime().isAfter(last) ? event.getEndTime() : last;
    switch (event.getEventType().getName()) {
      case "jdk.GarbageCollection" -> {
        collections++;
        pauses = pauses.plus(event.getDuration("sumOfPauses"));
        longestPause = longer(longestPause, event.getDuration("longestPause"));
      }
      case "jdk.SafepointBegin" -> longestSafepoint = longer(longestSafepoint, event.getDuration());
      case "jdk.JavaMonitorEnter" -> longestMonitor = longer(longestMonitor, event.getDuration());
      case "jdk.ObjectAllocationSample" -> allocated += event.getLong("weight");
      case "jdk.VirtualThreadPinned" -> pinned++;
      case "jdk.JavaErrorThrow" -> errors++;
      default -> {
        // of no interest here
      }
    }
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** A table in Markdown. */
  String table() {
    double seconds = Math.max(1, Duration.between(first, last).toMillis() / 1000.0);
    return """
        | recorded | collections | pauses | longest pause | longest safepoint | longest wait for a lock | allocated per second | pinned threads | errors of Java |
        | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
        | %.0f s | %d | %.2f %% | %.1f ms | %.1f ms | %.1f ms | %.1f MB | %d | %d |
        """
        .formatted(
            seconds,
            collections,
            pauses.toMillis() / 10.0 / seconds,
            milliseconds(longestPause),
            milliseconds(longestSafepoint),
            milliseconds(longestMonitor),
            allocated / seconds / (1 << 20),
            pinned,
            errors);
  }

  private static double milliseconds(Duration duration) {
    return duration.toNanos() / 1e6;
  }
}
