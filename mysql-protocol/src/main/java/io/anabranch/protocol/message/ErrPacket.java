package io.anabranch.protocol.message;

import io.anabranch.protocol.type.Fields;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_err_packet.html">ERR_Packet</a>:
 * a command failed.
 *
 * @param errno MySQL's error number
 * @param sqlState five characters; {@code HY000} if the packet had none (errors before the
 *     handshake is over)
 * @param message human-readable
 */
public record ErrPacket(int errno, String sqlState, String message) {

  public static final int HEADER = 0xFF;

  private static final String NO_STATE = "HY000";
  private static final int STATE_LENGTH = 5;

  /** The message read as UTF-8. */
  public static ErrPacket decode(ByteBuf payload) {
    return decode(payload, StandardCharsets.UTF_8);
  }

  public static ErrPacket decode(ByteBuf payload, Charset charset) {
    int header = Fields.readInt1(payload);
    if (header != HEADER) {
      throw ProtocolViolationException.malformed("no ERR packet: " + header);
    }
    int errno = Fields.readInt2(payload);
    String sqlState = NO_STATE;
    if (payload.isReadable() && payload.getByte(payload.readerIndex()) == '#') {
      Fields.skip(payload, 1);
      sqlState = new String(Fields.readBytes(payload, STATE_LENGTH), StandardCharsets.US_ASCII);
    }
    return new ErrPacket(errno, sqlState, Fields.readRest(payload, charset));
  }

  public void encode(ByteBuf out) {
    encode(out, StandardCharsets.UTF_8);
  }

  public void encode(ByteBuf out, Charset charset) {
    out.writeByte(HEADER).writeShortLE(errno).writeByte('#');
    out.writeCharSequence(sqlState, StandardCharsets.US_ASCII);
    out.writeBytes(message.getBytes(charset));
  }
}
