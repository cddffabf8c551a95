package io.anabranch.protocol.type;

/**
 * Flags of column definitions.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/group__group__cs__column__definition__flags.html">Column
 * Definition Flags</a>.
 */
public final class ColumnFlag {

  public static final int NOT_NULL = 0x0001;
  public static final int PRIMARY_KEY = 0x0002;
  public static final int UNIQUE_KEY = 0x0004;
  public static final int MULTIPLE_KEY = 0x0008;
  public static final int BLOB = 0x0010;
  public static final int UNSIGNED = 0x0020;

  /** Text form is filled with zeros up to the display length. */
  public static final int ZEROFILL = 0x0040;

  public static final int BINARY = 0x0080;
  public static final int ENUM = 0x0100;
  public static final int AUTO_INCREMENT = 0x0200;
  public static final int TIMESTAMP = 0x0400;
  public static final int SET = 0x0800;
  public static final int NO_DEFAULT_VALUE = 0x1000;
  public static final int ON_UPDATE_NOW = 0x2000;

  /** Also called GROUP_FLAG. */
  public static final int NUM = 0x8000;

  private ColumnFlag() {}
}
