package io.anabranch.rules.plan;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.Scan.SlotKind;
import io.anabranch.rules.value.BinaryValues;
import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.Charset;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Slots of a prepared statement: its literals, and its markers with the values of one execution.
 * Copies what it needs of the scan, so one instance lives as long as the prepared statement; values
 * are bound anew for each execution. Belongs to one session.
 */
public final class PreparedSlotValues implements SlotValues {

  private static final byte[] MARKER = {'?'};

  private final byte[][] literals;
  private final SlotKind[] kinds;
  private final int[] parameterIndexes;
  private final Charset charset;
  private final LexerMode mode;
  private final int[] types;
  private final byte[] @Nullable [] values;
  private boolean bound;

  public PreparedSlotValues(Scan scan, Charset charset, LexerMode mode) {
    int count = scan.slotCount();
    literals = new byte[count][];
    kinds = new SlotKind[count];
    parameterIndexes = new int[count];
    this.charset = charset;
    this.mode = mode;
    int parameters = 0;
    for (int i = 0; i < count; i++) {
      kinds[i] = scan.slotKind(i);
      boolean isParameter = kinds[i] == SlotKind.PARAMETER;
      parameterIndexes[i] = isParameter ? parameters++ : -1;
      literals[i] =
          isParameter ? MARKER : Arrays.copyOfRange(scan.sql(), scan.slotStart(i), scan.slotEnd(i));
    }
    types = new int[parameters];
    values = new byte[parameters][];
  }

  public int parameterCount() {
    return types.length;
  }

  /** Forgets the values: every parameter is {@link SqlValue.Unknown} until it is bound again. */
  public void unbind() {
    bound = false;
    Arrays.fill(values, null);
  }

  /**
   * Binds one parameter of the execution that comes next; all are to be bound.
   *
   * @param type column type code, with the unsigned flag 0x8000
   * @param value binary encoding as on the wire; null for NULL
   */
  public void bind(int parameter, int type, byte @Nullable [] value) {
    types[parameter] = type;
    values[parameter] = value;
    bound = true;
  }

  @Override
  public int count() {
    return kinds.length;
  }

  @Override
  public boolean isBound() {
    return bound || types.length == 0;
  }

  @Override
  public boolean isParameter(int slot) {
    return kinds[slot] == SlotKind.PARAMETER;
  }

  @Override
  public int parameterIndex(int slot) {
    return parameterIndexes[slot];
  }

  @Override
  public SqlValue value(int slot) {
    if (!isParameter(slot)) {
      byte[] literal = literals[slot];
      return Literals.of(kinds[slot], literal, 0, literal.length, charset, mode);
    }
    if (!bound) {
      return SqlValue.Unknown.UNKNOWN;
    }
    int parameter = parameterIndexes[slot];
    return BinaryValues.of(types[parameter], values[parameter], charset);
  }

  @Override
  public int length(int slot) {
    return literals[slot].length;
  }

  @Override
  public void appendTo(int slot, SqlBuffer out) {
    out.append(literals[slot]);
  }
}
