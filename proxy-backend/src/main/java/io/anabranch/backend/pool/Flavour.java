package io.anabranch.backend.pool;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.anabranch.rules.model.DataSourceDefinition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HikariCP pool of one data source's connections with, or without, CLIENT_FOUND_ROWS. All
 * methods may block but {@link #evict}; never called on an event loop.
 */
final class Flavour implements ConnectionSource.Attempts {

  private static final Logger LOG = LoggerFactory.getLogger(Flavour.class);
  private static final long SHORTEST_TIMEOUT = 250;

  /** A database that refused just now is not asked again for so long. */
  private static final long DOWN_NANOS = 250_000_000;

  private record Failure(SQLException reason, long nanos) {}

  private final String name;
  private final PoolListener listener;
  private final ConnectionSource source;
  private final HikariDataSource hikari;
  private final Set<Thread> opening = ConcurrentHashMap.newKeySet();
  private volatile Failure failure = new Failure(new SQLException("none"), 0);
  private volatile boolean failing;

  Flavour(
      DataSourceDefinition definition,
      BackendUrl url,
      boolean foundRows,
      BackendTransport transport,
      ShardConnections shards,
      PoolListener listener) {
    this.name = definition.name();
    this.listener = listener;
    this.source = new ConnectionSource(definition, url, foundRows, transport, shards, this);
    this.hikari = new HikariDataSource(config(definition, foundRows));
  }

  private HikariConfig config(DataSourceDefinition definition, boolean foundRows) {
    HikariConfig config = custom(definition);
    config.setPoolName(definition.name() + (foundRows ? "/found-rows" : "/affected-rows"));
    config.setDataSource(source);
    config.setMaximumPoolSize(definition.maxPoolSize());
    config.setMinimumIdle(Math.min(definition.minPoolSize(), definition.maxPoolSize()));
    config.setConnectionTimeout(
        Math.max(SHORTEST_TIMEOUT, definition.connectionTimeoutMilliseconds()));
    config.setIdleTimeout(definition.idleTimeoutMilliseconds());
    config.setMaxLifetime(definition.maxLifetimeMilliseconds());
    config.setInitializationFailTimeout(-1);
    config.setThreadFactory(Thread.ofVirtual().name("pool-" + definition.name(), 0).factory());
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
    Failure last = failure;
    if (failing
        && System.nanoTime() - last.nanos < DOWN_NANOS
        && hikari.getHikariPoolMXBean().getTotalConnections() == 0) {
      throw new DownException(last.reason);
    }
    opening.add(Thread.currentThread());
    try {
      return hikari.getConnection();
    } catch (SQLException timeout) {
      if (failing) {
        throw new DownException(failure.reason);
      }
      throw timeout;
    } finally {
      opening.remove(Thread.currentThread());
      // The interrupt of a failed attempt that came too late to matter.
      Thread.interrupted();
    }
  }

  PhysicalConnection physical(Connection connection) throws SQLException {
    return source.physical(connection.unwrap(Connection.class));
  }

  /** Ends the statement of another connection to the same database. */
  void interrupt(long threadId) throws SQLException {
    source.interrupt(threadId);
  }

  void evict(Connection connection) {
    hikari.evictConnection(connection);
  }

  @Override
  public void opened(long nanos) {
    if (failing) {
      failing = false;
      LOG.info("data source '{}' can be reached again", name);
    }
    listener.opened(name, nanos);
  }

  /** Nobody waits for a database that is down: whoever would is told now. */
  @Override
  public void failed(SQLException reason) {
    failure = new Failure(reason, System.nanoTime());
    if (!failing) {
      failing = true;
      LOG.warn(
          "data source '{}' cannot be reached: {}; statements that need it fail until it is back",
          name,
          reason.getMessage());
    }
    if (hikari != null && hikari.getHikariPoolMXBean().getTotalConnections() == 0) {
      opening.forEach(Thread::interrupt);
    }
  }

  int idle() {
    return hikari.getHikariPoolMXBean().getIdleConnections();
  }

  /** Closes what is idle now and the rest as it comes back. */
  void retire() {
    hikari.getHikariPoolMXBean().softEvictConnections();
  }

  void close() {
    hikari.close();
  }

  /** The database cannot be reached; the message says why. */
  static final class DownException extends SQLException {
    private static final long serialVersionUID = 1L;

    DownException(SQLException reason) {
      super(reason.getMessage(), reason);
    }
  }
}
