package io.anabranch.app;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client that binds parameters of any type, and tells answers as text. Blocks. */
final class TypedProbe implements AutoCloseable {

  /** A value of one type. */
  record Bound(String name, int type, byte @Nullable [] value) {

    static Bound number(String name, int type, long value) {
      return new Bound(name, type, bytes(Unpooled.buffer().writeLongLE(value)));
    }

    static Bound text(String name, int type, String value) {
      byte[] text = value.getBytes(StandardCharsets.UTF_8);
      return new Bound(
          name, type, bytes(Unpooled.buffer().writeByte(text.length).writeBytes(text)));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private final CommandProbe probe;

  TypedProbe(CommandProbe probe) {
    this.probe = probe;
  }

  int prepare(String sql) throws IOException {
    probe.send(("\u0016" + sql).getBytes(StandardCharsets.UTF_8));
    byte[] head = probe.receive();
    if (head[0] != 0) {
      throw new IOException(sql + ": " + new String(head, StandardCharsets.UTF_8));
    }
    ByteBuf ok = Unpooled.wrappedBuffer(head);
    skip(ok.getUnsignedShortLE(7));
    skip(ok.getUnsignedShortLE(5));
    return ok.getIntLE(1);
  }

  private void skip(int definitions) throws IOException {
    for (int i = 0; i < (definitions == 0 ? 0 : definitions + 1); i++) {
      probe.receive();
    }
  }

  void close(int statement) throws IOException {
    probe.send(bytes(Unpooled.buffer().writeByte(0x19).writeIntLE(statement)));
  }

  void piece(int statement, int parameter, byte[] data) throws IOException {
    ByteBuf out = Unpooled.buffer(data.length + 7).writeByte(0x18).writeIntLE(statement);
    probe.send(bytes(out.writeShortLE(parameter).writeBytes(data)));
  }

  String execute(int statement, List<Bound> values) throws IOException {
    ByteBuf out =
        Unpooled.buffer().writeByte(0x17).writeIntLE(statement).writeByte(0).writeIntLE(1);
    byte[] nulls = new byte[(values.size() + 7) / 8];
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i).value() == null) {
        nulls[i / 8] |= (byte) (1 << i % 8);
      }
    }
    if (!values.isEmpty()) {
      out.writeBytes(nulls).writeByte(1);
      values.forEach(value -> out.writeShortLE(value.type()));
    }
    for (Bound each : values) {
      byte[] value = each.value();
      if (value != null) {
        out.writeBytes(value);
      }
    }
    probe.send(bytes(out));
    return answer();
  }

  String query(String sql) throws IOException {
    probe.send(("\u0003" + sql).getBytes(StandardCharsets.UTF_8));
    return answer();
  }

  /** Types, rows and number of warnings, or the error. */
  String answer() throws IOException {
    byte[] head = probe.receive();
    ByteBuf in = Unpooled.wrappedBuffer(head);
    if ((head[0] & 0xFF) == 0xFF) {
      return "error "
          + in.getUnsignedShortLE(1)
          + " "
          + in.toString(9, head.length - 9, StandardCharsets.UTF_8);
    }
    if (head[0] == 0) {
      return "OK " + head[1] + " warnings " + in.getUnsignedShortLE(head.length < 7 ? 3 : 5);
    }
    var told = new StringBuilder();
    for (int i = 0; i < head[0]; i++) {
      byte[] definition = probe.receive();
      ByteBuf end = Unpooled.wrappedBuffer(definition, definition.length - 12, 12);
      told.append(end.getUnsignedByte(6)).append('/').append(end.getUnsignedShortLE(0));
      told.append('/').append(end.getUnsignedByte(9)).append(' ');
    }
    probe.receive();
    byte[] packet = probe.receive();
    while ((packet[0] & 0xFF) != 0xFE && (packet[0] & 0xFF) != 0xFF) {
      told.append(HexFormat.of().formatHex(packet)).append(' ');
      packet = probe.receive();
    }
    ByteBuf end = Unpooled.wrappedBuffer(packet);
    return told + ((packet[0] & 0xFF) == 0xFF ? "error " : "warnings ") + end.getUnsignedShortLE(1);
  }

  void send(byte[] command) throws IOException {
    probe.send(command);
  }

  /** Sends a file that the server asks for, and reads the answer. */
  String file(byte[] content) throws IOException {
    byte[] request = probe.receive();
    if (request[0] != (byte) 0xFB) {
      return "no request but " + HexFormat.of().formatHex(request);
    }
    int sequence = 2;
    if (content.length > 0) {
      probe.send(sequence++, content);
    }
    probe.send(sequence);
    return answer();
  }

  String reset(int statement) throws IOException {
    probe.send(bytes(Unpooled.buffer().writeByte(0x1A).writeIntLE(statement)));
    return answer();
  }

  static byte[] bytes(ByteBuf from) {
    byte[] bytes = new byte[from.readableBytes()];
    from.readBytes(bytes);
    return bytes;
  }

  @Override
  public void close() throws IOException {
    probe.close();
  }
}
