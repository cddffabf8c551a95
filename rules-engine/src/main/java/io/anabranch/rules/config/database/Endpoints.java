package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.ReplicationGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Names that tables may be placed on: groups, and data sources that are in no group. */
final class Endpoints {

  private final List<String> names;
  private final Map<String, String> groupOfMember = new HashMap<>();

  Endpoints(Collection<String> dataSources, Map<String, ReplicationGroup> groups) {
    for (ReplicationGroup group : groups.values()) {
      groupOfMember.putIfAbsent(group.primary(), group.name());
      group.replicas().forEach(replica -> groupOfMember.putIfAbsent(replica, group.name()));
    }
    this.names = new ArrayList<>(groups.keySet());
    dataSources.stream().filter(name -> !groupOfMember.containsKey(name)).forEach(names::add);
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
