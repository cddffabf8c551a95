package io.anabranch.rules.resolve;

import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.routing.KeyList;
import io.anabranch.rules.routing.NodeLayout;
import io.anabranch.rules.routing.RouteCompiler;
import io.anabranch.rules.routing.TableRoute;
import io.anabranch.rules.routing.key.ColumnKey;
import io.anabranch.rules.routing.key.Equalities;
import io.anabranch.rules.sql.QueryBlock;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.StatementHints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Routes of all tables of a statement together. Immutable; bound on event loops.
 *
 * <p>Tables whose join proves that their rows meet in one place form a <em>group</em>: they share
 * their nodes. Several groups can only be answered where each has one node, all in one data source.
 *
 * <p>A group has a core, whose tables need each other: rows of each matter only where they equal
 * those of the others. Other tables follow one of them, as the inner side of an outer join does and
 * what a subquery reads: they hang on that core alone. What follows two cores does not make one of
 * them.
 */
public final class Placement {

  private final List<TableRoute> routes;

  /** Group of each sharded table; a group's number is the position of its first table. */
  private final int[] groups;

  /**
   * Tables that an outer join may leave without a partner, and those of subqueries: they do not
   * decide where legs are.
   */
  private final boolean[] nullable;

  /** Tables of subqueries whose rows are beside those for which the subquery is evaluated. */
  private final boolean[] correlated;

  /** Where single tables are; null: there are none. */
  private final @Nullable String pinned;

  /** Whether single tables are in several data sources. */
  private final boolean isSplit;

  private final String anywhere;

  private Placement(
      List<TableRoute> routes,
      int[] groups,
      boolean[] nullable,
      boolean[] correlated,
      List<String> pins,
      String anywhere) {
    this.routes = routes;
    this.groups = groups;
    this.nullable = nullable;
    this.correlated = correlated;
    this.pinned = pins.isEmpty() ? null : pins.getFirst();
    this.isSplit = pins.size() > 1;
    this.anywhere = anywhere;
  }

  public static Placement of(Analysis analysis) {
    int count = analysis.sharded().size();
    var routes = new ArrayList<TableRoute>(count);
    int[] groups = new int[count];
    boolean[] nullable = new boolean[count];
    boolean[] correlated = new boolean[count];
    boolean[] core = new boolean[count];
    List<BlockScope> scopes = BlockScope.all(analysis);
    var places = new ArrayList<Place>(count);
    int number = 0;
    var task = analysis.task();
    var hints = StatementHints.of(task.scan(), task.scope().charset());
    for (QueryBlock block : analysis.facts().blocks()) {
      var tables = analysis.tablesOf(block.number());
      BlockScope scope = scopes.get(block.number());
      var compiler = new RouteCompiler(block, scope.columns());
      int firstOfBlock = number;
      for (int position = 0; position < tables.size(); position++) {
        if (tables.get(position) instanceof PlacedTable.Sharded sharded) {
          routes.add(compiler.compile(sharded.table(), position, hints.forTable(sharded.table())));
          groups[number] = number;
          core[number] = true;
          nullable[number] = isNullable(block, position);
          places.add(new Place(sharded.table(), scope, position));
          number++;
        }
      }
      List<Place> own = places.subList(firstOfBlock, number);
      meet(own, firstOfBlock, compiler.equalities(), groups);
      hang(own, firstOfBlock, compiler.equalities(), groups, core);
      correlate(places, firstOfBlock, groups, core, correlated);
    }
    for (int i = 0; i < count; i++) {
      nullable[i] |= correlated[i];
    }
    return new Placement(
        List.copyOf(routes), groups, nullable, correlated, pins(analysis), anywhere(analysis));
  }

  /** Where a query of no sharded table runs: sequences live in the default data source. */
  private static String anywhere(Analysis analysis) {
    PlanTask task = analysis.task();
    return SessionWords.useSequences(analysis.source().tokens())
        ? new TableDirectory(task).defaultEndpoint()
        : task.nearest(task.database().endpoints());
  }

  /** A sharded table reference. */
  private record Place(ShardedTable table, BlockScope scope, int position) {}

  /**
   * Makes cores of the tables of a block that need each other.
   *
   * @param first number of the block's first table
   */
  private static void meet(List<Place> block, int first, Equalities equalities, int[] groups) {
    for (int table = 0; table < block.size(); table++) {
      for (int other = 0; other < table; other++) {
        if (groups[first + other] != groups[first + table]
            && areProven(block.get(table), block.get(other), equalities::tied)) {
          join(groups, groups[first + table], groups[first + other]);
        }
      }
    }
  }

  /** Hangs each core of a block that follows another one on it. */
  private static void hang(
      List<Place> block, int first, Equalities equalities, int[] groups, boolean[] core) {
    for (int table = 0; table < block.size(); table++) {
      for (int other = 0; other < block.size() && core[first + table]; other++) {
        if (groups[first + other] != groups[first + table]
            && areProven(
                block.get(table),
                block.get(other),
                (left, right) -> equalities.follows(right, left))) {
          int hung = groups[first + table];
          for (int i = first; i < first + block.size(); i++) {
            core[i] &= groups[i] != hung;
          }
          join(groups, hung, groups[first + other]);
        }
      }
    }
  }

  /** Whether that holds of each sharding column of the other table and the one of this table. */
  private static boolean areProven(
      Place table, Place other, BiPredicate<ColumnKey, ColumnKey> holds) {
    return Colocation.isProven(
        other.table(),
        table.table(),
        (left, right) ->
            holds.test(
                new ColumnKey(other.position(), left), new ColumnKey(table.position(), right)));
  }

  /**
   * Hangs the groups of a subquery on those of the blocks around, if each of its tables is tied to
   * one there: each group where a table of its core is.
   *
   * @param first number of the subquery's first table
   */
  private static void correlate(
      List<Place> places, int first, int[] groups, boolean[] core, boolean[] correlated) {
    int[] partners = new int[places.size()];
    for (int inner = first; inner < places.size(); inner++) {
      partners[inner] = partner(places, first, places.get(inner));
      if (partners[inner] < 0) {
        return;
      }
    }
    for (int inner = first; inner < places.size(); inner++) {
      if (core[inner] && groups[inner] >= first) {
        join(groups, groups[inner], groups[partners[inner]]);
      }
      correlated[inner] = true;
      core[inner] = false;
    }
  }

  private static int partner(List<Place> places, int behind, Place inner) {
    for (BlockScope around = inner.scope().parent(); around != null; around = around.parent()) {
      for (int other = 0; other < behind; other++) {
        if (places.get(other).scope() == around && areTied(places.get(other), inner)) {
          return other;
        }
      }
    }
    return -1;
  }

  private static boolean areTied(Place outer, Place inner) {
    return Colocation.isProven(
        outer.table(),
        inner.table(),
        (left, right) ->
            inner
                .scope()
                .isTied(
                    new ColumnKey(inner.position(), right),
                    outer.scope(),
                    new ColumnKey(outer.position(), left)));
  }

  private static void join(int[] groups, int from, int to) {
    int target = Math.min(from, to);
    int source = Math.max(from, to);
    for (int i = 0; i < groups.length; i++) {
      if (groups[i] == source) {
        groups[i] = target;
      }
    }
  }

  private static boolean isNullable(QueryBlock block, int position) {
    return block.outerJoins().stream().anyMatch(join -> join.nullable().get(position));
  }

  /** Data sources of the single tables. */
  private static List<String> pins(Analysis analysis) {
    var pins = new TreeSet<String>();
    for (PlacedTable table : analysis.tables()) {
      if (table instanceof PlacedTable.Single single) {
        pins.add(single.dataSource());
      }
    }
    return List.copyOf(pins);
  }

  public List<NodeLayout> layouts() {
    return routes.stream().map(TableRoute::layout).toList();
  }

  /** Whether a condition may narrow the table, or one whose rows are beside its own. */
  public boolean isRestricted(int table) {
    for (int other = 0; other < groups.length; other++) {
      boolean decides = other == table || !correlated[other];
      if (groups[other] == groups[table] && decides && routes.get(other).isRestricted()) {
        return true;
      }
    }
    return false;
  }

  public boolean hasSingleTables() {
    return pinned != null;
  }

  /** Whether all sharded tables are one group: the condition for more than one node. */
  public boolean isOneGroup() {
    return Arrays.stream(groups).allMatch(group -> group == 0);
  }

  /**
   * Whether each node can evaluate the subquery that a table stands in for its own rows.
   *
   * @param table number among the sharded ones
   */
  boolean isCorrelated(int table) {
    return correlated[table];
  }

  /** Whether the tables of one statement are never all in one data source. */
  public boolean isSplit() {
    return isSplit;
  }

  /** Whether a single table is elsewhere than the first node of the first sharded table. */
  public boolean isPinnedElsewhere() {
    return isSplit
        || (pinned != null && !routes.isEmpty() && !layout(0).node(0).dataSource().equals(pinned));
  }

  /** Nodes that rows of one sharded table reference may come from. */
  public BitSet nodes(int table, SlotValues values) {
    return routes.get(table).nodes(values);
  }

  public Targets targets(SlotValues values) {
    if (isSplit) {
      return new Targets.Apart("a statement over single tables of several data sources");
    }
    if (routes.isEmpty()) {
      return new Targets.One(pinned == null ? anywhere : pinned, new int[0]);
    }
    if (routes.size() == 1 && pinned == null) {
      int only = routes.getFirst().only(values);
      if (only != TableRoute.UNSURE) {
        int node = Math.max(only, 0);
        return new Targets.One(layout(0).node(node).dataSource(), new int[] {node});
      }
    }
    return general(values);
  }

  private Targets general(SlotValues values) {
    int[] nodes = new int[routes.size()];
    Arrays.fill(nodes, -1);
    String source = pinned;
    for (int table = 0; table < nodes.length; table++) {
      if (groups[table] != table) {
        continue;
      }
      BitSet legs = legs(table, values);
      if (legs.cardinality() > 1) {
        return isOneGroup() && (pinned == null || allIn(legs, pinned))
            ? new Targets.Many(legs)
            : new Targets.Apart(
                isOneGroup()
                    ? "a statement over a single table and sharded ones"
                    : "a join or subquery whose tables are not bound by their sharding columns");
      }
      int node = legs.isEmpty() ? anyNode(table, source) : legs.nextSetBit(0);
      String here = node < 0 ? "" : layout(table).node(node).dataSource();
      if (node < 0 || (source != null && !source.equals(here))) {
        return new Targets.Apart("a statement over tables of several data sources");
      }
      source = here;
      for (int member = table; member < nodes.length; member++) {
        if (groups[member] == table) {
          nodes[member] = node;
        }
      }
    }
    return new Targets.One(source == null ? anywhere : source, nodes);
  }

  /** Nodes that rows of the group's result may come from. */
  private BitSet legs(int group, SlotValues values) {
    BitSet legs = null;
    for (int pass = 0; pass < 2 && legs == null; pass++) {
      for (int member = group; member < groups.length; member++) {
        if (groups[member] == group && (pass == 1 || !nullable[member])) {
          BitSet nodes = routes.get(member).nodes(values);
          if (legs == null) {
            legs = nodes;
          } else if (pass == 0) {
            legs.and(nodes);
          } else {
            legs.or(nodes);
          }
        }
      }
    }
    return legs == null ? new BitSet() : legs;
  }

  private boolean allIn(BitSet legs, String dataSource) {
    return legs.stream().allMatch(leg -> layout(0).node(leg).dataSource().equals(dataSource));
  }

  /** A node for a table no row of which can match: preferably where the others are. */
  private int anyNode(int table, @Nullable String source) {
    for (int node = 0; node < layout(table).size(); node++) {
      if (source == null || layout(table).node(node).dataSource().equals(source)) {
        return node;
      }
    }
    return -1;
  }

  /** The pieces of a statement with the lists that each node gets a part of. */
  public List<Piece> split(List<Piece> pieces) {
    List<Piece> result = pieces;
    for (int table = 0; table < routes.size(); table++) {
      result = split(result, table);
    }
    return result;
  }

  /** The same for the lists of one table's column. */
  public List<Piece> split(List<Piece> pieces, int table) {
    List<KeyList> lists = routes.get(table).keyLists();
    return lists.isEmpty() ? pieces : Piece.split(pieces, table, lists);
  }

  public NodeLayout layout(int table) {
    return routes.get(table).layout();
  }
}
