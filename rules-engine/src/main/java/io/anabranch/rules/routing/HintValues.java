package io.anabranch.rules.routing;

import io.anabranch.rules.value.SqlValue;
import java.util.List;

/**
 * What a statement's hint says for one table's hint strategies.
 *
 * @param database values for data sources; empty: nothing is said, so all of them
 * @param table values for the tables of a data source; empty likewise
 */
public record HintValues(List<SqlValue> database, List<SqlValue> table) {

  public static final HintValues NONE = new HintValues(List.of(), List.of());

  public HintValues {
    database = List.copyOf(database);
    table = List.copyOf(table);
  }
}
