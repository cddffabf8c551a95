package io.anabranch.backend.lease;

import io.anabranch.backend.shard.ShardConnection;
import org.jspecify.annotations.Nullable;

/**
 * Exclusive use of one backend connection. Ends with exactly one of {@link #release} and {@link
 * #discard}; both may be called on any thread, never block, and are no-ops when repeated.
 */
public interface Lease {

  /** The data source itself, not its group. */
  String dataSource();

  /** Name of the logical database whose data source it is. */
  String logicalDatabase();

  /**
   * The channel for the relay lane, on the event loop that asked for the lease; null in
   * simulations, where nothing is relayed.
   */
  @Nullable BackendConnection connection();

  /** Whether it is known by now that the server has closed the connection. */
  default boolean isLost() {
    BackendConnection connection = connection();
    return connection != null && !connection.channel().isActive();
  }

  /** The same connection for the merge lane. */
  ShardConnection shard();

  /** What the connection has now, as far as the proxy knows. */
  SessionSettings applied();

  /** Called by whoever replayed settings, by {@link SettingsReplay}. */
  void applied(SessionSettings settings);

  /** What the connection has of variables that {@link #applied} does not name. */
  default StartValues start() {
    return StartValues.UNKNOWN;
  }

  /** What whoever has the lease is to find there: the values of its session's start. */
  default StartValues wantedStart() {
    return StartValues.UNKNOWN;
  }

  /**
   * Gives it back: no command runs, no transaction is open, state is what {@link #applied} says.
   */
  void release();

  /**
   * Ends the command that runs on the connection, over a connection of its own that takes no permit
   * of the pool. Blocks: for virtual threads. The lease must not be released before this returns,
   * or another session's command may be ended; discarding it is safe at any time.
   *
   * @throws io.anabranch.rules.error.RefusedException if the database could not be told
   */
  void interrupt();

  /** Whether others wait for a connection of the data source. */
  default boolean isWanted() {
    return false;
  }

  /** Whoever has it may be asked to do without it, see {@link Lessee#yields}. */
  default void mayYield() {}

  /** Closes the connection: broken, or in a state that cannot be undone. */
  void discard(String reason);
}
