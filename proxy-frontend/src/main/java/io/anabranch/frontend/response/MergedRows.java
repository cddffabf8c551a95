package io.anabranch.frontend.response;

import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.memory.SessionMemory;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.stage.CellText;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.effort.GivingWay;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.ResultColumn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.nio.charset.Charset;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the merge lane on their way to the client, in buffers of about 64 KiB. At most two
 * buffers wait for the socket; then the calling virtual thread is parked until one has gone, and so
 * stops reading the databases. Rows that are longer than a buffer are charged to the session: where
 * there is no room, one waits until those before it have gone.
 *
 * <p>Used by the one virtual thread that runs the statement; nothing else writes to the client
 * meanwhile.
 */
public final class MergedRows implements ClientRows {

  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int BUFFERS_IN_FLIGHT = 2;
  private static final String WHAT = "rows on their way to the client";

  private final GivingWay others = new GivingWay();
  private final ClientSink sink;
  private final Channel channel;
  private final ResultPackets packets;
  private final Charset charset;
  private final int status;
  private final Semaphore room = new Semaphore(BUFFERS_IN_FLIGHT);
  private final SessionMemory memory;
  private final boolean translates;
  private int sequence;

  /** Null: rows are sent as they come. */
  private @Nullable CellText cells;

  /** For long rows in the buffer. */
  private long charged;

  /**
   * Empty until something is written: a statement that fails before it is read leaves none behind.
   */
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;

  private final int first;
  private boolean started;
  private boolean sent;
  private long rows;

  /**
   * @param status flags of the EOF packet behind the columns
   * @param memory of the session
   */
  public MergedRows(ClientSink sink, Charset charset, int status, SessionMemory memory) {
    this(sink, charset, status, memory, false);
  }

  /**
   * @param status flags of the EOF packet behind the columns
   * @param memory of the session
   * @param translates whether rows come in the binary protocol for a client that gets text
   */
  public MergedRows(
      ClientSink sink, Charset charset, int status, SessionMemory memory, boolean translates) {
    this.memory = memory;
    this.translates = translates;
    this.sink = sink;
    this.channel = sink.channel();
    this.packets = new ResultPackets(sink.capabilities());
    this.charset = charset;
    this.status = status;
    this.sequence = sink.sequence();
    this.first = sequence;
  }

  @Override
  public boolean isStarted() {
    return started;
  }

  @Override
  public boolean takeBack() {
    if (!sent) {
      buffer.clear();
      sequence = first;
      started = false;
      rows = 0;
    }
    return !sent;
  }

  @Override
  public long rowsSent() {
    return rows;
  }

  @Override
  public int sequence() {
    return sequence;
  }

  @Override
  public void columns(List<ResultColumn> columns) {
    started = true;
    cells =
        translates
            ? new CellText(columns.stream().map(MergedRows::shown).toList(), RowFormat.BINARY)
            : null;
    sequence = packets.columns(taken(), sequence, columns, charset, status);
  }

  /**
   * As MySQL writes it into text. What a YEAR is computed with may be one to it, too, {@code
   * IFNULL(y, ?)}: that is a number of any sign, and only those of columns have four digits.
   */
  private static ResultColumn shown(ResultColumn column) {
    boolean isComputed =
        column.type() == ColumnType.YEAR.code() && (column.flags() & ColumnFlag.ZEROFILL) == 0;
    return isComputed
        ? new ResultColumn(
            "", "", "", "", "", column.collation(), column.length(), ColumnType.SHORT.code(), 0, 0)
        : column;
  }

  @Override
  public void row(byte[] row) {
    others.step();
    CellText asText = cells;
    byte[] payload = asText == null ? row : asText.row(row);
    if (payload.length > BUFFER_BYTES) {
      charge(payload.length);
    }
    sequence = PacketWriter.write(taken(), sequence, payload);
    rows++;
    if (buffer.readableBytes() >= BUFFER_BYTES) {
      send(BUFFER_BYTES + BUFFER_BYTES / 4);
    }
  }

  private ByteBuf taken() {
    if (buffer.capacity() == 0) {
      buffer = channel.alloc().buffer(BUFFER_BYTES / 4);
    }
    return buffer;
  }

  private void charge(int bytes) {
    if (memory.take(MemoryKind.DIRECT, bytes, WHAT) != null) {
      if (buffer.isReadable()) {
        send(BUFFER_BYTES / 4);
      }
      awaitRoom(BUFFERS_IN_FLIGHT);
      room.release(BUFFERS_IN_FLIGHT);
      RefusedException refusal = memory.take(MemoryKind.DIRECT, bytes, WHAT);
      if (refusal != null) {
        throw refusal;
      }
    }
    charged += bytes;
  }

  private void awaitRoom(int buffers) {
    if (!room.tryAcquire(buffers)) {
      long since = System.nanoTime();
      room.acquireUninterruptibly(buffers);
      sink.waited(System.nanoTime() - since);
    }
  }

  private void uncharge(long bytes) {
    if (bytes > 0) {
      memory.give(MemoryKind.DIRECT, bytes);
    }
  }

  /** Ends the rows and sends what is left. */
  @Override
  public void end(int finalStatus, int warnings) {
    sequence = packets.end(taken(), sequence, finalStatus, warnings);
    send(0);
  }

  /**
   * Gives back the buffer; call it once at the end, however the statement ended. Rows that were not
   * sent yet are sent, so that an error can follow them.
   */
  @Override
  public void close() {
    long left = charged;
    charged = 0;
    if (buffer.isReadable()) {
      channel.writeAndFlush(buffer).addListener(done -> uncharge(left));
    } else {
      buffer.release();
      uncharge(left);
    }
  }

  /**
   * @param next size of the buffer for what follows; 0: nothing does
   * @throws ClientGoneException before there is something in vain; a client that leaves with the
   *     last packet has got all
   */
  private void send(int next) {
    if (!channel.isActive()) {
      throw new ClientGoneException();
    }
    sent = true;
    awaitRoom(1);
    AnswerCopy copy = sink.copy();
    if (copy != null) {
      copy.add(buffer, channel.isWritable());
    }
    ByteBuf full = buffer;
    buffer = next == 0 ? Unpooled.EMPTY_BUFFER : channel.alloc().buffer(next);
    long bytes = charged;
    charged = 0;
    channel
        .writeAndFlush(full)
        .addListener(
            done -> {
              uncharge(bytes);
              room.release();
            });
  }
}
