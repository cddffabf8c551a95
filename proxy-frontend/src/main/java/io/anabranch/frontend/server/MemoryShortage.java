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
 */
final class MemoryShortage implements Predicate<MemoryKind> {

  /** Of the heap, behind a collection. */
  private static final double MOST_LEFT = 0.85;

  /** Of direct memory. */
  private static final double MOST_DIRECT = 0.92;

  private long collections;
  private boolean wasDirectShort;

  @Override
  public boolean test(MemoryKind kind) {
    return switch (kind) {
      case HEAP -> isHeapShort();
      case DIRECT -> isDirectShort();
    };
  }

  private boolean isHeapShort() {
    long now = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      now += collector.getCollectionCount();
    }
    boolean isNews = now != collections;
    collections = now;
    return isNews && leftByCollections() > MOST_LEFT * Runtime.getRuntime().maxMemory();
  }

  /** Of each pool what its last collection has left, or less. */
  private static long leftByCollections() {
    long left = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage behind = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
      left += behind == null ? 0 : Math.min(behind.getUsed(), pool.getUsage().getUsed());
    }
    return left;
  }

  private boolean isDirectShort() {
    boolean isShort =
        PlatformDependent.usedDirectMemory() > MOST_DIRECT * PlatformDependent.maxDirectMemory();
    boolean isLasting = isShort && wasDirectShort;
    wasDirectShort = isShort;
    return isLasting;
  }
}
