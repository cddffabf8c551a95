package io.anabranch.backend.relay.shard;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.backend.relay.command.PreparedShape;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.relay.conversation.Answer;
import io.anabranch.backend.relay.conversation.Conversation;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.backend.relay.conversation.Preparation;
import io.anabranch.backend.shard.DatabaseWait;
import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardReply;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.channel.EventLoop;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The merge lane's use of a channel: commands go to its event loop, the caller waits. */
final class WireShardConnection implements ShardConnection {

  private final BackendConnection connection;
  private final KeptStatements kept;
  private List<byte[]> prologue = List.of();
  private StatementMemory memory = StatementMemory.UNLIMITED;
  private DatabaseWait waits = DatabaseWait.NONE;

  WireShardConnection(BackendConnection connection, KeptStatements kept) {
    this.connection = connection;
    this.kept = kept;
  }

  @Override
  public void memory(StatementMemory ofStatement) {
    memory = ofStatement;
  }

  @Override
  public void waits(DatabaseWait told) {
    waits = told;
  }

  @Override
  public String database() {
    return connection.database();
  }

  @Override
  public void prologue(List<byte[]> statements) {
    var all = new ArrayList<>(prologue);
    all.addAll(statements);
    prologue = List.copyOf(all);
  }

  @Override
  public boolean hasPrologue() {
    return !prologue.isEmpty();
  }

  @Override
  public List<byte[]> takePrologue() {
    List<byte[]> taken = prologue;
    prologue = List.of();
    return taken;
  }

  @Override
  public ShardCursor query(ShardQuery query, ExecuteParameters parameters, boolean binary) {
    var cursor =
        new WireCursor(connection, binary, memory, waits, WireShardConnection::nobodyWaits);
    Conversation conversation = conversation(query, parameters, binary, cursor);
    connection.channel().eventLoop().execute(conversation::start);
    return cursor.opened();
  }

  private static void nobodyWaits() {}

  @Override
  public @Nullable Supplier<ShardCursor> begin(
      ShardQuery query, ExecuteParameters parameters, boolean binary, Runnable answered) {
    if (!connection.channel().eventLoop().inEventLoop()) {
      return null;
    }
    var cursor = new WireCursor(connection, binary, memory, waits, answered);
    conversation(query, parameters, binary, cursor).start();
    return cursor::opened;
  }

  private Conversation conversation(
      ShardQuery query, ExecuteParameters parameters, boolean binary, Answer answer) {
    RelayCommand command =
        binary ? new RelayCommand.Execute(query, parameters) : new RelayCommand.Query(query.sql());
    return new Conversation(
        connection, kept, takePrologue(), new Conversation.Run(command), answer);
  }

  @Override
  public CompletableFuture<ShardReply> send(ShardQuery statement) {
    var answer = new WireReply(connection);
    Conversation conversation = conversation(statement, ExecuteParameters.NONE, false, answer);
    EventLoop loop = connection.channel().eventLoop();
    if (loop.inEventLoop()) {
      conversation.start();
    } else {
      loop.execute(conversation::start);
    }
    return answer.reply();
  }

  @Override
  public List<ResultColumn> describe(ShardQuery query) {
    var described = new CompletableFuture<PreparedShape>();
    Charset results = connection.applied().resultCharset();
    var preparation =
        new Preparation(
            connection,
            kept,
            takePrologue(),
            new Conversation.Prepare(query.sql(), false, null),
            (shape, failure) -> settle(described, shape, failure, results));
    connection.channel().eventLoop().execute(preparation::start);
    try {
      return described.get().columns();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof ShardException known) {
        throw known;
      }
      throw new IllegalStateException(failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ShardException.Lost("interrupted", true);
    }
  }

  private static void settle(
      CompletableFuture<PreparedShape> described,
      @Nullable PreparedShape shape,
      @Nullable RelayOutcome failure,
      Charset results) {
    switch (failure) {
      case null -> described.complete(shape == null ? null : shape.in(results));
      case RelayOutcome.Failed(int errno, String state, String message, boolean _, long _) ->
          described.completeExceptionally(new ShardException.Database(errno, state, message));
      case RelayOutcome.Lost(String reason, boolean mayHaveRun, boolean _) ->
          described.completeExceptionally(new ShardException.Lost(reason, mayHaveRun));
      case RelayOutcome.Done _, RelayOutcome.Unreached _, RelayOutcome.Kept _ ->
          described.completeExceptionally(new IllegalStateException("nothing was run"));
    }
  }
}
