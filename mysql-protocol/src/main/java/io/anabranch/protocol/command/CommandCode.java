package io.anabranch.protocol.command;

/**
 * First bytes of commands.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/my__command_8h.html">my_command.h</a>.
 */
public final class CommandCode {

  public static final int QUIT = 0x01;
  public static final int INIT_DB = 0x02;
  public static final int QUERY = 0x03;
  public static final int FIELD_LIST = 0x04;
  public static final int REFRESH = 0x07;
  public static final int STATISTICS = 0x09;
  public static final int PROCESS_INFO = 0x0A;
  public static final int PROCESS_KILL = 0x0C;
  public static final int DEBUG = 0x0D;
  public static final int PING = 0x0E;
  public static final int CHANGE_USER = 0x11;
  public static final int STMT_PREPARE = 0x16;
  public static final int STMT_EXECUTE = 0x17;
  public static final int STMT_SEND_LONG_DATA = 0x18;
  public static final int STMT_CLOSE = 0x19;
  public static final int STMT_RESET = 0x1A;
  public static final int SET_OPTION = 0x1B;
  public static final int STMT_FETCH = 0x1C;
  public static final int RESET_CONNECTION = 0x1F;

  /** MariaDB's. */
  public static final int STMT_BULK_EXECUTE = 0xFA;

  private CommandCode() {}
}
