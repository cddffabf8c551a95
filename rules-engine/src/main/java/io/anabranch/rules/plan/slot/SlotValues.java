package io.anabranch.rules.plan.slot;

import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.value.SqlValue;

/**
 * The values of one execution: literals of a text statement and parameters of a prepared one,
 * numbered together from 0 in the order of the statement's text ("slots").
 *
 * <p>Not thread-safe; read on the thread that binds, valid only during {@link StatementPlan#bind}.
 */
public interface SlotValues {

  int count();

  /** False while a prepared statement is planned: its parameters have no values yet. */
  default boolean isBound() {
    return true;
  }

  /** Whether the slot is a parameter marker of a prepared statement. */
  boolean isParameter(int slot);

  /** Index from 0 of the client's parameter; only where {@link #isParameter} holds. */
  int parameterIndex(int slot);

  /**
   * The typed value for routing; {@link SqlValue.Null} for NULL, {@link SqlValue.Unknown} while a
   * prepared statement is planned and no value is bound yet.
   */
  SqlValue value(int slot);

  /**
   * What a comparison in a database makes of the value: the value, but where a server has a marker
   * for another type, to which it converts what is bound. {@link SqlValue.Unknown} where only the
   * database can tell. Whoever leaves out nodes by a condition asks this.
   */
  SqlValue compared(int slot);

  /**
   * Appends the slot as SQL text: a literal as the client wrote it, {@code ?} for a parameter (the
   * caller then records {@link #parameterIndex}).
   */
  void appendTo(int slot, SqlBuffer out);

  /**
   * A statement for a database has been made with the values.
   *
   * @param bytes its length
   * @throws io.anabranch.rules.error.RefusedException if that is more than the session may keep
   */
  default void made(int bytes) {}

  /** How many bytes {@link #appendTo} appends. */
  default int length(int slot) {
    var text = new SqlBuffer(64);
    appendTo(slot, text);
    return text.length();
  }
}
