package io.anabranch.rules.planner.change;

import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.routing.key.KeyMatch;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.routing.key.Operands;
import io.anabranch.rules.sql.Operand;
import io.anabranch.rules.value.SqlValue;
import java.util.List;

/**
 * An UPDATE that sets a sharding column: harmless only where WHERE demands the same value, else the
 * row would have to move.
 *
 * @param type of the column: several texts equal one number
 * @param demanded what WHERE says the column equals; nothing where equal values may be different
 *     ones
 */
record KeyChange(String column, KeyType type, Operand set, List<Operand> demanded) {

  KeyChange {
    demanded = List.copyOf(demanded);
  }

  /** Whether the row certainly stays where it is. */
  boolean isHarmless(SlotValues values) {
    SqlValue value = Operands.value(set, values);
    for (Operand operand : demanded) {
      SqlValue before = Operands.value(operand, values);
      boolean known = !(before instanceof SqlValue.Unknown) && !(before instanceof SqlValue.Bytes);
      if (known && before.equals(value) && KeyMatch.equal(type, before) != null) {
        return true;
      }
    }
    return false;
  }
}
