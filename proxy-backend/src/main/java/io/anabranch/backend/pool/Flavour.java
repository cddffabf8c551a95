package io.anabranch.backend.pool;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.lease.PoolListener;
import io.anabranch.backend.pool.address.BackendUrl;
import io.anabranch.backend.pool.wire.BackendTransport;
import io.anabranch.backend.pool.wire.PhysicalConnection;
import io.anabranch.backend.pool.wire.ShardConnections;
import io.anabranch.backend.pool.wire.WireConnection;
import io.anabranch.rules.model.DataSourceDefinition;
import io.netty.channel.EventLoop;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HikariCP pool of one data source's connections with, or without, CLIENT_FOUND_ROWS. All
 * methods may block but {@link #evict}; never called on an event loop.
 */
final class Flavour implements ConnectionSource.Attempts {

  private static final Logger LOG = LoggerFactory.getLogger(Flavour.class);
  private static final long SHORTEST_TIMEOUT = 250;

  /**
   * Changes nothing, and is answered by each server that answers at all. A ping would not do: the
   * failure of the first one is ignored by HikariCP, which then asks the closed connection for its
   * isolation level, ignores that failure too, and lets no connection live ever after.
   */
  private static final String TEST = "SET autocommit=@@autocommit";

  private final String name;
  private final long timeoutMilliseconds;
  private final Reach reach;
  private final PoolListener listener;
  private final Runnable failures;
  private final ConnectionSource source;
  private final HikariDataSource hikari;
  private final Set<Thread> opening = ConcurrentHashMap.newKeySet();

  /**
   * @param failures told after each attempt to open a connection that failed
   */
  Flavour(
      DataSourceDefinition definition,
      BackendUrl url,
      boolean foundRows,
      boolean tracksPositions,
      BackendTransport transport,
      ShardConnections shards,
      PoolListener listener,
      Reach reach,
      StartHistory history,
      Runnable failures) {
    this.name = definition.name();
    this.timeoutMilliseconds =
        Math.max(SHORTEST_TIMEOUT, definition.connectionTimeoutMilliseconds());
    this.reach = reach;
    this.failures = failures;
    this.listener = listener;
    this.source =
        new ConnectionSource(
            definition, url, foundRows, tracksPositions, transport, shards, history, this);
    this.hikari = new HikariDataSource(config(definition, foundRows, transport.room().isCrowded()));
  }

  private HikariConfig config(
      DataSourceDefinition definition, boolean foundRows, boolean isCrowded) {
    HikariConfig config = custom(definition);
    config.setPoolName(definition.name() + (foundRows ? "/found-rows" : "/affected-rows"));
    config.setDataSource(source);
    config.setMaximumPoolSize(definition.maxPoolSize());
    config.setMinimumIdle(
        isCrowded ? 0 : Math.min(definition.minPoolSize(), definition.maxPoolSize()));
    config.setConnectionTimeout(timeoutMilliseconds);
    config.setIdleTimeout(definition.idleTimeoutMilliseconds());
    config.setMaxLifetime(definition.maxLifetimeMilliseconds());
    config.setInitializationFailTimeout(-1);
    config.setThreadFactory(Thread.ofVirtual().name("pool-" + definition.name(), 0).factory());
    if (config.getConnectionTestQuery() == null) {
      config.setConnectionTestQuery(TEST);
    }
    return config;
  }

  /** HikariCP's own properties by their names; those that it does not know are left out. */
  private static HikariConfig custom(DataSourceDefinition definition) {
    var known = new Properties();
    for (Map.Entry<String, String> property : definition.customPoolProps().entrySet()) {
      var one = new Properties();
      one.setProperty(property.getKey(), property.getValue());
      try {
        new HikariConfig(one);
        known.putAll(one);
      } catch (RuntimeException unknown) {
        LOG.warn(
            "data source '{}': HikariCP does not take the pool property {}: {}",
            definition.name(),
            property.getKey(),
            unknown.getMessage());
      }
    }
    return new HikariConfig(known);
  }

  /**
   * A connection of the pool.
   *
   * @throws SQLException with the reason of the last attempt as its cause, or as itself, when none
   *     can be opened
   */
  Connection open() throws SQLException {
    SQLException down = reach.down();
    if (down != null) {
      throw new DownException(down);
    }
    SQLException last = reach.failure();
    if (last != null && reach.hasJustFailed() && isEmpty()) {
      throw new DownException(last);
    }
    opening.add(Thread.currentThread());
    try {
      return hikari.getConnection();
    } catch (SQLException timeout) {
      SQLException reason = reach.failure();
      if (reason != null) {
        throw new DownException(reason);
      }
      if (!hasAlive()) {
        throw new DownException(
            new SQLException(
                "no connection could be opened within " + timeoutMilliseconds + " ms", timeout));
      }
      throw timeout;
    } finally {
      opening.remove(Thread.currentThread());
      // The interrupt of a failed attempt that came too late to matter.
      Thread.interrupted();
    }
  }

  /** Null if the connection closed a moment ago: HikariCP does not test those just used. */
  @Nullable PhysicalConnection physical(Connection connection) throws SQLException {
    return source.physical(connection.unwrap(Connection.class));
  }

  /** Ends the statement of another connection to the same database. */
  void interrupt(WireConnection wire) throws SQLException {
    source.interrupt(wire);
  }

  /** See {@link ConnectionSource#learnStart}. */
  void learnStart(long since) throws SQLException {
    source.learnStart(since);
  }

  /** See {@link ConnectionSource#silent}. */
  void silent(EventLoop loop, long nanos, List<WireConnection> into) {
    source.silent(loop, nanos, into);
  }

  /** See {@link ConnectionSource#look}. */
  void look(EventLoop loop, List<HeldLease> into) {
    source.look(loop, into);
  }

  void evict(Connection connection) {
    hikari.evictConnection(connection);
  }

  @Override
  public void opened(long nanos) {
    reach.opened();
    listener.opened(name, nanos);
  }

  @Override
  public void failed(SQLException reason) {
    reach.failed(reason);
    failures.run();
  }

  /**
   * After an attempt that failed: connections whose database died are evicted, if there are no
   * others, and nobody waits for a database that is down: whoever would is told now.
   */
  void lookAfterFailure() {
    if (!isEmpty() && !hasAlive()) {
      retire();
    }
    if (isEmpty()) {
      opening.forEach(Thread::interrupt);
    }
  }

  private boolean isEmpty() {
    return hikari.getHikariPoolMXBean().getTotalConnections() == 0;
  }

  /** Whether a connection is open that the database has not closed, idle or in use. */
  boolean hasAlive() {
    return source.alive() > 0;
  }

  /** Idle connections that the database has not closed. */
  int idle() {
    HikariPoolMXBean pool = hikari.getHikariPoolMXBean();
    int dead = Math.max(0, pool.getTotalConnections() - source.alive());
    return Math.max(0, pool.getIdleConnections() - dead);
  }

  /** Closes what is idle now and the rest as it comes back. */
  void retire() {
    hikari.getHikariPoolMXBean().softEvictConnections();
  }

  /** Whether there are idle connections, open or not. */
  boolean hasIdle() {
    return hikari.getHikariPoolMXBean().getIdleConnections() > 0;
  }

  /** From now on none is kept that is not used. */
  void keepNone() {
    hikari.getHikariConfigMXBean().setMinimumIdle(0);
    retire();
  }

  /**
   * Breaks all connections, leased ones too: whoever waits for an answer learns that none comes.
   */
  void cut() {
    source.abortAll();
  }

  /** A connection that is just being opened is closed, too: HikariCP forgets it then. */
  void close() {
    source.closing();
    hikari.close();
    source.abortAll();
  }

  /** The database cannot be reached; the message says why. */
  static final class DownException extends SQLException {
    private static final long serialVersionUID = 1L;

    DownException(SQLException reason) {
      super(reason.getMessage(), reason.getSQLState(), reason.getErrorCode(), reason);
    }
  }
}
