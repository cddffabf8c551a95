package io.anabranch.backend.relay;

import io.anabranch.backend.relay.command.FileReceiver;
import io.anabranch.backend.relay.command.ResponseSink;
import io.anabranch.protocol.type.ServerStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client that writes down what it gets. */
final class RecordingSink implements ResponseSink {

  @Nullable FileReceiver file;

  private final long capabilities;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int sequence = 1;
  int flushes;
  boolean writable = true;
  int status = ServerStatus.AUTOCOMMIT;
  @Nullable Runnable resume;

  RecordingSink(long capabilities) {
    this.capabilities = capabilities;
  }

  @Override
  public long capabilities() {
    return capabilities;
  }

  @Override
  public int sequence() {
    return sequence;
  }

  @Override
  public void sequence(int next) {
    sequence = next;
  }

  @Override
  public int clientStatus(int backendStatus) {
    return backendStatus;
  }

  @Override
  public int status() {
    return status;
  }

  @Override
  public void write(ByteBuf packets) {
    bytes.writeBytes(ByteBufUtil.getBytes(packets));
    packets.release();
  }

  @Override
  public void flush() {
    flushes++;
  }

  @Override
  public boolean isWritable() {
    return writable;
  }

  @Override
  public void whenWritable(Runnable runnable) {
    resume = runnable;
  }

  byte[] written() {
    return bytes.toByteArray();
  }

  /** Payloads of the packets, whose sequence numbers must count on from 1. */
  List<byte[]> packets() {
    byte[] all = written();
    var packets = new ArrayList<byte[]>();
    int at = 0;
    int expected = 1;
    while (at < all.length) {
      int length = (all[at] & 0xFF) | (all[at + 1] & 0xFF) << 8 | (all[at + 2] & 0xFF) << 16;
      if ((all[at + 3] & 0xFF) != (expected & 0xFF)) {
        throw new AssertionError("sequence " + (all[at + 3] & 0xFF) + " instead of " + expected);
      }
      expected++;
      byte[] payload = new byte[length];
      System.arraycopy(all, at + 4, payload, 0, length);
      packets.add(payload);
      at += 4 + length;
    }
    return packets;
  }

  @Override
  public void requestFile(ByteBuf request, int next, FileReceiver receiver) {
    write(request);
    file = receiver;
  }
}
