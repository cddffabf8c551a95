package io.anabranch.backend.relay.conversation;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.relay.column.ToldColumns;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.protocol.command.CommandWriter;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * An execution that takes one command and no answer before it: its statement is prepared on the
 * connection, for types that the server has from former executions. On the event loop.
 */
public final class ReadyExecution {

  private final PreparedStatement statement;
  private final RelayCommand.Execute execute;

  private ReadyExecution(PreparedStatement statement, RelayCommand.Execute execute) {
    this.statement = statement;
    this.execute = execute;
  }

  /**
   * Those of the connection, with the settings that it has.
   *
   * @return null: a {@link Conversation} has to run it, behind which the next one may be ready
   */
  public static @Nullable ReadyExecution of(
      BackendConnection connection, KeptStatements kept, RelayCommand.Execute execute) {
    boolean isOneCommand =
        execute.readUnder() == null
            && !execute.parameters().hasLongValues()
            && PacketLimit.takes(new Conversation.Run(execute), connection.longestPacket());
    if (!isOneCommand) {
      return null;
    }
    StatementCache statements = kept.of(connection);
    var applied = connection.applied();
    PreparedStatement known =
        statements.get(execute.query(), applied, applied, execute.parameters());
    if (known == null || (known.types() != null && !known.types().isUsed())) {
      return null;
    }
    return new ReadyExecution(known, execute);
  }

  public void write(ByteBuf out) {
    CommandWriter.stmtExecute(
        out, statement.id(), execute.parameters(), execute.query().parameters());
  }

  /** What the server has told of its columns; to be brought up to date by who reads the answer. */
  public ToldColumns columns() {
    return statement.columns();
  }
}
