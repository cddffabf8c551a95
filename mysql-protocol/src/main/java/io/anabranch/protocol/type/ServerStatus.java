package io.anabranch.protocol.type;

/**
 * Status flags of OK and EOF packets.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/mysql__com_8h.html#a1d854e841086925be1883e4d7b4e8cad">SERVER_STATUS_flags_enum</a>.
 */
public final class ServerStatus {

  /** A transaction is open. */
  public static final int IN_TRANS = 0x0001;

  public static final int AUTOCOMMIT = 0x0002;

  /** Another result follows. */
  public static final int MORE_RESULTS_EXISTS = 0x0008;

  public static final int NO_GOOD_INDEX_USED = 0x0010;

  public static final int NO_INDEX_USED = 0x0020;

  /** COM_STMT_EXECUTE opened a cursor: rows come by COM_STMT_FETCH. */
  public static final int CURSOR_EXISTS = 0x0040;

  /** COM_STMT_FETCH gave the last row. */
  public static final int LAST_ROW_SENT = 0x0080;

  public static final int DB_DROPPED = 0x0100;

  public static final int NO_BACKSLASH_ESCAPES = 0x0200;

  public static final int METADATA_CHANGED = 0x0400;

  public static final int QUERY_WAS_SLOW = 0x0800;

  /** This result is the output parameters of a procedure. */
  public static final int PS_OUT_PARAMS = 0x1000;

  public static final int IN_TRANS_READONLY = 0x2000;

  /** The OK packet carries session state changes. */
  public static final int SESSION_STATE_CHANGED = 0x4000;

  /** MariaDB: sql_mode has ANSI_QUOTES. */
  public static final int ANSI_QUOTES = 0x8000;

  private ServerStatus() {}
}
