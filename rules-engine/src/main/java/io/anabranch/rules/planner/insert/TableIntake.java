package io.anabranch.rules.planner.insert;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.placement.CheckedKeys;
import io.anabranch.rules.placement.ColumnList;
import io.anabranch.rules.placement.KeyColumn;
import io.anabranch.rules.placement.NumberedColumn;
import io.anabranch.rules.placement.RowPlacement;
import io.anabranch.rules.placement.StoredForm;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanNode.Load.Blank;
import io.anabranch.rules.plan.RowPlacer;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.StatementHints;
import io.anabranch.rules.value.StoredIn;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How rows that are read one by one come into a table: their columns, nodes and keys. */
final class TableIntake {

  private static final int NO_LIMIT = Integer.MAX_VALUE;
  private static final int[] NOTHING = {};

  private final List<DataNode> nodes;
  private final TableSchema schema;
  private final List<String> columns;
  private final boolean cuts;
  private final boolean isMariaDb;
  private final boolean zeroGenerates;
  private final StatementHints hints;
  private final Charset charset;

  /**
   * @param table as clients call it
   * @param nodes all nodes of the table
   * @param listed columns that rows have; null: all
   * @param cuts whether values that do not fit may be cut
   */
  TableIntake(
      PlanTask task,
      String table,
      List<DataNode> nodes,
      @Nullable List<String> listed,
      boolean cuts) {
    this.nodes = nodes;
    this.cuts = cuts;
    this.zeroGenerates = task.scope().zeroGenerates();
    this.charset = task.scope().charset();
    this.hints = StatementHints.of(task.scan(), charset);
    this.isMariaDb = task.catalog().isMariaDb(nodes.getFirst().dataSource());
    schema =
        task.catalog()
            .table(nodes)
            .orElseThrow(() -> ErrorCatalogue.NO_SUCH_TABLE.refuse(task.database().name(), table));
    List<String> names = listed == null ? ColumnList.unlisted(schema.columns()) : listed;
    columns = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
  }

  /**
   * @param rows without its statements
   * @param appended the key's column, where rows do not have it; else null
   */
  record Intake(RowTarget rows, @Nullable String appended) {}

  List<DataNode> nodes() {
    return nodes;
  }

  /** Lower-case names of the rows' columns. */
  List<String> columns() {
    return columns;
  }

  /** What the rows' columns are; one that is not there is left out. */
  List<Column> types() {
    var types = new ArrayList<Column>();
    for (String name : columns) {
      schema.columns().stream().filter(c -> c.name().equalsIgnoreCase(name)).forEach(types::add);
    }
    return List.copyOf(types);
  }

  /**
   * What the rows' columns hold where a file has no value for them.
   *
   * @param stored what the table has in the place of some columns
   */
  List<Blank> blanks(StoredColumns stored) {
    var blanks = new ArrayList<Blank>();
    for (String name : columns) {
      Blank blank = schema.column(name).map(BlankFields::of).orElse(BlankFields.unknown(name));
      blanks.add(stored.of(name).isEmpty() ? blank : BlankFields.replaced(blank));
    }
    return blanks;
  }

  /** Lower-case names of all columns. */
  Set<String> allColumns() {
    var all = new HashSet<String>();
    schema.columns().forEach(column -> all.add(column.name().toLowerCase(Locale.ROOT)));
    return all;
  }

  /** Into a sharded table: each row to its node. */
  Intake into(ShardedTable table) {
    Map<String, KeyType> types = new HashMap<>();
    Map<String, StoredForm> forms = new HashMap<>();
    String autoIncrement = null;
    for (Column column : schema.columns()) {
      String name = column.name().toLowerCase(Locale.ROOT);
      types.put(name, KeyType.of(column.type(), column.collation()));
      forms.put(name, StoredForm.of(column, cuts));
      autoIncrement = column.autoIncrement() ? name : autoIncrement;
    }
    KeyColumn key = KeyColumn.of(table, forms, autoIncrement, zeroGenerates);
    for (String column : RowPlacement.columns(table)) {
      if (!columns.contains(column) && (key == null || !key.column().equals(column))) {
        throw ShardedInsert.leftOut(table, column);
      }
    }
    boolean generated = key != null && key.column().equals(autoIncrement);
    AutoIncrement guarded =
        autoIncrement == null || generated || nodes.size() == 1
            ? null
            : new AutoIncrement(
                autoIncrement, NumberedColumn.of(forms.get(autoIncrement), zeroGenerates));
    if (guarded != null && !columns.contains(guarded.column())) {
      throw AutoIncrement.left(guarded.column());
    }
    var placement = new RowPlacement(table, types, forms, hints.forTable(table));
    return intake(
        key,
        values -> {
          if (guarded != null) {
            guarded.refuse(values.apply(columns.indexOf(guarded.column())));
          }
          return placement.node(column -> values.apply(position(column)));
        });
  }

  /** The table's unique keys, where rows that come are looked for on all nodes. */
  @Nullable CheckedKeys checkedKeys(PlanTask task, ShardedTable table) {
    return CheckedKeys.of(task, table, schema, cuts);
  }

  /** Into one node, or the same into all of them. */
  Intake into(PlanNode.Summing summing) {
    boolean everywhere = summing == PlanNode.Summing.FIRST;
    return intake(null, values -> everywhere ? RowPlacer.EVERYWHERE : 0);
  }

  private Intake intake(@Nullable KeyColumn key, RowPlacer placer) {
    boolean absent = key != null && !columns.contains(key.column());
    int width = columns.size() + (absent ? 1 : 0);
    int[] positions = new int[width];
    var pieces = new ArrayList<byte[]>();
    for (int i = 0; i < width; i++) {
      positions[i] = i;
      pieces.add(ascii(i == 0 ? "(" : ", "));
    }
    pieces.add(ascii(width == 0 ? "()" : ")"));
    RowTarget.Keys keys =
        key == null
            ? null
            : new RowTarget.Keys(
                position(key.column()),
                given -> key.isWanted(given) ? key.generator().next() : null,
                nodes.stream().map(node -> KeyText.least(node, key.column(), charset)).toList());
    var rows =
        new RowTarget(
            List.of(), pieces, positions, ascii(", "), NO_LIMIT, placer, keys, NOTHING, storedIn());
    return new Intake(rows, absent && key != null ? key.column() : null);
  }

  private List<StoredIn> storedIn() {
    var stored = new ArrayList<StoredIn>();
    for (String name : columns) {
      stored.add(
          schema
              .column(name)
              .map(column -> StoredIn.of(column.type(), isMariaDb))
              .orElse(StoredIn.ANY));
    }
    return stored;
  }

  private int position(String column) {
    int position = columns.indexOf(column);
    return position < 0 ? columns.size() : position;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
