package io.anabranch.rules.routing;

import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.ShardingStrategy;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Tables for routing tests. */
public final class TestTables {

  private TestTables() {}

  /** {@code ds_0….name_0…}: data source by user_id, table by order_id. */
  public static ShardedTable twoLevels(String name, int sources, int tables) {
    return new ShardedTable(
        name,
        nodes(name, sources, tables),
        new ShardingStrategy.Standard("user_id", new Modulo(sources)),
        new ShardingStrategy.Standard("order_id", new Modulo(tables)),
        null,
        1);
  }

  /** Automatic table: table by id, over all sources round robin. */
  public static ShardedTable oneLevel(String name, int sources, int tables) {
    var nodes = new ArrayList<DataNode>();
    for (int i = 0; i < tables; i++) {
      nodes.add(new DataNode("ds_" + i % sources, name + "_" + i));
    }
    return new ShardedTable(
        name,
        nodes,
        ShardingStrategy.None.NONE,
        new ShardingStrategy.Standard("id", new Modulo(tables)),
        null,
        -1);
  }

  private static List<DataNode> nodes(String name, int sources, int tables) {
    var nodes = new ArrayList<DataNode>();
    for (int source = 0; source < sources; source++) {
      for (int table = 0; table < tables; table++) {
        nodes.add(new DataNode("ds_" + source, name + "_" + table));
      }
    }
    return nodes;
  }

  /** Remainder by suffix; ranges shorter than the divisor are narrowed. */
  public record Modulo(int divisor) implements ShardingAlgorithm {
    @Override
    public int precise(TargetSet targets, SqlValue value) {
      return switch (value) {
        case SqlValue.Int number ->
            targets.indexOfSuffix((int) Math.floorMod(number.value(), (long) divisor));
        case SqlValue.Text text -> targets.indexOfSuffix(Math.floorMod(text.hashCode(), divisor));
        default -> throw ErrorCatalogue.NOT_SUPPORTED.refuse(value, "give a number");
      };
    }

    @Override
    public BitSet range(TargetSet targets, Range range) {
      var set = new BitSet();
      if (range.lower() instanceof SqlValue.Int from
          && range.upper() instanceof SqlValue.Int to
          && to.value() - from.value() < divisor) {
        for (long value = from.value(); value <= to.value(); value++) {
          int target = precise(targets, new SqlValue.Int(value));
          if (target >= 0) {
            set.set(target);
          }
        }
      } else {
        set.set(0, targets.size());
      }
      return set;
    }
  }
}
