package io.anabranch.frontend.execution.merge;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.relay.command.KeptErrors;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.topology.Member;
import io.anabranch.backend.topology.Topology;
import io.anabranch.backend.topology.position.Position;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.ReadPolicy;
import io.anabranch.rules.model.ReadPolicy.Consistency;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The members of groups that one merge-lane statement uses, and those on which it has failed.
 * Blocks: on the virtual thread that runs the statement.
 */
final class MergeMembers {

  private static final long MOMENT_NANOS = 50_000_000;

  private final Session session;
  private final Backend on;
  private final Access access;
  private final boolean isMovable;
  private final boolean ignoresWrites;
  private final boolean primaryOnly;

  /** By endpoint, those that the present attempt reads from. */
  private final Map<String, Member> reading = new LinkedHashMap<>();

  /** Groups that the statement writes to. */
  private final Set<String> written = new LinkedHashSet<>();

  /** By endpoint, bits of members on which an attempt has failed. */
  private final Map<String, Long> tried = new HashMap<>();

  /** Endpoints whose primary a read was tried on twice. */
  private final Set<String> again = new HashSet<>();

  private @Nullable RuntimeException failure;
  private long began;

  /**
   * For one statement that is about to run; on the session's event loop.
   *
   * @param ignoresWrites see {@link io.anabranch.frontend.current.Ruling}
   * @param primaryOnly reads go to primaries, too
   */
  MergeMembers(
      Session session, Backend on, Access access, boolean ignoresWrites, boolean primaryOnly) {
    this.session = session;
    this.on = on;
    this.access = access;
    this.ignoresWrites = ignoresWrites;
    this.primaryOnly = primaryOnly;
    this.isMovable = !session.members().areBound();
  }

  /** The data source that serves an endpoint, and shows a read what it must see. */
  String of(String endpoint) {
    Topology topology = on.topology();
    ReadPolicy policy = topology.reads(endpoint);
    if (policy == null) {
      return endpoint;
    }
    if (access == Access.WRITE) {
      session.reads().writes(on, endpoint, session.transaction().isOpen());
      return writer(topology, endpoint).name();
    }
    Member known = reading.get(endpoint);
    if (known == null) {
      known = reader(topology, policy, endpoint);
      if (reading.isEmpty()) {
        began = System.nanoTime();
      }
      reading.put(endpoint, known);
      known.readBegins();
    }
    return known.name();
  }

  private Member writer(Topology topology, String endpoint) {
    boolean hasBegun = isMovable && !written.isEmpty();
    written.add(endpoint);
    Member primary = hasBegun ? topology.primaryOfUnit(endpoint) : null;
    return primary == null ? session.members().findBlocking(on, endpoint, access) : primary;
  }

  private Member reader(Topology topology, ReadPolicy policy, String endpoint) {
    // what a transaction has joined it stays with
    boolean isJoined = ignoresWrites || session.members().has(endpoint);
    if (!isJoined && (primaryOnly || session.reads().needsPrimary(policy, topology, endpoint))) {
      return primary(topology, endpoint);
    }
    Position needed;
    try {
      needed = isJoined ? null : needed(topology, policy, endpoint);
    } catch (CompletionException primaryDoesNotTell) {
      topology.countFallBack(endpoint);
      return primary(topology, endpoint);
    }
    long late = needed == null ? 0 : topology.late(endpoint, needed);
    Member member = untried(endpoint, late);
    if (needed != null
        && !topology.isPrimary(endpoint, member)
        && !isReached(member, needed, policy)) {
      topology.countFallBack(endpoint);
      return primary(topology, endpoint);
    }
    return member;
  }

  /**
   * For a read that only the primary may answer. Where it has failed there it is tried once more at
   * once, for a connection may be older than the database, and later only where another primary may
   * be found.
   */
  private Member primary(Topology topology, String endpoint) {
    Member primary = session.members().findBlocking(on, endpoint, Access.WRITE);
    RuntimeException last = failure;
    boolean hasFailed = (tried.getOrDefault(endpoint, 0L) & primary.bit()) != 0;
    if (hasFailed && last != null && !again.add(endpoint)) {
      if (!topology.mayHold(endpoint, session.members().waiting().since())) {
        throw last;
      }
      topology.contradicted(endpoint);
      LockSupport.parkNanos(MOMENT_NANOS);
    }
    return primary;
  }

  private Member untried(String endpoint, long late) {
    long failed = tried.getOrDefault(endpoint, 0L);
    Member timely =
        late == 0 ? null : session.members().find(on, endpoint, Access.READ, failed | late);
    if (timely != null) {
      return timely;
    }
    RuntimeException last = failure;
    if (failed == 0 || last == null) {
      return session.members().findBlocking(on, endpoint, Access.READ);
    }
    Member other = session.members().find(on, endpoint, Access.READ, failed);
    if (other == null) {
      throw last;
    }
    return other;
  }

  private @Nullable Position needed(Topology topology, ReadPolicy policy, String endpoint) {
    return session.reads().consistency(policy) == Consistency.GLOBAL
        ? topology.position(endpoint).join()
        : session.reads().needed(policy, topology, on, endpoint);
  }

  // ---------------------------------------------------------------- attempts

  /** The attempt was answered. */
  void succeeded() {
    long nanos = System.nanoTime() - began;
    reading.values().forEach(member -> member.readEnded(nanos));
    reading.clear();
  }

  /**
   * The attempt was not; everything it did has been undone. Waits a moment if another primary must
   * be found.
   *
   * @return whether other members may do better
   */
  boolean failed(RuntimeException why) {
    boolean isRead = isOfReader(lostSource(why));
    failure = why;
    return isMovable && (access == Access.READ ? isRead : mayHold(why));
  }

  private boolean isOfReader(String dataSource) {
    boolean isOfGroup = false;
    for (Map.Entry<String, Member> each : reading.entrySet()) {
      Member member = each.getValue();
      member.readEnded(-1);
      if (member.name().equals(dataSource)) {
        tried.merge(each.getKey(), member.bit(), (a, b) -> a | b);
        isOfGroup = true;
      }
    }
    reading.clear();
    return isOfGroup;
  }

  /** The data source that could not be reached, or not any more; empty if that was not it. */
  private static String lostSource(RuntimeException why) {
    return why instanceof RefusedException refused
            && (refused.isAway() || refused.is(ErrorCatalogue.BACKEND_LOST))
        ? refused.subject()
        : "";
  }

  /** A primary that is read-only, or cannot be reached, may not be the primary any more. */
  private boolean mayHold(RuntimeException why) {
    boolean isPassing =
        switch (why) {
          case ShardException.Database refused ->
              KeptErrors.READ_ONLY.include(refused.errno(), String.valueOf(refused.getMessage()));
          case RefusedException refused -> refused.isUnreachable();
          default -> false;
        };
    Topology topology = on.topology();
    for (String group : isPassing ? written : Set.<String>of()) {
      if (topology.isDiscovered(group)
          && topology.mayHold(group, session.members().waiting().since())) {
        topology.contradicted(group);
        LockSupport.parkNanos(MOMENT_NANOS);
        return true;
      }
    }
    return false;
  }

  // ---------------------------------------------------------------- positions

  private boolean isReached(Member member, Position needed, ReadPolicy policy) {
    if (member.hasReached(needed)) {
      return true;
    }
    String await = needed.await(policy.consistencyTimeoutMilliseconds());
    Lease lease =
        on.desk().leaseBlocking(new LeaseDesk.Request(member.name(), false, session.loop()));
    ShardQuery query = ShardQuery.text(member.name(), await.getBytes(StandardCharsets.US_ASCII));
    boolean isReached;
    try (ShardCursor answer = lease.shard().query(query)) {
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
    } else {
      member.missed();
    }
    return isReached;
  }

  private static boolean isZero(TextRowReader reader, byte[] row) {
    reader.read(row);
    return reader.length(0) == 1 && row[reader.offset(0)] == '0';
  }
}
