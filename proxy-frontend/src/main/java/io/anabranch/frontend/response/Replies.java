package io.anabranch.frontend.response;

import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.rules.plan.ResultColumn;
import io.netty.buffer.ByteBuf;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the proxy's own answers. Used on the event loop of the sink. */
public final class Replies {

  private static final int SMALL = 128;

  private final ClientSink sink;
  private final SessionState sessionState;

  /** What the proxy's own OK packets tell of the session. */
  public interface SessionState {

    /** {@link OkPacket#sessionState}; what is taken is not told again. */
    byte[] take();

    /** The statement failed: what it changed is not told. */
    void clear();
  }

  public Replies(ClientSink sink, SessionState sessionState) {
    this.sink = sink;
    this.sessionState = sessionState;
  }

  public void ok(int status) {
    ok(0, 0, status, 0, "");
  }

  public void ok(long affectedRows, long lastInsertId, int status, int warnings, String info) {
    var packet =
        new OkPacket(
            affectedRows,
            lastInsertId,
            status,
            Math.min(warnings, 0xFFFF),
            info.getBytes(StandardCharsets.UTF_8),
            sessionState.take());
    ByteBuf out = sink.channel().alloc().buffer(SMALL);
    int start = PacketWriter.begin(out);
    packet.encode(out, sink.capabilities());
    send(out, start);
  }

  public void error(ErrPacket error, Charset charset) {
    sessionState.clear();
    ByteBuf out = sink.channel().alloc().buffer(SMALL);
    int start = PacketWriter.begin(out);
    // UTF-8 of JDK's own: cited bytes that are no characters become question marks, as servers do
    error.encode(out, charset.equals(StandardCharsets.UTF_8) ? StandardCharsets.UTF_8 : charset);
    send(out, start);
  }

  /** A packet that is neither OK, ERR nor a result: COM_STATISTICS. */
  public void text(String text) {
    ByteBuf out = sink.channel().alloc().buffer(SMALL);
    int start = PacketWriter.begin(out);
    out.writeCharSequence(text, StandardCharsets.UTF_8);
    send(out, start);
  }

  /** EOF, or OK in its place for clients with DEPRECATE_EOF: COM_SET_OPTION, COM_DEBUG. */
  public void eof(int status, int warnings) {
    ByteBuf out = sink.channel().alloc().buffer(SMALL);
    sink.sequence(
        new ResultPackets(sink.capabilities())
            .end(out, sink.sequence(), status, Math.min(warnings, 0xFFFF)));
    sink.send(out);
  }

  /**
   * A whole result.
   *
   * @param rows cells as text, null for NULL
   * @param binary rows in the binary protocol
   * @param whenSent runs when the network has taken it, or never will; null: nobody waits for that
   */
  public void rows(
      List<ResultColumn> columns,
      List<? extends List<@Nullable String>> rows,
      boolean binary,
      Charset charset,
      int status,
      int warnings,
      @Nullable Runnable whenSent) {
    var packets = new ResultPackets(sink.capabilities());
    var encoder = new LocalRowEncoder(columns, binary, charset);
    ByteBuf out = sink.channel().alloc().buffer(1024);
    int sequence = packets.columns(out, sink.sequence(), columns, charset, status);
    for (List<@Nullable String> row : rows) {
      sequence = PacketWriter.write(out, sequence, encoder.encode(row));
    }
    sequence = packets.end(out, sequence, status, warnings);
    sink.sequence(sequence);
    if (whenSent == null) {
      sink.send(out);
    } else {
      sink.send(out, whenSent);
    }
  }

  private void send(ByteBuf out, int start) {
    sink.sequence(PacketWriter.end(out, start, sink.sequence()));
    sink.send(out);
  }
}
