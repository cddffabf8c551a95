package io.anabranch.backend.relay.command;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.relay.Relay;
import io.anabranch.backend.relay.column.ClientColumns;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** What the relay sends to the database. */
public sealed interface RelayCommand {

  /**
   * COM_QUERY.
   *
   * @param sql without the command byte, in the session's character set; not modified
   * @param form TEXT_RESULT or TEXT_PROCEDURE
   */
  record Query(byte[] sql, ResponseForm form) implements RelayCommand {

    /** Of a statement that calls no procedure. */
    public Query(byte[] sql) {
      this(sql, ResponseForm.TEXT_RESULT);
    }
  }

  /**
   * The client's own command.
   *
   * @param payload command byte and arguments, without packet headers, however long; the relay
   *     releases it
   */
  record Packet(ByteBuf payload, ResponseForm form) implements RelayCommand {}

  /**
   * COM_STMT_EXECUTE of a statement that the relay prepares on the connection when that has not
   * been done. The rows come at once.
   *
   * @param parameters all parameters of the client; {@link ShardQuery#parameters()} says which of
   *     them the statement takes
   * @param form BINARY_RESULT or PROCEDURE
   * @param readUnder {@link SessionSettings#reading} under which the statement has been prepared on
   *     the connection; null: that of the settings which the connection has
   * @param columns that the client knows of the statement; null: it is told them each time
   */
  record Execute(
      ShardQuery query,
      ExecuteParameters parameters,
      ResponseForm form,
      @Nullable SessionSettings readUnder,
      @Nullable ClientColumns columns)
      implements RelayCommand {

    /** Of a statement that calls no procedure, read as the connection reads. */
    public Execute(ShardQuery query, ExecuteParameters parameters) {
      this(query, parameters, ResponseForm.BINARY_RESULT, null, null);
    }
  }

  /**
   * COM_STMT_BULK_EXECUTE, prepared as for {@link Execute}.
   *
   * @param arguments flags, types and rows; not modified
   * @param readUnder as in {@link Execute}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Bulk(ShardQuery query, byte[] arguments, @Nullable SessionSettings readUnder)
      implements RelayCommand {}

  /**
   * COM_STMT_EXECUTE that asks for a cursor, of a statement of its own. Whether there is one then
   * says the status of the answer, {@code CURSOR_EXISTS}; in any case the caller closes it, see
   * {@link Relay#close}.
   *
   * @param parameters as in {@link Execute}
   * @param cursor told what was opened
   */
  record Open(ShardQuery query, ExecuteParameters parameters, RelayCursor cursor)
      implements RelayCommand {}

  /**
   * COM_STMT_FETCH.
   *
   * @param cursor opened on the same connection
   * @param rows at most, unsigned 32 bits
   */
  record Fetch(RelayCursor cursor, long rows) implements RelayCommand {}
}
