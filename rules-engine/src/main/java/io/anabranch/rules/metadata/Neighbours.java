package io.anabranch.rules.metadata;

import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Databases that servers have together. Used by one thread. */
final class Neighbours {

  /** By lower-case names. */
  private final Map<String, LogicalDatabase> databases = new HashMap<>();

  /** What has been asked before: the same sets are asked for many times. */
  private final IdentityHashMap<Set<String>, Set<String>> told = new IdentityHashMap<>();

  Neighbours(Collection<LogicalDatabase> databases) {
    databases.forEach(each -> this.databases.put(each.name().toLowerCase(Locale.ROOT), each));
  }

  /** Of all databases, in lower case. */
  Set<String> names() {
    return databases.keySet();
  }

  /**
   * The same databases, and all that are on one of their servers.
   *
   * @param names in lower case
   */
  Set<String> beside(Set<String> names) {
    return told.computeIfAbsent(names, this::search);
  }

  private Set<String> search(Set<String> names) {
    var servers = new HashSet<String>();
    for (String name : names) {
      LogicalDatabase database = databases.get(name);
      if (database != null) {
        database.dataSources().values().forEach(source -> servers.add(source.server()));
      }
    }
    var found = new HashSet<String>(names);
    databases.forEach(
        (name, database) -> {
          if (database.dataSources().values().stream()
              .map(DataSourceDefinition::server)
              .anyMatch(servers::contains)) {
            found.add(name);
          }
        });
    return found;
  }
}
