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
  private final LongAdder mirrored = new LongAdder();
  private final LongAdder mirrorErrors = new LongAdder();
  private final LongAdder mirrorDropped = new LongAdder();
  private final LongAdder cached = new LongAdder();
  private final LongAdder merged = new LongAdder();
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

  /** The mirror has answered one, without error or with one. */
  public void mirrored(boolean succeeded) {
    (succeeded ? mirrored : mirrorErrors).increment();
  }

  /** One did not go to the mirror: it is too slow, or cannot take such statements. */
  public void mirrorDropped() {
    mirrorDropped.increment();
  }

  /** One was answered by what was kept. */
  public void cached() {
    cached.increment();
  }

  /** One was answered by what another brought that was under way. */
  public void merged() {
    merged.increment();
  }

  /** Statements that were answered by what was kept. */
  public long caches() {
    return cached.sum();
  }

  /** Statements that were answered by what another brought. */
  public long merges() {
    return merged.sum();
  }

  /** Statements that the mirror has answered without error. */
  public long mirrored() {
    return mirrored.sum();
  }

  /** Statements that the mirror has answered with an error, or not at all. */
  public long mirrorErrors() {
    return mirrorErrors.sum();
  }

  /** Statements that did not go to the mirror. */
  public long mirrorsDropped() {
    return mirrorDropped.sum();
  }

  void clear() {
    hits.reset();
    mirrored.reset();
    mirrorErrors.reset();
    mirrorDropped.reset();
    cached.reset();
    merged.reset();
    last = null;
  }
}
