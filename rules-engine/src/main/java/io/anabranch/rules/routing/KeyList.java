package io.anabranch.rules.routing;

import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.routing.key.KeyMatch;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.routing.key.Operands;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of {@code sharding column IN (…)}, to be told apart by node: rows of a node cannot
 * equal a value whose rows live elsewhere, so that its statement needs the others only. Immutable.
 */
public final class KeyList {

  private final ColumnTargets targets;
  private final KeyType type;
  private final List<Operand.Slot> keys;

  KeyList(ColumnTargets targets, KeyType type, List<Operand.Slot> keys) {
    this.targets = targets;
    this.type = type;
    this.keys = List.copyOf(keys);
  }

  public int size() {
    return keys.size();
  }

  /** The literal or parameter of a value. */
  public int slot(int position) {
    return keys.get(position).slot();
  }

  /** For each value the nodes that need it; null: all of them. */
  public @Nullable BitSet[] homes(SlotValues values) {
    var homes = new @Nullable BitSet[keys.size()];
    var given = new SqlValue[homes.length];
    for (int i = 0; i < homes.length; i++) {
      given[i] = Operands.value(keys.get(i), values);
    }
    if (!isUniform(given)) {
      return homes;
    }
    for (int i = 0; i < homes.length; i++) {
      SqlValue key = KeyMatch.equal(type, given[i]);
      if (key != null && key != SqlValue.Null.NULL) {
        var nodes = new BitSet();
        targets.add(key, nodes);
        homes[i] = nodes;
      }
    }
    return homes;
  }

  /**
   * Whether values are compared alike in whatever lists they stand. Servers compare those of a list
   * of several types by one that all have in common, and say so of what is not of that one.
   */
  private boolean isUniform(SqlValue[] given) {
    Class<?> kind = null;
    for (SqlValue value : given) {
      if (value == SqlValue.Null.NULL) {
        continue;
      }
      boolean isOther = kind != null && kind != value.getClass();
      if (isOther || !KeyMatch.isPlain(type, value)) {
        return false;
      }
      kind = value.getClass();
    }
    return true;
  }
}
