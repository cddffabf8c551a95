package io.anabranch.backend.lease;

import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.protection.Priority;
import org.jspecify.annotations.Nullable;

/**
 * Who has leases and asks for more: a session. While it waits for one, or for a database, all that
 * it has waits with it. Its {@code toString} names it in the log.
 */
public interface Lessee {

  /** Somebody of whom nothing is known: it is taken for going on. */
  Lessee NOBODY =
      new Lessee() {
        @Override
        public boolean hasLeases() {
          return false;
        }

        @Override
        public long since() {
          return Long.MIN_VALUE;
        }

        @Override
        public void endWait(HeldLease waiting, RefusedException reason) {}

        @Override
        public String toString() {
          return "somebody";
        }
      };

  /**
   * Others wait for connections of a data source of which it has one: if its client has taken
   * nothing of an answer for long, that is closed. On any thread.
   */
  default void giveWay() {}

  /** Whether it has leases while it asks for another. On the request's event loop, when it asks. */
  boolean hasLeases();

  /**
   * Gives a lease back that it can do without, because others wait for one. On the lease's event
   * loop.
   *
   * @return whether it has
   */
  default boolean yields(Lease lease) {
    return false;
  }

  /**
   * When its latest transaction took its first connection, {@link System#nanoTime}; {@link
   * Long#MIN_VALUE}: it has none. On any thread.
   */
  long since();

  /** When the session began, {@link System#nanoTime}; those of which nothing is known begin now. */
  default long startedAt() {
    return System.nanoTime();
  }

  /** The session's number, by which clients know it; 0: it is none. */
  default int sessionId() {
    return 0;
  }

  /** Who shares the connections with others, in turns; empty: nobody knows. */
  default String user() {
    return "";
  }

  /** Of what it asks for now; on the request's event loop. */
  default Priority priority() {
    return Priority.NORMAL;
  }

  /**
   * A comment that goes in front of its texts and says who has asked; null: none does. On the
   * lease's event loop.
   */
  default byte @Nullable [] origin() {
    return null;
  }

  /**
   * Whether the statement that it runs may answer with whatever error its client likes (SIGNAL). On
   * the lease's event loop.
   */
  default boolean raisesErrors() {
    return false;
  }

  /**
   * Ends the statement that waits for its database, and the transaction with it. Does nothing if
   * the connection has gone on meanwhile. Does not block; on any thread.
   *
   * @param reason what the client is told
   */
  void endWait(HeldLease waiting, RefusedException reason);
}
