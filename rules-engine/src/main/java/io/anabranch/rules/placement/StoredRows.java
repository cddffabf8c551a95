package io.anabranch.rules.placement;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Rows that a table has and gets again, elsewhere: nothing of them is new, so that the session's
 * {@code sql_mode} has no say (days that are none, ENUM values that are none), and moments are
 * those that they were, also in the hour that comes twice in the session's time zone.
 *
 * @param inUtc whether moments are read and written as those of UTC
 */
public record StoredRows(boolean inUtc, boolean isMariaDb) {

  private static final String MODE = "sql_mode='ALLOW_INVALID_DATES,NO_AUTO_VALUE_ON_ZERO'";
  private static final String UTC = "time_zone='+00:00'";

  /**
   * @param placing the sharding columns, which are compared with what the session means
   */
  public static StoredRows of(List<Column> columns, List<Column> placing, boolean isMariaDb) {
    // what is generated is computed anew, by the session's time zone
    boolean inUtc =
        columns.stream().anyMatch(StoredRows::isInstant)
            && placing.stream().noneMatch(StoredRows::isInstant)
            && columns.stream().noneMatch(Column::generated);
    return new StoredRows(inUtc, isMariaDb);
  }

  private static boolean isInstant(Column column) {
    return column.type().toLowerCase(Locale.ROOT).startsWith("timestamp");
  }

  /**
   * @param select begins with its verb
   */
  public String reading(String select) {
    return inUtc ? with(List.of(UTC), select) : select;
  }

  /**
   * @param insert begins with its verb
   */
  public String writing(String insert) {
    var settings = new ArrayList<>(List.of(MODE));
    if (inUtc) {
      settings.add(UTC);
    }
    return with(settings, insert);
  }

  private String with(List<String> settings, String statement) {
    if (isMariaDb) {
      return "SET STATEMENT " + String.join(", ", settings) + " FOR " + statement;
    }
    int verb = statement.indexOf(' ');
    String hints = String.join(") SET_VAR(", settings);
    return statement.substring(0, verb)
        + " /*+ SET_VAR("
        + hints
        + ") */"
        + statement.substring(verb);
  }
}
