package io.anabranch.backend.pool;

import io.anabranch.backend.pool.wire.PhysicalConnection;
import io.anabranch.backend.pool.wire.WireConnection;
import io.anabranch.backend.shard.ShardConnection;
import io.netty.channel.EventLoop;
import java.sql.Connection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is out of its HikariCP pool, together with the permit to have it: leased, or
 * waiting in an event loop's cache for the next lease.
 */
class Checkout {

  private final boolean foundRows;
  private final Connection connection;
  private final PhysicalConnection physical;
  private long takenNanos;
  private long cachedNanos;

  Checkout(boolean foundRows, Connection connection, PhysicalConnection physical) {
    this.foundRows = foundRows;
    this.connection = connection;
    this.physical = physical;
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
    return physical.shard();
  }

  boolean isBroken() {
    WireConnection wire = physical.wire();
    return wire != null && !wire.isActive();
  }

  /** Packets are forwarded from now on. */
  void startLease() {
    WireConnection wire = physical.wire();
    if (wire != null) {
      wire.startLease();
    }
  }

  /** The driver has the connection again. */
  void endLease() {
    WireConnection wire = physical.wire();
    if (wire != null) {
      wire.endLease();
    }
  }

  /** Closes it, whatever runs on it. */
  void abort() {
    WireConnection wire = physical.wire();
    if (wire != null) {
      wire.abort();
    }
  }

  /**
   * Takes it to another event loop, if it is on any.
   *
   * @param done told what went wrong, or null; there, or at once where there is nothing to move
   */
  void moveTo(EventLoop loop, Consumer<@Nullable Throwable> done) {
    WireConnection wire = physical.wire();
    if (wire == null) {
      done.accept(null);
    } else {
      wire.moveTo(loop, done);
    }
  }

  /** Who has it now. */
  void lessee(LeaseHandle holder) {
    WireConnection wire = physical.wire();
    if (wire != null) {
      wire.lessee(holder);
    }
  }

  /**
   * How long it has been out.
   *
   * @param now by the same clock as {@link #takenAt}
   */
  long ageNanos(long now) {
    return now - takenNanos;
  }

  void takenAt(long nanos) {
    takenNanos = nanos;
  }

  void cachedAt(long nanos) {
    cachedNanos = nanos;
  }

  long cachedAt() {
    return cachedNanos;
  }
}
