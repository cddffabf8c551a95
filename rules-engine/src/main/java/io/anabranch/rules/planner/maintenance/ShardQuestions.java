package io.anabranch.rules.planner.maintenance;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.DescribeException;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.definition.TableDefinition;
import io.anabranch.rules.definition.TableDefinition.Item;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.placement.RowPlacement;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.TableProbe;
import io.anabranch.rules.plan.TableProbe.Finding;
import io.anabranch.rules.plan.TableProbe.Reading;
import io.anabranch.rules.planner.query.OwnQuery;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.value.SqlLiterals;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Where the rows of a sharded table lie, and whether they repeat keys. */
final class ShardQuestions {

  /** Rows that are shown of those that are counted. */
  static final int EXAMPLES = 3;

  private final PlanTask task;
  private final String shown;
  private final ShardedTable table;
  private final List<DataNode> nodes;

  /**
   * @param shown name of the table in the answer
   * @param nodes those that are there
   */
  ShardQuestions(PlanTask task, String shown, ShardedTable table, List<DataNode> nodes) {
    this.task = task;
    this.shown = shown;
    this.table = table;
    this.nodes = nodes;
  }

  private TableProbe note(String text) {
    return TableProbe.told(shown, List.of(new Finding("note", text)));
  }

  /** Rows of a node whose sharding columns place them elsewhere. */
  TableProbe misplaced(DataNode node, TableDefinition definition) {
    Set<String> placing = RowPlacement.columns(table);
    for (String column : placing) {
      if (definition.column(column) == null) {
        return note(
            AcrossShards.called(node) + " has no sharding column '" + column + "': not checked");
      }
    }
    RowPlacement placement;
    try {
      placement = new RowPlacement(table, types(node));
    } catch (RefusedException refusal) {
      return note("places of rows are not checked: " + refusal.getMessage());
    }
    Set<String> read = new LinkedHashSet<>(placing);
    for (TableKey key : definition.keys()) {
      if (key.isPrimary()) {
        key.parts().stream()
            .map(TableKey.Part::column)
            .filter(column -> column != null)
            .map(column -> column.toLowerCase(Locale.ROOT))
            .forEach(read::add);
      }
    }
    List<String> columns = List.copyOf(read);
    String sql =
        columns.stream().map(TableNames::quoted).collect(Collectors.joining(", ", "SELECT ", ""))
            + " FROM "
            + TableNames.quoted(node.table());
    int own = table.nodes().indexOf(node);
    var query = ShardQuery.text(node.dataSource(), sql.getBytes(task.scope().charset()));
    var rows = new PlanNode.Route(List.of(query), List.of());
    return new TableProbe(shown, rows, () -> new Misplaced(placement, node, own, columns));
  }

  private Map<String, KeyType> types(DataNode node) {
    Map<String, KeyType> types = new HashMap<>();
    for (Column column :
        task.catalog()
            .table(node.dataSource(), node.table())
            .map(TableSchema::columns)
            .orElse(List.of())) {
      types.put(
          column.name().toLowerCase(Locale.ROOT), KeyType.of(column.type(), column.collation()));
    }
    return types;
  }

  private final class Misplaced implements Reading {

    private final RowPlacement placement;
    private final DataNode node;
    private final int own;
    private final List<String> columns;
    private final List<String> examples = new ArrayList<>();
    private String repair = "";
    private long count;

    Misplaced(RowPlacement placement, DataNode node, int own, List<String> columns) {
      this.placement = placement;
      this.node = node;
      this.own = own;
      this.columns = columns;
    }

    @Override
    public void row(IntFunction<SqlValue> values) {
      String where;
      try {
        int target = placement.node(column -> values.apply(columns.indexOf(column)));
        if (target == own) {
          return;
        }
        where = AcrossShards.called(table.nodes().get(target));
      } catch (RefusedException nowhere) {
        where = "nowhere (" + nowhere.getMessage() + ")";
      }
      count++;
      if (examples.size() < EXAMPLES) {
        var texts = new ArrayList<String>();
        for (int i = 0; i < columns.size(); i++) {
          texts.add(text(values.apply(i)));
        }
        String row = AcrossShards.condition(columns, texts);
        examples.add(row + " belongs to " + where);
        if (repair.isEmpty()) {
          repair =
              "INSERT the rows through the proxy, then "
                  + AcrossShards.hinted(
                      node, "DELETE FROM " + TableNames.quoted(node.table()) + " WHERE " + row);
        }
      }
    }

    @Override
    public List<Finding> findings() {
      return count == 0
          ? List.of()
          : List.of(
              new Finding(
                  "error",
                  "misplaced: "
                      + AcrossShards.called(node)
                      + " has "
                      + count
                      + " row(s) that belong elsewhere: "
                      + String.join("; ", examples)
                      + "; repair: "
                      + repair));
    }
  }

  static String text(SqlValue value) {
    return new String(SqlLiterals.of(value), StandardCharsets.UTF_8);
  }

  /** Values of a key that are there more than once. */
  TableProbe repeated(TableKey key) {
    var expressions = new ArrayList<String>();
    for (TableKey.Part part : key.parts()) {
      expressions.add(part.expression());
    }
    String list = String.join(", ", expressions);
    String sql =
        "SELECT "
            + list
            + ", COUNT(*) FROM "
            + TableNames.quoted(table.name())
            + " WHERE "
            + expressions.stream()
                .map(expression -> expression + " IS NOT NULL")
                .collect(Collectors.joining(" AND "))
            + " GROUP BY "
            + list
            + " HAVING COUNT(*) > 1";
    try {
      PlanNode rows = new OwnQuery(task, table.name(), nodes).rows(sql);
      return rows == null
          ? note(key.called() + " is not checked: its values cannot be merged as they come")
          : new TableProbe(shown, rows, () -> new Repeated(key, expressions));
    } catch (RefusedException | DescribeException refusal) {
      return note(key.called() + " is not checked: " + refusal.getMessage());
    }
  }

  private final class Repeated implements Reading {

    private final TableKey key;
    private final List<String> expressions;
    private final List<String> examples = new ArrayList<>();
    private String first = "";
    private long count;

    Repeated(TableKey key, List<String> expressions) {
      this.key = key;
      this.expressions = expressions;
    }

    @Override
    public void row(IntFunction<SqlValue> values) {
      count++;
      if (examples.size() >= EXAMPLES) {
        return;
      }
      var condition = new ArrayList<String>();
      for (int i = 0; i < expressions.size(); i++) {
        condition.add(expressions.get(i) + " = " + text(values.apply(i)));
      }
      String row = String.join(" AND ", condition);
      examples.add(row + " " + text(values.apply(expressions.size())) + " times");
      first = first.isEmpty() ? row : first;
    }

    @Override
    public List<Finding> findings() {
      return count == 0
          ? List.of()
          : List.of(
              new Finding(
                  "error",
                  "duplicates: "
                      + key.called()
                      + " has "
                      + count
                      + " value(s) more than once: "
                      + String.join("; ", examples)
                      + "; repair: keep one row of each and change or delete the others, as SELECT"
                      + " * FROM "
                      + TableNames.quoted(table.name())
                      + " WHERE "
                      + first
                      + " shows them"));
    }
  }

  /** Columns of a definition by name. */
  static List<String> names(List<Item> items) {
    return items.stream().map(Item::name).toList();
  }
}
