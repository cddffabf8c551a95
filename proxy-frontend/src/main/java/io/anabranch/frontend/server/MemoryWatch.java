package io.anabranch.frontend.server;

import io.anabranch.backend.memory.MemoryBudget;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.frontend.response.Failures;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Near the edge the largest consumer goes, never the process: when Java runs short of memory of
 * which clients keep a notable part, or when clients have used up their budget and go on wanting,
 * the statement of the session that keeps most is ended, or the session if it runs none. Called
 * every {@link #EVERY_MILLISECONDS}, by one thread at a time.
 */
final class MemoryWatch {

  static final long EVERY_MILLISECONDS = 250;

  private static final Logger log = LoggerFactory.getLogger(MemoryWatch.class);

  /** Where all clients together keep less than one part in so many, it is not they who fill it. */
  private static final int NOTABLE_PART = 8;

  /** How long clients may be refused for want of others' memory. */
  private static final int PATIENCE = (int) (3000 / EVERY_MILLISECONDS);

  /** Whoever keeps less is not to blame. */
  private static final long LARGE = 1L << 20;

  private final MemoryBudget budget;
  private final SessionRegistry registry;
  private final Predicate<MemoryKind> isShort;
  private int pressed;
  private int quietLooks;
  private boolean isBlameless;

  /** It may take a while to end: that is told once. */
  private @Nullable Session lastEnded;

  /** Watches this Java process. */
  MemoryWatch(MemoryBudget budget, SessionRegistry registry) {
    this(budget, registry, new MemoryShortage());
  }

  /**
   * @param isShort whether there is hardly any of a kind, asked once in each look
   */
  MemoryWatch(MemoryBudget budget, SessionRegistry registry, Predicate<MemoryKind> isShort) {
    this.budget = budget;
    this.registry = registry;
    this.isShort = isShort;
  }

  void look() {
    if (++quietLooks > PATIENCE) {
      lastEnded = null;
    }
    pressed = budget.takePressed() ? pressed + 1 : 0;
    for (MemoryKind kind : MemoryKind.values()) {
      boolean isWanting = pressed >= PATIENCE && isUsedUp(kind);
      boolean isLacking = isShort.test(kind);
      if (isWanting || (isLacking && isClients(kind))) {
        pressed = 0;
        endLargest(kind);
        return;
      }
    }
  }

  /** Whether it would help to end what clients do. */
  private boolean isClients(MemoryKind kind) {
    boolean isNotable = budget.taken(kind) > budget.limit(kind) / NOTABLE_PART;
    if (!isNotable && !isBlameless) {
      log.warn(
          "short of {}, of which clients keep {} bytes only: nobody is ended",
          kind.shown(),
          budget.taken(kind));
    }
    isBlameless = !isNotable;
    return isNotable;
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
      if (!ended.equals(lastEnded)) {
        log.warn("short of {}: {} keeps {} bytes and is ended", kind.shown(), ended, bytes);
      }
      lastEnded = ended;
      quietLooks = 0;
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
