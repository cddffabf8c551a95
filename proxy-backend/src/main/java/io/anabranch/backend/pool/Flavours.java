package io.anabranch.backend.pool;

import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.lease.Lessee;
import io.anabranch.backend.lease.PoolListener;
import io.anabranch.backend.lease.StartValues;
import io.anabranch.backend.pool.address.BackendUrl;
import io.anabranch.backend.pool.wire.BackendTransport;
import io.anabranch.backend.pool.wire.PhysicalConnection;
import io.anabranch.backend.pool.wire.ShardConnections;
import io.anabranch.backend.pool.wire.WireConnection;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.DataSourceDefinition;
import io.netty.channel.EventLoop;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two HikariCP pools of one data source, each made when the first connection of its flavour is
 * wanted. Thread-safe.
 */
final class Flavours implements SourceLeases.Connections {

  private static final Logger LOG = LoggerFactory.getLogger(Flavours.class);
  private static final int MOST_INTERRUPTS = 4;

  private final DataSourceDefinition definition;
  private final BackendUrl url;
  private final boolean tracksPositions;
  private final BackendTransport transport;
  private final ShardConnections shards;
  private final PoolListener listener;
  private final Reach reach;
  private final StartHistory history;

  /** Bounds the connections beyond {@code maxPoolSize} that end statements. */
  private final Semaphore interrupts = new Semaphore(MOST_INTERRUPTS);

  /** Guards the making of pools; held while HikariCP starts one, so never on an event loop. */
  private final ReentrantLock making = new ReentrantLock();

  // Guarded by making:
  private final @Nullable Flavour[] flavours = new Flavour[2];
  private boolean closed;

  /** Those of {@link #flavours} that are there, for a look without the lock. */
  private volatile List<Flavour> made = List.of();

  private volatile long lastUsed = System.nanoTime();

  Flavours(
      DataSourceDefinition definition,
      BackendUrl url,
      boolean tracksPositions,
      BackendTransport transport,
      ShardConnections shards,
      PoolListener listener,
      Reach reach,
      StartHistory history) {
    this.history = history;
    this.definition = definition;
    this.url = url;
    this.tracksPositions = tracksPositions;
    this.transport = transport;
    this.shards = shards;
    this.listener = listener;
    this.reach = reach;
  }

  /**
   * Blocks while it is made.
   *
   * @throws io.anabranch.rules.error.RefusedException if they are closed
   */
  Flavour of(boolean foundRows) {
    making.lock();
    try {
      Flavour flavour = flavours[index(foundRows)];
      if (flavour != null) {
        return flavour;
      }
      if (closed) {
        throw ErrorCatalogue.DATA_SOURCE_DOWN.refuse(definition.name(), "it is being closed");
      }
      return make(foundRows);
    } finally {
      making.unlock();
    }
  }

  /** Makes the one that is wanted most, which opens its first connections. Blocks. */
  void warmUp() {
    making.lock();
    try {
      if (!closed && flavours[index(false)] == null) {
        make(false);
      }
    } finally {
      making.unlock();
    }
  }

  @Override
  public Checkout open(boolean foundRows) throws SQLException {
    Flavour flavour = of(foundRows);
    lastUsed = System.nanoTime();
    while (true) {
      Connection connection = flavour.open();
      boolean isGood = false;
      try {
        PhysicalConnection physical = flavour.physical(connection);
        if (physical != null) {
          isGood = true;
          return new Checkout(foundRows, connection, physical);
        }
      } finally {
        if (!isGood) {
          flavour.evict(connection);
        }
      }
    }
  }

  @Override
  public void giveBack(Checkout checkout) {
    try {
      checkout.connection().close();
    } catch (SQLException broken) {
      LOG.warn("data source {}: {}", reach, broken.getMessage());
      evict(checkout);
    }
  }

  @Override
  public void evict(Checkout checkout) {
    of(checkout.foundRows()).evict(checkout.connection());
  }

  @Override
  public void interrupt(Checkout checkout) throws SQLException {
    WireConnection wire = checkout.wire();
    if (wire == null) {
      throw new SQLException("the connection's id is not known: its driver is not ours");
    }
    if (!mayInterrupt()) {
      throw new SQLException("too many statements are ended at once, or it does not answer");
    }
    try {
      of(checkout.foundRows()).interrupt(wire);
    } finally {
      interrupts.release();
    }
  }

  private boolean mayInterrupt() {
    try {
      return interrupts.tryAcquire(ConnectionSource.INTERRUPT_MILLISECONDS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public StartValues startOf(Lessee session) {
    return history.of(session);
  }

  @Override
  public @Nullable SQLException whyDown() {
    SQLException failure = reach.failure();
    return haveAlive() ? null : failure;
  }

  private static int index(boolean foundRows) {
    return foundRows ? 1 : 0;
  }

  private Flavour make(boolean foundRows) {
    var flavour =
        new Flavour(
            definition,
            url,
            foundRows,
            tracksPositions,
            transport,
            shards,
            listener,
            reach,
            history,
            this::lookAfterFailure);
    flavours[index(foundRows)] = flavour;
    made = Arrays.stream(flavours).filter(Objects::nonNull).map(Objects::requireNonNull).toList();
    return flavour;
  }

  /** Idle connections of both that the database has not closed. */
  int idle() {
    int idle = 0;
    for (Flavour flavour : made) {
      idle += flavour.idle();
    }
    return idle;
  }

  /** Whether a connection is open that the database has not closed, idle or in use. */
  boolean haveAlive() {
    return made.stream().anyMatch(Flavour::hasAlive);
  }

  /** When a connection was taken last. */
  long lastUsed() {
    return lastUsed;
  }

  boolean hasIdle() {
    return made.stream().anyMatch(Flavour::hasIdle);
  }

  /** Closes what is idle, and what is in use as it comes back. */
  void closeIdle() {
    made.forEach(Flavour::retire);
  }

  /** See {@link Flavour#keepNone}. */
  void keepNone() {
    made.forEach(Flavour::keepNone);
  }

  /** See {@link Flavour#lookAfterFailure}. */
  void lookAfterFailure() {
    made.forEach(Flavour::lookAfterFailure);
  }

  /** See {@link ConnectionSource#silent}. */
  void silent(EventLoop loop, long nanos, List<WireConnection> into) {
    for (Flavour flavour : made) {
      flavour.silent(loop, nanos, into);
    }
  }

  @Override
  public void look(EventLoop loop, List<HeldLease> into) {
    for (Flavour flavour : made) {
      flavour.look(loop, into);
    }
  }

  /** Breaks all connections, leased ones too. */
  void cut() {
    made.forEach(Flavour::cut);
  }

  /** Closes both for good. Blocks. */
  @Override
  public void close() {
    making.lock();
    try {
      closed = true;
      made.forEach(Flavour::close);
    } finally {
      making.unlock();
    }
  }
}
