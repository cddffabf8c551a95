package io.anabranch.protocol.command;

import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.Fields;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.Charset;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command of a client. Texts of statements are bytes in the client's character set, copied once
 * to the heap because lexers read arrays.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_command_phase.html">Command
 * Phase</a>.
 */
public sealed interface ClientCommand {

  /**
   * Decodes a payload, which is read but not released.
   *
   * @param capabilities what client and server agreed on; {@link QueryAttributes} have been taken
   *     out of a COM_QUERY, and are left in the rest of a COM_STMT_EXECUTE
   * @param charset of names: the client's {@code character_set_client}
   * @throws ProtocolViolationException if the payload is not what its first byte promises
   */
  static ClientCommand decode(ByteBuf payload, long capabilities, Charset charset) {
    int code = Fields.readInt1(payload);
    return switch (code) {
      case CommandCode.QUIT -> new Quit();
      case CommandCode.INIT_DB -> new InitDb(Fields.readRest(payload, charset));
      case CommandCode.QUERY -> new Query(Fields.readRest(payload));
      case CommandCode.FIELD_LIST -> FieldList.decode(payload, charset);
      case CommandCode.REFRESH -> new Refresh(payload.isReadable() ? Fields.readInt1(payload) : 0);
      case CommandCode.STATISTICS -> new Statistics();
      case CommandCode.PROCESS_INFO -> new ProcessInfo();
      case CommandCode.PROCESS_KILL -> new ProcessKill(Fields.readInt4(payload));
      case CommandCode.DEBUG -> new Debug();
      case CommandCode.PING -> new Ping();
      case CommandCode.CHANGE_USER -> ChangeUser.decode(payload, capabilities, charset);
      case CommandCode.STMT_PREPARE -> new StmtPrepare(Fields.readRest(payload));
      case CommandCode.STMT_EXECUTE -> StmtExecute.decode(payload);
      case CommandCode.STMT_SEND_LONG_DATA -> StmtSendLongData.decode(payload);
      case CommandCode.STMT_CLOSE -> new StmtClose((int) Fields.readInt4(payload));
      case CommandCode.STMT_RESET -> new StmtReset((int) Fields.readInt4(payload));
      case CommandCode.SET_OPTION -> new SetOption(Fields.readInt2(payload));
      case CommandCode.STMT_FETCH -> StmtFetch.decode(payload);
      case CommandCode.RESET_CONNECTION -> new ResetConnection();
      case CommandCode.STMT_BULK_EXECUTE -> StmtBulkExecute.decode(payload);
      default -> new Unknown(code);
    };
  }

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query.html">COM_QUERY</a>.
   *
   * @param sql one or more statements in the client's character set
   */
  record Query(byte[] sql) implements ClientCommand {}

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_init_db.html">COM_INIT_DB</a>.
   *
   * @param database to use from now on
   */
  record InitDb(String database) implements ClientCommand {}

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_ping.html">COM_PING</a>.
   */
  record Ping() implements ClientCommand {}

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_quit.html">COM_QUIT</a>:
   * no answer, close.
   */
  record Quit() implements ClientCommand {}

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_stmt_prepare.html">COM_STMT_PREPARE</a>.
   *
   * @param sql one statement in the client's character set
   */
  record StmtPrepare(byte[] sql) implements ClientCommand {}

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_stmt_execute.html">COM_STMT_EXECUTE</a>.
   * What {@code parameters} means depends on the statement: see {@link ExecuteParameters}.
   *
   * @param statementId from the answer to COM_STMT_PREPARE; MariaDB: −1 is the one prepared last
   * @param flags cursor type, {@link ExecuteParameters#CURSOR_READ_ONLY}
   * @param iterations always 1
   * @param parameters the rest of the packet: null bitmap, types, values
   */
  record StmtExecute(int statementId, int flags, long iterations, byte[] parameters)
      implements ClientCommand {

    static StmtExecute decode(ByteBuf payload) {
      int id = (int) Fields.readInt4(payload);
      int flags = Fields.readInt1(payload);
      long iterations = Fields.readInt4(payload);
      return new StmtExecute(id, flags, iterations, Fields.readRest(payload));
    }
  }

  /**
   * <a href="https://mariadb.com/kb/en/com_stmt_bulk_execute/">COM_STMT_BULK_EXECUTE</a>: one
   * statement for many rows of parameters. What {@code rest} means depends on the statement: see
   * {@link BulkArguments}.
   *
   * @param statementId from the answer to COM_STMT_PREPARE; −1 is the one prepared last
   * @param flags {@link BulkArguments#SENDS_TYPES}, {@link BulkArguments#WANTS_UNIT_RESULTS}
   * @param rest of the packet: types, then per row and parameter an indicator and a value
   */
  record StmtBulkExecute(int statementId, int flags, byte[] rest) implements ClientCommand {

    static StmtBulkExecute decode(ByteBuf payload) {
      int id = (int) Fields.readInt4(payload);
      int flags = Fields.readInt2(payload);
      return new StmtBulkExecute(id, flags, Fields.readRest(payload));
    }
  }

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_stmt_close.html">COM_STMT_CLOSE</a>:
   * no answer.
   *
   * @param statementId to forget
   */
  record StmtClose(int statementId) implements ClientCommand {}

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_stmt_reset.html">COM_STMT_RESET</a>.
   *
   * @param statementId whose long data and cursor go
   */
  record StmtReset(int statementId) implements ClientCommand {}

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_stmt_send_long_data.html">COM_STMT_SEND_LONG_DATA</a>:
   * no answer.
   *
   * @param statementId from the answer to COM_STMT_PREPARE
   * @param parameter index from 0
   * @param data to append to the parameter's value
   */
  record StmtSendLongData(int statementId, int parameter, byte[] data) implements ClientCommand {

    static StmtSendLongData decode(ByteBuf payload) {
      int id = (int) Fields.readInt4(payload);
      int parameter = Fields.readInt2(payload);
      return new StmtSendLongData(id, parameter, Fields.readRest(payload));
    }
  }

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_stmt_fetch.html">COM_STMT_FETCH</a>.
   *
   * @param statementId whose cursor is open
   * @param rows at most
   */
  record StmtFetch(int statementId, long rows) implements ClientCommand {

    static StmtFetch decode(ByteBuf payload) {
      int id = (int) Fields.readInt4(payload);
      return new StmtFetch(id, Fields.readInt4(payload));
    }
  }

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_reset_connection.html">COM_RESET_CONNECTION</a>.
   */
  record ResetConnection() implements ClientCommand {}

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_change_user.html">COM_CHANGE_USER</a>.
   *
   * @param user to become
   * @param authResponse of the plugin, for the scramble of the greeting
   * @param database to use; empty for none
   * @param collation id; 0 when the client did not say
   * @param plugin that made the response; null when the client did not say
   * @param attributes the client's description of itself
   */
  record ChangeUser(
      String user,
      byte[] authResponse,
      String database,
      int collation,
      @Nullable String plugin,
      Map<String, String> attributes)
      implements ClientCommand {

    static ChangeUser decode(ByteBuf payload, long capabilities, Charset charset) {
      String user = Fields.readNulTerminated(payload, charset);
      byte[] response =
          Capability.has(capabilities, Capability.SECURE_CONNECTION)
              ? Fields.readBytes(payload, Fields.readInt1(payload))
              : Fields.readNulTerminated(payload);
      String database = Fields.readNulTerminated(payload, charset);
      int collation = payload.isReadable() ? Fields.readInt2(payload) : 0;
      String plugin = null;
      if (Capability.has(capabilities, Capability.PLUGIN_AUTH) && payload.isReadable()) {
        plugin = Fields.readNulTerminated(payload, charset);
      }
      Map<String, String> attributes = Map.of();
      if (Capability.has(capabilities, Capability.CONNECT_ATTRS) && payload.isReadable()) {
        attributes = Fields.readAttributes(payload, charset);
      }
      return new ChangeUser(user, response, database, collation, plugin, attributes);
    }
  }

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_field_list.html">COM_FIELD_LIST</a>.
   *
   * @param table of the current database
   * @param wildcard of column names; empty for all
   */
  record FieldList(String table, String wildcard) implements ClientCommand {

    static FieldList decode(ByteBuf payload, Charset charset) {
      String table = Fields.readNulTerminated(payload, charset);
      return new FieldList(table, Fields.readRest(payload, charset));
    }
  }

  /**
   * <a href="https://mariadb.com/kb/en/com_refresh/">COM_REFRESH</a>: FLUSH in bits.
   *
   * @param what bits: 1 privileges, 2 logs, 4 tables, 8 hosts, 16 status, …
   */
  record Refresh(int what) implements ClientCommand {}

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_statistics.html">COM_STATISTICS</a>:
   * the answer is a packet of plain text.
   */
  record Statistics() implements ClientCommand {}

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_set_option.html">COM_SET_OPTION</a>.
   *
   * @param option 0 switches multi-statements on, 1 off
   */
  record SetOption(int option) implements ClientCommand {}

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_process_kill.html">COM_PROCESS_KILL</a>.
   *
   * @param threadId connection to end
   */
  record ProcessKill(long threadId) implements ClientCommand {}

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_process_info.html">COM_PROCESS_INFO</a>.
   */
  record ProcessInfo() implements ClientCommand {}

  /**
   * <a
   * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_debug.html">COM_DEBUG</a>.
   */
  record Debug() implements ClientCommand {}

  /**
   * Any other command (replication, server internals): error 1047.
   *
   * @param code the first byte
   */
  record Unknown(int code) implements ClientCommand {}
}
