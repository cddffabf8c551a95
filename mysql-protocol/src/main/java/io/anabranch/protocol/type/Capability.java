package io.anabranch.protocol.type;

/**
 * Capability bits as {@code long}s: the protocol's 32, and above them MariaDB's 32.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/group__group__cs__capabilities__flags.html">MySQL</a>
 * and <a href="https://mariadb.com/kb/en/connection/#capabilities">MariaDB</a>.
 */
public final class Capability {

  /** MySQL: better hashing of passwords. MariaDB: cleared by servers that have extended bits. */
  public static final long LONG_PASSWORD = 1;

  /** UPDATE counts matched rows instead of changed ones. */
  public static final long FOUND_ROWS = 1 << 1;

  /** Column flags have two bytes. */
  public static final long LONG_FLAG = 1 << 2;

  /** The handshake response may name a database. */
  public static final long CONNECT_WITH_DB = 1 << 3;

  /** Refuse {@code database.table.column}. */
  public static final long NO_SCHEMA = 1 << 4;

  /** Packets are compressed with zlib. */
  public static final long COMPRESS = 1 << 5;

  public static final long ODBC = 1 << 6;

  /** LOAD DATA LOCAL INFILE works. */
  public static final long LOCAL_FILES = 1 << 7;

  /** Blanks are allowed between a function's name and its parenthesis. */
  public static final long IGNORE_SPACE = 1 << 8;

  /** The protocol since 4.1. */
  public static final long PROTOCOL_41 = 1 << 9;

  /** Time-out is {@code interactive_timeout}. */
  public static final long INTERACTIVE = 1 << 10;

  /** The client may send SSLRequest. */
  public static final long SSL = 1 << 11;

  public static final long IGNORE_SIGPIPE = 1 << 12;

  /** OK and EOF packets carry status flags. */
  public static final long TRANSACTIONS = 1 << 13;

  public static final long RESERVED = 1 << 14;

  /** 20-byte scrambles. */
  public static final long SECURE_CONNECTION = 1 << 15;

  public static final long MULTI_STATEMENTS = 1 << 16;

  public static final long MULTI_RESULTS = 1 << 17;

  /** Multiple results of prepared statements. */
  public static final long PS_MULTI_RESULTS = 1 << 18;

  public static final long PLUGIN_AUTH = 1 << 19;

  public static final long CONNECT_ATTRS = 1 << 20;

  /** The authentication response's length is length-encoded. */
  public static final long PLUGIN_AUTH_LENENC_CLIENT_DATA = 1 << 21;

  public static final long CAN_HANDLE_EXPIRED_PASSWORDS = 1 << 22;

  /** OK packets carry session state changes. */
  public static final long SESSION_TRACK = 1 << 23;

  /** No EOF packets: nothing after columns, OK with header 0xFE after rows. */
  public static final long DEPRECATE_EOF = 1 << 24;

  /** The server may leave out column definitions. */
  public static final long OPTIONAL_RESULTSET_METADATA = 1 << 25;

  public static final long ZSTD_COMPRESSION = 1 << 26;

  /** COM_QUERY and COM_STMT_EXECUTE start with query attributes. */
  public static final long QUERY_ATTRIBUTES = 1 << 27;

  public static final long MULTI_FACTOR_AUTHENTICATION = 1 << 28;

  public static final long CAPABILITY_EXTENSION = 1 << 29;

  public static final long SSL_VERIFY_SERVER_CERT = 1 << 30;

  public static final long REMEMBER_OPTIONS = 1L << 31;

  /** MariaDB: progress reports as ERR packets with errno 0xFFFF. */
  public static final long MARIADB_PROGRESS = 1L << 32;

  /** MariaDB: COM_MULTI (removed later, the bit stays taken). */
  public static final long MARIADB_COM_MULTI = 1L << 33;

  /** MariaDB: COM_STMT_BULK_EXECUTE. */
  public static final long MARIADB_STMT_BULK_OPERATIONS = 1L << 34;

  /** MariaDB: column definitions carry extended types (json, point, uuid). */
  public static final long MARIADB_EXTENDED_METADATA = 1L << 35;

  /** MariaDB: a byte after the column count says whether definitions follow. */
  public static final long MARIADB_CACHE_METADATA = 1L << 36;

  /** MariaDB 11.5: bulk execution answers with one result per row. */
  public static final long MARIADB_BULK_UNIT_RESULTS = 1L << 37;

  /** Mask of MariaDB's extended bits. */
  public static final long MARIADB_MASK = 0xFFFF_FFFF_0000_0000L;

  private Capability() {}

  /** Whether {@code set} has every bit of {@code wanted}. */
  public static boolean has(long set, long wanted) {
    return (set & wanted) == wanted;
  }
}
