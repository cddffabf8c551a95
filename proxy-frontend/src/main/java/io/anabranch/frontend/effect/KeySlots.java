package io.anabranch.frontend.effect;

import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.value.SqlValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which slots of the INSERT statements that a session has run lately are the key of the row. Found
 * out once for each by asking its connection: a key that was not generated is the AUTO_INCREMENT
 * column's value, and if only one slot has that value, the column is that slot's. From then on the
 * answer alone tells whether a key was given. On the session's event loop.
 */
final class KeySlots {

  private static final int KEPT = 8;
  private static final int NONE = -1;

  private final long[] fingerprints = new long[KEPT];
  private final @Nullable String[] schemas = new @Nullable String[KEPT];
  private final int[] slots = new int[KEPT];
  private int used;
  private int oldest;

  /**
   * Whether the statement certainly gave the key itself.
   *
   * @param schema the session's, where the statement's names are looked up
   * @param insertId of its OK packet, not 0
   */
  boolean isGiven(Scan scan, @Nullable String schema, SlotValues values, long insertId) {
    for (int i = 0; i < used; i++) {
      if (fingerprints[i] == scan.fingerprint() && Objects.equals(schemas[i], schema)) {
        return slots[i] < values.count() && is(values.value(slots[i]), insertId);
      }
    }
    return false;
  }

  private static boolean is(SqlValue value, long number) {
    return switch (value) {
      case SqlValue.Int(long given) -> given == number;
      case SqlValue.Text(String text) -> text.equals(Long.toUnsignedString(number));
      default -> false;
    };
  }

  /** The statement gave the key itself, as its connection says. */
  void given(Scan scan, @Nullable String schema, SlotValues values, long insertId) {
    boolean isUnsure = GivenKey.isComputed(scan, insertId) || InsertedRows.maySome(scan);
    int slot = isUnsure ? NONE : only(values, insertId);
    if (slot != NONE) {
      fingerprints[oldest] = scan.fingerprint();
      schemas[oldest] = schema;
      slots[oldest] = slot;
      oldest = (oldest + 1) % KEPT;
      used = Math.min(used + 1, KEPT);
    }
  }

  /** The only slot with this value; {@link #NONE} if there are several. */
  private static int only(SlotValues values, long number) {
    int found = NONE;
    for (int slot = 0; slot < values.count(); slot++) {
      if (GivenKey.holds(values.value(slot), number)) {
        if (found != NONE) {
          return NONE;
        }
        found = slot;
      }
    }
    return found;
  }
}
