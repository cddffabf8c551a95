package io.anabranch.rules.catalog;

import io.anabranch.rules.compare.CollationWeights;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A catalogue that answers as another one does, but for what it says itself. */
public interface CatalogOver extends SchemaCatalog {

  /** Who answers otherwise. */
  SchemaCatalog catalog();

  @Override
  default boolean isReachable(String endpoint) {
    return catalog().isReachable(endpoint);
  }

  @Override
  default boolean isMariaDb(String dataSource) {
    return catalog().isMariaDb(dataSource);
  }

  @Override
  default boolean knowsKind(String dataSource) {
    return catalog().knowsKind(dataSource);
  }

  @Override
  default boolean tellsCase(String dataSource) {
    return catalog().tellsCase(dataSource);
  }

  @Override
  default Optional<TableSchema> table(String dataSource, String table) {
    return catalog().table(dataSource, table);
  }

  @Override
  default Optional<TableSchema> lasting(String dataSource, String table) {
    return catalog().lasting(dataSource, table);
  }

  @Override
  default Optional<TableSchema> current(String dataSource, String table) {
    return catalog().current(dataSource, table);
  }

  @Override
  default List<TableSchema> tables(String dataSource, List<String> tables) {
    return catalog().tables(dataSource, tables);
  }

  @Override
  default List<String> tableNames(String dataSource) {
    return catalog().tableNames(dataSource);
  }

  @Override
  default List<List<@Nullable String>> rows(String dataSource, String sql) {
    return catalog().rows(dataSource, sql);
  }

  @Override
  default List<List<@Nullable String>> rows(String dataSource, String sql, LongConsumer kept) {
    return catalog().rows(dataSource, sql, kept);
  }

  @Override
  default List<List<@Nullable String>> rows(ShardQuery query) {
    return catalog().rows(query);
  }

  @Override
  default List<List<@Nullable String>> definitions(String dataSource, String sql) {
    return catalog().definitions(dataSource, sql);
  }

  @Override
  default List<ResultColumn> describe(ShardQuery query) {
    return catalog().describe(query);
  }

  @Override
  default List<ResultColumn> describeOver(Map<String, String> tables, ShardQuery query) {
    return catalog().describeOver(tables, query);
  }

  @Override
  default List<ResultColumn> describeStored(ShardQuery query) {
    return catalog().describeStored(query);
  }

  @Override
  default MadeTable made(String name, ShardQuery create) {
    return catalog().made(name, create);
  }

  @Override
  default CollationWeights weights(String dataSource, int id) {
    return catalog().weights(dataSource, id);
  }

  @Override
  default CollationWeights weights(String dataSource, String collation) {
    return catalog().weights(dataSource, collation);
  }

  @Override
  default String defaultSchema(String dataSource) {
    return catalog().defaultSchema(dataSource);
  }

  @Override
  default void refresh(@Nullable String table) {
    catalog().refresh(table);
  }
}
