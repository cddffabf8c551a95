package io.anabranch.rules.resolve;

import io.anabranch.rules.routing.key.BlockColumns;
import io.anabranch.rules.routing.key.ColumnKey;
import io.anabranch.rules.routing.key.Equalities;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.sql.ColumnName;
import io.anabranch.rules.sql.Condition;
import io.anabranch.rules.sql.QueryBlock;
import io.anabranch.rules.table.PlacedTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a query block and the blocks around it know, and what its conditions demand of
 * both together: {@code WHERE i.order_id = o.order_id} in a subquery over {@code i} leaves it the
 * rows of one order.
 */
public final class BlockScope {

  private static final int MOST_REMEMBERED = 64;

  private final QueryBlock block;
  private final BlockColumns columns;
  private final Equalities equalities;
  private final @Nullable BlockScope parent;
  private final List<Outer> outer = new ArrayList<>();
  private final Map<ColumnKey, Set<ColumnKey>> sources = new HashMap<>();

  /** An own column that equals one of a block around. */
  private record Outer(ColumnKey own, BlockScope where, ColumnKey column) {}

  /**
   * @param parent null: there is none
   */
  private BlockScope(
      QueryBlock block, BlockColumns columns, Equalities equalities, @Nullable BlockScope parent) {
    this.block = block;
    this.columns = columns;
    this.equalities = equalities;
    this.parent = parent;
    if (parent != null && !block.hasDerivedTables()) {
      for (QueryBlock.Restriction restriction : block.restrictions()) {
        restriction.condition().equalities(equal -> collect(equal, restriction.tables()));
      }
    }
  }

  /** One per block of a statement, in their order. */
  public static List<BlockScope> all(Analysis analysis) {
    var scopes = new ArrayList<BlockScope>();
    for (QueryBlock block : analysis.facts().blocks()) {
      List<PlacedTable> tables = analysis.tablesOf(block.number());
      var columns = new BlockColumns(block, tables.stream().map(PlacedTable::columns).toList());
      BlockScope parent = block.parent() < 0 ? null : scopes.get(block.parent());
      scopes.add(new BlockScope(block, columns, new Equalities(block, columns), parent));
    }
    return scopes;
  }

  public BlockColumns columns() {
    return columns;
  }

  @Nullable BlockScope parent() {
    return parent;
  }

  private void collect(Condition.Equal equal, BitSet restricted) {
    add(equal.left(), equal.right(), restricted);
    add(equal.right(), equal.left(), restricted);
  }

  private void add(ColumnName name, ColumnName other, BitSet restricted) {
    ColumnKey own = columns.resolve(name);
    if (own == null || !restricted.get(own.table()) || mayBeOwn(other)) {
      return;
    }
    for (BlockScope around = parent; around != null; around = around.parent) {
      ColumnKey found = around.columns.resolve(other);
      if (found != null) {
        if (KeyType.joinable(columns.type(own), around.columns.type(found))) {
          outer.add(new Outer(own, around, found));
        }
        return;
      }
      if (around.mayBeOwn(other)) {
        return;
      }
    }
  }

  /** Whether a name that is not resolved here may still mean something of this block. */
  private boolean mayBeOwn(ColumnName name) {
    boolean own = block.hasDerivedTables() || columns.resolve(name) != null;
    for (int i = 0; i < block.tables().size(); i++) {
      String alias = block.tables().get(i).alias();
      own |= name.table() == null ? columns.has(i, name) : name.table().equalsIgnoreCase(alias);
    }
    return own;
  }

  /**
   * Whether {@link #follows} may hold of a column: most pairs of blocks have nothing to do with
   * each other, and most columns equal none.
   */
  public boolean mayFollow(BlockScope where) {
    return where == this || outer.stream().anyMatch(equal -> equal.where() == where);
  }

  /** Whether rows of the table of {@code own} matter only where its value is one of another's. */
  public boolean follows(ColumnKey own, BlockScope where, ColumnKey column) {
    return where == this ? sources(own).contains(column) : isTied(own, where, column);
  }

  /** Those of one column are asked for many times in a row. */
  private Set<ColumnKey> sources(ColumnKey own) {
    if (sources.size() == MOST_REMEMBERED && !sources.containsKey(own)) {
      sources.clear();
    }
    return sources.computeIfAbsent(own, equalities::sources);
  }

  /**
   * Whether all rows of an own table that matter have a column that equals one of the row for which
   * the block is evaluated; a row that an outer join leaves without a partner has none.
   *
   * @param own column of an own table
   * @param where a block around
   * @param column of one of its tables
   */
  public boolean isTied(ColumnKey own, BlockScope where, ColumnKey column) {
    for (Outer equal : outer) {
      if (equal.where() == where
          && sources(own).contains(equal.own())
          && where.sources(equal.column()).contains(column)) {
        return true;
      }
    }
    return false;
  }
}
