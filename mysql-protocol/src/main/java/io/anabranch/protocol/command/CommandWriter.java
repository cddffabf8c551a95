package io.anabranch.protocol.command;

import io.anabranch.protocol.frame.PacketWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Writes the commands that the proxy sends to databases: whole packets, sequence number 0. */
public final class CommandWriter {

  private static final int CURSOR_NONE = 0;

  /** Command, statement, parameter. */
  private static final int LONG_DATA_HEAD = 7;

  private static final int LONG_DATA_BYTES = 256 * 1024;

  private CommandWriter() {}

  public static void query(ByteBuf out, byte[] sql) {
    query(out, sql, 0, sql.length);
  }

  public static void query(ByteBuf out, byte[] sql, int offset, int length) {
    text(out, CommandCode.QUERY, sql, offset, length);
  }

  public static void stmtPrepare(ByteBuf out, byte[] sql) {
    text(out, CommandCode.STMT_PREPARE, sql, 0, sql.length);
  }

  /**
   * Always sends the types: a pooled connection's former execution may be another session's.
   *
   * @param wanted indices of the parameters that the statement takes, in its order
   */
  public static void stmtExecute(
      ByteBuf out, int statementId, ExecuteParameters parameters, int[] wanted) {
    stmtExecute(out, statementId, parameters, wanted, CURSOR_NONE);
  }

  /** The same with a cursor, from which COM_STMT_FETCH takes the rows. */
  public static void stmtExecuteWithCursor(
      ByteBuf out, int statementId, ExecuteParameters parameters, int[] wanted) {
    stmtExecute(out, statementId, parameters, wanted, ExecuteParameters.CURSOR_READ_ONLY);
  }

  /**
   * The values that came ahead of an execution, in packets of no more than 256 KiB, whatever they
   * came in.
   *
   * @param wanted as in {@link #stmtExecute}
   * @param out takes the packets, in buffers of its own; those of values are not copied
   */
  public static void stmtSendLongData(
      ByteBufAllocator allocator,
      int statementId,
      ExecuteParameters parameters,
      int[] wanted,
      Consumer<ByteBuf> out) {
    for (int marker = 0; marker < wanted.length; marker++) {
      LongValue value = parameters.longValue(wanted[marker]);
      if (value != null) {
        for (byte[] piece : value.pieces()) {
          int from = 0;
          do {
            int length = Math.min(piece.length - from, LONG_DATA_BYTES);
            ByteBuf head = allocator.buffer(LONG_DATA_HEAD + PacketWriter.HEADER_SIZE);
            head.writeMediumLE(LONG_DATA_HEAD + length).writeByte(0);
            head.writeByte(CommandCode.STMT_SEND_LONG_DATA).writeIntLE(statementId);
            out.accept(head.writeShortLE(marker));
            out.accept(Unpooled.wrappedBuffer(piece, from, length));
            from += length;
          } while (from < piece.length);
        }
      }
    }
  }

  /**
   * @param arguments flags, types and rows, as in {@link BulkArguments}
   */
  public static void stmtBulkExecute(ByteBuf out, int statementId, byte[] arguments) {
    int start = PacketWriter.begin(out);
    out.writeByte(CommandCode.STMT_BULK_EXECUTE).writeIntLE(statementId).writeBytes(arguments);
    PacketWriter.end(out, start, 0);
  }

  private static void stmtExecute(
      ByteBuf out, int statementId, ExecuteParameters parameters, int[] wanted, int cursor) {
    int start = PacketWriter.begin(out);
    out.writeByte(CommandCode.STMT_EXECUTE).writeIntLE(statementId);
    out.writeByte(cursor).writeIntLE(1);
    if (wanted.length > 0) {
      parameters.writeTo(out, wanted);
    }
    PacketWriter.end(out, start, 0);
  }

  /**
   * @param rows at most, unsigned 32 bits
   */
  public static void stmtFetch(ByteBuf out, int statementId, long rows) {
    int start = PacketWriter.begin(out);
    out.writeByte(CommandCode.STMT_FETCH).writeIntLE(statementId).writeIntLE((int) rows);
    PacketWriter.end(out, start, 0);
  }

  public static void stmtClose(ByteBuf out, int statementId) {
    statement(out, CommandCode.STMT_CLOSE, statementId);
  }

  public static void stmtReset(ByteBuf out, int statementId) {
    statement(out, CommandCode.STMT_RESET, statementId);
  }

  public static void initDb(ByteBuf out, String database) {
    byte[] name = database.getBytes(StandardCharsets.UTF_8);
    text(out, CommandCode.INIT_DB, name, 0, name.length);
  }

  public static void resetConnection(ByteBuf out) {
    bare(out, CommandCode.RESET_CONNECTION);
  }

  public static void ping(ByteBuf out) {
    bare(out, CommandCode.PING);
  }

  private static void bare(ByteBuf out, int code) {
    out.writeMediumLE(1).writeByte(0).writeByte(code);
  }

  private static void statement(ByteBuf out, int code, int statementId) {
    out.writeMediumLE(5).writeByte(0).writeByte(code).writeIntLE(statementId);
  }

  private static void text(ByteBuf out, int code, byte[] text, int offset, int length) {
    int start = PacketWriter.begin(out);
    out.writeByte(code).writeBytes(text, offset, length);
    PacketWriter.end(out, start, 0);
  }
}
