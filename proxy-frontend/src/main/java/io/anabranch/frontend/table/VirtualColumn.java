package io.anabranch.frontend.table;

import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.StagedTable.Cell;
import org.jspecify.annotations.Nullable;

/**
 * A column of a {@link VirtualTable}.
 *
 * @param characters of texts, at most
 */
public record VirtualColumn(String name, Type type, int characters) {

  private static final int LONGEST_VARCHAR = 1024;
  private static final String UTF8 = " CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NULL";

  /** Of its values. */
  public enum Type {
    /** BIGINT. */
    NUMBER,
    /** Milliseconds with three digits behind the point: DOUBLE. */
    MILLISECONDS,
    /** VARCHAR, or LONGTEXT where it may be long. */
    TEXT,
    /** DATETIME(3) in UTC. */
    MOMENT
  }

  private static final int MOMENT_CHARACTERS = 23;

  public static VirtualColumn number(String name) {
    return new VirtualColumn(name, Type.NUMBER, 0);
  }

  public static VirtualColumn milliseconds(String name) {
    return new VirtualColumn(name, Type.MILLISECONDS, 0);
  }

  public static VirtualColumn moment(String name) {
    return new VirtualColumn(name, Type.MOMENT, MOMENT_CHARACTERS);
  }

  public static VirtualColumn text(String name, int characters) {
    return new VirtualColumn(name, Type.TEXT, characters);
  }

  String definition() {
    return switch (type) {
      case NUMBER -> "BIGINT NULL";
      case MILLISECONDS -> "DOUBLE NULL";
      case MOMENT -> "DATETIME(3) NULL";
      case TEXT ->
          characters > LONGEST_VARCHAR ? "LONGTEXT" + UTF8 : "VARCHAR(" + characters + ")" + UTF8;
    };
  }

  /** As SHOW COLUMNS tells. */
  public String shown() {
    return switch (type) {
      case NUMBER -> "bigint(20)";
      case MILLISECONDS -> "double";
      case MOMENT -> "datetime(3)";
      case TEXT -> characters > LONGEST_VARCHAR ? "longtext" : "varchar(" + characters + ")";
    };
  }

  Cell cell() {
    return switch (type) {
      case NUMBER, MILLISECONDS -> Cell.NUMBER;
      case MOMENT -> Cell.QUOTED;
      case TEXT -> Cell.TEXT;
    };
  }

  /** A cell as the column has room for it: clients give texts of any length. */
  @Nullable String fitting(@Nullable String cell) {
    boolean isLong = cell != null && type == Type.TEXT && cell.length() > characters;
    if (cell == null || !isLong || cell.codePointCount(0, cell.length()) <= characters) {
      return cell;
    }
    return cell.substring(0, cell.offsetByCodePoints(0, characters));
  }

  /** Rows are copied as texts, whatever the column's type. */
  public ResultColumn copied() {
    return LocalColumns.text(name, Math.max(characters, LONGEST_VARCHAR));
  }

  ResultColumn described(String schema, String table) {
    ResultColumn column =
        switch (type) {
          case NUMBER -> LocalColumns.nullableNumber(name);
          case MILLISECONDS -> LocalColumns.nullableDouble(name);
          case MOMENT -> LocalColumns.moment(name);
          case TEXT ->
              characters > LONGEST_VARCHAR
                  ? LocalColumns.longText(name, characters)
                  : LocalColumns.text(name, characters);
        };
    return column.named(schema, table, table, name, name);
  }
}
