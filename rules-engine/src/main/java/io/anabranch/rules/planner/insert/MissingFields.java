package io.anabranch.rules.planner.insert;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.plan.PlanNode.Load.Missing;
import io.anabranch.rules.value.SqlValue;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the columns of a file hold where a line ends before their fields. Servers reset them: NULL
 * where that is the default, else the zero of the type, whatever the default; a TIMESTAMP NOT NULL
 * gets the moment. See <a href="https://dev.mysql.com/doc/refman/8.4/en/load-data.html">LOAD
 * DATA</a>.
 */
final class MissingFields {

  private static final Pattern FRACTION = Pattern.compile("\\((\\d)\\)");

  /** A number that databases make, and what nobody knows a zero of. */
  static final Missing DEFAULT = new Missing("DEFAULT", SqlValue.Null.NULL);

  private static final Missing NULL = new Missing("NULL", SqlValue.Null.NULL);

  private MissingFields() {}

  static Missing of(Column column) {
    if (column.autoIncrement()) {
      return DEFAULT;
    }
    if (column.nullable() && !column.defaulted()) {
      return NULL;
    }
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
          new Missing("0", new SqlValue.Int(0));
      case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "set" ->
          new Missing("''", new SqlValue.Text(""));
      case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob" ->
          new Missing("''", SqlValue.Unknown.UNKNOWN);
      // the text '' may be one of its values
      case "enum" -> new Missing("0", SqlValue.Unknown.UNKNOWN);
      case "time" -> new Missing("'00:00:00'", SqlValue.Unknown.UNKNOWN);
      case "date" -> new Missing("'0000-00-00'", SqlValue.Unknown.UNKNOWN);
      case "datetime" -> new Missing("'0000-00-00 00:00:00'", SqlValue.Unknown.UNKNOWN);
      case "timestamp" ->
          new Missing(
              column.nullable() ? "'0000-00-00 00:00:00'" : now(type), SqlValue.Unknown.UNKNOWN);
      default -> DEFAULT;
    };
  }

  private static String now(String type) {
    Matcher fraction = FRACTION.matcher(type);
    return "CURRENT_TIMESTAMP(" + (fraction.find() ? fraction.group(1) : "") + ")";
  }
}
