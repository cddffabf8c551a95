package io.anabranch.frontend.mirror;

import io.anabranch.backend.background.BackgroundQuery;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.topology.Member;
import io.anabranch.backend.topology.MemberWait;
import io.anabranch.backend.topology.Topology;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.netty.channel.EventLoop;

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
    int bound = isBinary ? parameterCount : 0;
    new BackgroundQuery(
            desk,
            settings,
            loop,
            ShardQuery.taking(bound, member.name(), sql),
            parameters,
            isBinary)
        .run();
  }
}
