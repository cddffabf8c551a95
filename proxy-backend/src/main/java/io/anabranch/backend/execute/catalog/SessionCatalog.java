package io.anabranch.backend.execute.catalog;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.rules.catalog.CatalogOver;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the databases tell of statements that are read under a session's own settings. Thread-safe.
 */
record SessionCatalog(LiveCatalog catalog, SessionSettings settings) implements CatalogOver {

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
  public List<List<@Nullable String>> rows(ShardQuery query) {
    return catalog.rows(query, settings);
  }

  @Override
  public List<ResultColumn> describeStored(ShardQuery query) {
    return catalog.describeStored(query, settings);
  }
}
