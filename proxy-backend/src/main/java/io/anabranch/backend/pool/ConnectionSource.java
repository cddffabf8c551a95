package io.anabranch.backend.pool;

import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.StartValues;
import io.anabranch.backend.pool.address.BackendUrl;
import io.anabranch.backend.pool.wire.BackendTransport;
import io.anabranch.backend.pool.wire.Dialer;
import io.anabranch.backend.pool.wire.DriverSocketFactory;
import io.anabranch.backend.pool.wire.DriverTls;
import io.anabranch.backend.pool.wire.PhysicalConnection;
import io.anabranch.backend.pool.wire.ShardConnections;
import io.anabranch.backend.pool.wire.StartReading;
import io.anabranch.backend.pool.wire.WireConnection;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.model.DataSourceDefinition;
import io.netty.channel.EventLoop;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where HikariCP gets the physical connections of one data source and flavour from: the driver,
 * over our socket. Called on virtual threads only.
 */
final class ConnectionSource implements DataSource {

  /** A server that does not end a statement soon will not: its connection is closed then. */
  static final int INTERRUPT_MILLISECONDS = 5000;

  private static final String TRACKING =
      ",session_track_system_variables=DEFAULT,session_track_state_change=1";

  private static final org.slf4j.Logger LOG =
      org.slf4j.LoggerFactory.getLogger(ConnectionSource.class);

  private static final long SHORTEST_OPENING_MILLISECONDS = 200;
  private static final long LONGEST_OPENING_MILLISECONDS = 10_000;

  /** Told of every attempt. */
  interface Attempts {
    void opened(long nanos);

    void failed(SQLException reason);
  }

  private final BackendUrl url;
  private final Properties properties;
  private final BackendTransport transport;
  private final ShardConnections shards;
  private final Attempts attempts;
  private final long openingMilliseconds;
  private final boolean tracksPositions;
  private final StartHistory history;
  private final org.mariadb.jdbc.Driver driver = new org.mariadb.jdbc.Driver();
  private final Map<Connection, PhysicalConnection> open = new ConcurrentHashMap<>();

  /** Those that the database has not let in yet. */
  private final Set<WireConnection> opening = ConcurrentHashMap.newKeySet();

  /** The databases' default, once one has told it. */
  private volatile int isolation = Connection.TRANSACTION_NONE;

  private volatile boolean isClosing;

  ConnectionSource(
      DataSourceDefinition definition,
      BackendUrl url,
      boolean foundRows,
      boolean tracksPositions,
      BackendTransport transport,
      ShardConnections shards,
      StartHistory history,
      Attempts attempts) {
    this.history = history;
    this.tracksPositions = tracksPositions;
    this.url = url;
    this.properties = url.properties(definition, foundRows);
    properties.setProperty("socketFactory", DriverSocketFactory.class.getName());
    properties.setProperty("tlsSocketType", DriverTls.TYPE);
    this.transport = transport;
    this.shards = shards;
    this.attempts = attempts;
    this.openingMilliseconds = openingMilliseconds(definition.connectionTimeoutMilliseconds());
    properties.putIfAbsent("connectTimeout", Long.toString(openingMilliseconds));
  }

  /** Shorter than a lease may take, so that whoever waits for it learns why there is none. */
  private static long openingMilliseconds(long leaseMilliseconds) {
    return Math.clamp(
        leaseMilliseconds * 3 / 4, SHORTEST_OPENING_MILLISECONDS, LONGEST_OPENING_MILLISECONDS);
  }

  /** Connections that are open as far as is known, idle or in use. */
  int alive() {
    return open.size();
  }

  /** What is known of a connection, {@code raw} the driver's; null once it has closed. */
  @Nullable PhysicalConnection physical(Connection raw) {
    return open.get(raw);
  }

  @Override
  public Connection getConnection() throws SQLException {
    long start = System.nanoTime();
    try {
      Connection raw = openInRoom();
      attempts.opened(System.nanoTime() - start);
      return raw;
    } catch (SQLException failure) {
      attempts.failed(failure);
      throw failure;
    }
  }

  private Connection openInRoom() throws SQLException {
    transport.room().enter(openingMilliseconds);
    return openRelayed(openingMilliseconds, null);
  }

  /** Beyond the room: a statement is to be ended, or what begins now is to be known. */
  private Connection openUrgent(long milliseconds, @Nullable InetSocketAddress at)
      throws SQLException {
    transport.room().enterAnyway();
    return openRelayed(Math.min(milliseconds, openingMilliseconds), at);
  }

  /**
   * Where there is room for it, which is given back when it closes.
   *
   * @param at the server's address; null: whichever the data source's name stands for now
   */
  private Connection openRelayed(long milliseconds, @Nullable InetSocketAddress at)
      throws SQLException {
    var dialer = new Dialer(transport, url.socket(), at);
    WireConnection wire = dialer.connection();
    var late = new AtomicBoolean();
    ScheduledFuture<?> limit =
        transport
            .loops()
            .next()
            .schedule(
                () -> {
                  late.set(true);
                  wire.abort();
                },
                milliseconds,
                TimeUnit.MILLISECONDS);
    long since = System.nanoTime();
    Connection raw;
    StartValues start;
    opening.add(wire);
    try {
      raw = ScopedValue.where(Dialer.CURRENT, dialer).call(() -> openWithin(wire));
      StartValues.Born born = born(raw);
      wire.longestPacket(born.longestPacket());
      start = history.born(since, born.values());
    } catch (SQLException | RuntimeException failure) {
      opening.remove(wire);
      wire.abort();
      transport.room().left();
      if (late.get()) {
        throw new SQLException(
            "it did not let us in within " + milliseconds + " ms", "08001", failure);
      }
      throw failure;
    } finally {
      limit.cancel(false);
    }
    open.put(raw, new PhysicalConnection(wire, shards.over(wire), start));
    opening.remove(wire);
    wire.channel()
        .closeFuture()
        .addListener(
            closed -> {
              open.remove(raw);
              transport.room().left();
            });
    if (isClosing) {
      wire.abort();
      throw new SQLException("the pool is closed", "08003");
    }
    return raw;
  }

  private static StartValues.Born born(Connection raw) throws SQLException {
    try {
      return StartReading.of(raw);
    } catch (SQLException | RuntimeException failure) {
      raw.close();
      throw failure;
    }
  }

  /** Has a connection tell what sessions begin with now, and closes it. Blocks. */
  void learnStart(long since) throws SQLException {
    try (Connection own = openUrgent(openingMilliseconds, null)) {
      history.born(since, StartReading.of(own).values());
    }
  }

  /** The wire is closed when that takes too long. */
  private Connection openWithin(WireConnection wire) throws SQLException {
    Connection raw = connect();
    try {
      requireRelayable(wire.capabilities());
      boolean tracks = Capability.has(wire.capabilities(), Capability.SESSION_TRACK);
      normalise(raw, tracks);
      if (tracks && tracksPositions) {
        trackPositions(raw, wire.serverVersion().contains("MariaDB"));
      }
      tellIsolation(raw);
      return raw;
    } catch (SQLException | RuntimeException failure) {
      raw.close();
      throw failure;
    }
  }

  /**
   * HikariCP asks the first connection for its isolation level, and if that breaks just then lets
   * no connection live ever after: the driver is to know the answer without asking.
   */
  private void tellIsolation(Connection raw) throws SQLException {
    if (raw instanceof org.mariadb.jdbc.Connection ours) {
      int level = isolation;
      if (level == Connection.TRANSACTION_NONE) {
        level = raw.getTransactionIsolation();
        isolation = level;
      }
      ours.getContext().setTransactionIsolationLevel(level);
    }
  }

  private Connection connect() throws SQLException {
    Connection raw = driver.connect(url.url(), properties);
    if (raw == null) {
      throw new SQLException("the driver does not take " + url.url());
    }
    return raw;
  }

  /**
   * Ends the statement of another connection, over one that is opened for that and closed again: to
   * the same server, for the name may stand for another one meanwhile, where the number of the
   * connection is somebody else's. Opening and asking take {@link #INTERRUPT_MILLISECONDS} each at
   * most.
   */
  void interrupt(WireConnection wire) throws SQLException {
    InetSocketAddress at =
        wire.channel().remoteAddress() instanceof InetSocketAddress host ? host : null;
    try (Connection own = openUrgent(INTERRUPT_MILLISECONDS, at);
        Statement statement = own.createStatement()) {
      own.setNetworkTimeout(Runnable::run, INTERRUPT_MILLISECONDS);
      statement.execute("KILL QUERY " + wire.threadId());
    }
  }

  /** The leases of connections on {@code loop}; called there. */
  void look(EventLoop loop, List<HeldLease> into) {
    for (PhysicalConnection each : open.values()) {
      WireConnection wire = each.wire();
      if (wire != null && wire.isActive() && wire.channel().eventLoop().equals(loop)) {
        HeldLease held = wire.look();
        if (held != null) {
          into.add(held);
        }
      }
    }
  }

  /** The connections on {@code loop} whose commands have been silent for so long; called there. */
  void silent(EventLoop loop, long nanos, List<WireConnection> into) {
    long now = System.nanoTime();
    for (PhysicalConnection each : open.values()) {
      WireConnection wire = each.wire();
      if (wire != null
          && wire.isActive()
          && wire.channel().eventLoop().equals(loop)
          && wire.silentFor(now) >= nanos) {
        into.add(wire);
      }
    }
  }

  /** No connection that is opened from now on lives. */
  void closing() {
    isClosing = true;
  }

  /** Closes the channels of all connections, whatever runs on them, or opens them. */
  void abortAll() {
    opening.forEach(WireConnection::abort);
    for (PhysicalConnection each : open.values()) {
      WireConnection wire = each.wire();
      if (wire != null) {
        wire.abort();
      }
    }
  }

  /**
   * Has the server tell the GTID of each write. Servers that cannot do without: their groups read
   * from the primary what must not be stale.
   */
  private static void trackPositions(Connection raw, boolean isMariaDb) throws SQLException {
    try (Statement statement = raw.createStatement()) {
      statement.execute(
          isMariaDb
              ? "SET session_track_system_variables="
                  + "CONCAT(@@global.session_track_system_variables, ',last_gtid')"
              : "SET session_track_gtids=OWN_GTID");
    } catch (SQLException unknown) {
      if (unknown.getErrorCode() == 0) {
        throw unknown;
      }
      LOG.debug("GTIDs are not tracked: {}", unknown.getMessage());
    }
  }

  private static void requireRelayable(long capabilities) throws SQLException {
    long unexpected =
        Capability.COMPRESS
            | Capability.QUERY_ATTRIBUTES
            | Capability.OPTIONAL_RESULTSET_METADATA
            | Capability.ZSTD_COMPRESSION
            | Capability.MARIADB_PROGRESS;
    if ((capabilities & unexpected) != 0) {
      throw new SQLException(
          "the driver negotiated what the relay does not speak: capabilities 0x"
              + Long.toHexString(capabilities & unexpected));
    }
  }

  /**
   * Takes back what the driver's handshake did to the session (IGNORE_SPACE is in its capabilities,
   * it tracks variables of its own) and makes it {@link SessionSettings#INITIAL}: the server's
   * global values, but utf8mb4 and autocommit, which sessions of the proxy start with. The server
   * is to tell when a statement changes the session's state, which a connection that goes from one
   * session to the next must not keep.
   */
  private static void normalise(Connection raw, boolean tracksSession) throws SQLException {
    try (Statement statement = raw.createStatement()) {
      statement.execute("SET NAMES utf8mb4");
      String reset = "SET autocommit=1,sql_mode=DEFAULT";
      statement.execute(tracksSession ? reset + TRACKING : reset);
    }
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("one user per data source");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("logs by slf4j");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("wraps nothing");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
