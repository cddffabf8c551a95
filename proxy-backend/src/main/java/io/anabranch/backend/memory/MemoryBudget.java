package io.anabranch.backend.memory;

import io.anabranch.rules.model.MemoryLimits;
import io.netty.util.internal.PlatformDependent;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * What clients may make the proxy keep, in bytes: the whole of it, a share for each user, and a
 * share of that for each of its sessions. Thread-safe.
 */
public final class MemoryBudget {

  /** Clients that have not logged in get one part in so many, all together. */
  private static final int GUESTS_PART = 8;

  private static final long PERCENT = 100;

  private final MemoryLimits limits;
  private final Map<MemoryKind, MemoryShare> whole = new EnumMap<>(MemoryKind.class);
  private final Map<MemoryKind, MemoryShare> guests = new EnumMap<>(MemoryKind.class);
  private final Map<String, Map<MemoryKind, MemoryShare>> users = new ConcurrentHashMap<>();
  private final AtomicBoolean pressed = new AtomicBoolean();
  private final LongAdder refused = new LongAdder();
  private final LongAdder forgotten = new LongAdder();

  /**
   * @param configured with zeros where nothing is configured
   */
  public MemoryBudget(MemoryLimits configured) {
    this.limits = configured.in(PlatformDependent.maxDirectMemory());
    for (MemoryKind kind : MemoryKind.values()) {
      var all =
          new MemoryShare(
              "all clients together",
              "try again later, or raise " + property(kind),
              of(kind),
              null);
      whole.put(kind, all);
      guests.put(
          kind,
          new MemoryShare(
              "clients that have not logged in", "try again", of(kind) / GUESTS_PART, all));
    }
  }

  /** The limits of this Java process where nothing is configured. */
  public static MemoryBudget unconfigured() {
    return new MemoryBudget(MemoryLimits.DEFAULTS);
  }

  private long of(MemoryKind kind) {
    return switch (kind) {
      case HEAP -> limits.heapBytes();
      case DIRECT -> limits.directBytes();
    };
  }

  private static String property(MemoryKind kind) {
    return switch (kind) {
      case HEAP -> "proxy-memory-heap-bytes";
      case DIRECT -> "proxy-memory-direct-bytes";
    };
  }

  /** The account of one more client that has not logged in. */
  public SessionMemory guest() {
    return new SessionMemory(this, guests);
  }

  /**
   * The account of one more session.
   *
   * @param user whose share it draws on
   */
  public SessionMemory session(String user) {
    return new SessionMemory(this, sharesOf(user));
  }

  /** What clients leave, for what is kept for none of them. */
  public SpareMemory spare() {
    return new SpareMemory(share(MemoryKind.HEAP));
  }

  Map<MemoryKind, MemoryShare> sharesOf(String user) {
    return users.computeIfAbsent(user, this::newShares);
  }

  private Map<MemoryKind, MemoryShare> newShares(String user) {
    var shares = new EnumMap<MemoryKind, MemoryShare>(MemoryKind.class);
    whole.forEach(
        (kind, all) ->
            shares.put(
                kind,
                new MemoryShare(
                    "the sessions of user " + user,
                    "close what they do not need, or raise proxy-memory-user-percent",
                    all.limit() * limits.userPercent() / PERCENT,
                    all)));
    return shares;
  }

  long sessionLimit(MemoryKind kind) {
    return of(kind) * limits.sessionPercent() / PERCENT;
  }

  /** Bytes that are taken of it. */
  public long taken(MemoryKind kind) {
    return share(kind).taken();
  }

  /** Bytes that can be taken. */
  public long limit(MemoryKind kind) {
    return of(kind);
  }

  /** How often something did not fit. */
  public long refusals() {
    return refused.sum();
  }

  /** Bytes that sessions had not given back when they ended, or gave back twice: a mistake. */
  public long forgottenBytes() {
    return forgotten.sum();
  }

  /** Whether the whole was used up since the last question. */
  public boolean takePressed() {
    return pressed.getAndSet(false);
  }

  void refused(MemoryShare lacking) {
    refused.increment();
    if (lacking.isWhole()) {
      pressed.set(true);
    }
  }

  void refused() {
    refused.increment();
  }

  void forgot(long bytes) {
    forgotten.add(bytes);
  }

  private MemoryShare share(MemoryKind kind) {
    MemoryShare share = whole.get(kind);
    if (share == null) {
      throw new IllegalStateException("no budget of " + kind);
    }
    return share;
  }
}
