package io.anabranch.rules.catalog;

import io.anabranch.rules.model.DataNode;
import java.util.List;
import java.util.Optional;

/** The catalogue as it will be when a table has been made on its nodes. */
public record MadeCatalog(SchemaCatalog catalog, List<DataNode> nodes, MadeTable made)
    implements CatalogOver {

  @Override
  public Optional<TableSchema> table(String dataSource, String table) {
    boolean isMade =
        nodes.stream()
            .anyMatch(
                node ->
                    node.dataSource().equals(dataSource) && node.table().equalsIgnoreCase(table));
    return isMade
        ? Optional.of(new TableSchema(table, made.schema().columns()))
        : catalog.table(dataSource, table);
  }

  @Override
  public List<TableSchema> tables(String dataSource, List<String> tables) {
    return tables.stream().flatMap(name -> table(dataSource, name).stream()).toList();
  }
}
