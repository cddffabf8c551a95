package io.anabranch.app.tracing;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Counts what a collector does not take, and says so in the proxy's log, at most once a minute.
 * Thread-safe.
 */
final class ToldExporter implements SpanExporter {

  private static final org.slf4j.Logger log = LoggerFactory.getLogger(ToldExporter.class);
  private static final long BETWEEN_LINES = TimeUnit.MINUTES.toNanos(1);

  /** Kept, so that its level stays: it would say the same on the console. */
  private static final Logger OWN = Logger.getLogger("io.opentelemetry");

  private final SpanExporter exporter;
  private final String endpoint;
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong nextLine = new AtomicLong(System.nanoTime());

  ToldExporter(SpanExporter exporter, String endpoint) {
    this.exporter = exporter;
    this.endpoint = endpoint;
    OWN.setLevel(Level.OFF);
  }

  long lost() {
    return lost.get();
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    CompletableResultCode result = exporter.export(spans);
    return result.whenComplete(
        () -> {
          if (!result.isSuccess()) {
            lost(spans.size(), result.getFailureThrowable());
          }
        });
  }

  private void lost(int count, @Nullable Throwable why) {
    long all = lost.addAndGet(count);
    long now = System.nanoTime();
    long due = nextLine.get();
    if (now - due >= 0 && nextLine.compareAndSet(due, now + BETWEEN_LINES)) {
      log.warn(
          "the collector at {} took no spans: {}; {} are lost since the start",
          endpoint,
          why == null ? "it refused them" : why.toString(),
          all);
    }
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return exporter.shutdown();
  }
}
