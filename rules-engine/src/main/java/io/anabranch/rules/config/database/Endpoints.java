package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.shadow.ShadowRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Names that tables may be placed on: groups, and data sources that are in no group. */
final class Endpoints {

  private final List<String> names;
  private final Map<String, String> groupOfMember = new HashMap<>();
  private final Map<String, String> productionOf = new HashMap<>();

  Endpoints(Collection<String> dataSources, Map<String, ReplicationGroup> groups) {
    for (ReplicationGroup group : groups.values()) {
      groupOfMember.putIfAbsent(group.primary(), group.name());
      group.replicas().forEach(replica -> groupOfMember.putIfAbsent(replica, group.name()));
    }
    this.names = new ArrayList<>(groups.keySet());
    dataSources.stream().filter(name -> !groupOfMember.containsKey(name)).forEach(names::add);
  }

  private Endpoints(Endpoints all, ShadowRule shadow) {
    groupOfMember.putAll(all.groupOfMember);
    shadow.sources().forEach((production, own) -> productionOf.put(own, production));
    this.names = new ArrayList<>(all.names);
    names.removeAll(shadow.hidden());
  }

  /** Those that are no shadow of another. */
  Endpoints without(ShadowRule shadow) {
    return new Endpoints(this, shadow);
  }

  /** Groups first, then data sources, in the order of the file. */
  List<String> names() {
    return names;
  }

  /** Reports a name that is none; true if it is one. */
  boolean check(Value reference, String name) {
    if (names.contains(name)) {
      return true;
    }
    String production = productionOf.get(name);
    if (production != null) {
      reference.error(
          "the data source `" + name + "` is the shadow of `" + production + "`",
          "place tables on `" + production + "`");
      return false;
    }
    String group = groupOfMember.get(name);
    if (group != null) {
      reference.error(
          "the data source `" + name + "` is in the group `" + group + "`",
          "place tables on the group: `" + group + "`");
    } else {
      reference.error(
          "there is no data source `" + name + "`", NearestName.suggestion(name, names));
    }
    return false;
  }
}
