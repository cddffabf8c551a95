package io.anabranch.backend.pool;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.DataSourceDefinition;
import io.netty.channel.EventLoop;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The two HikariCP pools of one data source, each made when the first connection of its flavour is
 * wanted. Thread-safe.
 */
final class Flavours {

  private final DataSourceDefinition definition;
  private final BackendUrl url;
  private final boolean tracksPositions;
  private final BackendTransport transport;
  private final ShardConnections shards;
  private final PoolListener listener;
  private final Reach reach;
  private final StartHistory history;

  /** Guards the making of pools; held while HikariCP starts one, so never on an event loop. */
  private final ReentrantLock making = new ReentrantLock();

  // Guarded by making:
  private final @Nullable Flavour[] flavours = new Flavour[2];
  private boolean closed;

  /** Those of {@link #flavours} that are there, for a look without the lock. */
  private volatile List<Flavour> made = List.of();

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

  /** See {@link ConnectionSource#look}. */
  void look(EventLoop loop, List<HeldLease> into) {
    for (Flavour flavour : made) {
      flavour.look(loop, into);
    }
  }

  /** Breaks all connections, leased ones too. */
  void cut() {
    made.forEach(Flavour::cut);
  }

  /** Closes both for good. Blocks. */
  void close() {
    making.lock();
    try {
      closed = true;
      made.forEach(Flavour::close);
    } finally {
      making.unlock();
    }
  }
}
