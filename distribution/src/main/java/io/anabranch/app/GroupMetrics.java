package io.anabranch.app;

import io.anabranch.backend.topology.GroupStatus;
import io.anabranch.backend.topology.Member;
import io.anabranch.backend.topology.MemberState;
import io.anabranch.backend.topology.Topology;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.ToDoubleFunction;

/** What the members of one logical database's groups are and do. Looks when it is asked. */
final class GroupMetrics {

  private final MeterRegistry registry;
  private final String database;
  private final Topology topology;

  GroupMetrics(MeterRegistry registry, String database, Topology topology) {
    this.registry = registry;
    this.database = database;
    this.topology = topology;
    topology.status().forEach(this::register);
  }

  private void register(GroupStatus group) {
    String name = group.definition().name();
    Tags tags = Tags.of("database", database, "group", name);
    Gauge.builder("anabranch.group.writes.open", () -> isOpen(name) ? 1 : 0)
        .description("Whether writes of the group go to a primary (1) or wait or are refused (0)")
        .tags(tags)
        .register(registry);
    count(
        "held",
        "Statements that waited for a member that takes them",
        tags,
        name,
        GroupStatus::held);
    count("waits", "Reads that waited for a replica to catch up", tags, name, GroupStatus::waits);
    count(
        "fallbacks",
        "Reads that went to the primary because no replica caught up in time",
        tags,
        name,
        GroupStatus::fallBacks);
    for (Member member : group.members()) {
      register(member, tags.and("data_source", member.name()));
    }
  }

  private void count(
      String what, String text, Tags tags, String group, ToDoubleFunction<GroupStatus> value) {
    FunctionCounter.builder(
            "anabranch.group." + what, this, self -> value.applyAsDouble(self.status(group)))
        .description(text)
        .tags(tags)
        .register(registry);
  }

  private GroupStatus status(String group) {
    return topology.status().stream()
        .filter(each -> each.definition().name().equals(group))
        .findFirst()
        .orElseThrow();
  }

  private boolean isOpen(String group) {
    return status(group).writes().equals("OPEN");
  }

  private void register(Member member, Tags tags) {
    for (MemberState state : MemberState.values()) {
      Gauge.builder("anabranch.member.state", () -> member.condition().state() == state ? 1 : 0)
          .description("1 for the state that a member is in")
          .tags(tags.and("state", state.name()))
          .register(registry);
    }
    Gauge.builder("anabranch.member.lag.seconds", () -> lag(member))
        .description("How far a replica is behind; NaN if nobody knows")
        .tags(tags)
        .register(registry);
    FunctionCounter.builder("anabranch.member.reads", member, Member::reads)
        .description("Reads given to a member")
        .tags(tags)
        .register(registry);
  }

  private static double lag(Member member) {
    long milliseconds = member.condition().lagMilliseconds();
    return milliseconds < 0 ? Double.NaN : milliseconds / 1000.0;
  }
}
