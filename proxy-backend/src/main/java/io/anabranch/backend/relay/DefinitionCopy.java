package io.anabranch.backend.relay;

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
final class DefinitionCopy {

  /** Column and original column. */
  private static final int COLUMN_NAMES = 2;

  private final @Nullable NameRewriter rewriter;
  private final boolean isExtended;
  private final boolean wantsExtended;

  /**
   * @param rewriter null: names stay
   * @param backend capabilities between proxy and database
   * @param client capabilities between client and proxy
   */
  DefinitionCopy(@Nullable NameRewriter rewriter, long backend, long client) {
    this.rewriter = rewriter;
    this.isExtended = Capability.has(backend, Capability.MARIADB_EXTENDED_METADATA);
    this.wantsExtended = Capability.has(client, Capability.MARIADB_EXTENDED_METADATA);
  }

  /** Whether every packet may go on as it is. */
  boolean isIdentity() {
    return rewriter == null && isExtended == wantsExtended;
  }

  /**
   * @param in the payload, read up to its end
   * @param out gets the payload for the client
   */
  void copy(ByteBuf in, ByteBuf out) {
    copyString(in, out);
    tableNames(in, out);
    if (isExtended != wantsExtended) {
      for (int i = 0; i < COLUMN_NAMES; i++) {
        copyString(in, out);
      }
      if (isExtended) {
        in.skipBytes(length(in));
      } else {
        LengthEncoded.write(out, 0);
      }
    }
    out.writeBytes(in);
  }

  private void tableNames(ByteBuf in, ByteBuf out) {
    NameRewriter names = rewriter;
    if (names != null && copyName(in, out, names.schemas())) {
      copyName(in, out, names.tables());
      copyName(in, out, names.tables());
      return;
    }
    if (names == null) {
      copyString(in, out);
    }
    copyString(in, out);
    copyString(in, out);
  }

  /**
   * @return whether it is one of {@code names}
   */
  private static boolean copyName(ByteBuf in, ByteBuf out, ByteNames names) {
    int length = length(in);
    byte[] logical = names.get(in, in.readerIndex(), length);
    if (logical == null) {
      LengthEncoded.write(out, length);
      out.writeBytes(in, length);
      return false;
    }
    LengthEncoded.writeBytes(out, logical);
    in.skipBytes(length);
    return true;
  }

  private static void copyString(ByteBuf in, ByteBuf out) {
    int length = length(in);
    LengthEncoded.write(out, length);
    out.writeBytes(in, length);
  }

  private static int length(ByteBuf in) {
    int length = LengthEncoded.readLength(in);
    if (length == LengthEncoded.NULL) {
      throw ProtocolViolationException.malformed("NULL where a string must be");
    }
    return length;
  }
}
