package io.anabranch.frontend.mirror;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.SettingsReplay;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.topology.Member;
import io.anabranch.backend.topology.MemberWait;
import io.anabranch.backend.topology.Topology;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.netty.channel.EventLoop;
import java.util.Arrays;

/**
 * A statement that has been answered, and all that it takes to run it once more elsewhere.
 *
 * @param endpoint a data source or group of {@code topology}
 * @param settings under which its session has run it
 * @param loop its session's
 * @param sql in the session's character set; not modified
 * @param parameters as the client has bound them
 * @param parameterCount how many of them {@code sql} takes
 * @param isBinary whether it is run as a prepared statement
 * @param over runs once it has ended, or will not run; on any thread
 */
public record MirroredStatement(
    LeaseDesk desk,
    Topology topology,
    String endpoint,
    Access access,
    SessionSettings settings,
    EventLoop loop,
    byte[] sql,
    ExecuteParameters parameters,
    int parameterCount,
    boolean isBinary,
    Runnable over) {

  /** Object, line and lists. */
  private static final int OVERHEAD = 256;

  /** About what it takes to keep, in bytes. */
  long weight() {
    return OVERHEAD + sql.length + (long) parameters.length();
  }

  /**
   * Runs it; the answer is read and dropped. Blocks.
   *
   * @throws RuntimeException if it fails, or cannot be run
   */
  void run() {
    Member member = topology.memberBlocking(endpoint, access, null, new MemberWait());
    Lease lease = desk.leaseBlocking(new LeaseDesk.Request(member.name(), false, loop));
    try {
      int status = answer(lease);
      if ((status & (ServerStatus.IN_TRANS | ServerStatus.MORE_RESULTS_EXISTS)) == 0) {
        lease.release();
      } else {
        lease.discard("a mirrored statement has left something open");
      }
    } catch (ShardException.Database refused) {
      if (ShardException.Database.endsConnection(refused.errno())) {
        lease.discard("the server ended it with error " + refused.errno());
      } else {
        lease.release();
      }
      throw refused;
    } catch (RuntimeException broken) {
      lease.discard("a mirrored statement failed: " + broken.getMessage());
      throw broken;
    }
  }

  private int answer(Lease lease) {
    for (byte[] each : SettingsReplay.difference(lease, settings)) {
      try (ShardCursor said = lease.shard().query(ShardQuery.text(lease.dataSource(), each))) {
        said.outcome();
      }
    }
    lease.applied(settings);
    int[] all = new int[isBinary ? parameterCount : 0];
    Arrays.setAll(all, i -> i);
    var query = new ShardQuery(lease.dataSource(), sql, all);
    try (ShardCursor rows = lease.shard().query(query, parameters, isBinary)) {
      if (!rows.columns().isEmpty()) {
        while (rows.next() != null) {
          // nobody wants them
        }
      }
      return rows.outcome().statusFlags();
    }
  }
}
