package io.anabranch.rules.plan;

import java.util.List;
import java.util.Map;

/**
 * Actual names to the logical names that clients see in column definitions.
 *
 * @param schema the logical database's name, put in the place of the backend's schema
 * @param tables actual table name to logical table name; a name that is absent is left as it is
 */
public record NameMapping(String schema, Map<String, String> tables) {

  public NameMapping {
    tables = Map.copyOf(tables);
  }

  /** Maps the schema only. */
  public static NameMapping ofSchema(String schema) {
    return new NameMapping(schema, Map.of());
  }

  /** Columns as clients see them. */
  public List<ResultColumn> logical(List<ResultColumn> columns) {
    return columns.stream().map(column -> column.logical(this)).toList();
  }
}
