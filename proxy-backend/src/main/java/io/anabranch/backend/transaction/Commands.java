package io.anabranch.backend.transaction;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Runs the transaction's own commands on a connection, waiting for the answer. */
final class Commands {

  private static final byte[] BEGIN = "BEGIN".getBytes(StandardCharsets.US_ASCII);

  private Commands() {}

  /**
   * Runs what is due in front of a statement. A BEGIN alone, which does not fail, travels with the
   * statement; of other commands the answer must be known before.
   */
  static void prologue(Lease lease, List<byte[]> commands) {
    if (commands.size() == 1 && Arrays.equals(commands.getFirst(), BEGIN)) {
      lease.shard().prologue(commands);
      return;
    }
    for (byte[] command : commands) {
      run(lease, command);
    }
  }

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
