package io.anabranch.rules.resolve;

import io.anabranch.rules.catalog.SplitView;
import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.SqlRendering;
import io.anabranch.rules.routing.NodeLayout;
import io.anabranch.rules.sql.SelectFacts;
import io.anabranch.rules.sql.SelectItem;
import io.anabranch.rules.sql.TableRef;
import io.anabranch.rules.syntax.query.SelectLayout;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.table.SingleTableSearch;
import io.anabranch.rules.task.PlanScope;
import io.anabranch.rules.task.PlanTask;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells of a view over sharded tables whether it is like a sharded table itself: each row comes
 * from one node alone. Then it is placed, routed and merged as one, under the names that it gives
 * to the sharding columns.
 */
public final class ViewSplitter {

  /** Name, point, name, AS, name: how servers tell a column that is taken as it is. */
  private static final int PLAIN_ITEM = 5;

  private final PlanTask task;

  public ViewSplitter(PlanTask task) {
    this.task = task;
  }

  /**
   * @param query of the view, in logical names
   */
  PlacedTable place(TableRef ref, SingleTableSearch.Found found, String query) {
    var columns = TablePlacer.columns(found.schema());
    PlanTask own = own(query);
    Analysis analysis = new StatementReader().read(own);
    PlacedTable.Sharded leader = leader(analysis);
    if (leader == null) {
      return new PlacedTable.View(ref, found.endpoint(), query, columns);
    }
    var view = new SplitView(found.endpoint(), found.schema(), queries(own, analysis));
    ShardedTable table = renamed(leader, keys(analysis, leader));
    return new PlacedTable.Sharded(ref, table, columns, view);
  }

  /** The tables that a view's query names. */
  public List<PlacedTable> tables(String query) {
    return new StatementReader().read(own(query)).tables();
  }

  /** The query as a statement of its own; servers tell it in their own way of quoting. */
  private PlanTask own(String query) {
    byte[] bytes = query.getBytes(StandardCharsets.UTF_8);
    PlanScope scope = task.scope();
    var plain =
        new PlanScope(
            scope.database(),
            StandardCharsets.UTF_8,
            false,
            false,
            scope.permitted(),
            scope.settings(),
            scope.collation(),
            TemporaryTables.NONE,
            scope.locks());
    Scan scan =
        new SqlScanner()
            .scan(
                bytes,
                0,
                bytes.length,
                LexerMode.of(StandardCharsets.UTF_8, false, false),
                new Scan());
    return task.of(scan, plain, task.catalog());
  }

  /** The table whose nodes are the query's; null if these do not answer for themselves. */
  public static PlacedTable.@Nullable Sharded leader(Analysis analysis) {
    SelectFacts select = analysis.facts().select();
    boolean perRow =
        select != null
            && ScatterChecks.check(analysis, Placement.of(analysis), select) == null
            && !select.distinct()
            && select.limit() == null
            && isPlain(analysis.source().tokens())
            && select.items().stream().noneMatch(SelectItem::hasAggregates);
    if (!perRow) {
      return null;
    }
    for (PlacedTable table : analysis.tables()) {
      boolean fits = table instanceof PlacedTable.Sharded || table instanceof PlacedTable.Broadcast;
      if (!fits) {
        return null;
      }
    }
    if (analysis.sharded().isEmpty() || !Placement.of(analysis).isOneGroup()) {
      return null;
    }
    var block = analysis.facts().blocks().getFirst();
    var tables = analysis.tablesOf(0);
    for (int i = 0; i < tables.size(); i++) {
      int position = i;
      boolean optional =
          block.outerJoins().stream().anyMatch(join -> join.nullable().get(position));
      if (tables.get(i) instanceof PlacedTable.Sharded sharded && !optional) {
        return sharded;
      }
    }
    return null;
  }

  /** No GROUP BY, HAVING, ORDER BY. */
  private static boolean isPlain(SqlTokens tokens) {
    Optional<SelectLayout> layout = SelectLayout.of(tokens);
    return layout.isPresent()
        && layout.get().groupClause().isEmpty()
        && layout.get().having().isEmpty()
        && layout.get().orderClause().isEmpty()
        && layout.get().tail().isEmpty();
  }

  private static List<String> queries(PlanTask own, Analysis analysis) {
    List<NodeLayout> layouts = Placement.of(analysis).layouts();
    var names = analysis.names(layouts);
    SourceText source = analysis.source();
    List<Piece> pieces = analysis.edits().copy(0, source.bytes().length);
    LexerMode mode = LexerMode.of(source.charset(), false, false);
    var values = new TextSlotValues().over(own.scan(), source.charset(), mode);
    var queries = new ArrayList<String>();
    for (int node = 0; node < layouts.getFirst().size(); node++) {
      int[] nodes = new int[layouts.size()];
      Arrays.fill(nodes, node);
      var rendering = new SqlRendering(values, names, source.bytes().length + 64);
      rendering.append(pieces, nodes);
      queries.add("(" + rendering.query("").sqlText() + ")");
    }
    return queries;
  }

  /** Lower-case columns of the table to what the view calls them. */
  private static Map<String, String> keys(Analysis analysis, PlacedTable.Sharded leader) {
    SqlTokens tokens = analysis.source().tokens();
    var called = new HashMap<String, String>();
    for (Span item : SelectLayout.of(tokens).orElseThrow().items()) {
      int first = item.first();
      boolean plain =
          item.behind() - first == PLAIN_ITEM
              && tokens.isName(first)
              && tokens.isPunctuation(first + 1, '.')
              && tokens.isWord(first + 3, "AS")
              && tokens.name(first).equalsIgnoreCase(leader.ref().alias());
      if (plain) {
        called.putIfAbsent(tokens.name(first + 2).toLowerCase(Locale.ROOT), tokens.name(first + 4));
      }
    }
    return called;
  }

  private static ShardedTable renamed(PlacedTable.Sharded leader, Map<String, String> keys) {
    ShardedTable table = leader.table();
    return new ShardedTable(
        table.name(),
        table.nodes(),
        renamed(table.databaseStrategy(), keys),
        renamed(table.tableStrategy(), keys),
        null,
        table.bindingGroup(),
        table.audit(),
        table.strategyNames());
  }

  private static ShardingStrategy renamed(ShardingStrategy strategy, Map<String, String> keys) {
    return switch (strategy) {
      case ShardingStrategy.Standard one ->
          new ShardingStrategy.Standard(renamed(one.column(), keys), one.algorithm());
      case ShardingStrategy.Complex several ->
          new ShardingStrategy.Complex(
              several.columns().stream().map(column -> renamed(column, keys)).toList(),
              several.algorithm());
      case ShardingStrategy.Hint hint -> hint;
      case ShardingStrategy.None none -> none;
    };
  }

  /** A column that the view does not show gets a name that no statement can have. */
  private static String renamed(String column, Map<String, String> keys) {
    String called = keys.get(column.toLowerCase(Locale.ROOT));
    return called == null ? "\u0000" + column : called;
  }
}
