package io.anabranch.backend.transaction;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs the transaction's own commands on a connection, waiting for the answer. */
final class Commands {

  private Commands() {}

  static ShardOutcome run(Lease lease, String sql) {
    return run(lease, sql.getBytes(StandardCharsets.UTF_8));
  }

  static ShardOutcome run(Lease lease, byte[] sql) {
    ShardQuery query = ShardQuery.text(lease.dataSource(), sql);
    try (ShardCursor cursor = lease.shard().query(query, List.of(), false)) {
      return cursor.outcome();
    }
  }
}
