package io.anabranch.protocol.handshake;

import io.anabranch.protocol.type.Fields;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_packets_protocol_auth_switch_request.html">AuthSwitchRequest</a>.
 *
 * @param plugin to authenticate with
 * @param data of the plugin: a new scramble, without the NUL that follows it on the wire
 */
public record AuthSwitchRequest(String plugin, byte[] data) {

  public static final int HEADER = 0xFE;

  public static AuthSwitchRequest decode(ByteBuf payload) {
    int header = Fields.readInt1(payload);
    if (header != HEADER) {
      throw ProtocolViolationException.malformed("no request to switch: " + header);
    }
    String plugin = Fields.readNulTerminated(payload, StandardCharsets.UTF_8);
    int last = payload.writerIndex() - 1;
    boolean endsWithNul = payload.isReadable() && payload.getByte(last) == 0;
    int length = payload.readableBytes() - (endsWithNul ? 1 : 0);
    return new AuthSwitchRequest(plugin, Fields.readBytes(payload, length));
  }

  public void encode(ByteBuf out) {
    out.writeByte(HEADER);
    out.writeCharSequence(plugin, StandardCharsets.UTF_8);
    out.writeByte(0).writeBytes(data).writeByte(0);
  }

  /** For plugins that count the bytes: without the NUL behind the data. */
  public void encodeBare(ByteBuf out) {
    out.writeByte(HEADER);
    out.writeCharSequence(plugin, StandardCharsets.UTF_8);
    out.writeByte(0).writeBytes(data);
  }
}
