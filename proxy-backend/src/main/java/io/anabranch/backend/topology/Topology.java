package io.anabranch.backend.topology;

import io.anabranch.backend.topology.position.Position;
import io.anabranch.backend.topology.position.PositionSource;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.HealthCheck;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ReadPolicy;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.ReplicationGroup.TransactionalReads;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of one logical database in operation: which data source runs a statement now.
 * Thread-safe; {@link #member} neither blocks nor takes a lock.
 */
public final class Topology {

  private final Map<String, ReplicaGroup> groups = new LinkedHashMap<>();

  private final Map<String, GroupRouting> routing = new HashMap<>();

  private final SourceHealth sources;

  private final Map<String, List<ReplicaGroup>> groupsOf = new LinkedHashMap<>();

  private final Set<String> toldFallBack = ConcurrentHashMap.newKeySet();
  private final TopologyListener listener;
  private final PositionSource positions;

  private Topology(TopologyListener listener, PositionSource positions) {
    this.listener = listener;
    this.positions = positions;
    this.sources = new SourceHealth(listener);
  }

  public static Topology of(
      LogicalDatabase database, TopologyListener listener, RandomGenerator random) {
    return of(database, listener, PositionSource.NONE, random);
  }

  /**
   * @param positions of primaries
   */
  public static Topology of(
      LogicalDatabase database,
      TopologyListener listener,
      PositionSource positions,
      RandomGenerator random) {
    var topology = new Topology(listener, positions);
    for (ReplicationGroup definition : database.groups().values()) {
      var group = new ReplicaGroup(database.name(), definition, listener, random);
      topology.groups.put(definition.name(), group);
      topology.routing.put(definition.name(), new GroupRouting(group));
      for (Member member : group.members()) {
        topology.groupsOf.computeIfAbsent(member.name(), _ -> new ArrayList<>()).add(group);
      }
    }
    for (String source : database.dataSources().keySet()) {
      topology.sources.add(source, topology.healthCheck(source));
    }
    return topology;
  }

  // ---------------------------------------------------------------- routing

  /**
   * The data source that runs a statement.
   *
   * <p>Outside of transactions reads are balanced over the fit replicas and all else goes to the
   * primary. Inside, {@link TransactionalReads} says; but once the transaction has sent anything
   * else than a read to a group, its reads stay with the primary under every strategy, because a
   * replica would not show them the transaction's own changes. A transaction never changes its
   * primary: after a failover it gets the old one's error.
   *
   * @param endpoint a group or a data source
   * @param transaction what the session's open transaction has used; null outside of transactions
   * @param tried bits of members on which this read has failed
   * @return null if no member takes it now: {@link #await}, and ask again
   * @throws RefusedException if a plug-in fails that was to choose
   */
  public @Nullable Member member(
      String endpoint, Access access, @Nullable TransactionMembers transaction, long tried) {
    GroupRouting group = routing.get(endpoint);
    return group == null ? sources.member(endpoint) : group.member(access, transaction, tried);
  }

  /**
   * The data source that goes on with a statement that has begun to write elsewhere.
   *
   * @return null if no member takes it now
   */
  public @Nullable Member primaryOfUnit(String endpoint) {
    GroupRouting group = routing.get(endpoint);
    return group == null ? sources.member(endpoint) : group.primary(true);
  }

  // ---------------------------------------------------------------- waiting

  /**
   * Waits until the group has changed, for a statement that no member takes now.
   *
   * @param transaction as it was given to {@link #member}
   * @param wait the statement's; ends it
   * @param loop runs {@code resumed}
   * @param resumed gets null if it is worth asking again, else why the statement is refused or ends
   */
  public void await(
      String endpoint,
      Access access,
      @Nullable TransactionMembers transaction,
      MemberWait wait,
      Executor loop,
      Consumer<@Nullable RuntimeException> resumed) {
    routing(endpoint).await(access, transaction, wait, loop, resumed);
  }

  /**
   * {@link #member} that waits on the calling virtual thread.
   *
   * @throws RefusedException if the wait was in vain
   * @throws RuntimeException why the statement ends, if {@code wait} was ended
   */
  public Member memberBlocking(
      String endpoint, Access access, @Nullable TransactionMembers transaction, MemberWait wait) {
    GroupRouting group = routing.get(endpoint);
    return group == null
        ? sources.member(endpoint)
        : group.memberBlocking(access, transaction, wait);
  }

  /**
   * Who tells what the planner asks about tables: the primary, or a replica that takes reads while
   * that does not answer, so that reads can still be planned. Waits for a primary if there is
   * neither.
   *
   * @throws RefusedException if the wait was in vain
   */
  public Member describing(String endpoint) {
    GroupRouting group = routing.get(endpoint);
    return group == null ? sources.member(endpoint) : group.describing();
  }

  /** Whether an endpoint answers, as far as is known: a data source, one of a group that counts. */
  public boolean isReachable(String endpoint) {
    ReplicaGroup group = groups.get(endpoint);
    if (group == null) {
      return sources.member(endpoint).condition().isReachable();
    }
    Member primary = group.view().primary();
    boolean isThere = primary != null && primary.condition().isReachable();
    return isThere || group.anyReader() != null;
  }

  private GroupRouting routing(String endpoint) {
    GroupRouting group = routing.get(endpoint);
    if (group == null) {
      throw new IllegalArgumentException("no group '" + endpoint + "'");
    }
    return group;
  }

  private ReplicaGroup group(String endpoint) {
    ReplicaGroup group = groups.get(endpoint);
    if (group == null) {
      throw new IllegalArgumentException("no group '" + endpoint + "'");
    }
    return group;
  }

  // ---------------------------------------------------------------- consistency

  /** The group of a data source, the first of several; null if it is in none. */
  public @Nullable String groupOf(String source) {
    List<ReplicaGroup> of = groupsOf(source);
    return of.isEmpty() ? null : of.getFirst().definition().name();
  }

  /** Whether the group finds its primary itself, and may find another one. */
  public boolean isDiscovered(String endpoint) {
    return group(endpoint).definition().discovery().kind() != Discovery.Kind.STATIC;
  }

  public boolean isPrimary(String endpoint, Member member) {
    return member.equals(group(endpoint).view().primary());
  }

  /** Whether each replica that takes reads has surely applied all up to there. */
  public boolean haveReached(String endpoint, Position position) {
    for (Member reader : group(endpoint).view().readers()) {
      if (!reader.hasReached(position)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Bits of the replicas that a read which must see {@code needed} would wait for in vain, as far
   * as is known; 0 if they all are such.
   */
  public long late(String endpoint, Position needed) {
    ReplicaGroup group = group(endpoint);
    long wait = group.definition().reads().consistencyTimeoutMilliseconds();
    long late = 0;
    boolean isOneFit = false;
    for (Member reader : group.view().readers()) {
      if (!reader.hasReached(needed) && reader.isLate(wait)) {
        late |= reader.bit();
      } else {
        isOneFit = true;
      }
    }
    return isOneFit ? late : 0;
  }

  /** Whether the GTIDs of writes to the group are known to the proxy. */
  public boolean tracksWrites(String endpoint) {
    Member primary = group(endpoint).view().primary();
    MemberReport report = primary == null ? null : primary.condition().report();
    return primary != null && report != null && report.hasPositions() && positions.tracksWrites();
  }

  /**
   * The position of all writes that the group's primary has acknowledged; null if there are none.
   * Completes exceptionally if nobody can tell.
   */
  public CompletableFuture<@Nullable Position> position(String endpoint) {
    Member primary = group(endpoint).view().primary();
    MemberReport report = primary == null ? null : primary.condition().report();
    return primary == null || report == null || !report.hasPositions()
        ? CompletableFuture.failedFuture(new IllegalStateException("no primary with GTIDs"))
        : positions.position(primary.name());
  }

  /** What all sessions of a user have written to the group; null: nothing that is known. */
  public @Nullable Position written(String endpoint, String user) {
    return group(endpoint).writes().of(user);
  }

  /** A user's write was committed in the group. */
  public void committed(String endpoint, String user, Position position) {
    group(endpoint).writes().committed(user, position);
  }

  /** Whether the user has written what no position tells of. */
  public boolean wroteUntracked(String endpoint, String user) {
    return group(endpoint).writes().isUntracked(user);
  }

  public void writesUntracked(String endpoint, String user) {
    group(endpoint).writes().untracked(user);
  }

  /** A member refused a write because it is read-only: it is not the primary any more. */
  public void refusedWrite(String endpoint, Member member) {
    group(endpoint).refusedWrite(member);
  }

  /** Whether a statement that has waited since then for a primary may go on waiting. */
  public boolean mayHold(String endpoint, long sinceNanos) {
    return routing(endpoint).mayHold(sinceNanos);
  }

  /** A statement found something else than the group believes: its members are asked at once. */
  public void contradicted(String endpoint) {
    listener.contradiction(endpoint);
  }

  /** A read waits for a replica to catch up. */
  public void countWait(String endpoint) {
    group(endpoint).counts().waits.increment();
  }

  /** A read goes to the primary because no replica showed in time what it must see. */
  public void countFallBack(String endpoint) {
    group(endpoint).counts().fallBacks.increment();
  }

  // ---------------------------------------------------------------- health

  /** A data source has answered the question for its health. */
  public void answered(String source, MemberReport report) {
    sources.answered(source, report);
    for (ReplicaGroup group : groupsOf(source)) {
      group.answered(source, report);
      tellFallBack(group);
    }
  }

  /** Says once if a group cannot keep what it promises but by reading from its primary. */
  private void tellFallBack(ReplicaGroup group) {
    ReplicationGroup definition = group.definition();
    Member primary = group.view().primary();
    boolean isKnown = primary != null && primary.condition().report() != null;
    if (isKnown
        && definition.reads().promisesAnything()
        && !tracksWrites(definition.name())
        && toldFallBack.add(definition.name())) {
      group.warn(
          "GTIDs of writes to "
              + primary
              + " cannot be known: reads that must see them go to the primary");
    }
  }

  /** It has not answered in time, or with an error. */
  public void failed(String source, String reason) {
    sources.failed(source, reason);
    groupsOf(source).forEach(group -> group.failed(source, reason));
  }

  /**
   * Takes a member out of its groups, or back in: what runs on it goes on.
   *
   * @throws IllegalArgumentException if there is no such data source, or it is in no group
   */
  public void offline(String source, boolean wanted) {
    List<ReplicaGroup> of = groupsOf(source);
    if (of.isEmpty()) {
      throw new IllegalArgumentException("'" + source + "' is in no group");
    }
    of.forEach(group -> group.offline(source, wanted));
  }

  private List<ReplicaGroup> groupsOf(String source) {
    return groupsOf.getOrDefault(source, List.of());
  }

  /** How often, and for how long, a data source is asked. */
  public HealthCheck healthCheck(String source) {
    List<ReplicaGroup> of = groupsOf(source);
    return of.isEmpty() ? HealthCheck.DEFAULT : of.getFirst().definition().health();
  }

  // ---------------------------------------------------------------- looking

  /** What reads of a group may see; null for what is no group. */
  public @Nullable ReadPolicy reads(String endpoint) {
    ReplicaGroup group = groups.get(endpoint);
    return group == null ? null : group.definition().reads();
  }

  /** How each data source is; those of groups as their group sees them. */
  public Map<String, Member.Condition> conditions() {
    var conditions = new LinkedHashMap<String, Member.Condition>();
    sources.members().forEach((name, member) -> conditions.put(name, member.condition()));
    for (ReplicaGroup group : groups.values()) {
      group.members().forEach(member -> conditions.put(member.name(), member.condition()));
    }
    return conditions;
  }

  /** How long reads take, a moving average by data source; 0: it was given none. */
  public Map<String, Long> latencyNanos() {
    var latencies = new LinkedHashMap<String, Long>();
    sources.members().forEach((name, member) -> latencies.put(name, member.latencyNanos()));
    for (ReplicaGroup group : groups.values()) {
      group.members().forEach(member -> latencies.put(member.name(), member.latencyNanos()));
    }
    return latencies;
  }

  /** All groups, for administrators. */
  public List<GroupStatus> status() {
    return groups.values().stream().map(ReplicaGroup::status).toList();
  }
}
