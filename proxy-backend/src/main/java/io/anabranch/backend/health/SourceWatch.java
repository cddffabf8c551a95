package io.anabranch.backend.health;

import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.backend.topology.MemberReport;
import io.anabranch.rules.model.HealthCheck;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks one data source on a virtual thread of its own. A question that failed is asked again at
 * once, as often as it takes to be sure; the next one is due after the interval.
 */
final class SourceWatch {

  /**
   * How many times longer the first answer may take: connecting, loading the driver and warming up
   * are in it, and while nothing is known yet nobody gains by a hasty no.
   */
  private static final int FIRST_ANSWER = 5;

  private static final long SELDOM_MILLISECONDS = 60_000;
  private static final int SPREAD_MILLISECONDS = 10_000;

  private final String source;
  private final Supplier<Inquiry> inquiries;
  private final HealthCheck check;
  private final Asker.Opener opener;
  private final HealthWatch watch;
  private final BooleanSupplier isCrowded;
  private final Semaphore askNow = new Semaphore(0);
  private final Thread thread;

  private @Nullable Asker asker;
  private @Nullable Inquiry inquiry;
  private boolean hasAnswered;

  /**
   * @param inquiries one for each new connection
   * @param isCrowded whether it is asked seldom while it answers, over connections that are closed
   */
  SourceWatch(
      String source,
      Supplier<Inquiry> inquiries,
      HealthCheck check,
      Asker.Opener opener,
      HealthWatch watch,
      BooleanSupplier isCrowded) {
    this.source = source;
    this.inquiries = inquiries;
    this.check = check;
    this.opener = opener;
    this.watch = watch;
    this.isCrowded = isCrowded;
    this.thread = Thread.ofVirtual().name("health-" + source).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  void askNow() {
    askNow.release();
  }

  /** Does not wait for the question that is under way. */
  void close() {
    thread.interrupt();
  }

  private void run() {
    int failures = 0;
    try {
      if (isCrowded.getAsBoolean()) {
        // not all at once
        Thread.sleep((long) (Math.random() * SPREAD_MILLISECONDS));
      }
      while (!Thread.currentThread().isInterrupted()) {
        failures = ask() ? 0 : failures + 1;
        boolean isSure = failures == 0 || failures >= check.fall();
        boolean isSpared = failures == 0 && isCrowded.getAsBoolean();
        if (isSpared) {
          disconnect();
        }
        long pause = isSpared ? SELDOM_MILLISECONDS : check.intervalMilliseconds();
        if (isSure && askNow.tryAcquire(pause, TimeUnit.MILLISECONDS)) {
          askNow.drainPermits();
        }
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    } finally {
      disconnect();
    }
  }

  /**
   * @return whether there was an answer
   */
  private boolean ask() {
    try {
      Asker open = asker;
      Inquiry questions = inquiry;
      if (open == null || questions == null) {
        long limit = check.timeoutMilliseconds() * (hasAnswered ? 1 : FIRST_ANSWER);
        open = opener.open(limit);
        asker = open;
        questions = inquiries.get();
        inquiry = questions;
      }
      MemberReport report = questions.ask(open);
      if (!hasAnswered) {
        hasAnswered = true;
        // The next connection has the usual limit.
        disconnect();
      }
      watch.answered(source, report);
      return true;
    } catch (AskException failure) {
      disconnect();
      watch.failed(source, String.valueOf(failure.getMessage()));
      return false;
    } catch (RuntimeException failure) {
      // An answer that makes no sense, of a version that nobody has seen yet.
      disconnect();
      watch.failed(source, failure.toString());
      return false;
    }
  }

  private void disconnect() {
    Asker open = asker;
    asker = null;
    inquiry = null;
    if (open != null) {
      open.close();
    }
  }
}
