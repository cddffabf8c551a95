package io.anabranch.frontend.response;

import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ColumnCount;
import io.anabranch.protocol.message.ColumnDefinition;
import io.anabranch.protocol.message.EofPacket;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.LengthEncoded;
import io.anabranch.rules.plan.ResultColumn;
import io.netty.buffer.ByteBuf;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The packets around the rows of a result, in the form that a client negotiated. Immutable. */
public final class ResultPackets {

  private static final byte[] NO_DEFAULT = {};

  private final long capabilities;

  public ResultPackets(long capabilities) {
    this.capabilities = capabilities;
  }

  /**
   * Column count, definitions and, without DEPRECATE_EOF, the EOF behind them.
   *
   * @return the next sequence number
   */
  public int columns(
      ByteBuf out, int sequence, List<ResultColumn> columns, Charset charset, int status) {
    int start = PacketWriter.begin(out);
    new ColumnCount(columns.size(), true).encode(out, capabilities);
    int next = PacketWriter.end(out, start, sequence);
    next = definitions(out, next, columns, charset);
    return Capability.has(capabilities, Capability.DEPRECATE_EOF)
        ? next
        : end(out, next, status, 0);
  }

  /** Column definitions alone. */
  public int definitions(ByteBuf out, int sequence, List<ResultColumn> columns, Charset charset) {
    int next = sequence;
    for (ResultColumn column : columns) {
      int start = PacketWriter.begin(out);
      definition(column).encode(out, capabilities, charset);
      next = PacketWriter.end(out, start, next);
    }
    return next;
  }

  /** The answer to COM_FIELD_LIST: definitions that each end in a default value, here NULL. */
  public int fields(
      ByteBuf out, int sequence, List<ResultColumn> columns, Charset charset, int status) {
    int next = sequence;
    for (ResultColumn column : columns) {
      int start = PacketWriter.begin(out);
      definition(column).encode(out, capabilities, charset);
      out.writeByte(LengthEncoded.NULL_MARKER);
      next = PacketWriter.end(out, start, next);
    }
    return end(out, next, status, 0);
  }

  /** What ends rows: EOF, or OK in its place. */
  public int end(ByteBuf out, int sequence, int status, int warnings) {
    int start = PacketWriter.begin(out);
    int shown = Math.min(warnings, 0xFFFF);
    if (Capability.has(capabilities, Capability.DEPRECATE_EOF)) {
      OkPacket.of(0, 0, status, shown).encodeAsEof(out, capabilities);
    } else {
      new EofPacket(shown, status).encode(out);
    }
    return PacketWriter.end(out, start, sequence);
  }

  private static ColumnDefinition definition(ResultColumn column) {
    return new ColumnDefinition(
        "def",
        column.schema(),
        column.table(),
        column.orgTable(),
        column.name(),
        column.orgName(),
        column.extended().getBytes(StandardCharsets.ISO_8859_1),
        column.collation(),
        column.length(),
        column.type(),
        column.flags(),
        column.decimals(),
        NO_DEFAULT);
  }
}
