package io.anabranch.rules.catalog;

import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;
import java.util.Map;

/** Counts the columns that it describes: a plan keeps about so many. Of one statement's thread. */
public final class CountingCatalog implements CatalogOver {

  private final SchemaCatalog catalog;
  private long columns;

  public CountingCatalog(SchemaCatalog catalog) {
    this.catalog = catalog;
  }

  /** Columns that were described so far. */
  public long columns() {
    return columns;
  }

  @Override
  public SchemaCatalog catalog() {
    return catalog;
  }

  @Override
  public List<ResultColumn> describe(ShardQuery query) {
    return counted(catalog.describe(query));
  }

  @Override
  public List<ResultColumn> describeOver(Map<String, String> tables, ShardQuery query) {
    return counted(catalog.describeOver(tables, query));
  }

  @Override
  public List<ResultColumn> describeStored(ShardQuery query) {
    return counted(catalog.describeStored(query));
  }

  private List<ResultColumn> counted(List<ResultColumn> described) {
    columns += described.size();
    return described;
  }
}
