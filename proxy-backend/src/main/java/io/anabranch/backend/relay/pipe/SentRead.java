package io.anabranch.backend.relay.pipe;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.relay.column.ToldColumns;
import io.anabranch.backend.relay.command.OriginText;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.backend.relay.conversation.ReadyExecution;
import io.anabranch.protocol.command.CommandWriter;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A read as one connection gets it.
 *
 * @param execution of a statement that is prepared there; null: it is a text
 */
record SentRead(PipedRead read, @Nullable ReadyExecution execution) {

  /**
   * @return null: the connection does not take it in one command
   */
  static @Nullable SentRead on(BackendConnection connection, KeptStatements kept, PipedRead read) {
    return switch (read.command()) {
      case RelayCommand.Query query ->
          query.sql().length + 1L < connection.longestPacket() ? new SentRead(read, null) : null;
      case RelayCommand.Execute execute -> {
        ReadyExecution ready = ReadyExecution.of(connection, kept, execute);
        yield ready == null ? null : new SentRead(read, ready);
      }
      default -> throw new IllegalArgumentException("no read: " + read.command());
    };
  }

  void write(BackendConnection connection, ByteBuf out) {
    if (execution != null) {
      execution.write(out);
    } else if (read.command() instanceof RelayCommand.Query query) {
      byte[] origin = read.request().lessee().origin();
      CommandWriter.query(out, OriginText.of(query.sql(), origin, connection.longestPacket()));
    }
  }

  /** Null: it is a text. */
  @Nullable ToldColumns columns() {
    return execution == null ? null : execution.columns();
  }
}
