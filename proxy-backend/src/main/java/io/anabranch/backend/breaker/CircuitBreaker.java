package io.anabranch.backend.breaker;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.protection.BreakerSettings;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether connections of one data source are given out. It is closed while the database is well;
 * open for a while when too many answers were errors of the server, or slow: then there are none;
 * then half open: a few are given out, and their answers close it, or open it again. Thread-safe,
 * and nothing waits.
 *
 * <p>An answer counts for the state in which its command began: what was under way when the breaker
 * opened says nothing about the trials.
 */
public final class CircuitBreaker implements AnswerListener {

  private static final Logger LOG = LoggerFactory.getLogger(CircuitBreaker.class);

  public enum State {
    CLOSED,
    HALF_OPEN,
    OPEN
  }

  /**
   * A look at it.
   *
   * @param reason why it has opened the last time; null while it is closed
   * @param opened how often
   * @param refused requests for connections
   */
  public record Status(State state, @Nullable String reason, long opened, long refused) {}

  /** A state and what it counts. */
  private static final class Phase {
    private final State state;
    private final long since;
    private final String reason;

    /** When trials could be given the last time. */
    private final AtomicLong renewed;

    private final AtomicInteger given = new AtomicInteger();
    private final AtomicInteger good = new AtomicInteger();

    Phase(State state, long since, String reason) {
      this.state = state;
      this.since = since;
      this.reason = reason;
      this.renewed = new AtomicLong(since);
    }

    /** Others may try; what was tried before still counts when it is answered. */
    void renew(long from, long now) {
      if (renewed.compareAndSet(from, now)) {
        given.set(0);
      }
    }
  }

  private static final class Window {
    private final long since;
    private final AtomicInteger all = new AtomicInteger();
    private final AtomicInteger errors = new AtomicInteger();
    private final AtomicInteger slow = new AtomicInteger();

    Window(long since) {
      this.since = since;
    }
  }

  private final String dataSource;
  private final BreakerSettings settings;
  private final LongSupplier clock;
  private final Runnable whenOpened;
  private final long slowNanos;
  private final long windowNanos;
  private final long openNanos;
  private final AtomicReference<Phase> phase;
  private final AtomicReference<Window> window;
  private final LongAdder opened = new LongAdder();
  private final LongAdder refused = new LongAdder();

  /**
   * @param clock nanoseconds, as {@link System#nanoTime} has them
   * @param whenOpened told on any thread
   */
  public CircuitBreaker(
      String dataSource, BreakerSettings settings, LongSupplier clock, Runnable whenOpened) {
    this.dataSource = dataSource;
    this.settings = settings;
    this.clock = clock;
    this.whenOpened = whenOpened;
    this.slowNanos = TimeUnit.MILLISECONDS.toNanos(settings.slowMilliseconds());
    this.windowNanos = TimeUnit.MILLISECONDS.toNanos(settings.windowMilliseconds());
    this.openNanos = TimeUnit.MILLISECONDS.toNanos(settings.openMilliseconds());
    long now = clock.getAsLong();
    this.phase = new AtomicReference<>(new Phase(State.CLOSED, now, ""));
    this.window = new AtomicReference<>(new Window(now));
  }

  private Phase phase() {
    return Objects.requireNonNull(phase.get());
  }

  private Window window() {
    return Objects.requireNonNull(window.get());
  }

  public Status status() {
    Phase present = phase();
    return new Status(
        present.state,
        present.state == State.CLOSED ? null : present.reason,
        opened.sum(),
        refused.sum());
  }

  public boolean isClosed() {
    return phase().state == State.CLOSED;
  }

  @Override
  public long now() {
    return clock.getAsLong();
  }

  // ---- asked

  /** Asks for a connection; null: there may be one. */
  public @Nullable RefusedException refusal() {
    Phase present = phase();
    if (present.state == State.CLOSED) {
      return null;
    }
    long now = clock.getAsLong();
    long renewed = present.renewed.get();
    long left = openNanos - (now - renewed);
    if (present.state == State.HALF_OPEN && present.given.incrementAndGet() <= settings.trials()) {
      return null;
    }
    if (left <= 0 && present.state == State.HALF_OPEN) {
      // the trials have not been answered
      present.renew(renewed, now);
      return refusal();
    }
    if (left <= 0) {
      phase.compareAndSet(present, new Phase(State.HALF_OPEN, now, present.reason));
      return refusal();
    }
    refused.increment();
    return refusal(present, left);
  }

  /** For a request that waits while it opens; null if it is closed. */
  public @Nullable RefusedException refusalInLine() {
    Phase present = phase();
    if (present.state == State.CLOSED) {
      return null;
    }
    refused.increment();
    return refusal(present, openNanos - (clock.getAsLong() - present.since));
  }

  private RefusedException refusal(Phase present, long leftNanos) {
    long milliseconds = Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNanos));
    return ErrorCatalogue.DATA_SOURCE_RESTS.refuse(dataSource, present.reason, milliseconds);
  }

  /** Something else has found the database well again: it is tried now. */
  public void recovered() {
    Phase present = phase();
    if (present.state == State.OPEN) {
      phase.compareAndSet(present, new Phase(State.HALF_OPEN, clock.getAsLong(), present.reason));
    }
  }

  // ---- told

  @Override
  public void answered(long begun, long heard, int errno) {
    boolean isError = ServerErrors.include(errno);
    // What ends with an error of the client's may have waited for a lock, or been stopped.
    boolean isSlow = slowNanos > 0 && (errno == 0 || isError) && heard - begun >= slowNanos;
    count(begun, isError, isSlow);
  }

  @Override
  public void lost(long begun) {
    count(begun, true, false);
  }

  /** No connection could be opened. */
  public void unreachable() {
    count(clock.getAsLong(), true, false);
  }

  private void count(long begun, boolean isError, boolean isSlow) {
    Phase present = phase();
    if (begun - present.since < 0) {
      return;
    }
    switch (present.state) {
      case CLOSED -> countClosed(present, isError, isSlow);
      case HALF_OPEN -> {
        if (isError || isSlow) {
          open(present, "a trial " + (isError ? "failed" : "was slow"));
        } else if (present.good.incrementAndGet() >= settings.trials()) {
          close(present);
        }
      }
      case OPEN -> {}
    }
  }

  private void countClosed(Phase present, boolean isError, boolean isSlow) {
    Window current = window();
    long now = clock.getAsLong();
    if (now - current.since > windowNanos) {
      var next = new Window(now);
      current = window.compareAndSet(current, next) ? next : window();
    }
    int all = current.all.incrementAndGet();
    int errors = isError ? current.errors.incrementAndGet() : current.errors.get();
    int slow = isSlow ? current.slow.incrementAndGet() : current.slow.get();
    if (!(isError || isSlow) || all < settings.statements()) {
      return;
    }
    if (isError && errors * 100L >= (long) settings.errorPercent() * all) {
      open(present, errors + " of its last " + all + " answers were errors of the server");
    } else if (isSlow && slow * 100L >= (long) settings.slowPercent() * all) {
      open(
          present,
          slow
              + " of its last "
              + all
              + " answers took "
              + settings.slowMilliseconds()
              + " ms or longer");
    }
  }

  private void open(Phase present, String reason) {
    long now = clock.getAsLong();
    if (phase.compareAndSet(present, new Phase(State.OPEN, now, reason))) {
      opened.increment();
      if (present.state == State.CLOSED) {
        LOG.warn("data source '{}' is given a rest: {}", dataSource, reason);
      }
      whenOpened.run();
    }
  }

  private void close(Phase present) {
    long now = clock.getAsLong();
    if (phase.compareAndSet(present, new Phase(State.CLOSED, now, ""))) {
      window.set(new Window(now));
      LOG.info("data source '{}' is well again", dataSource);
    }
  }
}
