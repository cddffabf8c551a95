package io.anabranch.app;

import io.anabranch.backend.pool.BackendConnection;
import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.pool.LeaseDesk;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a lease of every data source now and then and gives it back: the pool tests the connection
 * on the way. So it is known which databases can be reached, even while no statement needs them,
 * and what version they are. Thread-safe; its work is done on the given event loops.
 */
final class Heartbeat {

  private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);
  private static final long SECONDS = 5;

  private final Map<String, Boolean> reachable = new ConcurrentHashMap<>();
  private final CompletableFuture<String> version = new CompletableFuture<>();

  /** Begins to look after a logical database's data sources; ends with the event loop. */
  void watch(LogicalDatabase database, LeaseDesk desk, EventLoop loop) {
    for (String source : database.dataSources().keySet()) {
      String name = database.name() + "." + source;
      reachable.put(name, false);
      beat(name, desk, new LeaseDesk.Request(source, false, loop));
    }
  }

  /** The next beat is due some seconds after the answer to this one, however late it comes. */
  private void beat(String name, LeaseDesk desk, LeaseDesk.Request request) {
    desk.lease(
        request,
        (lease, refusal) -> {
          reachable.put(name, lease != null || isBusy(refusal));
          if (lease != null) {
            tellVersionAndRelease(lease);
          }
          if (!request.loop().isShuttingDown()) {
            request.loop().schedule(() -> beat(name, desk, request), SECONDS, TimeUnit.SECONDS);
          }
        });
  }

  private static boolean isBusy(@Nullable RuntimeException refusal) {
    return refusal instanceof RefusedException refused
        && refused.errno() == ErrorCatalogue.LEASE_TIMEOUT.errno();
  }

  private void tellVersionAndRelease(Lease lease) {
    BackendConnection connection = lease.connection();
    if (connection != null) {
      version.complete(connection.serverVersion());
      lease.release();
    } else if (version.isDone()) {
      lease.release();
    } else {
      Thread.ofVirtual().name("version-" + lease.dataSource()).start(() -> askVersion(lease));
    }
  }

  /** A connection that cannot be relayed does not show its greeting: ask. Blocks. */
  private void askVersion(Lease lease) {
    ShardQuery question =
        ShardQuery.text(lease.dataSource(), "SELECT VERSION()".getBytes(StandardCharsets.UTF_8));
    try (ShardCursor answer = lease.shard().query(question, List.of(), false)) {
      byte[] payload = answer.next();
      if (payload != null) {
        var row = new TextRowReader(1);
        row.read(payload);
        version.complete(
            asGreeted(
                new String(row.payload(), row.offset(0), row.length(0), StandardCharsets.UTF_8)));
      }
    } catch (ShardException failed) {
      log.warn("data source '{}' does not tell its version", lease.dataSource(), failed);
      lease.discard("question about the version failed");
      return;
    }
    lease.release();
  }

  /** MariaDB 10 puts 5.5.5 in front in its greeting, and drivers go by that. */
  static String asGreeted(String version) {
    return version.startsWith("10.") && version.contains("-MariaDB") ? "5.5.5-" + version : version;
  }

  /** Completes with the version of the first data source that answers; never exceptionally. */
  CompletableFuture<String> version() {
    return version.copy();
  }

  /** By {@code database.dataSource}: whether the last beat was answered. */
  Map<String, Boolean> reachable() {
    return new TreeMap<>(reachable);
  }
}
