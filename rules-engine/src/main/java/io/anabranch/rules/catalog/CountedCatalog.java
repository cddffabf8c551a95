package io.anabranch.rules.catalog;

import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What one statement asks, on the account of who waits for its plan: a query of {@code
 * information_schema} takes the rows of other data sources along.
 *
 * @param kept takes bytes before they are kept, or refuses them
 */
public record CountedCatalog(SchemaCatalog catalog, LongConsumer kept) implements CatalogOver {

  @Override
  public List<List<@Nullable String>> rows(String dataSource, String sql) {
    return catalog.rows(dataSource, sql, kept);
  }
}
