package io.anabranch.protocol.handshake;

import io.anabranch.protocol.type.Fields;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;

/**
 * <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_packets_protocol_auth_more_data.html">AuthMoreData</a>.
 *
 * @param data of the plugin
 */
public record AuthMoreData(byte[] data) {

  public static final int HEADER = 0x01;

  public static AuthMoreData decode(ByteBuf payload) {
    int header = Fields.readInt1(payload);
    if (header != HEADER) {
      throw ProtocolViolationException.malformed("no authentication data: " + header);
    }
    return new AuthMoreData(Fields.readRest(payload));
  }

  public void encode(ByteBuf out) {
    out.writeByte(HEADER).writeBytes(data);
  }
}
