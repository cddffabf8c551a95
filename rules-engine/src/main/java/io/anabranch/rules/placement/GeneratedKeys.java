package io.anabranch.rules.placement;

import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;

/**
 * The client's slots, followed by one slot for each row's key: slot {@code count + row} is the SQL
 * text that stands in the key column of that row, made by the proxy or the client's own.
 *
 * @param made rows whose keys the proxy made, from 0; kept
 * @param first the first number made by the proxy, what LAST_INSERT_ID() tells; 0 if there is none
 * @param replaces whether a key takes the place of a parameter
 */
public record GeneratedKeys(
    SlotValues client, SqlValue[] keys, byte[][] texts, BitSet made, long first, boolean replaces)
    implements SlotValues {

  /** Whether the proxy made the key of a row. */
  public boolean isMade(int row) {
    return made.get(row);
  }

  @Override
  public int count() {
    return client.count() + keys.length;
  }

  @Override
  public boolean isParameter(int slot) {
    return slot < client.count() && client.isParameter(slot);
  }

  @Override
  public int parameterIndex(int slot) {
    return client.parameterIndex(slot);
  }

  @Override
  public SqlValue value(int slot) {
    return slot < client.count() ? client.value(slot) : keys[slot - client.count()];
  }

  @Override
  public SqlValue compared(int slot) {
    return slot < client.count() ? client.compared(slot) : value(slot);
  }

  @Override
  public int length(int slot) {
    return slot < client.count() ? client.length(slot) : texts[slot - client.count()].length;
  }

  @Override
  public void made(int bytes) {
    client.made(bytes);
  }

  @Override
  public void appendTo(int slot, SqlBuffer out) {
    if (slot < client.count()) {
      client.appendTo(slot, out);
    } else {
      out.append(texts[slot - client.count()]);
    }
  }
}
