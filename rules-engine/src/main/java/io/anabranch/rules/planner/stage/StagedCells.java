package io.anabranch.rules.planner.stage;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.plan.StagedTable.Cell;
import io.anabranch.rules.sql.TableNames;
import java.util.List;
import java.util.Locale;

/**
 * How a column of a type is read, written and declared so that the copy holds what the table holds:
 * bytes without conversion, labels of ENUM and SET, TIMESTAMP as an instant, FLOAT as the DOUBLE
 * that it is.
 *
 * @param expression how it is read; {@code %s} stands for the column
 */
record StagedCells(Cell cell, String expression) {

  /** A longer part of a string tells no more rows apart, and does not fit into every key. */
  private static final int KEY_LENGTH = 191;

  private static final StagedCells NUMBER = new StagedCells(Cell.NUMBER, "%s");
  private static final StagedCells WHOLE = new StagedCells(Cell.NUMBER, "CAST(%s AS UNSIGNED)");
  private static final StagedCells CHOICE = new StagedCells(Cell.CHOICE, WHOLE.expression());
  private static final StagedCells FLOAT = new StagedCells(Cell.NUMBER, "%s*1e0");
  private static final StagedCells TIME = new StagedCells(Cell.QUOTED, "%s");

  /** As a text: on its way through a UNION one without a day would be none. */
  private static final StagedCells DATE = new StagedCells(Cell.QUOTED, "CAST(%s AS CHAR)");

  private static final StagedCells INSTANT = new StagedCells(Cell.INSTANT, "UNIX_TIMESTAMP(%s)");
  private static final StagedCells BYTES = new StagedCells(Cell.BYTES, "%s");
  private static final StagedCells STRING = new StagedCells(Cell.BYTES, "CAST(%s AS BINARY)");
  private static final StagedCells TEXT =
      new StagedCells(Cell.TEXT, "CAST(CONVERT(%s USING utf8mb4) AS BINARY)");

  /** By its label: a number would mean another one if the definition is not what it was. */
  private static final StagedCells ENUM = new StagedCells(Cell.ENUM, TEXT.expression());

  static StagedCells of(Column column) {
    String type = baseType(column.type());
    return switch (type) {
      case "tinyint", "smallint", "mediumint", "int", "integer", "bigint", "decimal", "numeric" ->
          NUMBER;
      case "double", "real", "year" -> NUMBER;
      case "float" -> FLOAT;
      case "bit" -> WHOLE;
      case "set" -> TEXT;
      case "enum" -> hasEmptyLabel(column.type()) ? CHOICE : ENUM;
      case "date", "datetime" -> DATE;
      case "time" -> TIME;
      case "timestamp" -> INSTANT;
      case "json", "uuid", "inet4", "inet6" -> TEXT;
      default -> column.collation() == null ? BYTES : STRING;
    };
  }

  private static boolean hasEmptyLabel(String type) {
    return type.contains("(''") || type.contains(",''");
  }

  /** {@code varchar} of {@code VARCHAR(20)}. */
  private static String baseType(String type) {
    int end = 0;
    while (end < type.length() && Character.isLetterOrDigit(type.charAt(end))) {
      end++;
    }
    return type.substring(0, end).toLowerCase(Locale.ROOT);
  }

  String select(String column) {
    return expression.replace("%s", column);
  }

  /** The column in CREATE TABLE. Generated columns become plain ones. */
  static String definition(Column column) {
    var text =
        new StringBuilder(TableNames.quoted(column.name())).append(' ').append(column.type());
    if (column.collation() != null) {
      text.append(" COLLATE ").append(column.collation());
    }
    text.append(column.nullable() ? " NULL" : " NOT NULL");
    if (!column.nullable() && baseType(column.type()).equals("timestamp")) {
      // without it old servers invent defaults, some of which strict modes refuse
      text.append(" DEFAULT '1971-01-01 00:00:00'");
    }
    if (column.json()) {
      text.append(" CHECK (json_valid(").append(TableNames.quoted(column.name())).append("))");
    }
    return text.toString();
  }

  /** The column in a key; empty for types that servers take into no key, or are of no use there. */
  static String keyPart(Column column) {
    String type = baseType(column.type());
    String name = TableNames.quoted(column.name());
    return switch (type) {
      case "tinyint", "smallint", "mediumint", "int", "integer", "bigint", "decimal", "numeric" ->
          name;
      case "year", "date", "datetime", "time", "timestamp", "enum", "set" -> name;
      case "uuid", "inet4", "inet6" -> name;
      case "char", "varchar", "binary", "varbinary" -> {
        boolean compressed = column.type().toLowerCase(Locale.ROOT).contains("compressed");
        yield compressed
            ? ""
            : length(column.type()) > KEY_LENGTH ? name + "(" + KEY_LENGTH + ")" : name;
      }
      default -> "";
    };
  }

  /** Whether the columns' keys are whole ones, and their strings together no longer than one's. */
  static boolean fitInto(List<Column> key) {
    return key.stream().mapToInt(StagedCells::characters).sum() <= KEY_LENGTH;
  }

  private static int characters(Column column) {
    return switch (baseType(column.type())) {
      case "char", "varchar", "binary", "varbinary" -> length(column.type());
      default -> 0;
    };
  }

  private static int length(String type) {
    int open = type.indexOf('(');
    int close = type.indexOf(')');
    return open < 0 || close < open ? 1 : Integer.parseInt(type.substring(open + 1, close).trim());
  }
}
