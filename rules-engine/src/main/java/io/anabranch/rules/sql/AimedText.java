package io.anabranch.rules.sql;

import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;

/**
 * A statement's text for one target: bytes that never change, with slots between them. Immutable,
 * shared by threads; rendering is copying bytes.
 */
public final class AimedText {

  private final String dataSource;
  private final byte[][] runs;
  private final int[] slots;
  private final int[] parameters;
  private final int fixedLength;
  private final ShardQuery constant;

  /**
   * @param runs one more than slots
   * @param slots literals: what stands between the runs
   * @param parameters the client's, for each {@code ?} in the runs
   */
  public AimedText(String dataSource, byte[][] runs, int[] slots, int[] parameters) {
    this.dataSource = dataSource;
    this.runs = runs;
    this.slots = slots;
    this.parameters = parameters;
    int length = 0;
    for (byte[] run : runs) {
      length += run.length;
    }
    fixedLength = length;
    constant = new ShardQuery(dataSource, runs[0], parameters);
  }

  /** Whether the text depends on values of literals. */
  public boolean hasLiterals() {
    return slots.length > 0;
  }

  /** The statement of a text without literals. */
  public ShardQuery constant() {
    if (hasLiterals()) {
      throw new IllegalStateException("the text depends on literals");
    }
    return constant;
  }

  public boolean isEmpty() {
    return fixedLength == 0 && slots.length == 0;
  }

  public String dataSource() {
    return dataSource;
  }

  /** Adds a copy of it to others. */
  public void addTo(AimedRows others) {
    others.add(runs, slots, parameters);
  }

  /** Appends the text for these values; parameters are {@link #parameters}, in this order. */
  public void appendTo(SqlBuffer out, SlotValues values) {
    for (int i = 0; i < slots.length; i++) {
      out.append(runs[i]);
      values.appendTo(slots[i], out);
    }
    out.append(runs[slots.length]);
  }

  /** Bytes of the text for these values. */
  public int length(SlotValues values) {
    int length = fixedLength;
    for (int slot : slots) {
      length += values.length(slot);
    }
    return length;
  }

  /** Indexes of the client's parameters in the order of the text; not to be modified. */
  public int[] parameters() {
    return parameters;
  }

  /** The statement for these values: always the same instance if no slot is a literal. */
  public ShardQuery render(SlotValues values) {
    if (slots.length == 0) {
      return constant;
    }
    var out = new SqlBuffer(length(values));
    appendTo(out, values);
    values.made(out.length());
    return new ShardQuery(dataSource, out.take(), parameters);
  }
}
