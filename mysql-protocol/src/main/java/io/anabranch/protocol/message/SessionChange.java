package io.anabranch.protocol.message;

import io.anabranch.protocol.type.Fields;
import io.anabranch.protocol.type.LengthEncoded;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/**
 * One entry of an OK packet's session state, see <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_ok_packet.html#sect_protocol_basic_ok_packet_sessinfo">Session
 * State Information</a>.
 *
 * @param type one of the constants here, or one that this proxy does not know
 * @param data by type: for a variable name and value, for a schema its name, each a length-encoded
 *     string
 */
public record SessionChange(int type, byte[] data) {

  public static final int SYSTEM_VARIABLES = 0;
  public static final int SCHEMA = 1;
  public static final int STATE_CHANGE = 2;
  public static final int GTIDS = 3;
  public static final int TRANSACTION_CHARACTERISTICS = 4;
  public static final int TRANSACTION_STATE = 5;

  /** The entries of {@link OkPacket#sessionState()}, in order. */
  public static List<SessionChange> decodeAll(byte[] sessionState) {
    ByteBuf in = Unpooled.wrappedBuffer(sessionState);
    var changes = new ArrayList<SessionChange>();
    while (in.isReadable()) {
      int type = Fields.readInt1(in);
      changes.add(new SessionChange(type, LengthEncoded.readBytes(in)));
    }
    return changes;
  }

  public void encode(ByteBuf out) {
    out.writeByte(type);
    LengthEncoded.writeBytes(out, data);
  }
}
