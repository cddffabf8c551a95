package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.type.AlgorithmReader;
import io.anabranch.rules.config.yaml.Names;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.HealthCheck;
import io.anabranch.rules.model.ReadPolicy;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.ReplicationGroup.Balancing;
import io.anabranch.rules.model.ReplicationGroup.TransactionalReads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code !READWRITE_SPLITTING}. */
final class GroupReader {

  private final Section rule;
  private final Set<String> dataSources;
  private final Set<String> users;
  private final AlgorithmReader algorithms;
  private final BalancerReader balancers;
  private final Map<String, ReplicationGroup> groups = new LinkedHashMap<>();
  private final Map<String, String> groupOfPrimary = new HashMap<>();

  /**
   * @param dataSources names of the database's data sources
   * @param users names of those who may log in
   */
  GroupReader(
      Section rule, Set<String> dataSources, Set<String> users, AlgorithmReader algorithms) {
    this.rule = rule;
    this.users = users;
    this.dataSources = dataSources;
    this.algorithms = algorithms;
    this.balancers = new BalancerReader(rule, dataSources, algorithms);
  }

  Map<String, ReplicationGroup> read() {
    rule.named("dataSourceGroups").forEach(this::readGroup);
    if (rule.has("dataSources")) {
      rule.problems()
          .notice(rule.keyPlace("dataSources"), "is an old form", "use `dataSourceGroups`");
      rule.named("dataSources").forEach(this::readGroup);
    }
    balancers.reportUnused();
    rule.close();
    return groups;
  }

  private void readGroup(String name, Section group) {
    Section source = group;
    Section old = group.section("staticStrategy");
    group.refused("dynamicStrategy", "the dynamic strategy", "write `discovery`");
    if (old != null) {
      group
          .problems()
          .notice(group.keyPlace("staticStrategy"), "is an old form", "write its keys one up");
      source = old;
    }
    source.required("writeDataSourceName");
    Value write = source.value("writeDataSourceName");
    Value reads = source.value("readDataSourceNames");
    TransactionalReads transactional = transactional(group.value("transactionalReadQueryStrategy"));
    Value balancerName = group.value("loadBalancerName");
    var form =
        new Form(
            group,
            transactional,
            balancers.get(balancerName),
            GroupPolicyReader.health(group),
            GroupPolicyReader.discovery(group, algorithms),
            GroupPolicyReader.reads(group, users));
    source.close();
    group.close();
    if (write == null || write.isNull()) {
      return;
    }
    if (reads == null) {
      source.error("the key `readDataSourceNames` is missing", null);
    } else if (reads.isNull() || (!reads.isScalar() && reads.items().isEmpty())) {
      reads.error("names no reader", "name one, or use the data source without a group");
    }
    List<String> names = Names.expand(name, group.place(), group.problems());
    List<String> primaries = Names.expand(write);
    List<List<String>> replicas = replicas(reads, names.size());
    if (primaries.size() != names.size() || replicas == null) {
      write.error(
          "the expressions of the group, its writer and its readers must give as many names", null);
      return;
    }
    for (int i = 0; i < names.size(); i++) {
      List<String> own = new ArrayList<>();
      for (List<String> each : replicas) {
        own.add(each.get(i));
      }
      add(form, names.get(i), primaries.get(i), own, write, reads);
    }
  }

  private static @Nullable List<List<String>> replicas(@Nullable Value reads, int count) {
    List<List<String>> replicas = new ArrayList<>();
    if (reads == null) {
      return replicas;
    }
    List<Value> items = reads.isScalar() && !reads.isNull() ? List.of(reads) : reads.items();
    for (Value item : items) {
      List<String> names = Names.expand(item);
      boolean commaList = count == 1;
      if (commaList) {
        names.forEach(name -> replicas.add(List.of(name)));
      } else if (names.size() == count) {
        replicas.add(names);
      } else {
        return null;
      }
    }
    return replicas;
  }

  private void add(
      Form form,
      String name,
      String primary,
      List<String> replicas,
      Value write,
      @Nullable Value reads) {
    Section section = form.section();
    if (dataSources.contains(name)) {
      section.error("the group has the name of a data source", "give it another name");
    }
    check(write, primary);
    if (reads != null) {
      replicas.forEach(replica -> check(reads, replica));
      if (Set.copyOf(replicas).size() < replicas.size()) {
        reads.error("a reader is named twice", "give it a weight instead");
      }
      if (replicas.contains(primary)) {
        reads.error("the writer `" + primary + "` is also a reader", "leave it out of the readers");
      }
    }
    String other = groupOfPrimary.putIfAbsent(primary, name);
    if (other != null) {
      write.error("`" + primary + "` is the writer of the group `" + other + "` already", null);
    }
    Balancing balancing = BalancerReader.narrowed(form.balancing(), replicas, section);
    ReplicationGroup group =
        new ReplicationGroup(
            name,
            primary,
            replicas,
            form.transactional(),
            balancing,
            form.health(),
            form.discovery(),
            form.reads());
    if (groups.putIfAbsent(name, group) != null) {
      section.error("the group `" + name + "` is there twice", null);
    }
  }

  private void check(Value reference, String name) {
    if (!dataSources.contains(name)) {
      reference.error(
          "there is no data source `" + name + "`", NearestName.suggestion(name, dataSources));
    }
  }

  private static TransactionalReads transactional(@Nullable Value value) {
    String text = value == null ? null : value.text();
    if (value == null || text == null) {
      return TransactionalReads.PRIMARY;
    }
    List<String> names = new ArrayList<>();
    for (TransactionalReads each : TransactionalReads.values()) {
      if (each.name().equalsIgnoreCase(text)) {
        return each;
      }
      names.add(each.name());
    }
    value.error("unknown strategy " + text, NearestName.suggestion(text, names));
    return TransactionalReads.PRIMARY;
  }

  /** What all groups have in common that one entry makes. */
  private record Form(
      Section section,
      TransactionalReads transactional,
      Balancing balancing,
      HealthCheck health,
      Discovery discovery,
      ReadPolicy reads) {}
}
