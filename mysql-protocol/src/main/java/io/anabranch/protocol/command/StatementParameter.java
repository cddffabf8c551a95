package io.anabranch.protocol.command;

import org.jspecify.annotations.Nullable;

/**
 * One bound parameter of COM_STMT_EXECUTE, kept in its binary encoding so that passing it on is a
 * copy.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_stmt_execute.html">COM_STMT_EXECUTE</a>.
 *
 * @param type column type code (low byte) and the unsigned flag (0x8000)
 * @param value binary encoding as on the wire, its length prefix included where the type has one;
 *     null for SQL NULL
 */
public record StatementParameter(int type, byte @Nullable [] value) {

  public boolean isUnsigned() {
    return (type & 0x8000) != 0;
  }
}
