package io.anabranch.rules.planner.change;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.placement.RowCondition;
import io.anabranch.rules.placement.RowPlacement;
import io.anabranch.rules.plan.RowPlacer;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.syntax.ChangeSyntax.Assignment;
import io.anabranch.rules.table.LogicalViews;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A table that an UPDATE or DELETE changes, by the keys of its rows.
 *
 * @param table of the outermost block
 * @param number of its reference among the sharded ones; -1 if it is not sharded
 * @param nodes where it lives
 * @param schema of the first node
 * @param assignments what an UPDATE sets in it
 */
record ChangedTable(
    PlacedTable table,
    int number,
    List<DataNode> nodes,
    TableSchema schema,
    List<Assignment> assignments) {

  static ChangedTable of(Analysis analysis, PlacedTable table, List<Assignment> assignments) {
    PlanTask task = analysis.task();
    if (table instanceof PlacedTable.Catalogue catalogue) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a change of table '" + catalogue.ref().name() + "' with rows of others",
          "change it on the data source itself");
    }
    if (table instanceof PlacedTable.View view) {
      throw LogicalViews.notWritable(view.ref().name());
    }
    List<DataNode> nodes = table.nodes(task);
    TableSchema schema =
        task.catalog()
            .table(nodes)
            .orElseThrow(
                () ->
                    ErrorCatalogue.NO_SUCH_TABLE.refuse(
                        task.database().name(), table.ref().name()));
    int number = table instanceof PlacedTable.Sharded ? analysis.sharded().indexOf(table) : -1;
    return new ChangedTable(table, number, nodes, schema, assignments);
  }

  boolean isBroadcast() {
    return table instanceof PlacedTable.Broadcast;
  }

  /** What qualifies its columns. */
  String alias() {
    return table.ref().alias();
  }

  /**
   * Columns that tell rows apart.
   *
   * @throws io.anabranch.rules.error.RefusedException if there are none
   */
  List<String> keyColumns() {
    List<String> columns = schema.columns().stream().filter(Column::key).map(Column::name).toList();
    if (columns.isEmpty()) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "a change of some rows of table '" + table.ref().name() + "', which has no primary key,",
          "give it one, or restrict the statement to one shard");
    }
    return columns;
  }

  /** The key's columns, and those by which rows are placed. */
  List<String> columnsToFindRows() {
    Set<String> columns = new LinkedHashSet<>(keyColumns());
    if (table instanceof PlacedTable.Sharded sharded) {
      for (String placing : RowPlacement.columns(sharded.table())) {
        if (columns.stream().noneMatch(placing::equalsIgnoreCase)) {
          columns.add(placing);
        }
      }
    }
    return List.copyOf(columns);
  }

  /**
   * Sharding columns that do not tell where a row lies: it is looked for on all nodes, by what they
   * hold besides.
   */
  private List<Column> unsure() {
    return table instanceof PlacedTable.Sharded sharded
        ? RowPlacement.columns(sharded.table()).stream()
            .filter(name -> !sharded.columns().getOrDefault(name, KeyType.OTHER).isSure())
            .flatMap(
                name -> schema.columns().stream().filter(one -> one.name().equalsIgnoreCase(name)))
            .toList()
        : List.of();
  }

  /** As the condition needs it: a value that no literal equals cannot be asked for. */
  private void refuseUntold(Column column) {
    if (!RowCondition.canTell(column)) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "a change by keys of table '"
              + table.ref().name()
              + "', which is sharded by '"
              + column.name()
              + "' of the type "
              + column.type()
              + ",",
          "restrict the statement by a condition on the primary key, without LIMIT and other"
              + " tables");
    }
  }

  /** Whether one column tells a row. */
  boolean isFoundByOne() {
    return keyColumns().size() == 1 && unsure().isEmpty();
  }

  /**
   * The condition that finds a row that was read.
   *
   * @param open what stands in front of it
   * @param columns as for {@link #placer}
   */
  RowCondition condition(String open, List<String> columns, int first) {
    var condition = new RowCondition(open);
    List<Column> unsure = unsure();
    for (String key : keyColumns()) {
      if (unsure.stream().noneMatch(column -> column.name().equalsIgnoreCase(key))) {
        condition.equal(key, first + columns.indexOf(key));
      }
    }
    for (Column column : unsure) {
      refuseUntold(column);
      int position = 0;
      while (!columns.get(position).equalsIgnoreCase(column.name())) {
        position++;
      }
      condition.exact(column, first + position);
    }
    return condition;
  }

  /**
   * Finds the node of a row that was read.
   *
   * @param columns names of the columns that the row has from position {@code first} on, the key's
   *     first; a NULL key is that of an outer join's missing row
   */
  RowPlacer placer(List<String> columns, int first) {
    List<String> names = new ArrayList<>();
    columns.forEach(column -> names.add(column.toLowerCase(Locale.ROOT)));
    return switch (table) {
      case PlacedTable.Sharded ignored when !unsure().isEmpty() ->
          values ->
              values.apply(first) == SqlValue.Null.NULL ? RowPlacer.NOWHERE : RowPlacer.EVERYWHERE;
      case PlacedTable.Sharded sharded -> {
        var placement = new RowPlacement(sharded.table(), sharded.columns());
        yield values ->
            values.apply(first) == SqlValue.Null.NULL
                ? RowPlacer.NOWHERE
                : placement.node(column -> values.apply(first + names.indexOf(column)));
      }
      case PlacedTable.Broadcast ignored ->
          values ->
              values.apply(first) == SqlValue.Null.NULL ? RowPlacer.NOWHERE : RowPlacer.EVERYWHERE;
      case PlacedTable.Single ignored ->
          values -> values.apply(first) == SqlValue.Null.NULL ? RowPlacer.NOWHERE : 0;
      case PlacedTable.Catalogue ignored -> values -> RowPlacer.NOWHERE;
      case PlacedTable.View ignored -> values -> RowPlacer.NOWHERE;
    };
  }
}
