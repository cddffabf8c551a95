package io.anabranch.frontend.command;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.pool.LeaseDesk;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.topology.Member;
import io.anabranch.backend.topology.Position;
import io.anabranch.backend.topology.Topology;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.model.ReadPolicy;
import io.anabranch.rules.model.ReadPolicy.Consistency;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members of groups that a merge-lane statement uses. Blocks: on the virtual thread that runs
 * the statement.
 */
final class MergeMembers {

  private final Session session;

  MergeMembers(Session session) {
    this.session = session;
  }

  /** The data source that serves an endpoint, and shows a read what it must see. */
  String of(Backend on, String endpoint, Access access) {
    Topology topology = on.topology();
    ReadPolicy policy = topology.reads(endpoint);
    if (policy == null) {
      return endpoint;
    }
    if (access == Access.WRITE) {
      session.reads().writes(on, endpoint, session.transaction().isOpen());
      return session.memberBlocking(on, endpoint, access).name();
    }
    boolean isJoined = session.hasMember(endpoint);
    if (!isJoined && session.reads().needsPrimary(policy, topology, endpoint)) {
      return session.memberBlocking(on, endpoint, Access.WRITE).name();
    }
    Position needed = isJoined ? null : needed(on, topology, policy, endpoint);
    Member member = session.memberBlocking(on, endpoint, Access.READ);
    if (needed != null
        && !topology.isPrimary(endpoint, member)
        && !isReached(on, member, needed, policy)) {
      topology.countFallBack(endpoint);
      member = session.memberBlocking(on, endpoint, Access.WRITE);
    }
    return member.name();
  }

  private @Nullable Position needed(
      Backend on, Topology topology, ReadPolicy policy, String endpoint) {
    return session.reads().consistency(policy) == Consistency.GLOBAL
        ? topology.position(endpoint).join()
        : session.reads().needed(policy, topology, on, endpoint);
  }

  private boolean isReached(Backend on, Member member, Position needed, ReadPolicy policy) {
    if (member.hasReached(needed)) {
      return true;
    }
    String await = needed.await(policy.consistencyTimeoutMilliseconds());
    Lease lease =
        on.desk().leaseBlocking(new LeaseDesk.Request(member.name(), false, session.loop()));
    ShardQuery query = ShardQuery.text(member.name(), await.getBytes(StandardCharsets.US_ASCII));
    boolean isReached;
    try (ShardCursor answer = lease.shard().query(query, List.of(), false)) {
      byte[] row = answer.next();
      var reader = new TextRowReader(1);
      isReached = row != null && isZero(reader, row);
    } catch (RuntimeException failure) {
      lease.discard("waiting for a position failed: " + failure.getMessage());
      return false;
    }
    lease.release();
    if (isReached) {
      member.reached(needed);
    }
    return isReached;
  }

  private static boolean isZero(TextRowReader reader, byte[] row) {
    reader.read(row);
    return reader.length(0) == 1 && row[reader.offset(0)] == '0';
  }
}
