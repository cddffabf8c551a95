package io.anabranch.rules.catalog;

import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;

/** Tells of results as they are stored, for queries whose rows no client gets. */
public record StoredCatalog(SchemaCatalog catalog) implements CatalogOver {

  @Override
  public List<ResultColumn> describe(ShardQuery query) {
    return catalog.describeStored(query);
  }
}
