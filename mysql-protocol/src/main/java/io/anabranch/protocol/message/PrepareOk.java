package io.anabranch.protocol.message;

import io.anabranch.protocol.type.Fields;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;

/**
 * <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_stmt_prepare.html#sect_protocol_com_stmt_prepare_response_ok">COM_STMT_PREPARE_OK</a>:
 * parameter definitions and column definitions follow.
 *
 * @param statementId for COM_STMT_EXECUTE
 * @param columns of the result; 0 for statements without one
 * @param parameters markers in the statement
 * @param warnings at most 65535
 */
public record PrepareOk(int statementId, int columns, int parameters, int warnings) {

  public static PrepareOk decode(ByteBuf payload) {
    int status = Fields.readInt1(payload);
    if (status != 0) {
      throw ProtocolViolationException.malformed("no answer to COM_STMT_PREPARE: " + status);
    }
    int statementId = (int) Fields.readInt4(payload);
    int columns = Fields.readInt2(payload);
    int parameters = Fields.readInt2(payload);
    Fields.skip(payload, 1);
    // Servers before 5.0 end here.
    int warnings = payload.isReadable() ? Fields.readInt2(payload) : 0;
    return new PrepareOk(statementId, columns, parameters, warnings);
  }

  public void encode(ByteBuf out) {
    out.writeByte(0).writeIntLE(statementId).writeShortLE(columns).writeShortLE(parameters);
    out.writeByte(0).writeShortLE(warnings);
  }
}
