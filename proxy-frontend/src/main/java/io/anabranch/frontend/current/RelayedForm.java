package io.anabranch.frontend.current;

import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayCursor;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.frontend.session.prepared.Reading;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The statement as the relay sends it: a long {@code INSERT} as the client's own packet, a prepared
 * one with its parameters, one that the client fetches from with a cursor.
 */
public final class RelayedForm {

  private final ReceivedCommand command;
  private final StatementText text;
  private final StatementValues values;

  private @Nullable RelayCursor cursor;

  RelayedForm(ReceivedCommand command, StatementText text, StatementValues values) {
    this.command = command;
    this.text = text;
    this.values = values;
  }

  void begin() {
    cursor = null;
  }

  /** The command that goes on unchanged, in the client's own packet where that can be. */
  public RelayCommand unchanged(BoundPlan.AsIs target) {
    if (text.isWhole()) {
      ByteBuf own = command.packet();
      return own == null
          ? new RelayCommand.Query(text.bytes(), textForm())
          : new RelayCommand.Packet(own.retainedDuplicate(), textForm());
    }
    PreparedStatement statement = command.prepared();
    if (!command.isExecuted()) {
      return new RelayCommand.Query(text.sql(), textForm());
    }
    PreparedStatement sent =
        statement == null || text.isReplaced()
            ? new PreparedStatement(0, text.sql(), text.scan().parameterCount())
            : statement;
    return execution(sent.unchanged(target.dataSource()));
  }

  private ResponseForm textForm() {
    return text.scan().kind() == StatementKind.CALL
        ? ResponseForm.TEXT_PROCEDURE
        : ResponseForm.TEXT_RESULT;
  }

  /** The command that executes a prepared statement. */
  public RelayCommand execution(ShardQuery query) {
    byte[] rows = command.bulk();
    if (rows != null) {
      Reading other = text.readOtherwise();
      return new RelayCommand.Bulk(query, rows, other == null ? null : other.settings());
    }
    if (!command.wantsCursor()) {
      boolean calls = text.scan().kind() == StatementKind.CALL;
      ResponseForm form = calls ? ResponseForm.PROCEDURE : ResponseForm.BINARY_RESULT;
      Reading other = text.readOtherwise();
      PreparedStatement prepared = command.prepared();
      return new RelayCommand.Execute(
          query,
          values.parameters(),
          form,
          other == null ? null : other.settings(),
          prepared == null ? null : prepared.columns());
    }
    var opened = new RelayCursor();
    cursor = opened;
    return new RelayCommand.Open(query, values.parameters(), opened);
  }

  /** Where the relay opens it; null where no statement of the client's asks for one. */
  public @Nullable RelayCursor cursor() {
    return cursor;
  }

  public void cursor(@Nullable RelayCursor next) {
    cursor = next;
  }
}
