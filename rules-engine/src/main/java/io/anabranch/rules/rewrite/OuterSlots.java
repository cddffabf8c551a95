package io.anabranch.rules.rewrite;

import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.value.SqlValue;
import java.util.Arrays;

/**
 * What the slots of a text are that was made of a client's statement: slots of that, and literals
 * of the proxy's own.
 *
 * @param slots of the text to those of the statement; {@link #OWN} for its own literals
 * @param written values of the text as it is written; read only
 */
public record OuterSlots(int[] slots, SlotValues written) {

  /** In the place of a slot: a literal that the statement does not have. */
  static final int OWN = -1;

  /** Slots of the statement that are {@code own} slots of the text. */
  public int[] outer(int[] own) {
    return Arrays.stream(own).map(slot -> slots[slot]).filter(slot -> slot != OWN).toArray();
  }

  /** The slots' values in one execution of the statement. */
  public SlotValues values(SlotValues statement) {
    return new Values(statement, slots, written);
  }

  private record Values(SlotValues client, int[] slots, SlotValues written) implements SlotValues {

    @Override
    public int count() {
      return slots.length;
    }

    @Override
    public boolean isBound() {
      return client.isBound();
    }

    @Override
    public boolean isParameter(int slot) {
      return slots[slot] != OWN && client.isParameter(slots[slot]);
    }

    @Override
    public int parameterIndex(int slot) {
      return client.parameterIndex(slots[slot]);
    }

    @Override
    public SqlValue value(int slot) {
      return slots[slot] == OWN ? written.value(slot) : client.value(slots[slot]);
    }

    @Override
    public SqlValue compared(int slot) {
      return slots[slot] == OWN ? written.compared(slot) : client.compared(slots[slot]);
    }

    @Override
    public int length(int slot) {
      return slots[slot] == OWN ? written.length(slot) : client.length(slots[slot]);
    }

    @Override
    public void made(int bytes) {
      client.made(bytes);
    }

    @Override
    public void appendTo(int slot, SqlBuffer out) {
      if (slots[slot] == OWN) {
        written.appendTo(slot, out);
      } else {
        client.appendTo(slots[slot], out);
      }
    }
  }
}
