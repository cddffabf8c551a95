package io.anabranch.rules.resolve;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.catalog.SplitView;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.ShardedNames;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.routing.NodeLayout;
import io.anabranch.rules.sql.StatementFacts;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.PlanTask;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What is known of a statement once it is parsed and its tables are found.
 *
 * @param edits the source with names replaced
 * @param tables of all blocks, in the order of {@code facts}
 * @param sharded those of them that are sharded, in the same order: numbers of {@link Piece.Table}
 * @param namedSlots slots whose literals are in the names of select items, or are JSON paths
 */
public record Analysis(
    PlanTask task,
    SourceEdits edits,
    StatementFacts facts,
    List<PlacedTable> tables,
    List<PlacedTable.Sharded> sharded,
    int[] namedSlots) {

  public SourceText source() {
    return edits.source();
  }

  /** Tables of one query block, in their order. */
  public List<PlacedTable> tablesOf(int block) {
    int from = firstOf(block);
    return tables.subList(from, firstOf(block + 1));
  }

  /** The first table of this block or one behind it: tables stand in the order of their blocks. */
  private int firstOf(int block) {
    int low = 0;
    int high = tables.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (tables.get(middle).ref().block() < block) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** What stands for each sharded table in its nodes. */
  public ShardedNames names(List<NodeLayout> layouts) {
    var names = new byte[layouts.size()][][];
    for (int table = 0; table < names.length; table++) {
      NodeLayout layout = layouts.get(table);
      SplitView view = sharded.get(table).view();
      names[table] = new byte[layout.size()][];
      for (int node = 0; node < layout.size(); node++) {
        String name =
            view == null
                ? TableNames.quotedIfNeeded(layout.node(node).table())
                : view.queries().get(node);
        names[table][node] = source().encode(name);
      }
    }
    return new ShardedNames(names);
  }

  /** The logical names of what the nodes have. */
  public NameMapping mapping() {
    List<ShardedTable> tables = sharded.stream().map(PlacedTable.Sharded::table).toList();
    return facts.writesTables() > 0
        ? written(task.database(), tables)
        : new NameMapping(task.database().name(), logical(tables.stream()));
  }

  /** What databases call tables that are written, and those that foreign keys may join to them. */
  public static NameMapping written(LogicalDatabase database, List<ShardedTable> tables) {
    Stream<ShardedTable> bound =
        database.shardedTables().values().stream()
            .filter(each -> tables.stream().anyMatch(each::isBoundTo));
    return new NameMapping(database.name(), logical(Stream.concat(tables.stream(), bound)));
  }

  private static Map<String, String> logical(Stream<ShardedTable> tables) {
    var logical = new HashMap<String, String>();
    tables.forEach(table -> table.nodes().forEach(node -> logical.put(node.table(), table.name())));
    return logical;
  }

  /** What is known of a table; empty: it is a system's, or gone. */
  public static Optional<TableSchema> schema(PlanTask task, PlacedTable table) {
    List<DataNode> nodes = table.nodes(task);
    return nodes.isEmpty() ? Optional.empty() : task.catalog().table(nodes);
  }

  /** Whether such a column of the table may be meant somewhere. */
  public boolean mentions(PlacedTable table, Predicate<SchemaCatalog.Column> such) {
    SqlTokens tokens = source().tokens();
    return schema(task, table).stream()
        .flatMap(found -> found.columns().stream())
        .anyMatch(column -> such.test(column) && tokens.mention(column.name()));
  }
}
