package io.anabranch.frontend.response;

import io.anabranch.backend.memory.MemoryCharge;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.ResultColumn;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a cursor, kept as a server keeps them: complete when it is opened. The first go to
 * memory, the others to a temporary file that is gone when this is discarded. When they have {@link
 * #end}ed the client is told the columns and that a cursor exists. Filled by one thread, then read
 * by one at a time.
 */
public final class KeptRows implements ClientRows {

  private static final long MOST_BYTES_IN_MEMORY = 1L << 20;
  private static final int ROW_BYTES = 32;
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int PIECE_BYTES = BUFFER_BYTES / 2;

  private final MemoryCharge memory;
  private final Channel channel;
  private final long capabilities;
  private final Charset charset;
  private final Queue<byte[]> inMemory = new ArrayDeque<>();
  private List<ResultColumn> columns = List.of();
  private int sequence;
  private long bytesInMemory;
  private long rowsInFile;
  private boolean ended;
  private @Nullable FileChannel file;
  private @Nullable DataOutputStream filling;
  private @Nullable DataInputStream reading;

  /**
   * @param memory of the session, for nothing else
   */
  public KeptRows(ClientSink sink, Charset charset, MemoryCharge memory) {
    this.memory = memory;
    this.channel = sink.channel();
    this.capabilities = sink.capabilities();
    this.sequence = sink.sequence();
    this.charset = charset;
  }

  // ---------------------------------------------------------------- filling

  @Override
  public void columns(List<ResultColumn> ofRows) {
    columns = ofRows;
  }

  @Override
  public void row(byte[] payload) {
    if (filling == null
        && bytesInMemory + payload.length <= MOST_BYTES_IN_MEMORY
        && memory.tryGrow(ROW_BYTES + payload.length)) {
      bytesInMemory += payload.length;
      inMemory.add(payload.clone());
      return;
    }
    try {
      DataOutputStream out = filling == null ? newFile() : filling;
      out.writeInt(payload.length);
      // in pieces: the streams of channels hold on to arrays that do not fit into a buffer
      for (int at = 0; at < payload.length; at += PIECE_BYTES) {
        out.write(payload, at, Math.min(PIECE_BYTES, payload.length - at));
      }
      rowsInFile++;
    } catch (IOException e) {
      throw ErrorCatalogue.NO_TEMPORARY_SPACE.refuse(String.valueOf(e.getMessage()));
    }
    if (!channel.isActive()) {
      throw new ClientGoneException();
    }
  }

  private DataOutputStream newFile() throws IOException {
    memory.grow(BUFFER_BYTES);
    FileChannel opened =
        FileChannel.open(
            Files.createTempFile("anabranch-", ".cursor"),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    file = opened;
    DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(Channels.newOutputStream(opened), BUFFER_BYTES));
    filling = out;
    return out;
  }

  @Override
  public void end(int status, int warnings) {
    try {
      if (filling != null && file != null) {
        filling.flush();
        filling = null;
        file.position(0);
        reading =
            new DataInputStream(
                new BufferedInputStream(Channels.newInputStream(file), BUFFER_BYTES));
      }
    } catch (IOException e) {
      throw ErrorCatalogue.NO_TEMPORARY_SPACE.refuse(String.valueOf(e.getMessage()));
    }
    ended = true;
    var packets = new ResultPackets(capabilities);
    int flags = status | ServerStatus.CURSOR_EXISTS;
    ByteBuf out = channel.alloc().buffer();
    sequence = packets.columns(out, sequence, columns, charset, flags);
    if (Capability.has(capabilities, Capability.DEPRECATE_EOF)) {
      sequence = packets.end(out, sequence, flags, warnings);
    }
    channel.writeAndFlush(out);
  }

  /** Whether the client has been told that there is a cursor. */
  @Override
  public boolean isStarted() {
    return ended;
  }

  @Override
  public boolean takeBack() {
    if (!ended) {
      discard();
      file = null;
      filling = null;
      bytesInMemory = 0;
    }
    return !ended;
  }

  @Override
  public long rowsSent() {
    return 0; // they are fetched by commands of their own
  }

  @Override
  public int sequence() {
    return sequence;
  }

  @Override
  public void close() {
    if (!ended) {
      discard();
    }
  }

  // ---------------------------------------------------------------- reading

  /** The next row, which is the caller's; null at the end. Blocks. */
  public byte @Nullable [] next() {
    byte[] row = inMemory.poll();
    if (row != null) {
      memory.shrink(ROW_BYTES + row.length);
      return row;
    }
    if (rowsInFile == 0 || reading == null) {
      return row;
    }
    try {
      rowsInFile--;
      byte[] read = new byte[reading.readInt()];
      for (int at = 0; at < read.length; at += PIECE_BYTES) {
        reading.readFully(read, at, Math.min(PIECE_BYTES, read.length - at));
      }
      return read;
    } catch (IOException e) {
      throw new UncheckedIOException("rows cannot be read back", e);
    }
  }

  /** Nobody wants them any more; nothing happens when that is said again. */
  public void discard() {
    inMemory.clear();
    memory.close();
    rowsInFile = 0;
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the file of rows cannot be closed", e);
    }
  }
}
