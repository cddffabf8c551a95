package io.anabranch.rules.table;

import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The triggers that a logical database's data sources have, by the names that clients use. */
public final class Triggers {

  private static final String ALL =
      "SELECT TRIGGER_NAME, EVENT_OBJECT_TABLE FROM information_schema.TRIGGERS"
          + " WHERE TRIGGER_SCHEMA = DATABASE()";

  /**
   * @param name as clients call it
   * @param table as clients call it
   * @param actual name in its data source
   * @param node its table there
   */
  public record Trigger(String name, String table, String actual, DataNode node) {}

  private final PlanTask task;
  private final LogicalDatabase database;

  public Triggers(PlanTask task) {
    this.task = task;
    this.database = task.database();
  }

  /**
   * A name that no data source has for one: that name, unless clients call what has it otherwise.
   * Asks all data sources. Blocks.
   */
  public String unused(String name) {
    var used = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
    all().forEach(one -> used.add(one.actual()));
    String unused = name;
    for (int i = 1; used.contains(unused); i++) {
      unused = "anabranch_none_" + i;
    }
    return unused;
  }

  /** Those of one name, a node's or a data source's each. Asks all data sources. Blocks. */
  public List<Trigger> named(String name) {
    return all().stream().filter(one -> one.name().equalsIgnoreCase(name)).toList();
  }

  private List<Trigger> all() {
    var all = new ArrayList<Trigger>();
    for (String endpoint : database.endpoints()) {
      for (List<@Nullable String> row : task.catalog().rows(endpoint, ALL)) {
        all.add(trigger(endpoint, String.valueOf(row.get(0)), String.valueOf(row.get(1))));
      }
    }
    return all;
  }

  /** Whether no data source has a trigger for a table of that logical name. Blocks. */
  public static boolean areAbsent(PlanTask task, String table) {
    return new Triggers(task).all().stream().noneMatch(one -> one.table().equalsIgnoreCase(table));
  }

  private Trigger trigger(String endpoint, String actual, String table) {
    var node = new DataNode(endpoint, table);
    String logical =
        sharded(node)
            .filter(one -> !one.name().equalsIgnoreCase(table))
            .map(ShardedTable::name)
            .orElse(table);
    String suffix = "_" + table;
    boolean isOfNode = !logical.equals(table) && actual.endsWith(suffix);
    String name = isOfNode ? actual.substring(0, actual.length() - suffix.length()) : actual;
    return new Trigger(name, logical, actual, node);
  }

  private Optional<ShardedTable> sharded(DataNode node) {
    return database.shardedTables().values().stream()
        .filter(table -> table.nodes().contains(node))
        .findFirst();
  }
}
