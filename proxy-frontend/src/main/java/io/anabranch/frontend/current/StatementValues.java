package io.anabranch.frontend.current;

import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.frontend.session.prepared.Reading;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.plan.StatementPlan;
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

  private final Session session;
  private final ReceivedCommand command;
  private final StatementText text;
  private final StatementTarget target;
  private final TextSlotValues textSlots = new TextSlotValues();

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
      };

  StatementValues(
      Session session, ReceivedCommand command, StatementText text, StatementTarget target) {
    this.session = session;
    this.command = command;
    this.text = text;
    this.target = target;
  }

  /** By slot, literals and markers alike; good until the statement ends. */
  public SlotValues slots() {
    Scan scan = text.scan();
    Reading reading = text.reading();
    if (!command.isPrepared()) {
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
