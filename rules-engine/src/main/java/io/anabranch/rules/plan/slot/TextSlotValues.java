package io.anabranch.rules.plan.slot;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.value.Literals;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Slots of a text statement: literals where the scan found them. Reusable; belongs to the session
 * that owns the scan. A {@code ?} in a text statement is passed on for the database to refuse.
 */
public final class TextSlotValues implements SlotValues {

  private Scan scan = new Scan();
  private Charset charset = StandardCharsets.UTF_8;
  private LexerMode mode = LexerMode.DEFAULT;

  /** Takes the slots of {@code statement} until the next call. */
  public TextSlotValues over(Scan statement, Charset sessionCharset, LexerMode sessionMode) {
    scan = statement;
    charset = sessionCharset;
    mode = sessionMode;
    return this;
  }

  @Override
  public int count() {
    return scan.slotCount();
  }

  @Override
  public boolean isBound() {
    return scan.parameterCount() == 0;
  }

  @Override
  public boolean isParameter(int slot) {
    return false;
  }

  @Override
  public int parameterIndex(int slot) {
    throw new IllegalStateException("slot " + slot + " of a text statement is no parameter");
  }

  @Override
  public SqlValue value(int slot) {
    return Literals.of(
        scan.slotKind(slot), scan.sql(), scan.slotStart(slot), scan.slotEnd(slot), charset, mode);
  }

  @Override
  public SqlValue compared(int slot) {
    return value(slot);
  }

  @Override
  public int length(int slot) {
    return scan.slotEnd(slot) - scan.slotStart(slot);
  }

  @Override
  public void appendTo(int slot, SqlBuffer out) {
    out.append(scan.sql(), scan.slotStart(slot), length(slot));
  }
}
