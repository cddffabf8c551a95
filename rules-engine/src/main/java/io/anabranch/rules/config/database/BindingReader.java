package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.yaml.Names;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.routing.key.Correspondence;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * {@code bindingTables}: groups of tables whose nodes correspond by their position. That they do is
 * checked here, so that a join of them may run in each shard by itself.
 */
final class BindingReader {

  private static final int NO_GROUP = -1;

  private final Map<String, ShardedTable> tables;
  private final Set<String> names;
  private final Set<String> unsound;

  /**
   * @param tables by lower-case name
   * @param names of all tables, in lower case: what is wrong with the others was reported
   * @param unsound in lower case: something was reported that decides where rows of these are
   */
  BindingReader(Map<String, ShardedTable> tables, Set<String> names, Set<String> unsound) {
    this.tables = tables;
    this.names = names;
    this.unsound = unsound;
  }

  /** All tables, those of a group with its number. */
  Map<String, ShardedTable> read(List<Value> groups) {
    Map<String, ShardedTable> bound = new LinkedHashMap<>(tables);
    for (int group = 0; group < groups.size(); group++) {
      readGroup(groups.get(group), group, bound);
    }
    return bound;
  }

  private void readGroup(Value value, int group, Map<String, ShardedTable> bound) {
    ShardedTable first = null;
    for (String written : Names.list(value)) {
      String name = withoutGroup(written);
      String key = name.toLowerCase(Locale.ROOT);
      ShardedTable table = bound.get(key);
      if (table == null) {
        if (!names.contains(key)) {
          value.error(
              "there is no sharded table `" + name + "`", NearestName.suggestion(name, names));
        }
        continue;
      }
      if (table.bindingGroup() != NO_GROUP) {
        value.error("the table `" + name + "` is in another binding group already", null);
        continue;
      }
      if (first == null) {
        first = table;
      } else {
        check(value, first, table);
      }
      bound.put(
          key,
          new ShardedTable(
              table.name(),
              table.nodes(),
              table.databaseStrategy(),
              table.tableStrategy(),
              table.keyGeneration(),
              group,
              table.audit()));
    }
  }

  private boolean isSound(ShardedTable table) {
    return !unsound.contains(table.name().toLowerCase(Locale.ROOT));
  }

  /** {@code ref_0:t_order}: a group may have a name, which says nothing. */
  private static String withoutGroup(String name) {
    return name.substring(name.indexOf(':') + 1).strip();
  }

  private void check(Value value, ShardedTable first, ShardedTable other) {
    String difference = Correspondence.difference(first, other);
    boolean isKnown =
        first.nodes().size() != other.nodes().size() || (isSound(first) && isSound(other));
    if (difference != null && isKnown) {
      value.error(
          "`" + first.name() + "` and `" + other.name() + "` cannot be bound: " + difference,
          "bound tables are sharded alike, by the same value to the same part");
    }
  }
}
