package io.anabranch.backend.execute;

import io.anabranch.backend.pool.Lease;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.planner.SchemaCatalog;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Stub. */
public final class LiveCatalog implements SchemaCatalog {

  private final Function<String, Lease> leases;

  /**
   * @param leases gives a lease of the primary of a data source or group; blocks
   */
  public LiveCatalog(Function<String, Lease> leases) {
    this.leases = leases;
  }

  @Override
  public Optional<TableSchema> table(String dataSource, String table) {
    throw new IllegalStateException(leases.toString());
  }

  @Override
  public List<String> tableNames(String dataSource) {
    throw new IllegalStateException(leases.toString());
  }

  @Override
  public List<ResultColumn> describe(ShardQuery query) {
    throw new IllegalStateException(leases.toString());
  }

  @Override
  public byte[] padWeight(String dataSource, int id) {
    throw new IllegalStateException(leases.toString());
  }

  @Override
  public String defaultSchema(String dataSource) {
    throw new IllegalStateException(leases.toString());
  }

  @Override
  public void refresh(@Nullable String table) {
    throw new IllegalStateException(leases.toString());
  }
}
