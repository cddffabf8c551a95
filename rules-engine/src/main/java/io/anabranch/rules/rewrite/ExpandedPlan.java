package io.anabranch.rules.rewrite;

import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.WrappedPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.value.SqlValue;
import java.util.Arrays;

/**
 * The plan of a statement in which views, or common tables of one that writes, have been replaced
 * by their queries.
 *
 * @param slots of the longer text to those of the client's; negative where the view has a literal
 * @param written values of the longer text as it is written; read only
 */
public record ExpandedPlan(StatementPlan plan, int[] slots, SlotValues written)
    implements WrappedPlan {

  @Override
  public int[] guardedSlots() {
    return Arrays.stream(plan.guardedSlots())
        .map(slot -> slots[slot])
        .filter(s -> s >= 0)
        .toArray();
  }

  @Override
  public BoundPlan bind(SlotValues values) {
    return plan.bind(new Values(values, slots, written));
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
      return slots[slot] >= 0 && client.isParameter(slots[slot]);
    }

    @Override
    public int parameterIndex(int slot) {
      return client.parameterIndex(slots[slot]);
    }

    @Override
    public SqlValue value(int slot) {
      return slots[slot] < 0 ? written.value(slot) : client.value(slots[slot]);
    }

    @Override
    public int length(int slot) {
      return slots[slot] < 0 ? written.length(slot) : client.length(slots[slot]);
    }

    @Override
    public void appendTo(int slot, SqlBuffer out) {
      if (slots[slot] < 0) {
        written.appendTo(slot, out);
      } else {
        client.appendTo(slots[slot], out);
      }
    }
  }
}
