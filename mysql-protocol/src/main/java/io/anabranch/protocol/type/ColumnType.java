package io.anabranch.protocol.type;

import org.jspecify.annotations.Nullable;

/**
 * Type codes of column definitions and statement parameters.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/field__types_8h.html">field_types.h</a>
 * and <a href="https://mariadb.com/kb/en/result-set-packets/#field-types">MariaDB</a>.
 */
public enum ColumnType {
  /** Text of an exact number; written by servers before 5.0. */
  DECIMAL(0, Encoding.LENGTH_ENCODED),
  TINY(1, Encoding.INT1),
  SHORT(2, Encoding.INT2),
  LONG(3, Encoding.INT4),
  FLOAT(4, Encoding.FLOAT),
  DOUBLE(5, Encoding.DOUBLE),
  NULL(6, Encoding.NOTHING),
  TIMESTAMP(7, Encoding.DATE_TIME),
  LONGLONG(8, Encoding.INT8),
  INT24(9, Encoding.INT4),
  DATE(10, Encoding.DATE_TIME),
  TIME(11, Encoding.TIME),
  DATETIME(12, Encoding.DATE_TIME),
  YEAR(13, Encoding.INT2),
  /** Internal to the server, never sent by a sane one. */
  NEWDATE(14, Encoding.DATE_TIME),
  VARCHAR(15, Encoding.LENGTH_ENCODED),
  BIT(16, Encoding.LENGTH_ENCODED),
  /** Internal to the server. */
  TIMESTAMP2(17, Encoding.DATE_TIME),
  /** Internal to the server. */
  DATETIME2(18, Encoding.DATE_TIME),
  /** Internal to the server. */
  TIME2(19, Encoding.TIME),
  /** Internal to MySQL. */
  TYPED_ARRAY(20, Encoding.LENGTH_ENCODED),
  /** MySQL 9. */
  VECTOR(242, Encoding.LENGTH_ENCODED),
  /** MySQL: type not known yet. */
  INVALID(243, Encoding.LENGTH_ENCODED),
  BOOL(244, Encoding.INT1),
  /** MySQL; MariaDB's JSON is a BLOB with extended metadata. */
  JSON(245, Encoding.LENGTH_ENCODED),
  NEWDECIMAL(246, Encoding.LENGTH_ENCODED),
  ENUM(247, Encoding.LENGTH_ENCODED),
  SET(248, Encoding.LENGTH_ENCODED),
  TINY_BLOB(249, Encoding.LENGTH_ENCODED),
  MEDIUM_BLOB(250, Encoding.LENGTH_ENCODED),
  LONG_BLOB(251, Encoding.LENGTH_ENCODED),
  BLOB(252, Encoding.LENGTH_ENCODED),
  VAR_STRING(253, Encoding.LENGTH_ENCODED),
  STRING(254, Encoding.LENGTH_ENCODED),
  GEOMETRY(255, Encoding.LENGTH_ENCODED);

  /** How the binary protocol writes a value. */
  public enum Encoding {
    INT1,
    INT2,
    INT4,
    INT8,
    FLOAT,
    DOUBLE,
    /** Length byte 0, 4, 7 or 11, then the parts of a date and time. */
    DATE_TIME,
    /** Length byte 0, 8 or 12, then sign, days and the parts of a time. */
    TIME,
    /** Length-encoded length, then bytes. */
    LENGTH_ENCODED,
    /** No bytes at all. */
    NOTHING
  }

  private static final @Nullable ColumnType[] BY_CODE = new @Nullable ColumnType[256];

  static {
    for (ColumnType type : values()) {
      BY_CODE[type.code] = type;
    }
  }

  private final int code;
  private final Encoding encoding;

  ColumnType(int code, Encoding encoding) {
    this.code = code;
    this.encoding = encoding;
  }

  /**
   * @param code of which the low byte counts, so that a parameter's type with its unsigned flag may
   *     be given
   * @throws ProtocolViolationException for codes that nobody has defined
   */
  public static ColumnType of(int code) {
    ColumnType type = BY_CODE[code & 0xFF];
    if (type == null) {
      throw ProtocolViolationException.malformed("column type " + (code & 0xFF));
    }
    return type;
  }

  public int code() {
    return code;
  }

  public Encoding encoding() {
    return encoding;
  }
}
