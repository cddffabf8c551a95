package io.anabranch.app;

import io.anabranch.backend.pool.BackendConnection;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.pool.LeaseDesk;
import io.anabranch.rules.model.LogicalDatabase;
import io.netty.channel.EventLoopGroup;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the greeting says when the configuration does not: the version of the databases. */
final class ServerVersion {

  private static final Logger log = LoggerFactory.getLogger(ServerVersion.class);

  /** For a start while no database can be reached; drivers know it well. */
  private static final String UNKNOWN = "8.0.40";

  private static final long LIMIT_MILLISECONDS = 1000;

  private ServerVersion() {}

  /** The version of the first data source that answers; a start does not wait long for it. */
  static String ask(Map<LogicalDatabase, HikariLeaseDesk> desks, EventLoopGroup loops) {
    var answer = new CompletableFuture<String>();
    desks.forEach(
        (database, desk) -> {
          for (String source : database.dataSources().keySet()) {
            desk.lease(
                new LeaseDesk.Request(source, false, loops.next()),
                (lease, refusal) -> {
                  if (lease != null) {
                    tell(answer, lease);
                  }
                });
          }
        });
    String version = answer.completeOnTimeout("", LIMIT_MILLISECONDS, TimeUnit.MILLISECONDS).join();
    if (version.isEmpty()) {
      log.warn(
          "no database answered within {} ms: clients are greeted with version {}; proxy-mysql-server-version sets another",
          LIMIT_MILLISECONDS,
          UNKNOWN);
      return UNKNOWN;
    }
    return version;
  }

  private static void tell(CompletableFuture<String> answer, Lease lease) {
    BackendConnection connection = lease.connection();
    if (connection != null) {
      answer.complete(connection.serverVersion());
    }
    lease.release();
  }
}
