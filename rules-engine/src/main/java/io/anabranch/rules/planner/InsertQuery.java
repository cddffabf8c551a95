package io.anabranch.rules.planner;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.RowPlacer;
import io.anabranch.rules.plan.RowTarget;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.SchemaCatalog.Column;
import io.anabranch.rules.planner.SchemaCatalog.TableSchema;
import io.anabranch.rules.routing.KeyType;
import io.anabranch.rules.sql.SqlTemplate;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Plans one INSERT or REPLACE … SELECT whose rows are read first and then given to the nodes of
 * their table. Used once.
 */
final class InsertQuery {

  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private final PlanTask task;
  private final SourceText source;
  private final SqlTokens tokens;
  private final InsertSyntax syntax;
  private final List<DataNode> nodes;
  private final TableSchema schema;
  private final List<String> columns;

  /**
   * @param nodes all nodes of the table, as it is named there
   */
  InsertQuery(PlanTask task, SourceText source, InsertSyntax syntax, List<DataNode> nodes) {
    this.task = task;
    this.source = source;
    this.tokens = source.tokens();
    this.syntax = syntax;
    this.nodes = nodes;
    DataNode first = nodes.getFirst();
    this.schema =
        task.catalog()
            .table(first.dataSource(), first.table())
            .orElseThrow(
                () ->
                    ErrorCatalogue.NO_SUCH_TABLE.refuse(
                        task.database().name(), syntax.table().name()));
    this.columns =
        (syntax.columnsEnd() >= 0
                ? syntax.columns()
                : schema.columns().stream().map(Column::name).toList())
            .stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    refuseWhatReadsTheQuery();
  }

  /** Into a sharded table: each row to its node. */
  StatementPlan intoNodesOf(ShardedTable table, RowSource rows) {
    Map<String, KeyType> types = new HashMap<>();
    String autoIncrement = null;
    for (Column column : schema.columns()) {
      String name = column.name().toLowerCase(Locale.ROOT);
      types.put(name, KeyType.of(column.type(), column.collation()));
      autoIncrement = column.autoIncrement() ? name : autoIncrement;
    }
    KeyColumn key = key(table, types, autoIncrement);
    refuseKeyUpdates(table);
    for (String column : RowPlacement.columns(table)) {
      if (!columns.contains(column) && (key == null || !key.column().equals(column))) {
        throw ShardedInsert.leftOut(table, column);
      }
    }
    boolean generated = key != null && key.column().equals(autoIncrement);
    String guarded = generated || nodes.size() == 1 ? null : autoIncrement;
    if (guarded != null && !columns.contains(guarded)) {
      throw ShardedInsert.noAutoIncrement(guarded);
    }
    var hints = StatementHints.of(task.scan(), task.scope().charset());
    var placement = new RowPlacement(table, types, hints.forTable(table));
    return plan(
        rows,
        key,
        PlanNode.Summing.SUM,
        values -> {
          refuseAutoIncrement(guarded, values);
          return placement.node(column -> values.apply(position(column)));
        });
  }

  /** Into one node, or the same into all of them. */
  StatementPlan into(PlanNode.Summing summing, RowSource rows) {
    boolean everywhere = summing == PlanNode.Summing.FIRST;
    return plan(rows, null, summing, values -> everywhere ? RowPlacer.EVERYWHERE : 0);
  }

  private int position(String column) {
    int position = columns.indexOf(column);
    return position < 0 ? columns.size() : position;
  }

  private void refuseAutoIncrement(@Nullable String guarded, IntFunction<SqlValue> values) {
    if (guarded == null) {
      return;
    }
    SqlValue given = values.apply(columns.indexOf(guarded));
    boolean zero = given instanceof SqlValue.Int number && number.value() == 0;
    if (given == SqlValue.Null.NULL || zero) {
      throw ShardedInsert.noAutoIncrement(guarded);
    }
  }

  private static @Nullable KeyColumn key(
      ShardedTable table, Map<String, KeyType> types, @Nullable String autoIncrement) {
    ShardedTable.KeyGeneration generation = table.keyGeneration();
    if (generation == null) {
      return null;
    }
    String column = generation.column().toLowerCase(Locale.ROOT);
    if (!types.containsKey(column)) {
      throw ErrorCatalogue.UNKNOWN_COLUMN.refuse(generation.column(), "keyGenerateStrategy");
    }
    return new KeyColumn(column, generation.generator(), column.equals(autoIncrement));
  }

  private void refuseKeyUpdates(ShardedTable table) {
    for (InsertSyntax.Assignment update : syntax.updates()) {
      if (RowPlacement.columns(table).contains(update.column().toLowerCase(Locale.ROOT))) {
        throw ShardedInsert.keyUpdate(update.column());
      }
    }
  }

  /** The rows travel without the tables that they come from: nothing else may name those. */
  private void refuseWhatReadsTheQuery() {
    if (syntax.returning()) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "INSERT … SELECT … RETURNING", "leave RETURNING out and read the rows afterwards");
    }
    var own = new HashSet<String>();
    schema.columns().forEach(column -> own.add(column.name().toLowerCase(Locale.ROOT)));
    for (InsertSyntax.Assignment update : syntax.updates()) {
      for (int i = update.value().from(); i < update.value().to(); i++) {
        boolean name = tokens.isName(i) && !tokens.isPunctuation(i + 1, '(');
        boolean foreign =
            tokens.isPunctuation(i + 1, '.')
                ? !tokens.name(i).equalsIgnoreCase(syntax.table().name())
                : name
                    && tokens.kind(i) == TokenKind.QUOTED
                    && !own.contains(tokens.name(i).toLowerCase(Locale.ROOT));
        if ((name && foreign) || tokens.isWord(i, "SELECT")) {
          throw ErrorCatalogue.NOT_EXACT.refuse(
              "'" + tokens.text(i) + "' in ON DUPLICATE KEY UPDATE of an INSERT … SELECT",
              "use VALUES(column)");
        }
      }
    }
  }

  private StatementPlan plan(
      RowSource rows, @Nullable KeyColumn key, PlanNode.Summing summing, RowPlacer placer) {
    boolean absent = key != null && !columns.contains(key.column());
    int width = columns.size() + (absent ? 1 : 0);
    var rewriting = new TableRewriting(source, task.database().name(), List.of(syntax.table()));
    if (absent && key != null && syntax.columnsEnd() >= 0) {
      String comma = columns.isEmpty() ? "" : ", ";
      rewriting.insert(
          syntax.columnsEnd(), out -> out.text(comma + TableNames.quoted(key.column())));
    }
    SqlTemplate head =
        rewriting.template(
            0, syntax.columnsEnd() >= 0 ? syntax.columnsEnd() + 1 : syntax.table().behind());
    SqlTemplate tail = rewriting.template(syntax.tail(), tokens.size());
    var around = new ArrayList<InsertQueryPlan.Text>();
    for (DataNode node : nodes) {
      List<String> name = List.of(node.table());
      around.add(
          new InsertQueryPlan.Text(
              head.aimedAt(node.dataSource(), name), tail.aimedAt(node.dataSource(), name)));
    }
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
                given -> key.isWanted(given) ? key.generator().next() : null);
    var target =
        new RowTarget(
            List.of(), pieces, positions, ascii(", "), NO_LIMIT, placer, keys, new int[0]);
    return new InsertQueryPlan(
        task.scan().kind(),
        InsertQueryPlan.names(task.database().name(), nodes, syntax.table().name(), rows.plan()),
        rows,
        around,
        target,
        summing,
        syntax.ignores() ? PlanNode.Verb.INSERT_IGNORE : PlanNode.Verb.INSERT);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
