package io.anabranch.rules.plan.slot;

import io.anabranch.rules.value.SqlValue;
import java.util.function.IntConsumer;

/**
 * The values of a long statement: whoever keeps accounts for its session is told of each statement
 * that is made with them, of which a table of many nodes needs many.
 *
 * @param made takes the lengths, in bytes; refuses what is too much
 */
public record CountedSlotValues(SlotValues client, IntConsumer made) implements SlotValues {

  @Override
  public int count() {
    return client.count();
  }

  @Override
  public boolean isBound() {
    return client.isBound();
  }

  @Override
  public boolean isParameter(int slot) {
    return client.isParameter(slot);
  }

  @Override
  public int parameterIndex(int slot) {
    return client.parameterIndex(slot);
  }

  @Override
  public SqlValue value(int slot) {
    return client.value(slot);
  }

  @Override
  public SqlValue compared(int slot) {
    return client.compared(slot);
  }

  @Override
  public void appendTo(int slot, SqlBuffer out) {
    client.appendTo(slot, out);
  }

  @Override
  public int length(int slot) {
    return client.length(slot);
  }

  @Override
  public void made(int bytes) {
    made.accept(bytes);
  }
}
