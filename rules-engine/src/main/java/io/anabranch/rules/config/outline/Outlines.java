package io.anabranch.rules.config.outline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The files of one configuration.
 *
 * @param global {@code global.yaml}
 * @param databases by the logical database's name in lower case
 */
public record Outlines(Outline global, Map<String, Outline> databases) {

  public Outlines {
    databases = Collections.unmodifiableMap(new LinkedHashMap<>(databases));
  }

  /** The file of a database; empty if there is none. */
  public Outline database(String name) {
    return databases.getOrDefault(name, Outline.EMPTY);
  }

  /** What {@code next} says otherwise, a line each, with the database in front. */
  public List<String> changesTo(Outlines next) {
    var changes = new ArrayList<String>();
    global.changesTo(next.global).forEach(change -> changes.add("global: " + change));
    Set<String> names = new LinkedHashSet<>(databases.keySet());
    names.addAll(next.databases.keySet());
    for (String name : names) {
      if (!next.databases.containsKey(name)) {
        changes.add("database " + name + " is gone");
      } else if (!databases.containsKey(name)) {
        changes.add("database " + name + " is new");
      } else {
        database(name)
            .changesTo(next.database(name))
            .forEach(change -> changes.add("database " + name + ": " + change));
      }
    }
    return changes;
  }
}
