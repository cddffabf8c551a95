package io.anabranch.protocol.message;

import io.anabranch.protocol.type.Fields;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;

/**
 * <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_local_infile_request.html">LOCAL
 * INFILE Request</a>: the client sends the file's content and an empty packet.
 *
 * @param fileName as the statement has it, in the client's character set
 */
public record LocalInfileRequest(byte[] fileName) {

  public static final int HEADER = 0xFB;

  public static LocalInfileRequest decode(ByteBuf payload) {
    int header = Fields.readInt1(payload);
    if (header != HEADER) {
      throw ProtocolViolationException.malformed("no LOCAL INFILE request: " + header);
    }
    return new LocalInfileRequest(Fields.readRest(payload));
  }

  public void encode(ByteBuf out) {
    out.writeByte(HEADER).writeBytes(fileName);
  }
}
