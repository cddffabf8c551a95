package io.anabranch.backend.lease;

import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.backend.shard.DatabaseWait;
import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.backend.shard.ShardReply;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A leased connection whose commands end with the {@link BlockingWork} that waits for them. A
 * database that was told too late hits nothing else: that is taken before the connection goes on.
 */
public final class EndableConnection implements ShardConnection {

  private static final byte[] NOTHING = "DO 0".getBytes(StandardCharsets.US_ASCII);

  private final Lease lease;
  private final ShardConnection connection;
  private final BlockingWork work;

  private EndableConnection(Lease lease, ShardConnection connection, BlockingWork work) {
    this.lease = lease;
    this.connection = connection;
    this.work = work;
  }

  /** The connection as the calling thread may use it. */
  public static ShardConnection of(Lease lease, ShardConnection connection) {
    BlockingWork work = BlockingWork.current();
    return work == null ? connection : new EndableConnection(lease, connection, work);
  }

  @Override
  public ShardCursor query(ShardQuery query, ExecuteParameters parameters, boolean binary) {
    RunningCommand command = work.enter(lease);
    try {
      return new EndableCursor(command, connection.query(query, parameters, binary));
    } catch (RuntimeException failure) {
      leave(command, failure);
      throw failure;
    }
  }

  @Override
  public List<ResultColumn> describe(ShardQuery query) {
    RunningCommand command = work.enter(lease);
    try {
      List<ResultColumn> columns = connection.describe(query);
      leave(command, null);
      return columns;
    } catch (RuntimeException failure) {
      leave(command, failure);
      throw failure;
    }
  }

  private void leave(RunningCommand command, @Nullable RuntimeException failure) {
    boolean isTold = work.leave(command);
    if (isTold && !isHit(failure) && !(failure instanceof ShardException.Lost)) {
      takeKill();
    }
  }

  private static boolean isHit(@Nullable RuntimeException failure) {
    return failure instanceof ShardException.Database refused
        && refused.errno() == ErrorCatalogue.QUERY_INTERRUPTED.errno();
  }

  private void takeKill() {
    try {
      connection.query(ShardQuery.text(lease.dataSource(), NOTHING)).close();
    } catch (ShardException struck) {
      if (!isHit(struck)) {
        lease.discard("it may still be told to end: " + struck.getMessage());
      }
    }
  }

  @Override
  public void memory(StatementMemory ofStatement) {
    connection.memory(ofStatement);
  }

  @Override
  public void waits(DatabaseWait told) {
    connection.waits(told);
  }

  @Override
  public String database() {
    return connection.database();
  }

  @Override
  public @Nullable Supplier<ShardCursor> begin(
      ShardQuery query, ExecuteParameters parameters, boolean binary, Runnable answered) {
    return connection.begin(query, parameters, binary, answered);
  }

  @Override
  public CompletableFuture<ShardReply> send(ShardQuery statement) {
    return connection.send(statement);
  }

  @Override
  public void prologue(List<byte[]> statements) {
    connection.prologue(statements);
  }

  @Override
  public boolean hasPrologue() {
    return connection.hasPrologue();
  }

  @Override
  public List<byte[]> takePrologue() {
    return connection.takePrologue();
  }

  /** The command is over with its answer. */
  private final class EndableCursor implements ShardCursor {

    private final ShardCursor cursor;
    private @Nullable RunningCommand command;

    EndableCursor(RunningCommand command, ShardCursor cursor) {
      this.command = command;
      this.cursor = cursor;
    }

    @Override
    public List<ResultColumn> columns() {
      return cursor.columns();
    }

    @Override
    public byte @Nullable [] next() {
      try {
        byte[] row = cursor.next();
        if (row == null) {
          over(null);
        }
        return row;
      } catch (ShardException failure) {
        over(failure);
        throw failure;
      }
    }

    @Override
    public ShardOutcome outcome() {
      try {
        ShardOutcome outcome = cursor.outcome();
        over(null);
        return outcome;
      } catch (ShardException failure) {
        over(failure);
        throw failure;
      }
    }

    @Override
    public int textWarnings() {
      return cursor.textWarnings();
    }

    @Override
    public void close() {
      cursor.close();
      over(null);
    }

    private void over(@Nullable RuntimeException failure) {
      RunningCommand running = command;
      command = null;
      if (running != null) {
        leave(running, failure);
      }
    }
  }
}
