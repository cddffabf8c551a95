package io.anabranch.backend.topology;

import io.anabranch.rules.model.ReplicationGroup;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A look at one group, for administrators.
 *
 * @param primary its name; empty while none is known
 * @param writes {@code OPEN}, {@code HELD} or {@code STOPPED}
 * @param reason why writes are not open; empty while they are
 * @param readers names of the replicas that take reads
 * @param idle by name, why a member takes nothing though it is well
 * @param held statements that waited for a member that takes them
 * @param waits reads that waited for a replica to catch up
 * @param fallBacks reads that went to the primary because no replica caught up in time
 * @param events the last things that happened, the oldest first
 */
public record GroupStatus(
    ReplicationGroup definition,
    String primary,
    String writes,
    String reason,
    List<Member> members,
    List<String> readers,
    Map<String, String> idle,
    long held,
    long waits,
    long fallBacks,
    List<Event> events) {

  public GroupStatus {
    members = List.copyOf(members);
    readers = List.copyOf(readers);
    idle = Map.copyOf(idle);
    events = List.copyOf(events);
  }

  /**
   * @param atMillis UNIX time
   */
  public record Event(long atMillis, String text) {}

  /** Why a member does not do what it could, for people; empty if it does. */
  public String reason(Member member) {
    String own = member.condition().reason();
    if (!own.isEmpty()) {
      return own;
    }
    return member.name().equals(primary) ? reason : idle.getOrDefault(member.name(), "");
  }

  static GroupStatus of(ReplicaGroup group) {
    GroupView view = group.view();
    Member primary = view.primary();
    return new GroupStatus(
        group.definition(),
        primary == null ? "" : primary.name(),
        view.writes().name(),
        view.reason(),
        group.members(),
        view.readers().stream().map(Member::name).toList(),
        group.members().stream().collect(Collectors.toMap(Member::name, group::whyIdle)),
        group.counts().held.sum(),
        group.counts().waits.sum(),
        group.counts().fallBacks.sum(),
        group.events());
  }
}
