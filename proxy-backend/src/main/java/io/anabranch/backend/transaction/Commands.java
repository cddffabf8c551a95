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

  /**
   * Runs what is due in front of a statement. Commands at the end that need no answer before the
   * statement travel with it.
   */
  static void prologue(Lease lease, List<byte[]> commands) {
    int travelling = commands.size();
    while (travelling > 0 && needsNoAnswer(commands.get(travelling - 1))) {
      travelling--;
    }
    for (byte[] command : commands.subList(0, travelling)) {
      run(lease, command);
    }
    if (travelling < commands.size()) {
      lease.shard().prologue(commands.subList(travelling, commands.size()));
    }
  }

  private static boolean needsNoAnswer(byte[] command) {
    String text = new String(command, StandardCharsets.UTF_8);
    return text.equals("BEGIN") || text.startsWith("XA START ");
  }

  /** Runs several in one packet train, where what follows an error fails by it. */
  static void train(Lease lease, List<String> commands) {
    List<byte[]> first =
        commands.subList(0, commands.size() - 1).stream()
            .map(command -> command.getBytes(StandardCharsets.UTF_8))
            .toList();
    if (!first.isEmpty()) {
      lease.shard().prologue(first);
    }
    run(lease, commands.getLast());
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
