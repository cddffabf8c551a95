package io.anabranch.rules.planner;

import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.sql.TableNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue as a session with temporary tables sees it. Questions run on other connections than
 * the session's, so tables like its own are made there for them.
 */
record TemporaryCatalog(SchemaCatalog catalog, TemporaryTables temporaries)
    implements SchemaCatalog {

  @Override
  public boolean isReachable(String endpoint) {
    return catalog.isReachable(endpoint);
  }

  @Override
  public Optional<TableSchema> table(String dataSource, String table) {
    TemporaryTables.Table own = temporaries.find(table);
    return own != null && own.endpoint().equals(dataSource)
        ? Optional.of(own.schema())
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
    Map<String, String> own = definitions(query.dataSource());
    return own.isEmpty() ? catalog.describe(query) : catalog.describeOver(own, query);
  }

  @Override
  public List<ResultColumn> describeOver(Map<String, String> tables, ShardQuery query) {
    Map<String, String> all = definitions(query.dataSource());
    all.putAll(tables);
    return catalog.describeOver(all, query);
  }

  @Override
  public MadeTable made(String name, ShardQuery create) {
    return catalog.made(name, create);
  }

  /** Those of one data source, by quoted name. */
  private Map<String, String> definitions(String dataSource) {
    var definitions = new HashMap<String, String>();
    for (TemporaryTables.Table table : temporaries.byName().values()) {
      if (table.endpoint().equals(dataSource)) {
        definitions.put(TableNames.quoted(table.schema().name()), table.definition());
      }
    }
    return definitions;
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
