package io.anabranch.frontend.response;

import io.anabranch.protocol.type.Collation;
import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Columns of the proxy's own results. */
public final class LocalColumns {

  private static final int NUMBER_LENGTH = 21;
  private static final int DOUBLE_LENGTH = 22;
  private static final int ANY_DECIMALS = 31;
  private static final int MOMENT_LENGTH = 23;
  private static final int MILLISECOND_DECIMALS = 3;
  private static final int NAME = 64;
  private static final int VALUE = 4096;
  private static final int VALUE_OF_MYSQL = 1024;
  private static final int NO_DECIMALS = 0;
  private static final int STRING_DECIMALS = 39;
  private static final int STRING_DECIMALS_OF_MYSQL = 31;
  private static final int WIDEST_CHARACTER = 4;

  private LocalColumns() {}

  /**
   * @param characters at most
   */
  public static ResultColumn text(String name, int characters) {
    return string(name, ColumnType.VAR_STRING, characters);
  }

  /**
   * A text that is never NULL.
   *
   * @param characters at most
   */
  public static ResultColumn required(String name, int characters) {
    return notNull(text(name, characters));
  }

  /** Of SHOW DATABASES. */
  public static ResultColumn ofDatabases(String title, boolean isMariaDb) {
    int flags = ColumnFlag.NOT_NULL | ColumnFlag.NO_DEFAULT_VALUE;
    return isMariaDb
        ? ofTable("information_schema", "SCHEMATA", title, "SCHEMA_NAME", NAME, flags)
        : new ResultColumn(
            "",
            "SCHEMATA",
            "schemata",
            title,
            title,
            Collation.UTF8MB4_GENERAL_CI,
            (long) NAME * WIDEST_CHARACTER,
            ColumnType.VAR_STRING.code(),
            flags | ColumnFlag.BINARY,
            NO_DECIMALS);
  }

  /**
   * Of SHOW STATUS and SHOW VARIABLES.
   *
   * @param table as MariaDB calls it
   */
  public static List<ResultColumn> ofListing(String table, boolean isMariaDb) {
    int flags = ColumnFlag.NOT_NULL | ColumnFlag.NO_DEFAULT_VALUE;
    if (isMariaDb) {
      String schema = "information_schema";
      return List.of(
          ofTable(schema, table, "Variable_name", "VARIABLE_NAME", NAME, flags),
          ofTable(schema, table, "Value", "VARIABLE_VALUE", VALUE, flags));
    }
    String schema = "performance_schema";
    String lower = table.toLowerCase(Locale.ROOT);
    return List.of(
        ofTable(schema, lower, "Variable_name", "Variable_name", NAME, flags),
        ofTable(schema, lower, "Value", "Value", VALUE_OF_MYSQL, 0));
  }

  private static ResultColumn ofTable(
      String schema, String table, String title, String name, int characters, int flags) {
    return new ResultColumn(
        schema,
        table,
        table,
        title,
        name,
        Collation.UTF8MB4_GENERAL_CI,
        (long) characters * WIDEST_CHARACTER,
        ColumnType.VAR_STRING.code(),
        flags,
        NO_DECIMALS);
  }

  public static ResultColumn number(String name) {
    return number(name, NUMBER_LENGTH);
  }

  /** BIGINT NOT NULL of so many digits. */
  public static ResultColumn number(String name, int digits) {
    return binary(name, ColumnType.LONGLONG, digits, ColumnFlag.NOT_NULL | ColumnFlag.BINARY);
  }

  /** BIGINT UNSIGNED. */
  public static ResultColumn unsignedCount(String name, boolean notNull) {
    int flags = ColumnFlag.UNSIGNED | ColumnFlag.BINARY | (notNull ? ColumnFlag.NOT_NULL : 0);
    return binary(name, ColumnType.LONGLONG, NUMBER_LENGTH, flags);
  }

  /** INT UNSIGNED NOT NULL. */
  public static ResultColumn unsignedInt(String name, int digits) {
    int flags = ColumnFlag.UNSIGNED | ColumnFlag.BINARY | ColumnFlag.NOT_NULL;
    return binary(name, ColumnType.LONG, digits, flags);
  }

  /** INT NOT NULL. */
  public static ResultColumn shortNumber(String name, int digits) {
    return binary(name, ColumnType.LONG, digits, ColumnFlag.NOT_NULL | ColumnFlag.BINARY);
  }

  /** DOUBLE NOT NULL with so many digits, some of them behind the point. */
  public static ResultColumn fraction(String name, int digits, int decimals) {
    int flags = ColumnFlag.NOT_NULL | ColumnFlag.BINARY;
    return column(name, Collation.BINARY, digits, ColumnType.DOUBLE, flags, decimals);
  }

  /**
   * LONGTEXT.
   *
   * @param characters at most
   */
  public static ResultColumn longText(String name, int characters) {
    return string(name, ColumnType.LONG_BLOB, characters);
  }

  /** BIGINT. */
  public static ResultColumn nullableNumber(String name) {
    return binary(name, ColumnType.LONGLONG, NUMBER_LENGTH - 1, ColumnFlag.BINARY);
  }

  /** DOUBLE. */
  public static ResultColumn nullableDouble(String name) {
    return column(
        name, Collation.BINARY, DOUBLE_LENGTH, ColumnType.DOUBLE, ColumnFlag.BINARY, ANY_DECIMALS);
  }

  /** DATETIME(3). */
  public static ResultColumn moment(String name) {
    return column(
        name,
        Collation.BINARY,
        MOMENT_LENGTH,
        ColumnType.DATETIME,
        ColumnFlag.BINARY,
        MILLISECOND_DECIMALS);
  }

  /** A system variable that is 0 or 1. */
  public static ResultColumn flag(String name) {
    return binary(name, ColumnType.LONGLONG, 1, ColumnFlag.BINARY);
  }

  private static ResultColumn binary(String name, ColumnType type, int length, int flags) {
    return column(name, Collation.BINARY, length, type, flags, NO_DECIMALS);
  }

  private static ResultColumn string(String name, ColumnType type, int characters) {
    long length = (long) characters * WIDEST_CHARACTER;
    return column(name, Collation.UTF8MB4_GENERAL_CI, length, type, 0, STRING_DECIMALS);
  }

  /** Of no table. */
  private static ResultColumn column(
      String name, int collation, long length, ColumnType type, int flags, int decimals) {
    return new ResultColumn("", "", "", name, "", collation, length, type.code(), flags, decimals);
  }

  /**
   * Of SHOW WARNINGS.
   *
   * @param isMariaDb MySQL's error numbers have five digits
   */
  public static List<ResultColumn> ofWarnings(boolean isMariaDb) {
    return List.of(
        required("Level", 7), unsignedInt("Code", isMariaDb ? 4 : 5), required("Message", 512));
  }

  private static ResultColumn notNull(ResultColumn column) {
    return with(
        column, column.collation(), column.length(), ColumnFlag.NOT_NULL, column.decimals());
  }

  private static ResultColumn with(
      ResultColumn column, int collation, long length, int flags, int decimals) {
    return new ResultColumn(
        column.schema(),
        column.table(),
        column.orgTable(),
        column.name(),
        column.orgName(),
        collation,
        length,
        column.type(),
        flags,
        decimals);
  }

  /**
   * The columns as a client sees them that wants results in another character set.
   *
   * @param collation id of its results
   * @param isMariaDb MySQL has other decimals of texts
   */
  public static List<ResultColumn> forClient(
      List<ResultColumn> columns, int collation, boolean isMariaDb) {
    if (isMariaDb && collation == Collation.UTF8MB4_GENERAL_CI) {
      return columns;
    }
    Collation known = Collation.byId(collation);
    int bytes = known == null ? WIDEST_CHARACTER : bytesPerCharacter(known.characterSet());
    var shown = new ArrayList<ResultColumn>(columns.size());
    for (ResultColumn column : columns) {
      boolean isText = column.collation() == Collation.UTF8MB4_GENERAL_CI;
      long length = column.length() / WIDEST_CHARACTER * bytes;
      int decimals =
          !isMariaDb && column.decimals() == STRING_DECIMALS
              ? STRING_DECIMALS_OF_MYSQL
              : column.decimals();
      shown.add(isText ? with(column, collation, length, column.flags(), decimals) : column);
    }
    return shown;
  }

  private static int bytesPerCharacter(String characterSet) {
    return switch (characterSet) {
      case "utf8mb4", "gb18030", "utf16", "utf16le", "utf32" -> 4;
      case "utf8", "utf8mb3", "ujis", "eucjpms" -> 3;
      case "big5", "gbk", "gb2312", "sjis", "cp932", "euckr", "ucs2" -> 2;
      default -> 1;
    };
  }

  /**
   * A parameter of a prepared statement, of which servers say no more than that it is there.
   *
   * @param isMariaDb MariaDB gives no type, older servers of MySQL that of strings
   */
  public static ResultColumn parameter(boolean isMariaDb) {
    ColumnType type = isMariaDb ? ColumnType.NULL : ColumnType.VAR_STRING;
    return binary("?", type, 0, ColumnFlag.BINARY);
  }
}
