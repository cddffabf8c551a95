package io.anabranch.backend.topology;

import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.HealthCheck;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ReadPolicy;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.ReplicationGroup.Balancing;
import io.anabranch.rules.model.ReplicationGroup.TransactionalReads;
import io.anabranch.rules.plan.StatementPlan.Access;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Groups called {@code g} with the primary {@code p}, and what their members say. */
final class Groups {

  static final HealthCheck CHECK = new HealthCheck(1000, 500, 2, 2, 5000, "");

  private Groups() {}

  static Topology topology(
      TransactionalReads reads, Balancing balancing, Discovery discovery, String... replicas) {
    return topology(
        new ReplicationGroup(
            "g", "p", List.of(replicas), reads, balancing, CHECK, discovery, ReadPolicy.DEFAULT));
  }

  static Topology topology(ReplicationGroup group) {
    var sources = new LinkedHashMap<String, DataSourceDefinition>();
    sources.put("ds_7", source("ds_7"));
    sources.put(group.primary(), source(group.primary()));
    group.replicas().forEach(replica -> sources.put(replica, source(replica)));
    var database =
        new LogicalDatabase(
            "shop",
            sources,
            Map.of("g", group),
            Map.of(),
            Map.of(),
            new LogicalDatabase.SingleTables(List.of(), null));
    return Topology.of(database, TopologyListener.NONE, new Random(42));
  }

  private static DataSourceDefinition source(String name) {
    return new DataSourceDefinition(
        name, "jdbc:mysql://127.0.0.1/x", "u", "", 1000, 1000, 1000, 1, 1, false, Map.of());
  }

  static MemberReport primary(String identity) {
    return report(identity, false, null, MemberReport.UNKNOWN_LAG);
  }

  static MemberReport replica(String identity, String of) {
    return replica(identity, of, 0);
  }

  static MemberReport replica(String identity, String of, long lag) {
    return report(identity, true, new MemberReport.Source(of, true, true, ""), lag);
  }

  static MemberReport report(
      String identity, boolean readOnly, MemberReport.@Nullable Source source, long lag) {
    return new MemberReport(
        System.nanoTime(), "10.11", identity, readOnly, source, lag, null, true);
  }

  static Member reader(Topology topology, long tried) {
    Member member = topology.member("g", Access.READ, null, tried);
    if (member == null) {
      throw new AssertionError("nobody to read from");
    }
    return member;
  }

  static Member.Condition condition(Topology topology, String name) {
    Member.Condition condition = topology.conditions().get(name);
    if (condition == null) {
      throw new AssertionError("no data source " + name);
    }
    return condition;
  }
}
