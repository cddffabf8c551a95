package io.anabranch.rules.plan.slot;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.Scan.SlotKind;
import io.anabranch.rules.value.BinaryValues;
import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * Slots of a prepared statement: its literals, and its markers with the values of one execution. As
 * long as its scan is left alone, values may be bound anew for each execution. Belongs to one
 * session.
 */
public final class PreparedSlotValues implements SlotValues {

  private static final byte[] MARKER = {'?'};

  private final Scan scan;
  private final int[] parameterIndexes;
  private final Charset charset;
  private final LexerMode mode;
  private final int parameterCount;
  private @Nullable Parameters bound;

  /** The values of one execution, by the index of the parameter. */
  public interface Parameters {

    /** Column type code, with the unsigned flag 0x8000. */
    int type(int parameter);

    /** Binary encoding as on the wire; null for NULL. */
    byte @Nullable [] value(int parameter);

    /**
     * What a server compares with in the place of a value that is not NULL.
     *
     * @param sent the value as it came
     */
    default SqlValue compared(int parameter, SqlValue sent) {
      return sent;
    }
  }

  public PreparedSlotValues(Scan scan, Charset charset, LexerMode mode) {
    int count = scan.slotCount();
    this.scan = scan;
    parameterIndexes = new int[count];
    this.charset = charset;
    this.mode = mode;
    int parameters = 0;
    for (int i = 0; i < count; i++) {
      parameterIndexes[i] = isParameter(i) ? parameters++ : -1;
    }
    parameterCount = parameters;
  }

  /**
   * Binds the parameters of the execution that comes next.
   *
   * @param values null: every parameter is {@link SqlValue.Unknown} until there are some
   */
  public void bind(@Nullable Parameters values) {
    bound = values;
  }

  @Override
  public int count() {
    return scan.slotCount();
  }

  @Override
  public boolean isBound() {
    return bound != null || parameterCount == 0;
  }

  @Override
  public boolean isParameter(int slot) {
    return scan.slotKind(slot) == SlotKind.PARAMETER;
  }

  @Override
  public int parameterIndex(int slot) {
    return parameterIndexes[slot];
  }

  @Override
  public SqlValue value(int slot) {
    if (!isParameter(slot)) {
      return Literals.of(
          scan.slotKind(slot), scan.sql(), scan.slotStart(slot), scan.slotEnd(slot), charset, mode);
    }
    Parameters values = bound;
    if (values == null) {
      return SqlValue.Unknown.UNKNOWN;
    }
    int parameter = parameterIndexes[slot];
    return BinaryValues.of(values.type(parameter), values.value(parameter), charset);
  }

  @Override
  public SqlValue compared(int slot) {
    SqlValue sent = value(slot);
    Parameters values = bound;
    return values == null || !isParameter(slot) || sent == SqlValue.Null.NULL
        ? sent
        : values.compared(parameterIndexes[slot], sent);
  }

  @Override
  public int length(int slot) {
    return isParameter(slot) ? MARKER.length : scan.slotEnd(slot) - scan.slotStart(slot);
  }

  @Override
  public void appendTo(int slot, SqlBuffer out) {
    if (isParameter(slot)) {
      out.append(MARKER);
    } else {
      out.append(scan.sql(), scan.slotStart(slot), length(slot));
    }
  }
}
