package io.anabranch.backend.relay.column;

import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.type.Capability;
import io.netty.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The heads of one plan's results on one connection: column count and column definitions, as they
 * came and as the client got them. A plan's results begin alike again and again, so that the next
 * one is known by comparing bytes, which costs a tenth of reading and writing them. Used on the
 * connection's event loop.
 */
public final class ResultHeads {

  /** One actual table's results begin differently from another's. */
  private static final int SLOTS = 16;

  /** So much of the first definition tells its table. */
  private static final int COMPARED_WORDS = 6;

  private static final int LONGEST = 1024;

  /** Where the payload of the first definition usually starts: behind the count and its header. */
  private final int firstDefinition;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /**
   * What else decides how a head is sent.
   *
   * @param client the client's capabilities
   * @param status the session's flags
   * @param sequence number of the first packet
   */
  public record Circumstances(long client, int status, int sequence) {}

  /** A head that was met. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Head(Circumstances in, byte[] received, byte[] sent, int nextSequence) {}

  private final long[] marks = new long[SLOTS];
  private final @Nullable Head[] slots = new @Nullable Head[SLOTS];
  private int oldest;

  /**
   * @param capabilities between proxy and database
   */
  ResultHeads(long capabilities) {
    int count = Capability.has(capabilities, Capability.MARIADB_CACHE_METADATA) ? 2 : 1;
    firstDefinition = 2 * PacketWriter.HEADER_SIZE + count;
  }

  /**
   * The head that {@code in} starts with.
   *
   * @return null if it is not known, or not all there
   */
  @Nullable
  public Head find(ByteBuf in, long client, int status, int sequence) {
    if (in.readableBytes() < firstDefinition + Long.BYTES) {
      return null;
    }
    Head known = slots[slot(mark(in, in.readerIndex(), in.readableBytes()))];
    return known != null
            && known.in.client == client
            && known.in.status == status
            && known.in.sequence == sequence
            && startsWith(in, known.received)
        ? known
        : null;
  }

  /**
   * Remembers one that was read packet by packet.
   *
   * @param received from {@code start} on, up to the reader index
   * @param sent all that is readable
   */
  public void remember(
      ByteBuf received, int start, Circumstances in, ByteBuf sent, int nextSequence) {
    int length = received.readerIndex() - start;
    if (length < firstDefinition + Long.BYTES
        || length > LONGEST
        || sent.readableBytes() > LONGEST) {
      return;
    }
    long mark = mark(received, start, length);
    int slot = slot(mark);
    if (marks[slot] != mark) {
      slot = oldest;
      oldest = (oldest + 1) % SLOTS;
      marks[slot] = mark;
    }
    byte[] from = new byte[length];
    received.getBytes(start, from);
    byte[] to = new byte[sent.readableBytes()];
    sent.getBytes(sent.readerIndex(), to);
    slots[slot] = new Head(in, from, to, nextSequence);
  }

  /** That of the mark; any other one if there is none. */
  private int slot(long mark) {
    int slot = SLOTS - 1;
    while (slot > 0 && marks[slot] != mark) {
      slot--;
    }
    return slot;
  }

  /** Of the names that the first definition starts with. */
  private long mark(ByteBuf in, int start, int length) {
    int first = start + firstDefinition;
    int definition = in.getUnsignedByte(first - PacketWriter.HEADER_SIZE);
    int words = Math.min(COMPARED_WORDS, Math.min(definition, length - firstDefinition) >>> 3);
    long mark = 1;
    for (int i = 0; i < words; i++) {
      mark = (mark ^ in.getLongLE(first + i * Long.BYTES)) * 0x9E3779B97F4A7C15L;
    }
    return mark;
  }

  private static boolean startsWith(ByteBuf in, byte[] head) {
    int length = head.length;
    if (in.readableBytes() < length) {
      return false;
    }
    int at = in.readerIndex();
    int last = length - Long.BYTES;
    for (int i = 0; i < last; i += Long.BYTES) {
      if (in.getLongLE(at + i) != (long) LONGS.get(head, i)) {
        return false;
      }
    }
    return in.getLongLE(at + last) == (long) LONGS.get(head, last);
  }
}
