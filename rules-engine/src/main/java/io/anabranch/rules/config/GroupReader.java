package io.anabranch.rules.config;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.ReplicationGroup.Balance;
import io.anabranch.rules.model.ReplicationGroup.TransactionalReads;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code !READWRITE_SPLITTING}. */
final class GroupReader {

  private final Section rule;
  private final Set<String> dataSources;
  private final Definitions<Balancer> balancers;
  private final Map<String, ReplicationGroup> groups = new LinkedHashMap<>();
  private final Map<String, String> groupOfPrimary = new HashMap<>();

  /**
   * @param dataSources names of the database's data sources
   */
  GroupReader(Section rule, Set<String> dataSources) {
    this.rule = rule;
    this.dataSources = dataSources;
    this.balancers =
        new Definitions<>("load balancer", rule, "loadBalancers", GroupReader::balancer);
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
    group.refused("dynamicStrategy", "the dynamic strategy", "use writeDataSourceName");
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
    Balancer balancer = balancers.get(balancerName);
    source.close();
    group.close();
    if (write == null || write.isNull()) {
      return;
    }
    if (reads == null) {
      source.error("the key `readDataSourceNames` is missing", null);
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
      add(group, names.get(i), primaries.get(i), own, write, reads, transactional, balancer);
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
      Section section,
      String name,
      String primary,
      List<String> replicas,
      Value write,
      @Nullable Value reads,
      TransactionalReads transactional,
      @Nullable Balancer balancer) {
    if (dataSources.contains(name)) {
      section.error("the group has the name of a data source", "give it another name");
    }
    check(write, primary);
    if (reads != null) {
      replicas.forEach(replica -> check(reads, replica));
      if (replicas.contains(primary)) {
        reads.error("the writer `" + primary + "` is also a reader", "leave it out of the readers");
      }
    }
    String other = groupOfPrimary.putIfAbsent(primary, name);
    if (other != null) {
      write.error("`" + primary + "` is the writer of the group `" + other + "` already", null);
    }
    Balancer balance = balancer == null ? Balancer.ROUND_ROBIN : balancer;
    Map<String, Double> weights = weights(balance, replicas, section);
    ReplicationGroup group =
        new ReplicationGroup(name, primary, replicas, transactional, balance.balance(), weights);
    if (groups.putIfAbsent(name, group) != null) {
      section.error("the group `" + name + "` is there twice", null);
    }
  }

  private static Map<String, Double> weights(
      Balancer balancer, Collection<String> replicas, Section section) {
    Map<String, Double> weights = new LinkedHashMap<>();
    if (balancer.balance() != Balance.WEIGHT) {
      return weights;
    }
    for (String replica : replicas) {
      Double weight = balancer.weights().get(replica);
      if (weight == null) {
        Place place = section.keyPlace("loadBalancerName");
        section
            .problems()
            .error(place, "the load balancer has no weight for `" + replica + "`", null);
      } else {
        weights.put(replica, weight);
      }
    }
    return weights;
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

  private static @Nullable Balancer balancer(Section section) {
    String type = section.required("type");
    Section props = section.section("props");
    section.close();
    Map<String, Double> weights = new HashMap<>();
    switch (type.toUpperCase(Locale.ROOT)) {
      case "" -> {
        return null;
      }
      case "ROUND_ROBIN", "RANDOM" -> {
        if (props != null) {
          props.close();
        }
      }
      case "WEIGHT" -> {
        if (props != null) {
          props.entries().forEach((name, value) -> weights.put(name, weight(value)));
        }
      }
      default -> {
        section
            .problems()
            .error(
                section.keyPlace("type"),
                "unknown load balancer " + type,
                NearestName.suggestion(type, List.of("ROUND_ROBIN", "RANDOM", "WEIGHT")));
        return null;
      }
    }
    return new Balancer(Balance.valueOf(type.toUpperCase(Locale.ROOT)), weights);
  }

  private static double weight(Value value) {
    String text = value.text();
    if (text != null) {
      try {
        double weight = Double.parseDouble(text);
        if (weight > 0 && Double.isFinite(weight)) {
          return weight;
        }
      } catch (NumberFormatException e) {
        value.error("must be a number greater than 0", null);
        return 1;
      }
    }
    value.error("must be a number greater than 0", null);
    return 1;
  }

  private record Balancer(Balance balance, Map<String, Double> weights) {
    static final Balancer ROUND_ROBIN = new Balancer(Balance.ROUND_ROBIN, Map.of());
  }
}
