package io.anabranch.frontend.server;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log lines about clients that broke the protocol: one in a while, with the number of those that
 * were left out, so that whoever reaches the port cannot fill the log. Thread-safe.
 */
final class ViolationLog {

  private static final Logger log = LoggerFactory.getLogger(ViolationLog.class);
  private static final long PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

  private final LongSupplier nanoTime;
  private final AtomicLong lastNanos;
  private final AtomicLong leftOut = new AtomicLong();

  ViolationLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.lastNanos = new AtomicLong(nanoTime.getAsLong() - PAUSE_NANOS);
  }

  void log(int client, InetAddress address, String violation) {
    long others = next();
    if (others == 0) {
      log.warn(
          "client {} at {} broke the protocol: {}", client, address.getHostAddress(), violation);
    } else if (others > 0) {
      log.warn(
          "client {} at {} broke the protocol: {}; {} others did since the last such line",
          client,
          address.getHostAddress(),
          violation,
          others);
    }
  }

  /** How many were left out before the line that is due now; -1 if none is due. */
  long next() {
    long now = nanoTime.getAsLong();
    long last = lastNanos.get();
    if (now - last >= PAUSE_NANOS && lastNanos.compareAndSet(last, now)) {
      return leftOut.getAndSet(0);
    }
    leftOut.incrementAndGet();
    return -1;
  }
}
