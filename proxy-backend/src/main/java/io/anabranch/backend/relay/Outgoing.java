package io.anabranch.backend.relay;

import io.anabranch.backend.loop.RelayLoop;
import io.anabranch.backend.relay.command.FileReceiver;
import io.anabranch.backend.relay.command.ResponseSink;
import io.anabranch.protocol.frame.PacketScanner;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ResultSetState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * An answer on its way to the client: runs of bytes that go on as they came, packets that are
 * written in their place, and the sequence numbers of both. Short runs are copied, long ones go on
 * as slices of the buffer they came in.
 *
 * <p>A run starts with the first packet that is passed and ends where one is written or left out;
 * all of it is in the buffer that is being read. On the connection's event loop.
 */
final class Outgoing {

  /** Longer runs get a buffer of their own in the outbound queue. */
  private static final int COPY_BYTES = 16 * 1024;

  private final Channel from;
  private final ResponseSink sink;

  /** Looks at what is passed and left out. */
  private final PacketScanner scanner;

  private int sequence;
  private int unflushed;
  private boolean started;

  /** Whether what is pending waits, see {@link #hold}; and the number of its first packet. */
  private boolean holding;

  private int heldSequence;

  /** Where the bytes start that go on as they are; -1: none yet. */
  private int runStart = -1;

  /** What goes out next; null: nothing yet. */
  private @Nullable ByteBuf pending;

  /** Where the packet starts in it that is being written. */
  private int packetStart;

  /**
   * @param from the database's channel
   */
  Outgoing(Channel from, ResponseSink sink, PacketScanner scanner) {
    this.from = from;
    this.sink = sink;
    this.scanner = scanner;
    this.sequence = sink.sequence();
  }

  /** Number of the next packet. */
  int sequence() {
    return sequence;
  }

  void sequence(int next) {
    sequence = next;
  }

  int unflushed() {
    return unflushed;
  }

  /** Whether the client may have got anything. */
  boolean isStarted() {
    return started;
  }

  /** Whether there is nothing that it has got or will get. */
  boolean isEmpty() {
    return !started && pending == null && runStart < 0;
  }

  // ---- what came

  /** Another buffer is being read. */
  void begin() {
    runStart = -1;
  }

  /** What is there of the packet that was looked at goes on as it is. */
  void pass(ByteBuf in) {
    int start = in.readerIndex();
    if (scanner.isStart()) {
      number(in, start, scanner.sequence());
    }
    if (runStart < 0) {
      runStart = start;
    }
    scanner.advance(in);
  }

  /**
   * Behind a row that was passed: as many more of them as are all there, without a look at each.
   *
   * @return how many
   */
  int passRows(ByteBuf in, ResultSetState state) {
    int end = in.writerIndex();
    int at = in.readerIndex();
    int passed = 0;
    while (end - at >= Long.BYTES) {
      // Length, number and the first bytes of the payload in one look: this is asked for each row.
      long head = in.getLongLE(at);
      int length = (int) head & PacketWriter.MAX_PAYLOAD;
      if (length > end - at - PacketWriter.HEADER_SIZE
          || length == PacketWriter.MAX_PAYLOAD
          || !state.isRow((int) (head >>> 32) & 0xFF, length)) {
        break;
      }
      number(in, at, (int) (head >>> 24) & 0xFF);
      at += PacketWriter.HEADER_SIZE + length;
      passed++;
    }
    in.readerIndex(at);
    return passed;
  }

  private void number(ByteBuf in, int start, int given) {
    if (given != sequence) {
      in.setByte(start + 3, sequence);
    }
    sequence = (sequence + 1) & 0xFF;
  }

  /** Leaves out the packet that was looked at; what was before it goes out. */
  void skip(ByteBuf in) {
    endRun(in);
    scanner.advance(in);
  }

  /** What was passed goes out, up to the reader index. */
  void endRun(ByteBuf in) {
    if (runStart >= 0) {
      int length = in.readerIndex() - runStart;
      if (length <= COPY_BYTES || holding) {
        room(length + in.readableBytes()).writeBytes(in, runStart, length);
      } else {
        writePending();
        write(in.retainedSlice(runStart, length));
      }
      runStart = -1;
    }
  }

  // ---- what is written

  /**
   * Starts a packet in the place of the one that was looked at.
   *
   * @return takes the payload, up to {@link #end}
   */
  ByteBuf replace(ByteBuf in) {
    int rest = in.readableBytes();
    skip(in);
    return packet(rest);
  }

  /** Starts a packet in front of the one that was looked at. */
  ByteBuf insert(ByteBuf in) {
    endRun(in);
    return packet(in.readableBytes());
  }

  /**
   * Puts packets in front of the one that was looked at.
   *
   * @param packets their numbers are corrected
   */
  void insert(ByteBuf in, byte[] packets) {
    endRun(in);
    ByteBuf out = room(packets.length + in.readableBytes());
    int at = out.writerIndex();
    out.writeBytes(packets);
    while (at < out.writerIndex()) {
      number(out, at, -1);
      at += PacketWriter.HEADER_SIZE + out.getUnsignedMediumLE(at);
    }
  }

  private ByteBuf packet(int expected) {
    ByteBuf out = room(expected);
    packetStart = PacketWriter.begin(out);
    return out;
  }

  /** The payload is complete. */
  void end(ByteBuf out) {
    sequence = PacketWriter.end(out, packetStart, sequence);
  }

  /**
   * Packets that are known.
   *
   * @param next number of the packet behind them
   * @param expected bytes that may follow
   */
  void add(byte[] packets, int next, int expected) {
    room(packets.length + expected).writeBytes(packets);
    sequence = next;
  }

  /** A packet that was kept; released. */
  void add(ByteBuf packet) {
    number(packet, packet.readerIndex(), -1);
    room(packet.readableBytes()).writeBytes(packet);
    packet.release();
  }

  /** All that the client is to get so far, if nothing of it has gone out. */
  @Nullable ByteBuf all() {
    return started ? null : pending;
  }

  /**
   * @param expected bytes that are likely to be written, for the size of a new buffer
   */
  private ByteBuf room(int expected) {
    ByteBuf out = pending;
    if (out == null) {
      out = RelayLoop.leaving(from, Math.min(expected, COPY_BYTES) + 64);
      pending = out;
    }
    return out;
  }

  // ---- what may be left out

  /** What comes from here on goes out when it is {@link #letGo}, or never. */
  void hold(ByteBuf in) {
    endRun(in);
    writePending();
    holding = true;
    heldSequence = sequence;
  }

  /** What was held goes out. */
  void letGo() {
    holding = false;
  }

  /** What was held, up to the reader index, never goes out. */
  void drop(ByteBuf in) {
    endRun(in);
    holding = false;
    sequence = heldSequence;
    ByteBuf held = pending;
    pending = null;
    if (held != null) {
      held.release();
    }
  }

  /** What was held, which never goes out from here. */
  byte[] take() {
    ByteBuf held = pending;
    byte[] taken = held == null ? new byte[0] : ByteBufUtil.getBytes(held);
    drop(Unpooled.EMPTY_BUFFER);
    return taken;
  }

  // ---- what goes out

  void writePending() {
    ByteBuf out = pending;
    if (out != null && !holding) {
      pending = null;
      write(out);
    }
  }

  private void write(ByteBuf packets) {
    started = true;
    unflushed += packets.readableBytes();
    sink.write(packets);
  }

  void flush() {
    unflushed = 0;
    sink.flush();
  }

  /** {@link #writePending} and {@link #flush} in one. */
  void send() {
    ByteBuf out = pending;
    if (out == null || holding) {
      flush();
    } else {
      pending = null;
      started = true;
      unflushed = 0;
      sink.send(out);
    }
  }

  /**
   * Asks the client for a file; all that was written goes out with it.
   *
   * @param request the whole packet, taken over
   */
  void requestFile(ByteBuf request, FileReceiver receiver) {
    number(request, request.readerIndex(), -1);
    started = true;
    unflushed = 0;
    sink.requestFile(request, sequence, receiver);
  }

  /** The answer is over: the session goes on counting. */
  void finish() {
    sink.sequence(sequence);
  }
}
