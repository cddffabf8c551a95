package io.anabranch.rules.planner.definition;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.planner.definition.RenamedTable.Part;
import io.anabranch.rules.routing.key.Correspondence;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.SingleTableSearch;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds what gets which name when tables are renamed one after the other. Names of sharded and
 * broadcast tables stand in the configuration: only tables of one kind that are configured alike
 * can take each other's. Used once.
 */
final class NewTableNames {

  private final PlanTask task;
  private final TableDirectory directory;
  private final boolean isConditional;
  private final boolean opensFirst;
  private final Map<String, String> logical = new HashMap<>();

  /** Endpoints of single tables that earlier steps have given their name, by lower-case name. */
  private final Map<String, String> made = new HashMap<>();

  /** Lower-case names that single tables have lost by earlier steps. */
  private final Set<String> gone = new HashSet<>();

  /**
   * @param isConditional whether the statement says IF EXISTS
   * @param opensFirst whether the table is opened before anybody looks at its new name, as by ALTER
   */
  NewTableNames(PlanTask task, boolean isConditional, boolean opensFirst) {
    this.task = task;
    this.opensFirst = opensFirst;
    this.isConditional = isConditional;
    this.directory = new TableDirectory(task);
  }

  /** Actual names of the tables so far to those that clients know. */
  NameMapping names() {
    return new NameMapping(task.database().name(), logical);
  }

  /** What is said of a table that there is not. */
  RuntimeException unknown(String name) {
    return directory.unknown(name);
  }

  /**
   * The next step.
   *
   * @throws RefusedException if the new name is not one that the table can have
   */
  RenamedTable rename(TableMention from, TableMention to) {
    if (task.scope().temporaries().find(to.name()) != null) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "renaming to the name of the temporary table '" + to.name() + "'", "drop it first");
    }
    TablePlace old = directory.find(from.qualifier(), from.name());
    TablePlace place = directory.find(to.qualifier(), to.name());
    if (old instanceof TablePlace.Sharded before && place instanceof TablePlace.Sharded after) {
      return new RenamedTable(from, to, parts(before.table(), after.table()));
    }
    if (old instanceof TablePlace.Broadcast before && place instanceof TablePlace.Broadcast after) {
      return new RenamedTable(
          from,
          to,
          task.database().endpoints().stream()
              .map(endpoint -> new Part(endpoint, before.name(), after.name()))
              .toList());
    }
    String kind = kind(old);
    if (!kind.isEmpty() || !kind(place).isEmpty()) {
      throw differing(from, kind, to, kind(place));
    }
    return new RenamedTable(from, to, List.of(single(from.name(), old, to.name(), place)));
  }

  private static String kind(TablePlace place) {
    return switch (place) {
      case TablePlace.Sharded ignored -> "sharded";
      case TablePlace.Broadcast ignored -> "broadcast";
      case TablePlace.Single ignored -> "";
      case TablePlace.Absent ignored -> "";
    };
  }

  private RefusedException differing(
      TableMention from, String kind, TableMention to, String newKind) {
    String is = newKind.isEmpty() ? "not configured" : "configured as a " + newKind + " table";
    String wayOut =
        switch (kind) {
          case "sharded" -> "configure '%s' under !SHARDING with the nodes and algorithms of '%s'";
          case "broadcast" -> "list '%s' under !BROADCAST beside '%s'";
          default -> "take another name than '%s' for '%s', or INSERT … SELECT its rows";
        };
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "renaming the "
            + (kind.isEmpty() ? "single" : kind)
            + " table '"
            + from.name()
            + "' to '"
            + to.name()
            + "', which is "
            + is
            + " in "
            + task.database().name()
            + ",",
        wayOut.formatted(to.name(), from.name()));
  }

  // ---------------------------------------------------------------- single tables

  private Part single(String from, TablePlace old, String to, TablePlace place) {
    String oldKey = from.toLowerCase(Locale.ROOT);
    String newKey = to.toLowerCase(Locale.ROOT);
    boolean isThere =
        made.containsKey(oldKey) || (old instanceof TablePlace.Single && !gone.contains(oldKey));
    String endpoint = made.getOrDefault(oldKey, endpoint(old));
    String occupied = made.get(newKey);
    if (occupied == null && place instanceof TablePlace.Single there && !gone.contains(newKey)) {
      occupied = there.endpoint();
    }
    boolean isMissing = !isThere && !isConditional;
    // MySQL's RENAME TABLE looks at the new name first
    boolean isToldFirst = opensFirst || occupied == null || task.catalog().isMariaDb(endpoint);
    if (isMissing && isToldFirst) {
      throw directory.unknown(from);
    }
    if (isMissing || (occupied != null && !occupied.equals(endpoint))) {
      throw ErrorCatalogue.TABLE_EXISTS.refuse(to);
    }
    if (!new SingleTableSearch(task).looksIn(endpoint, to)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "renaming the table '"
              + from
              + "' to '"
              + to
              + "', which is not looked for in its data source '"
              + endpoint
              + "',",
          "list " + endpoint + "." + to + " under !SINGLE tables");
    }
    made.remove(oldKey);
    gone.add(oldKey);
    made.put(newKey, endpoint);
    return new Part(endpoint, from, to);
  }

  private static String endpoint(TablePlace place) {
    return switch (place) {
      case TablePlace.Single single -> single.endpoint();
      case TablePlace.Absent absent -> absent.endpoint();
      case TablePlace.Sharded sharded -> throw new IllegalArgumentException(sharded.toString());
      case TablePlace.Broadcast everywhere ->
          throw new IllegalArgumentException(everywhere.toString());
    };
  }

  // ---------------------------------------------------------------- sharded tables

  private List<Part> parts(ShardedTable from, ShardedTable to) {
    String difference = difference(from, to);
    if (difference != null) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "renaming the sharded table '"
              + from.name()
              + "' to '"
              + to.name()
              + "', whose rows belong elsewhere ("
              + difference
              + "),",
          "configure both with the same data sources, columns and algorithms");
    }
    requireFreeOfNames(from);
    var parts = new ArrayList<Part>();
    for (int i = 0; i < from.nodes().size(); i++) {
      DataNode node = from.nodes().get(i);
      String name = to.nodes().get(i).table();
      logical.put(node.table(), from.name());
      logical.put(name, to.name());
      parts.add(new Part(node.dataSource(), node.table(), name));
    }
    return parts;
  }

  private static @Nullable String difference(ShardedTable from, ShardedTable to) {
    boolean isAlike =
        columns(from.databaseStrategy()).equals(columns(to.databaseStrategy()))
            && columns(from.tableStrategy()).equals(columns(to.tableStrategy()));
    return isAlike ? Correspondence.difference(from, to) : "their sharding columns differ";
  }

  private static List<String> columns(ShardingStrategy strategy) {
    List<String> columns =
        switch (strategy) {
          case ShardingStrategy.Standard one -> List.of(one.column());
          case ShardingStrategy.Complex several -> several.columns();
          case ShardingStrategy.Hint ignored -> List.of();
          case ShardingStrategy.None ignored -> List.of();
        };
    return columns.stream().map(column -> column.toLowerCase(Locale.ROOT)).toList();
  }

  /** Triggers and foreign keys are called after the part that has them, and stay so. */
  private void requireFreeOfNames(ShardedTable table) {
    var sources = new HashMap<String, List<String>>();
    for (DataNode node : table.nodes()) {
      boolean hasOwnName = !node.table().equalsIgnoreCase(table.name());
      if (hasOwnName) {
        sources.computeIfAbsent(node.dataSource(), one -> new ArrayList<>()).add(node.table());
      }
    }
    sources.forEach(
        (source, tables) -> {
          for (List<@Nullable String> row : task.catalog().rows(source, namesOf(tables))) {
            String name = String.valueOf(row.getFirst());
            String suffix = "_" + row.getLast();
            if (name.endsWith(suffix)) {
              throw ErrorCatalogue.NOT_SUPPORTED.refuse(
                  "renaming the sharded table '"
                      + table.name()
                      + "' with its trigger or constraint '"
                      + name.substring(0, name.length() - suffix.length())
                      + "'",
                  "drop that first and make it anew afterwards");
            }
          }
        });
  }

  private static String namesOf(List<String> tables) {
    String list = String.join(", ", tables.stream().map(TableNames::literal).toList());
    return "SELECT TRIGGER_NAME, EVENT_OBJECT_TABLE FROM information_schema.TRIGGERS"
        + " WHERE EVENT_OBJECT_SCHEMA = DATABASE() AND EVENT_OBJECT_TABLE IN ("
        + list
        + ") UNION ALL SELECT CONSTRAINT_NAME, TABLE_NAME FROM information_schema.TABLE_CONSTRAINTS"
        + " WHERE TABLE_SCHEMA = DATABASE() AND CONSTRAINT_TYPE IN ('FOREIGN KEY', 'CHECK')"
        + " AND TABLE_NAME IN ("
        + list
        + ")";
  }
}
