package io.anabranch.protocol.message;

import io.anabranch.protocol.type.Fields;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;

/**
 * <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_eof_packet.html">EOF_Packet</a>:
 * the end of columns or rows without DEPRECATE_EOF.
 *
 * @param warnings at most 65535
 * @param status {@link io.anabranch.protocol.type.ServerStatus} flags
 */
public record EofPacket(int warnings, int status) {

  public static final int HEADER = 0xFE;

  /** A packet that starts with 0xFE and is as long as this, or longer, is something else. */
  public static final int LENGTH_LIMIT = 9;

  public static EofPacket decode(ByteBuf payload) {
    int header = Fields.readInt1(payload);
    if (header != HEADER) {
      throw ProtocolViolationException.malformed("no EOF packet: " + header);
    }
    int warnings = Fields.readInt2(payload);
    return new EofPacket(warnings, Fields.readInt2(payload));
  }

  public void encode(ByteBuf out) {
    out.writeByte(HEADER).writeShortLE(warnings).writeShortLE(status);
  }
}
