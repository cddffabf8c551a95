package io.anabranch.frontend.rule;

import io.anabranch.frontend.notice.Pace;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How often statements have met one rule. Thread-safe. */
public final class RuleCount {

  private final LongAdder hits = new LongAdder();
  private final AtomicInteger running = new AtomicInteger();
  private final Pace pace;
  private volatile @Nullable RuleHit last;

  RuleCount(LongSupplier nanoTime) {
    pace = new Pace(nanoTime);
  }

  /** One more statement. */
  public void add(RuleHit hit) {
    hits.increment();
    last = hit;
  }

  /**
   * One more statement begins, which {@link #leave} ends.
   *
   * @param most that may run
   * @return false: so many run already
   */
  public boolean enter(int most) {
    int before = running.get();
    while (before < most) {
      int found = running.compareAndExchange(before, before + 1);
      if (found == before) {
        return true;
      }
      before = found;
    }
    return false;
  }

  /** A statement that had entered has ended. */
  public void leave() {
    running.decrementAndGet();
  }

  /** When the log is to tell of one. */
  public Pace pace() {
    return pace;
  }

  /** Since the rule is there, or since they were forgotten. */
  public long hits() {
    return hits.sum();
  }

  /** The last one; null: there was none. */
  public @Nullable RuleHit last() {
    return last;
  }

  void clear() {
    hits.reset();
    last = null;
  }
}
