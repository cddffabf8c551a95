package io.anabranch.rules.routing;

import io.anabranch.rules.algorithm.ShardingAlgorithm;
import io.anabranch.rules.algorithm.TargetSet;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.routing.key.KeyMatch;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.routing.key.Operands;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.value.SqlValue;
import org.jspecify.annotations.Nullable;

/**
 * Conditions that give each level of a table one key: the way of nearly all statements, without
 * allocating a set.
 *
 * @param byDataSource null: the table has one data source, or its tables alone tell them apart
 * @param byTable null: each data source has one table
 */
record PointRoute(NodeLayout layout, @Nullable Level byDataSource, @Nullable Level byTable) {

  static final int NOWHERE = -1;
  static final int UNSURE = -2;

  /** One level's algorithm and its only key. */
  record Level(ShardingAlgorithm algorithm, KeyType type, Operand key) {

    /** Position of the target, {@link #NOWHERE} or {@link #UNSURE}. */
    int target(TargetSet targets, SlotValues values) {
      SqlValue value = KeyMatch.equal(type, Operands.value(key, values));
      if (value == null) {
        return UNSURE;
      }
      if (value == SqlValue.Null.NULL) {
        return NOWHERE;
      }
      int target = algorithm.precise(targets, value);
      return target == ShardingAlgorithm.NO_TARGET ? NOWHERE : target;
    }
  }

  /** The only node that may match, {@link #NOWHERE} or {@link #UNSURE}. */
  int node(SlotValues values) {
    if (byDataSource != null) {
      int source = byDataSource.target(layout.dataSources(), values);
      return source < 0 ? source : nodeIn(source, values);
    }
    int found = NOWHERE;
    for (int source = 0; source < layout.dataSources().size(); source++) {
      int node = nodeIn(source, values);
      if (node == UNSURE || (node >= 0 && found >= 0)) {
        return UNSURE;
      }
      found = Math.max(found, node);
    }
    return found;
  }

  private int nodeIn(int source, SlotValues values) {
    int table = byTable == null ? 0 : byTable.target(layout.tables(source), values);
    return table < 0 ? table : layout.node(source, table);
  }
}
