package io.anabranch.frontend.execution.relay;

import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.List;

/** The columns that a client is told where a database answers by itself. */
final class ResultShape {

  private ResultShape() {}

  /**
   * With logical names in the place of the database's own; tables of other schemas keep theirs.
   *
   * @param actual the connection's schema
   */
  static List<ResultColumn> logical(List<ResultColumn> columns, NameMapping names, String actual) {
    String schema = names.schema().isEmpty() ? actual : names.schema();
    var mapped = new ArrayList<ResultColumn>(columns.size());
    for (ResultColumn column : columns) {
      boolean isOurs = !actual.isEmpty() && column.schema().equals(actual);
      mapped.add(isOurs ? logical(column, names, schema) : column);
    }
    return mapped;
  }

  private static ResultColumn logical(ResultColumn column, NameMapping names, String schema) {
    return column.named(
        schema,
        names.tables().getOrDefault(column.table(), column.table()),
        names.tables().getOrDefault(column.orgTable(), column.orgTable()),
        column.name(),
        column.orgName());
  }
}
