package io.anabranch.backend.relay;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.KnownInsertId;
import io.anabranch.backend.lease.SessionSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A backend whose bytes the test says, cut as the test likes. */
public final class ScriptedConnection implements BackendConnection {

  private String database = "ds_0";

  final List<String> committed = new ArrayList<>();

  private final long capabilities;
  private final EmbeddedChannel channel;
  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
  private @Nullable Receiver receiver;
  private int exchange;
  SessionSettings applied = SessionSettings.INITIAL;
  private boolean stateChanged;
  private final KnownInsertId insertId = new KnownInsertId();
  private @Nullable String schema;
  int reads;

  public ScriptedConnection(long capabilities) {
    this.capabilities = capabilities;
    this.channel =
        new EmbeddedChannel(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void read(ChannelHandlerContext ctx) {
                reads++;
              }

              @Override
              public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
                ByteBuf bytes = (ByteBuf) message;
                heard.writeBytes(ByteBufUtil.getBytes(bytes));
                bytes.release();
                promise.setSuccess();
              }
            });
    reads = 0;
  }

  /** The server says so; each part is one read. */
  public void says(byte[] bytes, int partLength) {
    for (int from = 0; from < bytes.length; from += partLength) {
      int length = Math.min(partLength, bytes.length - from);
      if (receiver == null) {
        throw new AssertionError("nobody takes the bytes from " + from + " of " + bytes.length);
      }
      receiver.received(Unpooled.copiedBuffer(bytes, from, length));
      if (receiver != null) {
        receiver.readComplete();
      }
    }
  }

  public void breaks() {
    Receiver last = receiver;
    receiver = null;
    if (last != null) {
      last.closed("gone");
    }
  }

  public boolean isListenedTo() {
    return receiver != null;
  }

  /** What was written to the server since the last call. */
  public byte[] heard() {
    byte[] bytes = heard.toByteArray();
    heard.reset();
    return bytes;
  }

  @Override
  public void stateChanged() {
    stateChanged = true;
  }

  @Override
  public boolean takeStateChange() {
    return stateChanged;
  }

  @Override
  public KnownInsertId insertId() {
    return insertId;
  }

  @Override
  public void schemaChanged(String name) {
    schema = name;
  }

  @Override
  public @Nullable String takeSchema() {
    return schema;
  }

  @Override
  public Channel channel() {
    return channel;
  }

  @Override
  public long capabilities() {
    return capabilities;
  }

  @Override
  public long threadId() {
    return 1;
  }

  @Override
  public String serverVersion() {
    return "scripted";
  }

  @Override
  public String database() {
    return database;
  }

  @Override
  public void inSchema(String name) {
    database = name;
  }

  @Override
  public SessionSettings applied() {
    return applied;
  }

  @Override
  public void committed(String gtid) {
    committed.add(gtid);
  }

  @Override
  public void receiver(Receiver next) {
    receiver = next;
    exchange++;
  }

  @Override
  public void noReceiver() {
    receiver = null;
    exchange++;
  }

  @Override
  public int exchange() {
    return exchange;
  }
}
