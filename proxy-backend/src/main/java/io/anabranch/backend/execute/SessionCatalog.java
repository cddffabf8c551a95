package io.anabranch.backend.execute;

import io.anabranch.backend.pool.SessionSettings;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.planner.SchemaCatalog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the databases tell of statements that are read under a session's own settings. Thread-safe.
 */
record SessionCatalog(LiveCatalog catalog, SessionSettings settings) implements SchemaCatalog {

  @Override
  public boolean isReachable(String endpoint) {
    return catalog.isReachable(endpoint);
  }

  @Override
  public Optional<TableSchema> table(String dataSource, String table) {
    return catalog.table(dataSource, table);
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
    return catalog.describe(query, settings);
  }

  @Override
  public List<ResultColumn> describeOver(Map<String, String> tables, ShardQuery query) {
    return catalog.describeOver(tables, query, settings);
  }

  @Override
  public MadeTable made(String name, ShardQuery create) {
    return catalog.made(name, create, settings);
  }

  @Override
  public List<ResultColumn> describeStored(ShardQuery query) {
    return catalog.describeStored(query, settings);
  }

  @Override
  public byte[] padWeight(String dataSource, int collation) {
    return catalog.padWeight(dataSource, collation);
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
