package io.anabranch.backend.relay.column;

import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.LengthEncoded;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Copies column definitions to the client by their bytes: logical names in the place of actual
 * ones, MariaDB's extended metadata only for whom it was negotiated.
 *
 * <p>See {@link io.anabranch.protocol.message.ColumnDefinition} for the packet.
 */
public final class DefinitionCopy {

  private static final int USUAL_LENGTH = 192;

  private final @Nullable NameRewriter rewriter;
  private final boolean isExtended;
  private final boolean wantsExtended;

  /** The packet in work. */
  private byte[] bytes = {};

  private int length;

  /**
   * @param rewriter null: names stay
   * @param backend capabilities between proxy and database
   * @param client capabilities between client and proxy
   */
  public DefinitionCopy(@Nullable NameRewriter rewriter, long backend, long client) {
    this.rewriter = rewriter;
    this.isExtended = Capability.has(backend, Capability.MARIADB_EXTENDED_METADATA);
    this.wantsExtended = Capability.has(client, Capability.MARIADB_EXTENDED_METADATA);
  }

  /** Whether every packet may go on as it is. */
  public boolean isIdentity() {
    return rewriter == null && isExtended == wantsExtended;
  }

  /**
   * @param in the payload, read up to its end
   * @param out gets the payload for the client
   */
  public void copy(ByteBuf in, ByteBuf out) {
    load(in);
    int schema = end(0);
    int table = end(schema);
    int orgTable = end(table);
    int name = end(orgTable);
    NameRewriter names = rewriter;
    byte[] logical = names == null ? null : name(names.schemas(), schema, table);
    if (names != null && logical != null) {
      out.writeBytes(bytes, 0, schema);
      LengthEncoded.writeBytes(out, logical);
      copyTable(names.tables(), table, orgTable, out);
      copyTable(names.tables(), orgTable, name, out);
    } else {
      out.writeBytes(bytes, 0, name);
    }
    if (isExtended == wantsExtended) {
      out.writeBytes(bytes, name, length - name);
      return;
    }
    int extended = end(end(name));
    out.writeBytes(bytes, name, extended - name);
    if (isExtended) {
      int fixed = end(extended);
      out.writeBytes(bytes, fixed, length - fixed);
    } else {
      LengthEncoded.write(out, 0);
      out.writeBytes(bytes, extended, length - extended);
    }
  }

  /** The packet is looked at byte by byte: in an array that costs least. */
  private void load(ByteBuf in) {
    length = in.readableBytes();
    if (bytes.length < length) {
      bytes = new byte[Math.max(USUAL_LENGTH, length)];
    }
    in.readBytes(bytes, 0, length);
  }

  private void copyTable(ByteNames tables, int from, int to, ByteBuf out) {
    byte[] logical = name(tables, from, to);
    if (logical == null) {
      out.writeBytes(bytes, from, to - from);
    } else {
      LengthEncoded.writeBytes(out, logical);
    }
  }

  /** What stands for the string between {@code from} and {@code to}. */
  private byte @Nullable [] name(ByteNames names, int from, int to) {
    int start = start(from);
    return names.get(bytes, start, to - start);
  }

  /** Where the bytes of the string start whose length is at {@code at}. */
  private int start(int at) {
    return at + (at(at) == LengthEncoded.TWO_BYTES ? 3 : 1);
  }

  /**
   * Where the string ends whose length is at {@code at}; none has more than two bytes of length.
   */
  private int end(int at) {
    int first = at(at);
    int end =
        first < LengthEncoded.NULL_MARKER
            ? at + 1 + first
            : at + 3 + (at(at + 1) | at(at + 2) << 8);
    if (end > length || first == LengthEncoded.NULL_MARKER || first > LengthEncoded.TWO_BYTES) {
      throw ProtocolViolationException.malformed("a string of a column definition");
    }
    return end;
  }

  private int at(int index) {
    if (index >= length) {
      throw ProtocolViolationException.malformed("a column definition that ends too early");
    }
    return bytes[index] & 0xFF;
  }
}
