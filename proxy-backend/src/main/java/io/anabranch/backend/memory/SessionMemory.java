package io.anabranch.backend.memory;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one session makes the proxy keep. Thread-safe. It takes from its user's share in steps, so
 * that small pieces cost no more than a lock that nobody else wants.
 */
public final class SessionMemory implements AutoCloseable {

  /** What a session that keeps nothing may have of its user's share. */
  private static final long STEP = 4096;

  private static final int STEPS_OF_LARGE = 8;

  private final MemoryBudget budget;
  private final Map<MemoryKind, Account> accounts = new EnumMap<>(MemoryKind.class);

  /** Of one kind; guarded by itself. */
  private static final class Account {
    private MemoryShare share;
    private final long limit;
    private long used;
    private long reserved;
    private boolean closed;

    Account(MemoryShare share, long limit) {
      this.share = share;
      this.limit = limit;
    }
  }

  SessionMemory(MemoryBudget budget, Map<MemoryKind, MemoryShare> shares) {
    this.budget = budget;
    shares.forEach(
        (kind, share) -> accounts.put(kind, new Account(share, budget.sessionLimit(kind))));
  }

  /**
   * Something to charge to this session.
   *
   * @param what as the error names it
   */
  public MemoryCharge charge(MemoryKind kind, String what) {
    return new MemoryCharge(this, kind, what);
  }

  /**
   * Takes bytes before they are kept.
   *
   * @param what as the error names it
   * @return why not; null: they are taken
   */
  public @Nullable RefusedException take(MemoryKind kind, long bytes, String what) {
    Account account = account(kind);
    MemoryShare lacking;
    synchronized (account) {
      if (account.closed) {
        return ErrorCatalogue.QUERY_INTERRUPTED.refuse();
      }
      if (account.used + bytes > account.limit) {
        budget.refused();
        return refusal(
            what, kind, "one session", account.limit, "raise proxy-memory-session-percent");
      }
      lacking = reserve(account, bytes);
      if (lacking == null) {
        account.used += bytes;
        return null;
      }
    }
    budget.refused(lacking);
    return refusal(what, kind, lacking.owner(), lacking.limit(), lacking.wayOut());
  }

  private static @Nullable MemoryShare reserve(Account account, long bytes) {
    long needed = account.used + bytes - account.reserved;
    if (needed <= 0) {
      return null;
    }
    long step = Math.max(STEP, account.used / STEPS_OF_LARGE);
    long rounded = Math.max(needed, Math.min(step, account.limit - account.reserved));
    MemoryShare lacking = account.share.take(rounded);
    if (lacking != null && rounded > needed) {
      rounded = needed;
      lacking = account.share.take(needed);
    }
    if (lacking == null) {
      account.reserved += rounded;
    }
    return lacking;
  }

  private static RefusedException refusal(
      String what, MemoryKind kind, String owner, long limit, String wayOut) {
    return ErrorCatalogue.MEMORY_SHARE.refuse(what, owner, limit, kind.shown(), wayOut);
  }

  /** Gives bytes back that are kept no more; nothing happens once this is closed. */
  public void give(MemoryKind kind, long bytes) {
    Account account = account(kind);
    synchronized (account) {
      if (account.closed) {
        return;
      }
      account.used -= bytes;
      if (account.used < 0) {
        budget.forgot(-account.used);
        account.used = 0;
      }
      long slack = account.reserved - account.used;
      if (slack > Math.max(STEP, account.used / 4)) {
        account.share.give(slack - STEP);
        account.reserved -= slack - STEP;
      }
    }
  }

  /** Bytes that are kept for the session now. */
  public long used(MemoryKind kind) {
    Account account = account(kind);
    synchronized (account) {
      return account.used;
    }
  }

  /** The session is another user's from now on; what it keeps goes with it, if it must beyond. */
  public void become(String user) {
    budget
        .sharesOf(user)
        .forEach(
            (kind, share) -> {
              Account account = account(kind);
              synchronized (account) {
                if (!account.closed) {
                  account.share.give(account.reserved);
                  account.share = share;
                  account.reserved = account.used;
                  share.force(account.used);
                }
              }
            });
  }

  /** The session is over: all that it had is given back, once. */
  @Override
  public void close() {
    accounts.forEach(
        (_, account) -> {
          synchronized (account) {
            if (!account.closed) {
              account.closed = true;
              account.share.give(account.reserved);
              budget.forgot(account.used);
              account.used = 0;
              account.reserved = 0;
            }
          }
        });
  }

  private Account account(MemoryKind kind) {
    Account account = accounts.get(kind);
    if (account == null) {
      throw new IllegalStateException("no account of " + kind);
    }
    return account;
  }
}
