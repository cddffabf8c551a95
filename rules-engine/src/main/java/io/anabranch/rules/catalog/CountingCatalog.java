package io.anabranch.rules.catalog;

import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one statement asks: tables that are not there are asked for once, as each data source is
 * asked for each table that only one of them has; columns that are described are counted, of which
 * a plan keeps about so many. Of one statement's thread.
 */
public final class CountingCatalog implements CatalogOver {

  private final SchemaCatalog catalog;
  private final Set<DataNode> absent = new HashSet<>();
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
  public Optional<TableSchema> table(String dataSource, String table) {
    var node = new DataNode(dataSource, table);
    if (absent.contains(node)) {
      return Optional.empty();
    }
    Optional<TableSchema> found = catalog.table(dataSource, table);
    if (found.isEmpty()) {
      absent.add(node);
    }
    return found;
  }

  @Override
  public Optional<TableSchema> lasting(String dataSource, String table) {
    return absent.contains(new DataNode(dataSource, table))
        ? Optional.empty()
        : catalog.lasting(dataSource, table);
  }

  @Override
  public void refresh(@Nullable String table) {
    absent.clear();
    catalog.refresh(table);
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
