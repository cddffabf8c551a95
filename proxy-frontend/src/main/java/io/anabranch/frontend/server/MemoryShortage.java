package io.anabranch.frontend.server;

import io.anabranch.backend.memory.MemoryKind;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.function.Predicate;

/**
 * Tells when this Java process has hardly any memory of a kind, for {@link MemoryWatch}. A peak
 * that is over counts no more: of the heap, each collection is judged once, and only while what it
 * has left is still there; direct memory is short when it is so at two looks in a row.
 *
 * <p>A collection that ran beside the program leaves what was dropped meanwhile, so that large
 * pieces of short life look like a heap that is full. Before anybody is ended for it, a whole
 * collection tells what is really in use.
 */
final class MemoryShortage implements Predicate<MemoryKind> {

  /** The heap of a process. */
  interface Heap {

    /** How many collections there have been. */
    long collections();

    /** What the last ones left of the heap, or less, as a part of the most that it may be. */
    double left();

    /** Collects all; the program stands still. */
    void collect();

    long nanoTime();
  }

  /** Of the heap, behind a collection. */
  private static final double MOST_LEFT = 0.85;

  /** Of direct memory. */
  private static final double MOST_DIRECT = 0.92;

  /** Between two whole collections the program runs so many times as long as one of them took. */
  private static final int BREATH = 5;

  private final Heap heap;
  private long collections;
  private long nextWhole;
  private boolean wasDirectShort;

  /** Watches this process. */
  MemoryShortage() {
    this(new OwnHeap());
  }

  MemoryShortage(Heap heap) {
    this.heap = heap;
    this.nextWhole = heap.nanoTime();
  }

  @Override
  public boolean test(MemoryKind kind) {
    return switch (kind) {
      case HEAP -> isHeapShort();
      case DIRECT -> isDirectShort();
    };
  }

  private boolean isHeapShort() {
    long now = heap.collections();
    boolean isNews = now != collections;
    collections = now;
    if (!isNews || heap.left() <= MOST_LEFT) {
      return false;
    }
    long began = heap.nanoTime();
    if (began - nextWhole >= 0) {
      heap.collect();
      long ended = heap.nanoTime();
      nextWhole = ended + BREATH * (ended - began);
      collections = heap.collections();
    }
    return heap.left() > MOST_LEFT;
  }

  private boolean isDirectShort() {
    boolean isShort =
        PlatformDependent.usedDirectMemory() > MOST_DIRECT * PlatformDependent.maxDirectMemory();
    boolean isLasting = isShort && wasDirectShort;
    wasDirectShort = isShort;
    return isLasting;
  }

  private static final class OwnHeap implements Heap {

    @Override
    public long collections() {
      long count = 0;
      for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
        count += collector.getCollectionCount();
      }
      return count;
    }

    @Override
    public double left() {
      long left = 0;
      for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
        MemoryUsage behind = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
        left += behind == null ? 0 : Math.min(behind.getUsed(), pool.getUsage().getUsed());
      }
      return (double) left / Runtime.getRuntime().maxMemory();
    }

    @Override
    public void collect() {
      System.gc();
    }

    @Override
    public long nanoTime() {
      return System.nanoTime();
    }
  }
}
