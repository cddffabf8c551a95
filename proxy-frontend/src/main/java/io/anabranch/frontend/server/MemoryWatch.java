package io.anabranch.frontend.server;

import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.frontend.response.Failures;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Near the edge the largest consumer goes, never the process: when a collection has left little of
 * the heap, when there is hardly any direct memory, or when clients have used up their budget and
 * go on wanting, the statement of the session that keeps most is ended, or the session if it runs
 * none. Called every {@link #EVERY_MILLISECONDS}, by one thread at a time.
 */
final class MemoryWatch {

  static final long EVERY_MILLISECONDS = 250;

  private static final Logger log = LoggerFactory.getLogger(MemoryWatch.class);

  /** Of the heap, behind a collection. */
  private static final double MOST_LEFT = 0.85;

  /** Of direct memory. */
  private static final double MOST_DIRECT = 0.92;

  /** How long clients may be refused for want of others' memory. */
  private static final int PATIENCE = (int) (3000 / EVERY_MILLISECONDS);

  /** Whoever keeps less is not to blame. */
  private static final long LARGE = 1L << 20;

  private final MemoryBudget budget;
  private final SessionRegistry registry;
  private final Predicate<MemoryKind> isShort;
  private int pressed;

  /** Watches this Java process. */
  MemoryWatch(MemoryBudget budget, SessionRegistry registry) {
    this(budget, registry, MemoryWatch::isShort);
  }

  /**
   * @param isShort whether there is hardly any of a kind
   */
  MemoryWatch(MemoryBudget budget, SessionRegistry registry, Predicate<MemoryKind> isShort) {
    this.budget = budget;
    this.registry = registry;
    this.isShort = isShort;
  }

  private static boolean isShort(MemoryKind kind) {
    return switch (kind) {
      case HEAP -> leftByCollections() > MOST_LEFT * Runtime.getRuntime().maxMemory();
      case DIRECT ->
          PlatformDependent.usedDirectMemory() > MOST_DIRECT * PlatformDependent.maxDirectMemory();
    };
  }

  private static long leftByCollections() {
    long left = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage usage = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
      left += usage == null ? 0 : usage.getUsed();
    }
    return left;
  }

  void look() {
    pressed = budget.takePressed() ? pressed + 1 : 0;
    for (MemoryKind kind : MemoryKind.values()) {
      if (isShort.test(kind) || (pressed >= PATIENCE && isUsedUp(kind))) {
        pressed = 0;
        endLargest(kind);
        return;
      }
    }
  }

  private boolean isUsedUp(MemoryKind kind) {
    return budget.taken(kind) > budget.limit(kind) / 2;
  }

  private void endLargest(MemoryKind kind) {
    Session largest = null;
    long most = LARGE;
    for (Session session : registry.all()) {
      long used = session.memory().used(kind);
      if (used > most) {
        most = used;
        largest = session;
      }
    }
    if (largest != null) {
      Session ended = largest;
      long bytes = most;
      log.warn("short of {}: {} keeps {} bytes and is ended", kind.shown(), ended, bytes);
      ended.loop().execute(() -> end(ended, ErrorCatalogue.MEMORY_SHORT.refuse(bytes)));
    }
  }

  private static void end(Session session, RefusedException reason) {
    if (session.command().isIdle()) {
      session.sink().sequence(0);
      session.replies().error(Failures.packet(reason, session.toString()), session.charset());
      session.channel().close();
    } else {
      session.command().interrupt(reason);
    }
  }
}
