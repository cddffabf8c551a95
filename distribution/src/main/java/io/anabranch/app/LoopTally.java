package io.anabranch.app;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counters of one event loop, which alone adds to them; whoever reads may be a moment behind. */
final class LoopTally {

  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] counts;

  LoopTally(int places) {
    counts = new long[places];
  }

  /** On the event loop. */
  void add(int place, long amount) {
    COUNTS.setOpaque(counts, place, counts[place] + amount);
  }

  long get(int place) {
    return (long) COUNTS.getOpaque(counts, place);
  }
}
