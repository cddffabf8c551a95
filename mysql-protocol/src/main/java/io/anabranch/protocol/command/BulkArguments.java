package io.anabranch.protocol.command;

import io.anabranch.protocol.command.ClientCommand.StmtBulkExecute;
import io.anabranch.protocol.type.ProtocolViolationException;
import org.jspecify.annotations.Nullable;

/**
 * What follows the statement's id in <a
 * href="https://mariadb.com/kb/en/com_stmt_bulk_execute/">COM_STMT_BULK_EXECUTE</a>, with the types
 * of all parameters, whether the client sent them this time or before: on the connection that gets
 * it another session's may have been the last. Rows are not looked at.
 *
 * @param types of all parameters, to be given again with the next execution
 * @param bytes flags, types and rows
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BulkArguments(int[] types, byte[] bytes) {

  /** Flag: one result per row. */
  public static final int WANTS_UNIT_RESULTS = 64;

  /** Flag: types follow. */
  public static final int SENDS_TYPES = 128;

  private static final int FLAG_BYTES = 2;

  /**
   * @param parameterCount of the statement, more than 0
   * @param formerTypes of the latest execution that sent types; null before the first one
   * @throws ProtocolViolationException if the packet ends before its types do, or has none although
   *     none are known
   */
  public static BulkArguments decode(
      StmtBulkExecute command, int parameterCount, int @Nullable [] formerTypes) {
    byte[] rest = command.rest();
    boolean sent = (command.flags() & SENDS_TYPES) != 0;
    int[] types = formerTypes;
    if (sent) {
      types = ExecuteParameters.readTypes(rest, 0, parameterCount);
    } else if (types == null || types.length != parameterCount) {
      throw ProtocolViolationException.malformed("bulk execution without parameter types");
    }
    int start = FLAG_BYTES + (sent ? 0 : 2 * parameterCount);
    byte[] bytes = new byte[start + rest.length];
    put(bytes, 0, command.flags() | SENDS_TYPES);
    if (!sent) {
      for (int i = 0; i < parameterCount; i++) {
        put(bytes, FLAG_BYTES + 2 * i, types[i]);
      }
    }
    System.arraycopy(rest, 0, bytes, start, rest.length);
    return new BulkArguments(types, bytes);
  }

  private static void put(byte[] bytes, int at, int value) {
    bytes[at] = (byte) value;
    bytes[at + 1] = (byte) (value >>> 8);
  }
}
