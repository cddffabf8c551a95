package io.anabranch.rules.catalog;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.sql.TableNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The catalogue as a session with temporary tables sees it. Questions run on other connections than
 * the session's, so tables like its own are made there for them.
 */
public record TemporaryCatalog(SchemaCatalog catalog, TemporaryTables temporaries)
    implements CatalogOver {

  @Override
  public Optional<TableSchema> table(String dataSource, String table) {
    return temporary(dataSource, table).or(() -> catalog.table(dataSource, table));
  }

  @Override
  public Optional<TableSchema> current(String dataSource, String table) {
    return temporary(dataSource, table).or(() -> catalog.current(dataSource, table));
  }

  private Optional<TableSchema> temporary(String dataSource, String table) {
    TemporaryTables.Table own = temporaries.find(table);
    return own != null && own.endpoint().equals(dataSource) && isCalled(own, table)
        ? Optional.of(own.schema())
        : Optional.empty();
  }

  private boolean isCalled(TemporaryTables.Table own, String name) {
    return own.schema().name().equals(name) || !catalog.tellsCase(own.endpoint());
  }

  @Override
  public List<ResultColumn> describe(ShardQuery query) {
    Map<String, String> own = definitions(query.dataSource());
    return own.isEmpty() ? catalog.describe(query) : catalog.describeOver(own, query);
  }

  @Override
  public List<ResultColumn> describeStored(ShardQuery query) {
    SqlTokens tokens = SqlTokens.of(query.sqlText());
    boolean isOfOwn =
        temporaries.byName().values().stream()
            .filter(table -> table.endpoint().equals(query.dataSource()))
            .anyMatch(table -> tokens.mention(table.schema().name()));
    return isOfOwn ? describe(query) : catalog.describeStored(query);
  }

  @Override
  public List<ResultColumn> describeOver(Map<String, String> tables, ShardQuery query) {
    Map<String, String> all = definitions(query.dataSource());
    all.putAll(tables);
    return catalog.describeOver(all, query);
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
}
