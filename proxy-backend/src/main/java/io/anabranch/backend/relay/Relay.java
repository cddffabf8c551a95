package io.anabranch.backend.relay;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.relay.column.ClientColumns;
import io.anabranch.backend.relay.column.KnownPlans;
import io.anabranch.backend.relay.column.ToldColumns;
import io.anabranch.backend.relay.command.KeptErrors;
import io.anabranch.backend.relay.command.PrepareCallback;
import io.anabranch.backend.relay.command.RelayCallback;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayCursor;
import io.anabranch.backend.relay.command.RelayRequest;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.backend.relay.command.ResponseSink;
import io.anabranch.backend.relay.conversation.Conversation;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.backend.relay.conversation.Preparation;
import io.anabranch.backend.relay.pipe.PipeListener;
import io.anabranch.backend.relay.pipe.Pipes;
import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.protocol.command.CommandWriter;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.plan.BoundPlan.GeneratedKey;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The relay lane: sends a command over a leased connection and its response to the client. Both
 * methods are called on the lease's event loop, return at once, and answer on that loop; one
 * command at a time per lease. The lease stays the caller's: it releases or discards it afterwards.
 *
 * <p>{@link Lease#applied()} must already be what the connection has once the prologue has run:
 * prepared statements are kept apart by it.
 */
public final class Relay {

  private final KeptStatements kept;
  private final Pipes pipes;

  public Relay(KeptStatements kept) {
    this(kept, PipeListener.NONE);
  }

  public Relay(KeptStatements kept, PipeListener listener) {
    this.kept = kept;
    this.pipes = new Pipes(kept, listener);
  }

  /** Connections that several sessions share. */
  public Pipes pipes() {
    return pipes;
  }

  /** Tables have changed, or may have: statements are prepared anew where that counts. */
  public void tablesChanged() {
    kept.tablesChanged();
  }

  /** The same of tables that nobody sees but who has the lease. */
  public void tablesChanged(Lease lease) {
    kept.tablesChanged(connection(lease));
  }

  /**
   * Runs one command. The response has been written to {@code sink} and flushed when {@code
   * callback} runs; it may run before this method returns.
   *
   * @throws IllegalStateException if the lease cannot be relayed, or a command runs on it
   */
  public void exchange(
      Lease lease, RelayRequest request, ResponseSink sink, RelayCallback callback) {
    BackendConnection connection = connection(lease);
    ResponseForm form =
        switch (request.command()) {
          case RelayCommand.Query query -> query.form();
          case RelayCommand.Execute execute -> execute.form();
          case RelayCommand.Bulk _ -> ResponseForm.BINARY_RESULT;
          case RelayCommand.Open _ -> ResponseForm.CURSOR;
          case RelayCommand.Fetch _ -> ResponseForm.FETCH;
          case RelayCommand.Packet packet -> packet.form();
        };
    var answer =
        new ClientAnswer(
            connection,
            form,
            KnownPlans.of(connection, request.fingerprint(), request.names()),
            request.command() instanceof RelayCommand.Execute execute ? execute.columns() : null,
            request.key(),
            request.proviso().keeps(),
            request.cap(),
            request.withholdsEnd(),
            sink,
            callback);
    new Conversation(
            connection,
            kept,
            due(lease, request.prologue()),
            request.proviso().await(),
            new Conversation.Run(request.command()),
            answer)
        .start();
  }

  /**
   * Gives a client the whole answer to its query, which came on a connection that others use, too.
   * As {@link #exchange}, of which it is the end; {@code callback} runs before this returns.
   *
   * @param answer all of it and nothing else; read, not released
   * @param columns what the server has told of those of an execution; null of a text
   * @param known to the client, as in {@link RelayCommand.Execute}
   * @throws IllegalStateException if it is not; the client may have got a part of it
   */
  public void deliver(
      BackendConnection from,
      ByteBuf answer,
      @Nullable ToldColumns columns,
      @Nullable ClientColumns known,
      long fingerprint,
      NameMapping names,
      ResponseSink sink,
      RelayCallback callback) {
    var client =
        new ClientAnswer(
            from,
            columns == null ? ResponseForm.TEXT_RESULT : ResponseForm.BINARY_RESULT,
            KnownPlans.of(from, fingerprint, names),
            known,
            GeneratedKey.NONE,
            KeptErrors.NONE,
            null,
            false,
            sink,
            callback);
    if (columns != null) {
      client.executes(columns, 0);
    }
    if (!client.read(answer) || answer.isReadable()) {
      throw new IllegalStateException("not one whole answer");
    }
    client.completed();
  }

  /**
   * Prepares a statement on the lease's connection, where it stays for {@link
   * RelayCommand.Execute}, and tells its parameters and columns.
   *
   * @param prologue as in {@link RelayRequest}
   */
  public void prepare(
      Lease lease, List<byte[]> prologue, ShardQuery query, PrepareCallback callback) {
    prepare(lease, prologue, new Conversation.Prepare(query.sql(), true, null), callback);
  }

  /**
   * The same for one execution, which follows at once, see {@link RelayCommand.Execute#readUnder}.
   */
  public void prepare(
      Lease lease,
      List<byte[]> prologue,
      ShardQuery query,
      ExecuteParameters values,
      PrepareCallback callback) {
    var execution = new Conversation.Execution(query, values);
    prepare(lease, prologue, new Conversation.Prepare(query.sql(), true, execution), callback);
  }

  private void prepare(
      Lease lease, List<byte[]> prologue, Conversation.Prepare task, PrepareCallback callback) {
    new Preparation(connection(lease), kept, due(lease, prologue), task, callback).start();
  }

  /** With what is due from a statement of the merge lane that was not sent in the end. */
  private static List<byte[]> due(Lease lease, List<byte[]> prologue) {
    ShardConnection shard = lease.shard();
    if (!shard.hasPrologue()) {
      return prologue;
    }
    var all = new ArrayList<>(shard.takePrologue());
    all.addAll(prologue);
    return all;
  }

  /**
   * Closes a cursor, or the statement that came to have none; does nothing when that was done. The
   * lease must be the one it was opened on, with no command running.
   */
  public void close(Lease lease, RelayCursor cursor) {
    BackendConnection connection = connection(lease);
    if (cursor.isPrepared()) {
      Channel channel = connection.channel();
      ByteBuf out = channel.alloc().buffer();
      CommandWriter.stmtClose(out, cursor.statement());
      channel.writeAndFlush(out);
      cursor.closed();
    }
  }

  private static BackendConnection connection(Lease lease) {
    BackendConnection connection = lease.connection();
    if (connection == null) {
      throw new IllegalStateException(lease.dataSource() + " cannot be relayed");
    }
    return connection;
  }
}
