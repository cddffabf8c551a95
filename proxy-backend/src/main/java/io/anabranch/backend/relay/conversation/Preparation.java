package io.anabranch.backend.relay.conversation;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.relay.column.ToldColumns;
import io.anabranch.backend.relay.command.PrepareCallback;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.protocol.message.ErrPacket;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A conversation that prepares a statement and runs nothing. On the event loop. */
public final class Preparation implements Answer {

  private final Conversation conversation;
  private final PrepareCallback callback;

  @SuppressWarnings("NullAway") // the conversation calls back after construction only
  public Preparation(
      BackendConnection connection,
      KeptStatements kept,
      List<byte[]> prologue,
      Conversation.Prepare task,
      PrepareCallback callback) {
    this.callback = callback;
    this.conversation = new Conversation(connection, kept, prologue, task, this);
  }

  public void start() {
    conversation.start();
  }

  @Override
  public void executes(ToldColumns columns, int warned) {
    throw new IllegalStateException("nothing runs");
  }

  @Override
  public boolean read(ByteBuf in) {
    throw new IllegalStateException("nothing runs");
  }

  @Override
  public int errno() {
    return 0;
  }

  @Override
  public void batchRead() {
    throw new IllegalStateException("nothing runs");
  }

  @Override
  public void completed() {
    callback.prepared(conversation.prepared().shape(), null);
  }

  @Override
  public void failed(ErrPacket error, boolean inPrologue) {
    fail(new RelayOutcome.Failed(error.errno(), error.sqlState(), error.message(), inPrologue));
  }

  @Override
  public void lost(String reason, boolean mayHaveRun) {
    fail(new RelayOutcome.Lost(reason, mayHaveRun, false));
  }

  private void fail(@Nullable RelayOutcome failure) {
    callback.prepared(null, failure);
  }
}
