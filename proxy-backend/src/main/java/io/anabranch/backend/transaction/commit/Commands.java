package io.anabranch.backend.transaction.commit;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.backend.shard.ShardReply;
import io.anabranch.backend.transaction.TransactionOptions;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs the transaction's own commands on a connection. */
public final class Commands {

  private Commands() {}

  /**
   * Runs what is due in front of a statement. Commands at the end that need no answer before the
   * statement travel with it.
   */
  public static void prologue(Lease lease, List<byte[]> commands) {
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

  /**
   * Runs what rolls back a transaction that was given up, and what is due behind it. XA END tells
   * of a deadlock that has ended the branch's work, and XA ROLLBACK works then.
   *
   * @throws ShardException if it may not be rolled back
   */
  public static void rollback(Lease lease, List<byte[]> commands) {
    for (byte[] command : commands) {
      try {
        run(lease, command);
      } catch (ShardException.Database refused) {
        String text = new String(command, StandardCharsets.UTF_8);
        boolean isGone =
            text.startsWith("XA ROLLBACK ") && refused.errno() == BranchEnd.UNKNOWN_XID;
        if (!text.startsWith("XA END ") && !isGone) {
          throw refused;
        }
      }
    }
  }

  private static boolean needsNoAnswer(byte[] command) {
    String text = new String(command, StandardCharsets.UTF_8);
    return text.equals(TransactionOptions.START) || text.startsWith("XA START ");
  }

  /**
   * Sends several in one packet train, where what follows an error fails by it, and tells the
   * answer to the last. Does not wait.
   */
  static CompletableFuture<ShardReply> send(Lease lease, List<String> commands) {
    int last = commands.size() - 1;
    if (last > 0) {
      var first = new ArrayList<byte[]>(last);
      for (String command : commands.subList(0, last)) {
        first.add(command.getBytes(StandardCharsets.UTF_8));
      }
      lease.shard().prologue(first);
    }
    byte[] sql = commands.get(last).getBytes(StandardCharsets.UTF_8);
    return lease.shard().send(ShardQuery.text(lease.dataSource(), sql));
  }

  public static ShardOutcome run(Lease lease, String sql) {
    return run(lease, sql.getBytes(StandardCharsets.UTF_8));
  }

  public static ShardOutcome run(Lease lease, byte[] sql) {
    ShardQuery query = ShardQuery.text(lease.dataSource(), sql);
    try (ShardCursor cursor = lease.shard().query(query)) {
      return cursor.outcome();
    }
  }
}
