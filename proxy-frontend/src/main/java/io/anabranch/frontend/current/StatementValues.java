package io.anabranch.frontend.current;

import io.anabranch.backend.memory.MemoryCharge;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.frontend.session.prepared.Reading;
import io.anabranch.frontend.session.prepared.SettledValues;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.CountedSlotValues;
import io.anabranch.rules.plan.slot.PreparedSlotValues;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.value.SqlValue;
import org.jspecify.annotations.Nullable;

/**
 * The values in the statement: the {@code 7} of {@code WHERE id = 7}, or what the client has bound
 * to the marker of {@code WHERE id = ?}.
 */
public final class StatementValues {

  /** Texts up to this, in bytes, may be sent to all nodes of a table without an account. */
  private static final int SHORT = 4096;

  /** Bytes of the catalogue's rows, or of variables, that are without an account. */
  private static final int FEW = 1 << 20;

  private final Session session;
  private final ReceivedCommand command;
  private final StatementText text;
  private final StatementTarget target;
  private final TextSlotValues textSlots = new TextSlotValues();
  private final MemoryCharge copies;

  /** Bytes of the statements that were made of this one. */
  private long made;

  private final MemoryCharge rows;

  /** Bytes of the rows that are in its plan's text. */
  private long copied;

  private final MemoryCharge variables;

  private final PreparedSlotValues.Parameters bound =
      new PreparedSlotValues.Parameters() {
        @Override
        public int type(int parameter) {
          return command.parameters().type(parameter);
        }

        @Override
        public byte @Nullable [] value(int parameter) {
          return command.parameters().value(parameter);
        }

        @Override
        public SqlValue compared(int parameter, SqlValue sent) {
          return SettledValues.compared(command.parameters().settled(parameter), sent);
        }
      };

  StatementValues(
      Session session, ReceivedCommand command, StatementText text, StatementTarget target) {
    this.session = session;
    this.command = command;
    this.text = text;
    this.target = target;
    this.copies = session.memory().charge(MemoryKind.HEAP, "the statements for its nodes");
    this.rows = session.memory().charge(MemoryKind.HEAP, "the rows of the catalogue");
    this.variables = session.memory().charge(MemoryKind.HEAP, "the values of user variables");
  }

  /** Nothing that was made of the statement is kept any more. */
  void ended() {
    made = 0;
    copies.close();
    copied = 0;
    rows.close();
    variables.close();
  }

  /**
   * Values of user variables are bound until it ends.
   *
   * @throws io.anabranch.rules.error.RefusedException if there is no room for them
   */
  void bound(ExecuteParameters values) {
    if (values.length() > FEW) {
      variables.to(values.length());
    }
  }

  /**
   * Rows that databases have told for its plan are kept until it ends. Called by the thread that
   * plans.
   *
   * @throws io.anabranch.rules.error.RefusedException if there is no room for them
   */
  public void copied(long bytes) {
    copied += bytes;
    if (copied > FEW) {
      rows.to(copied);
    }
  }

  /** By slot, literals and markers alike; good until the statement ends. */
  public SlotValues slots() {
    int length = text.scan().end() - text.scan().start();
    return length > SHORT ? new CountedSlotValues(read(), this::made) : read();
  }

  /** One copy is on the text's own account. */
  private void made(int bytes) {
    made += bytes;
    copies.to(Math.max(copies.bytes(), made - (text.scan().end() - text.scan().start())));
  }

  private SlotValues read() {
    Scan scan = text.scan();
    Reading reading = text.reading();
    if (!command.isPrepared() && !command.bindsVariables()) {
      return textSlots.over(scan, reading.charset(), reading.mode());
    }
    PreparedStatement executed = command.prepared();
    PreparedSlotValues slots =
        executed == null || text.isReplaced()
            ? new PreparedSlotValues(scan, reading.charset(), reading.mode())
            : executed.slots(scan, reading);
    slots.bind(command.parameters().count() == 0 ? null : bound);
    return slots;
  }

  /** How many rows the outermost LIMIT skips; only where there is such a slot. */
  public long skippedRows() {
    return slots().value(text.scan().offsetSlot()) instanceof SqlValue.Int(long rows) ? rows : 0;
  }

  /** What databases are given for the markers. */
  public ExecuteParameters parameters() {
    ExecuteParameters given = command.parameters();
    StatementPlan plan = target.plan();
    return plan == null || !plan.sendsOthers() || given.count() == 0
        ? given
        : OtherParameters.of(plan.sent(slots()), given, session.charset());
  }
}
