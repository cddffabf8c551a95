package io.anabranch.benchmarks;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.compare.CollationWeights;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** sysbench's table wherever one asks. */
record OneTableCatalog() implements SchemaCatalog {

  @Override
  public Optional<TableSchema> table(String dataSource, String table) {
    return Optional.of(
        new TableSchema(
            table,
            List.of(
                new Column("id", "int(11)", null, false, false),
                new Column("k", "int(11)", null, false, false),
                new Column("c", "char(120)", "utf8mb4_general_ci", false, false),
                new Column("pad", "char(60)", "utf8mb4_general_ci", false, false))));
  }

  @Override
  public List<String> tableNames(String dataSource) {
    return List.of("sbtest1_0");
  }

  @Override
  public MadeTable made(String name, ShardQuery create) {
    throw new UnsupportedOperationException(name);
  }

  @Override
  public List<ResultColumn> describeOver(java.util.Map<String, String> tables, ShardQuery query) {
    return describe(query);
  }

  @Override
  public List<ResultColumn> describe(ShardQuery query) {
    return List.of(new ResultColumn("sb", "sbtest1", "sbtest1", "c", "c", 45, 480, 254, 1, 0));
  }

  @Override
  public CollationWeights weights(String dataSource, int id) {
    return CollationWeights.binary();
  }

  @Override
  public String defaultSchema(String dataSource) {
    return "sb";
  }

  @Override
  public void refresh(@Nullable String table) {}
}
