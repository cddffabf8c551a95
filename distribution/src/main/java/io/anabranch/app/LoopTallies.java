package io.anabranch.app;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What event loops count, each for itself: adding is a plain addition in the place of an atomic
 * one. All places are {@linkplain #reserve reserved} before the first tally is made. Thread-safe
 * from then on.
 */
final class LoopTallies {

  private final List<LoopTally> all = new CopyOnWriteArrayList<>();
  private int places;

  /**
   * @return the first of so many places in each tally
   */
  int reserve(int count) {
    if (!all.isEmpty()) {
      throw new IllegalStateException("loops are counting already");
    }
    int first = places;
    places += count;
    return first;
  }

  /** One more event loop's. */
  LoopTally tally() {
    var made = new LoopTally(places);
    all.add(made);
    return made;
  }

  /** Of all event loops. */
  long sum(int place) {
    long sum = 0;
    for (LoopTally each : all) {
      sum += each.get(place);
    }
    return sum;
  }
}
