package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.algorithm.balance.LoadBalancer;
import io.anabranch.rules.config.type.AlgorithmReader;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.ReplicationGroup.Balance;
import io.anabranch.rules.model.ReplicationGroup.Balancing;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** {@code loadBalancers} of {@code !READWRITE_SPLITTING}. */
final class BalancerReader {

  private static final String LOCAL_ZONE = "local-zone";

  private final Set<String> dataSources;
  private final AlgorithmReader algorithms;
  private final Definitions<Balancing> balancers;

  /**
   * @param dataSources names of the database's data sources
   */
  BalancerReader(Section rule, Set<String> dataSources, AlgorithmReader algorithms) {
    this.dataSources = dataSources;
    this.algorithms = algorithms;
    balancers = new Definitions<>("load balancer", rule, "loadBalancers", this::balancer);
  }

  /** What is referred to; round robin for no reference. */
  Balancing get(@Nullable Value reference) {
    Balancing defined = balancers.get(reference);
    return defined == null ? Balancing.ROUND_ROBIN : defined;
  }

  /** Narrowed to the replicas of one group. */
  static Balancing narrowed(Balancing defined, List<String> replicas, Section group) {
    if (defined.plugIn() != null) {
      return defined;
    }
    Map<String, Double> weights = new LinkedHashMap<>();
    Map<String, String> zones = new LinkedHashMap<>();
    for (String replica : replicas) {
      Double weight = defined.weights().get(replica);
      String zone = defined.zones().get(replica);
      if (weight != null) {
        weights.put(replica, weight);
      } else if (defined.balance() == Balance.WEIGHT) {
        missing(group, "weight", replica);
      }
      if (zone != null) {
        zones.put(replica, zone);
      } else if (defined.balance() == Balance.LOCAL_ZONE) {
        missing(group, "zone", replica);
      }
    }
    return new Balancing(defined.balance(), weights, defined.localZone(), zones);
  }

  private static void missing(Section group, String what, String replica) {
    group
        .problems()
        .error(
            group.keyPlace("loadBalancerName"),
            "the load balancer has no " + what + " for `" + replica + "`",
            null);
  }

  void reportUnused() {
    balancers.reportUnused();
  }

  private @Nullable Balancing balancer(Section section) {
    String type = section.required("type");
    String name = type.toUpperCase(Locale.ROOT);
    if (algorithms.balancers().contains(name)) {
      Map<String, String> written = section.properties("props");
      LoadBalancer balancer = algorithms.balancer(section);
      return balancer == null ? null : Balancing.of(new Balancing.PlugIn(name, written, balancer));
    }
    Section props = section.section("props");
    section.close();
    if (type.isEmpty()) {
      return null;
    }
    if (!Balance.names().contains(name)) {
      Set<String> names = new TreeSet<>(Balance.names());
      names.addAll(algorithms.balancers());
      section
          .problems()
          .error(
              section.keyPlace("type"),
              "unknown load balancer " + type,
              NearestName.suggestion(type, names));
      return null;
    }
    Balance balance = Balance.valueOf(name);
    return switch (balance) {
      case ROUND_ROBIN, RANDOM, LEAST_LATENCY -> {
        if (props != null) {
          props.close();
        }
        yield Balancing.of(balance);
      }
      case WEIGHT, LEAST_CONNECTIONS -> weighted(balance, props);
      case LOCAL_ZONE -> zoned(section, props);
    };
  }

  private Balancing weighted(Balance balance, @Nullable Section props) {
    Map<String, Double> weights = new HashMap<>();
    if (props != null) {
      props
          .entries()
          .forEach(
              (name, value) -> {
                checkSource(props, name);
                weights.put(name, weight(value));
              });
    }
    return new Balancing(balance, weights, "", Map.of());
  }

  private Balancing zoned(Section section, @Nullable Section props) {
    Map<String, String> zones = new HashMap<>();
    if (props == null) {
      section.error("the property `" + LOCAL_ZONE + "` is missing", "say where this proxy is");
      return Balancing.of(Balance.LOCAL_ZONE);
    }
    String local = props.required(LOCAL_ZONE);
    props
        .entries()
        .forEach(
            (name, value) -> {
              String zone = value.text();
              if (zone != null && !name.equals(LOCAL_ZONE)) {
                checkSource(props, name);
                zones.put(name, zone);
              }
            });
    return new Balancing(Balance.LOCAL_ZONE, Map.of(), local, zones);
  }

  private void checkSource(Section props, String name) {
    if (!dataSources.contains(name)) {
      props
          .problems()
          .error(
              props.keyPlace(name),
              "there is no data source `" + name + "`",
              NearestName.suggestion(name, dataSources));
    }
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
}
