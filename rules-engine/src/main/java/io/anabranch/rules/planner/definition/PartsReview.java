package io.anabranch.rules.planner.definition;

import io.anabranch.rules.catalog.PartDefinitions;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.definition.DefinitionDrift;
import io.anabranch.rules.definition.DefinitionDrift.Difference;
import io.anabranch.rules.definition.ShardKeys;
import io.anabranch.rules.definition.TableDefinition;
import io.anabranch.rules.definition.TableDefinition.Item;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.placement.RowPlacement;
import io.anabranch.rules.plan.DefinitionReview;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a CREATE or ALTER of a table of several nodes has left: whether all nodes have the same, and
 * which unique keys are not unique over them.
 */
final class PartsReview implements DefinitionReview {

  private static final int SHOWN = 3;

  /** As SHOW WARNINGS has it. */
  private static final int DRIFT_CODE = 32049;

  private final PartDefinitions definitions;
  private final SqlTokens tokens;
  private final String name;
  private final List<DataNode> nodes;
  private final @Nullable ShardedTable table;
  private final boolean creates;

  /** Whether rows that come are looked for on all nodes: a new table has no others. */
  private final boolean checks;

  /** Names and columns of the unique keys that the table had before. */
  private final Set<String> before = new HashSet<>();

  /**
   * @param name of the table, as clients know it
   * @param table null: a broadcast table
   * @param creates whether the statement makes the table
   */
  PartsReview(
      PlanTask task,
      SqlTokens tokens,
      String name,
      List<DataNode> nodes,
      @Nullable ShardedTable table,
      boolean creates) {
    this.definitions = task.definitions();
    this.tokens = tokens;
    this.name = name;
    this.nodes = nodes;
    this.table = table;
    this.creates = creates;
    this.checks = creates && task.database().keyPolicy().checks();
    if (!creates && table != null) {
      DataNode node = task.nearestNode(nodes);
      String sql =
          "SELECT INDEX_NAME, GROUP_CONCAT(COLUMN_NAME ORDER BY SEQ_IN_INDEX)"
              + " FROM information_schema.STATISTICS WHERE NON_UNIQUE = 0"
              + " AND TABLE_SCHEMA = DATABASE() AND TABLE_NAME = "
              + TableNames.literal(node.table())
              + " GROUP BY INDEX_NAME";
      for (var row : task.catalog().rows(node.dataSource(), sql)) {
        before.add(known(String.valueOf(row.getFirst()), row.get(1)));
      }
    }
  }

  @Override
  public List<List<String>> warnings() {
    var there = new ArrayList<DataNode>();
    var found = new ArrayList<TableDefinition>();
    for (DataNode node : nodes) {
      Optional<TableDefinition> definition = definition(node);
      if (definition.isPresent()) {
        there.add(node);
        found.add(definition.get());
      }
    }
    if (found.isEmpty()) {
      return List.of();
    }
    var warnings = new ArrayList<List<String>>();
    TableDefinition model = found.get(DefinitionDrift.commonest(found));
    var drift = new StringJoiner("; ");
    boolean isOwn = false;
    int told = 0;
    for (int i = 0; i < found.size(); i++) {
      DataNode node = there.get(i);
      for (Difference difference : DefinitionDrift.between(node.table(), model, found.get(i))) {
        isOwn |= isNamed(difference.name());
        if (told++ < SHOWN) {
          drift.add(
              node.dataSource()
                  + "."
                  + node.table()
                  + ": "
                  + difference.told()
                  + "; there: "
                  + difference.repair());
        }
      }
    }
    if (told > 0) {
      var error = ErrorCatalogue.DEFINITIONS_DIFFER.refuse(name, drift, name);
      if (isOwn && isConditional()) {
        throw error;
      }
      warnings.add(
          List.of("Warning", Integer.toString(DRIFT_CODE), String.valueOf(error.getMessage())));
    }
    if (table != null) {
      keys(table, model, warnings);
    }
    return warnings;
  }

  /** Empty, too, where it cannot be asked just now: the statement itself has been done. */
  private Optional<TableDefinition> definition(DataNode node) {
    try {
      return definitions.of(node);
    } catch (SchemaCatalog.DescribeException | RefusedException unknown) {
      return Optional.empty();
    }
  }

  private void keys(ShardedTable sharded, TableDefinition model, List<List<String>> warnings) {
    var keys = ShardKeys.of(sharded, model);
    for (TableKey key : keys.loose(model.keys())) {
      if (!checks && !before.contains(known(key.name(), columns(key)))) {
        warnings.add(warning(keys.warning(key)));
      }
    }
    if (!creates || sharded.nodes().size() == 1) {
      return;
    }
    for (String column : RowPlacement.columns(sharded)) {
      if (model.column(column) == null) {
        warnings.add(
            warning(
                "AB2050: the sharded table '"
                    + sharded.name()
                    + "' is without its sharding column '"
                    + column
                    + "': no row can be placed"));
      }
    }
    for (Item column : model.columns()) {
      ShardedTable.KeyGeneration generation = sharded.keyGeneration();
      boolean generated = generation != null && generation.column().equalsIgnoreCase(column.name());
      if (!generated && column.text().toUpperCase(Locale.ROOT).contains(" AUTO_INCREMENT")) {
        warnings.add(
            warning(
                "AB2050: each node would count AUTO_INCREMENT column '"
                    + column.name()
                    + "' of the sharded table '"
                    + sharded.name()
                    + "' by itself, so that rows that give it no value are refused; configure a"
                    + " keyGenerateStrategy for it"));
      }
    }
  }

  private static String known(String key, @Nullable String columns) {
    return (key + " " + columns).toLowerCase(Locale.ROOT);
  }

  private static String columns(TableKey key) {
    return key.parts().stream()
        .map(TableKey.Part::column)
        .filter(column -> column != null)
        .collect(Collectors.joining(","));
  }

  private static List<String> warning(String text) {
    return List.of("Warning", Integer.toString(ShardKeys.WARNING_CODE), text);
  }

  /** Whether the statement is about what differs. */
  private boolean isNamed(String object) {
    return creates || object.isEmpty() || tokens.mention(object);
  }

  /** IF [NOT] EXISTS and OR REPLACE: a node may have said OK and done nothing. */
  private boolean isConditional() {
    return tokens
        .all()
        .has(
            i ->
                (tokens.isWord(i, "IF")
                        && tokens.isAnyWord(i + 1, "EXISTS", "NOT")
                        && tokens.depth(i) == 0)
                    || (tokens.isWord(i, "OR") && tokens.isWord(i + 1, "REPLACE") && i < 3));
  }
}
