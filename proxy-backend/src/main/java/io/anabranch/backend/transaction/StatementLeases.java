package io.anabranch.backend.transaction;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.rules.error.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one merge-lane statement: from the session's transaction where one is open,
 * fresh ones otherwise. Used by the one virtual thread that runs the statement; blocks.
 *
 * <p>Every lease that {@link #ready} gave ends with exactly one of {@link #completed}, {@link
 * #failed} and {@link #lost}, called when no command runs on it any more.
 */
public interface StatementLeases {

  /**
   * A connection that has the session's settings and, where a transaction is open, takes part in
   * it.
   *
   * @param endpoint data source or read/write group
   * @throws io.anabranch.rules.error.RefusedException if there is no connection to be had
   * @throws io.anabranch.backend.shard.ShardException if settings or BEGIN failed; the lease has
   *     then been ended
   */
  Lease ready(String endpoint);

  /**
   * The same of what is at hand and needs no words in front. On the session's event loop.
   *
   * @return null if there is none: then {@link #ready} is to be asked
   * @throws io.anabranch.rules.error.RefusedException if there is no connection to be had
   */
  @Nullable Lease readyNow(String endpoint);

  /**
   * @param statusFlags of the last answer on this connection
   */
  void completed(Lease lease, int statusFlags);

  /**
   * The connection has got state that cannot be replayed: it stays with the session. Called before
   * the lease is ended.
   */
  void pin(Lease lease, Pin pin);

  /** One of the temporary tables that the connection was pinned for is gone again. */
  void droppedTemporaryTable(Lease lease);

  /**
   * The database answered with an error.
   *
   * @param errno of that error; 0 if the statement did not get that far on this connection
   */
  void failed(Lease lease, int errno);

  /**
   * The connection is broken or in the middle of an answer: it is closed, and a transaction it took
   * part in is rolled back everywhere.
   *
   * @return what to tell the client if nothing else is to be told
   */
  RefusedException lost(Lease lease, String reason);

  /**
   * A connection that takes no part in the session's transaction, with whatever settings it had
   * before: {@link Lease#applied}. The caller ends it.
   *
   * @param endpoint data source or read/write group
   * @throws io.anabranch.rules.error.RefusedException if there is no connection to be had
   */
  Lease apart(String endpoint);

  /** What connections are to have when they run the session's own statements. */
  SessionSettings settings();

  /** Whether the session has locked tables: what it reads of them does not change meanwhile. */
  boolean holdLocks();

  /** Whether closing a connection would cost the session a transaction. */
  boolean isInTransaction();

  /**
   * Whether closing that connection would cost the session anything: a transaction, temporary
   * tables, locks, cursors.
   */
  boolean keeps(Lease lease);

  /**
   * Connections made ready from now on have this session variable besides the session's settings,
   * until other settings are wanted of them.
   *
   * @param value as SQL text
   */
  void setting(String name, String value);

  /** Whether a unit is a transaction of its own: connections that are ready take part in it. */
  boolean isInUnit();

  /**
   * What the leases made ready from now on do is one unit: a transaction of its own, or a savepoint
   * within the open one.
   */
  void beginAtomic();

  /** The same of a statement that commits, whatever the session says of its transactions. */
  void beginCommitting();

  /**
   * Ends the unit with success; ends the leases of a transaction of its own.
   *
   * @throws RuntimeException telling where it was committed and where not
   */
  void commitAtomic();

  /** Undoes the unit everywhere; connections on which that fails are closed. */
  void rollbackAtomic();
}
