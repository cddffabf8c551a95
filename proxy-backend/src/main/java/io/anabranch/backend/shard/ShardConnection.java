package io.anabranch.backend.shard;

import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A leased backend connection as the merge lane uses it: blocking, one command at a time, one
 * thread at a time (a virtual one).
 *
 * <p>Implementation: over the relay's channel ({@code backend.relay.shard}).
 */
public interface ShardConnection {

  /**
   * Where long rows are counted that are read from here on; {@link StatementMemory#UNLIMITED} at
   * first.
   */
  default void memory(StatementMemory ofStatement) {}

  /** Who is told of waits for answers from here on; {@link DatabaseWait#NONE} at first. */
  default void waits(DatabaseWait told) {}

  /** The schema that the connection was opened with; empty for none. */
  String database();

  /**
   * Runs a query in the text protocol, or in the binary protocol when {@code binary} holds (its
   * {@code ?} then take their values from {@code parameters} by {@link ShardQuery#parameters()}).
   *
   * @return positioned before the first row; rows stream in while it is read
   * @throws ShardException.Database with the database's error
   * @throws ShardException.Lost if the connection broke; it must then be discarded
   */
  ShardCursor query(ShardQuery query, ExecuteParameters parameters, boolean binary);

  /**
   * Sends a query and does not wait for its answer. On the connection's event loop.
   *
   * @param answered called there when rows, the end or an error have come; perhaps at once
   * @return waits for the answer and gives or throws what {@link #query} does; null if the
   *     connection cannot do that, and nothing has been sent
   */
  default @Nullable Supplier<ShardCursor> begin(
      ShardQuery query, ExecuteParameters parameters, boolean binary, Runnable answered) {
    return null;
  }

  /** Runs a statement without parameters, in the text protocol. */
  default ShardCursor query(ShardQuery text) {
    return query(text, ExecuteParameters.NONE, false);
  }

  /**
   * Runs a statement without rows, in the text protocol, and does not wait for it: for whoever has
   * several connections to talk to, or an event loop to keep going.
   *
   * @return completed on the event loop of a relayed connection, or on a thread of its own;
   *     exceptionally by a mistake of the proxy only
   */
  default CompletableFuture<ShardReply> send(ShardQuery statement) {
    var reply = new CompletableFuture<ShardReply>();
    Thread.ofVirtual()
        .name("shard-send")
        .start(
            () -> {
              try (ShardCursor cursor = query(statement)) {
                reply.complete(ShardReply.of(cursor.outcome()));
              } catch (ShardException failure) {
                reply.complete(ShardReply.of(failure));
              } catch (RuntimeException unexpected) {
                reply.completeExceptionally(unexpected);
              }
            });
    return reply;
  }

  /**
   * Statements that go in front of the next {@link #query}, {@link #send} or {@link #describe}, in
   * the same packet train where possible, behind those that were given before: settings, BEGIN.
   * Their OK answers are swallowed; an error among them becomes that command's error.
   */
  void prologue(List<byte[]> statements);

  /** Whether some of them have not been sent yet. */
  default boolean hasPrologue() {
    return false;
  }

  /** Takes those that have not been sent, for whoever sends them in front of something else. */
  default List<byte[]> takePrologue() {
    return List.of();
  }

  /**
   * Prepares a statement and tells its result columns without running it.
   *
   * @throws ShardException.Database with the database's error
   */
  List<io.anabranch.rules.plan.ResultColumn> describe(ShardQuery query);
}
