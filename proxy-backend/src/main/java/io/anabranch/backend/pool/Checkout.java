package io.anabranch.backend.pool;

import io.anabranch.backend.shard.ShardConnection;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is out of its HikariCP pool, together with the permit to have it: leased, or
 * waiting in an event loop's cache for the next lease.
 */
final class Checkout {

  private final Flavour flavour;
  private final boolean foundRows;
  private final Connection connection;
  private final PhysicalConnection physical;
  private final ShardConnection shard;
  private final long takenNanos = System.nanoTime();
  private long cachedNanos;

  Checkout(
      Flavour flavour,
      boolean foundRows,
      Connection connection,
      PhysicalConnection physical,
      ShardConnections shards) {
    this.flavour = flavour;
    this.foundRows = foundRows;
    this.connection = connection;
    this.physical = physical;
    ShardConnection overWire = physical.wireShard();
    this.shard = overWire != null ? overWire : shards.overJdbc(connection);
  }

  Flavour flavour() {
    return flavour;
  }

  boolean foundRows() {
    return foundRows;
  }

  Connection connection() {
    return connection;
  }

  PhysicalConnection physical() {
    return physical;
  }

  @Nullable WireConnection wire() {
    return physical.wire();
  }

  ShardConnection shard() {
    return shard;
  }

  boolean isBroken() {
    WireConnection wire = physical.wire();
    return wire != null && !wire.isActive();
  }

  /**
   * How long it has been out.
   *
   * @param now {@link System#nanoTime}
   */
  long ageNanos(long now) {
    return now - takenNanos;
  }

  void cachedAt(long nanos) {
    cachedNanos = nanos;
  }

  long cachedAt() {
    return cachedNanos;
  }
}
