package io.anabranch.rules.sql;

import io.anabranch.rules.value.SqlValue;

/** The constant side of a comparison. */
public sealed interface Operand {

  /**
   * A literal or parameter.
   *
   * @param negative whether a minus stands in front
   */
  record Slot(int slot, boolean negative) implements Operand {}

  /** {@code DATE '…'} or {@code TIMESTAMP '…'}. */
  record Temporal(int slot) implements Operand {}

  /** {@code 0x1F} or {@code b'101'}: a number where it meets one. */
  record Bits(int slot) implements Operand {}

  /** Known from the text itself: NULL, TRUE, FALSE, or a literal that is not a slot. */
  record Constant(SqlValue value) implements Operand {}

  /** An expression that only a database can compute. */
  enum Opaque implements Operand {
    OPAQUE
  }
}
