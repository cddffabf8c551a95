package io.anabranch.backend.relay.conversation;

import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.buffer.ByteBuf;

/**
 * What a server takes in one command. It answers a longer one with an error and closes the
 * connection, with the transaction that it is in: such a command is not sent.
 */
final class PacketLimit {

  private PacketLimit() {}

  /** ER_NET_PACKET_TOO_LARGE, as the server would say. */
  static ErrPacket error() {
    return new ErrPacket(1153, "08S01", "Got a packet bigger than 'max_allowed_packet' bytes");
  }

  /**
   * @param limit bytes of a command that the server does not take any more
   */
  static boolean takes(Conversation.Task task, long limit) {
    return switch (task) {
      case Conversation.Prepare(byte[] sql, boolean _, Conversation.Execution _) ->
          takes(sql, limit);
      case Conversation.Run(RelayCommand.Query(byte[] sql, ResponseForm _)) -> takes(sql, limit);
      case Conversation.Run(RelayCommand.Packet(ByteBuf payload, ResponseForm _)) ->
          payload.readableBytes() < limit;
      case Conversation.Run(RelayCommand.Execute execute) ->
          takes(execute.query(), execute.parameters(), limit);
      case Conversation.Run(RelayCommand.Open open) ->
          takes(open.query(), open.parameters(), limit);
      case Conversation.Run(RelayCommand.Bulk bulk) ->
          takes(bulk.query().sql(), limit) && bulk.arguments().length + 5L < limit;
      case Conversation.Run(RelayCommand.Fetch _) -> true;
    };
  }

  private static boolean takes(byte[] sql, long limit) {
    return sql.length + 1L < limit;
  }

  private static boolean takes(ShardQuery query, ExecuteParameters parameters, long limit) {
    return takes(query.sql(), limit) && parameters.areShorter(query.parameters(), limit);
  }
}
