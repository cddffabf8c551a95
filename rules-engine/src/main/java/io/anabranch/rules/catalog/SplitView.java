package io.anabranch.rules.catalog;

import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import java.util.List;

/**
 * A view whose rows are those that its query gives in all nodes of a sharded table.
 *
 * @param endpoint that keeps its definition
 * @param schema its columns
 * @param queries in parentheses, by node
 */
public record SplitView(String endpoint, TableSchema schema, List<String> queries) {
  public SplitView {
    queries = List.copyOf(queries);
  }
}
