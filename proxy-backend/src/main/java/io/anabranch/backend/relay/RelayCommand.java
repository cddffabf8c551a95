package io.anabranch.backend.relay;

import io.anabranch.protocol.command.StatementParameter;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** What the relay sends to the database. */
public sealed interface RelayCommand {

  /**
   * COM_QUERY.
   *
   * @param sql without the command byte, in the session's character set; not modified
   */
  record Query(byte[] sql) implements RelayCommand {}

  /**
   * The client's own command.
   *
   * @param payload command byte and arguments, without packet headers, however long; the relay
   *     releases it
   */
  record Packet(ByteBuf payload, ResponseForm form) implements RelayCommand {}

  /**
   * COM_STMT_EXECUTE of a statement that the relay prepares on the connection when that has not
   * been done. Server-side cursors are never opened: the rows come at once, which the protocol
   * leaves to the server.
   *
   * @param parameters all parameters of the client; {@link ShardQuery#parameters()} says which of
   *     them the statement takes
   */
  record Execute(ShardQuery query, List<StatementParameter> parameters) implements RelayCommand {}
}
