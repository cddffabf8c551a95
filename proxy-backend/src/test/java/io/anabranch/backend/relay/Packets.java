package io.anabranch.backend.relay;

import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ColumnCount;
import io.anabranch.protocol.message.ColumnDefinition;
import io.anabranch.protocol.message.EofPacket;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.message.PrepareOk;
import io.anabranch.protocol.type.Capability;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Composes a server's answer under the capabilities that it negotiated. */
public final class Packets {

  private final long capabilities;
  private final ByteBuf out = Unpooled.buffer();
  private int sequence = 1;
  private String schema = "ds_0";

  public Packets(long capabilities) {
    this.capabilities = capabilities;
  }

  private boolean hasEof() {
    return !Capability.has(capabilities, Capability.DEPRECATE_EOF);
  }

  private Packets packet(Consumer<ByteBuf> payload) {
    int start = PacketWriter.begin(out);
    payload.accept(out);
    sequence = PacketWriter.end(out, start, sequence);
    return this;
  }

  public Packets ok(int status) {
    return packet(to -> OkPacket.of(1, 7, status, 0).encode(to, capabilities));
  }

  public Packets ok(OkPacket packet) {
    return packet(to -> packet.encode(to, capabilities));
  }

  public Packets err(int errno, String message) {
    return err(errno, "42000", message);
  }

  Packets err(int errno, String sqlState, String message) {
    return packet(to -> new ErrPacket(errno, sqlState, message).encode(to));
  }

  /** The schema of the definitions that follow. */
  Packets schema(String name) {
    schema = name;
    return this;
  }

  /** Column definitions with what comes behind them. */
  public Packets columns(String... tables) {
    packet(to -> new ColumnCount(tables.length, true).encode(to, capabilities));
    return definitions(tables);
  }

  /** A result that leaves them out. */
  public Packets columnsLeftOut(int count) {
    packet(to -> new ColumnCount(count, false).encode(to, capabilities));
    return columnsEnd();
  }

  /** The answer to COM_STMT_PREPARE of a statement without parameters. */
  public Packets prepared(int id, String... tables) {
    packet(to -> new PrepareOk(id, tables.length, 0, 0).encode(to));
    return tables.length == 0 ? this : definitions(tables);
  }

  private Packets definitions(String... tables) {
    for (String table : tables) {
      var definition = new ColumnDefinition(schema, table, table, "c", "c", 45, 80, 253, 0, 0);
      packet(to -> definition.encode(to, capabilities, StandardCharsets.UTF_8));
    }
    return columnsEnd();
  }

  private Packets columnsEnd() {
    return hasEof() ? packet(to -> new EofPacket(0, 2).encode(to)) : this;
  }

  public Packets row(byte[] payload) {
    return packet(to -> to.writeBytes(payload));
  }

  public Packets rowsEnd(int status) {
    return rowsEnd(status, 3);
  }

  public Packets rowsEnd(int status, int warnings) {
    return packet(
        to -> {
          if (hasEof()) {
            new EofPacket(warnings, status).encode(to);
          } else {
            OkPacket.of(0, 0, status, warnings).encodeAsEof(to, capabilities);
          }
        });
  }

  /** The next answer starts: numbers count from 1 again. */
  Packets next() {
    sequence = 1;
    return this;
  }

  public byte[] bytes() {
    return ByteBufUtil.getBytes(out);
  }
}
