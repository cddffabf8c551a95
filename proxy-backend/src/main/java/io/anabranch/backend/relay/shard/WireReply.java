package io.anabranch.backend.relay.shard;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.relay.column.ToldColumns;
import io.anabranch.backend.relay.conversation.Answer;
import io.anabranch.backend.relay.conversation.TrackedPosition;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.backend.shard.ShardReply;
import io.anabranch.protocol.frame.PacketScanner;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.message.ResultSetState;
import io.anabranch.protocol.message.ResultSetState.Kind;
import io.anabranch.protocol.message.ResultSetState.Response;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The answer to a statement without rows, which nobody waits for on a thread. */
public final class WireReply implements Answer {

  private final BackendConnection connection;
  private final PacketScanner scanner = new PacketScanner();
  private final ResultSetState state;
  private final CompletableFuture<ShardReply> reply = new CompletableFuture<>();
  private @Nullable ShardReply read;

  public WireReply(BackendConnection connection) {
    this.connection = connection;
    state = new ResultSetState(connection.capabilities());
    state.expect(Response.TEXT);
  }

  /** Completed on the connection's event loop, when the connection is free again. */
  public CompletableFuture<ShardReply> reply() {
    return reply;
  }

  @Override
  public void executes(ToldColumns columns, int warned) {
    throw new IllegalStateException("statements in text only");
  }

  @Override
  public boolean read(ByteBuf in) {
    while (!state.isDone() && scanner.peek(in)) {
      if (!scanner.isWhole(in)) {
        return false;
      }
      ByteBuf payload = in.slice(in.readerIndex() + PacketWriter.HEADER_SIZE, scanner.length());
      Kind kind = state.kind(scanner);
      packet(kind, payload.slice());
      state.accept(kind, payload);
      scanner.advance(in);
    }
    return state.isDone();
  }

  private void packet(Kind kind, ByteBuf payload) {
    switch (kind) {
      case OK -> {
        OkPacket ok = OkPacket.decode(payload, connection.capabilities());
        TrackedPosition.tell(ok, connection);
        String info = new String(ok.info(), StandardCharsets.UTF_8);
        read =
            ShardReply.of(
                new ShardOutcome(
                    ok.affectedRows(), ok.lastInsertId(), ok.status(), ok.warnings(), info));
      }
      case ERR ->
          read =
              ShardReply.of(
                  refused(ErrPacket.decode(payload, connection.applied().resultCharset())));
      default -> throw ProtocolViolationException.malformed("an answer with " + kind);
    }
  }

  private static ShardException refused(ErrPacket error) {
    return new ShardException.Database(error.errno(), error.sqlState(), error.message());
  }

  @Override
  public int errno() {
    ShardReply known = read;
    return known != null && known.failure() instanceof ShardException.Database refused
        ? refused.errno()
        : 0;
  }

  @Override
  public void batchRead() {
    connection.channel().read();
  }

  @Override
  public void completed() {
    ShardReply known = read;
    reply.complete(
        known == null ? ShardReply.of(new ShardException.Lost("no answer", true)) : known);
  }

  @Override
  public void failed(ErrPacket error, boolean inPrologue) {
    reply.complete(ShardReply.of(refused(error)));
  }

  @Override
  public void lost(String reason, boolean mayHaveRun) {
    reply.complete(ShardReply.of(new ShardException.Lost(reason, mayHaveRun)));
  }
}
