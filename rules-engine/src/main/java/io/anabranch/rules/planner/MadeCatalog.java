package io.anabranch.rules.planner;

import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The catalogue as it will be when a table has been made on its nodes. */
record MadeCatalog(SchemaCatalog catalog, List<DataNode> nodes, MadeTable made)
    implements SchemaCatalog {

  @Override
  public boolean isReachable(String endpoint) {
    return catalog.isReachable(endpoint);
  }

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
  public List<String> tableNames(String dataSource) {
    return catalog.tableNames(dataSource);
  }

  @Override
  public List<List<@Nullable String>> rows(String dataSource, String sql) {
    return catalog.rows(dataSource, sql);
  }

  @Override
  public List<ResultColumn> describe(ShardQuery query) {
    return catalog.describe(query);
  }

  @Override
  public List<ResultColumn> describeOver(Map<String, String> tables, ShardQuery query) {
    return catalog.describeOver(tables, query);
  }

  @Override
  public List<ResultColumn> describeStored(ShardQuery query) {
    return catalog.describeStored(query);
  }

  @Override
  public MadeTable made(String name, ShardQuery create) {
    return catalog.made(name, create);
  }

  @Override
  public byte[] padWeight(String dataSource, int id) {
    return catalog.padWeight(dataSource, id);
  }

  @Override
  public String defaultSchema(String dataSource) {
    return catalog.defaultSchema(dataSource);
  }

  @Override
  public void refresh(@Nullable String table) {
    catalog.refresh(table);
  }
}
