package io.anabranch.rules.planner;

import io.anabranch.rules.planner.SchemaCatalog.TableSchema;
import java.util.List;

/**
 * A view whose rows are those that its query gives in all nodes of a sharded table.
 *
 * @param endpoint that keeps its definition
 * @param schema its columns
 * @param queries in parentheses, by node
 */
record SplitView(String endpoint, TableSchema schema, List<String> queries) {
  SplitView {
    queries = List.copyOf(queries);
  }
}
