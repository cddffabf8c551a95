package io.anabranch.rules.planner.insert;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.plan.PlanNode.Load.Blank;
import io.anabranch.rules.plan.PlanNode.Load.Filler;
import io.anabranch.rules.value.SqlValue;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the columns of a file hold where a line ends before their fields, or has {@code \N} for a
 * column that is NOT NULL. Servers reset them: NULL where that is the default of a missing field,
 * else the zero of the type, whatever the default; a TIMESTAMP NOT NULL gets the moment, and what
 * has no zero refuses the line. See <a
 * href="https://dev.mysql.com/doc/refman/8.4/en/load-data.html">LOAD DATA</a>.
 */
final class BlankFields {

  private static final Pattern FRACTION = Pattern.compile("\\((\\d)\\)");

  private static final Filler NULL = new Filler("NULL", SqlValue.Null.NULL, false);

  private BlankFields() {}

  /** Of a column that nobody knows. */
  static Blank unknown(String column) {
    return new Blank(column, Filler.DEFAULT, NULL, false);
  }

  /**
   * Of a column with something else stored in its place, which is made of the fields themselves.
   */
  static Blank replaced(Blank blank) {
    return new Blank(blank.column(), blank.missing(), NULL, false);
  }

  static Blank of(Column column) {
    String name = column.name();
    if (column.autoIncrement()) {
      // databases make the number
      return new Blank(name, Filler.DEFAULT, NULL, false);
    }
    if (column.nullable()) {
      return new Blank(name, column.defaulted() ? reset(column) : NULL, NULL, false);
    }
    Filler reset = reset(column);
    if (reset != null && reset.isDefault()) {
      // NULL becomes the empty value of such a type, which has no literal
      return new Blank(name, reset, NULL, false);
    }
    return new Blank(name, reset, reset, !isTimestamp(column));
  }

  private static @Nullable Filler reset(Column column) {
    String type = column.type().toLowerCase(Locale.ROOT);
    return switch (type.split("[ (]", 2)[0]) {
      case "tinyint",
          "smallint",
          "mediumint",
          "int",
          "bigint",
          "decimal",
          "float",
          "double",
          "bit",
          "year" ->
          new Filler("0", new SqlValue.Int(0), false);
      case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "set" ->
          new Filler("''", new SqlValue.Text(""), false);
      case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob" -> unplaced("''");
      // the text '' may be one of its values
      case "enum" -> noted("0");
      case "time" -> unplaced("'00:00:00'");
      // sql_mode may not like it
      case "date" -> noted("'0000-00-00'");
      case "datetime" -> noted("'0000-00-00 00:00:00'");
      case "timestamp" -> column.nullable() ? noted("'0000-00-00 00:00:00'") : unplaced(now(type));
      case "json" -> unplaced("'null'");
      case "uuid" -> unplaced("'00000000-0000-0000-0000-000000000000'");
      case "inet6" -> unplaced("'::'");
      case "inet4" -> unplaced("'0.0.0.0'");
      case "geometry",
          "point",
          "linestring",
          "polygon",
          "multipoint",
          "multilinestring",
          "multipolygon",
          "geometrycollection",
          "geomcollection" ->
          null;
      default -> Filler.DEFAULT;
    };
  }

  private static boolean isTimestamp(Column column) {
    return column.type().toLowerCase(Locale.ROOT).startsWith("timestamp");
  }

  private static Filler unplaced(String literal) {
    return new Filler(literal, SqlValue.Unknown.UNKNOWN, false);
  }

  private static Filler noted(String literal) {
    return new Filler(literal, SqlValue.Unknown.UNKNOWN, true);
  }

  private static String now(String type) {
    Matcher fraction = FRACTION.matcher(type);
    return "CURRENT_TIMESTAMP(" + (fraction.find() ? fraction.group(1) : "") + ")";
  }
}
