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

/** {@code column IN (keys)}; one key for {@code column = key}. */
record KeyFilter(ColumnTargets targets, KeyType type, List<Operand> keys) implements Filter {

  @Override
  public @Nullable BitSet nodes(SlotValues values) {
    var result = new BitSet();
    for (Operand operand : keys) {
      SqlValue value = Operands.value(operand, values);
      SqlValue key = KeyMatch.equal(type, value);
      // of what is no plain value each row says something, wherever it is
      boolean speaks = keys.size() > 1 && !KeyMatch.isPlain(type, value);
      if (key == null || speaks) {
        return null;
      }
      if (key != SqlValue.Null.NULL) {
        targets.add(key, result);
      }
    }
    return result;
  }
}
