package io.anabranch.app;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A client that speaks the binary protocol packet by packet, without parameters, and tells the
 * answers as text. Blocks.
 */
final class PreparedProbe implements AutoCloseable {

  /** CURSOR_EXISTS, LAST_ROW_SENT, AUTOCOMMIT, IN_TRANS. */
  private static final int FLAGS = 0xC3;

  private final CommandProbe probe;

  PreparedProbe(CommandProbe probe) {
    this.probe = probe;
  }

  /** The statement's id; -1 for an error. */
  int prepare(String sql) throws IOException {
    probe.send(("\u0016" + sql).getBytes(StandardCharsets.UTF_8));
    byte[] head = probe.receive();
    if (head[0] != 0) {
      return -1;
    }
    ByteBuf ok = Unpooled.wrappedBuffer(head);
    int columns = ok.getUnsignedShortLE(5);
    int parameters = ok.getUnsignedShortLE(7);
    skip(parameters);
    skip(columns);
    return ok.getIntLE(1);
  }

  private void skip(int definitions) throws IOException {
    for (int i = 0; i < (definitions == 0 ? 0 : definitions + 1); i++) {
      probe.receive();
    }
  }

  /** Columns, rows and flags of the answer to COM_STMT_EXECUTE. */
  String execute(int statement, boolean withCursor) throws IOException {
    ByteBuf command = Unpooled.buffer().writeByte(0x17).writeIntLE(statement);
    probe.send(bytes(command.writeByte(withCursor ? 1 : 0).writeIntLE(1)));
    return answer();
  }

  /** Columns, rows and flags of the next answer in the binary protocol. */
  String answer() throws IOException {
    byte[] head = probe.receive();
    if (head[0] == 0 || (head[0] & 0xFF) == 0xFF) {
      return kind(head);
    }
    for (int i = 0; i < head[0]; i++) {
      probe.receive();
    }
    byte[] end = probe.receive();
    String columns = head[0] + " columns, " + kind(end);
    boolean isOpen = (end[3] & 0x40) != 0;
    return isOpen ? columns : columns + ", " + rows();
  }

  /** Rows and flags of the answer to COM_STMT_FETCH. */
  String fetch(int statement, int rows) throws IOException {
    ByteBuf command = Unpooled.buffer().writeByte(0x1C).writeIntLE(statement).writeIntLE(rows);
    probe.send(bytes(command));
    return rows();
  }

  private String rows() throws IOException {
    var rows = new StringBuilder();
    byte[] packet = probe.receive();
    while (packet[0] == 0) {
      rows.append(HexFormat.of().formatHex(packet)).append(' ');
      packet = probe.receive();
    }
    return rows + kind(packet);
  }

  String reset(int statement) throws IOException {
    probe.send(bytes(Unpooled.buffer().writeByte(0x1A).writeIntLE(statement)));
    return kind(probe.receive());
  }

  void close(int statement) throws IOException {
    probe.send(bytes(Unpooled.buffer().writeByte(0x19).writeIntLE(statement)));
  }

  /** A statement without rows in the text protocol. */
  String query(String sql) throws IOException {
    probe.send(("\u0003" + sql).getBytes(StandardCharsets.UTF_8));
    return kind(probe.receive());
  }

  private static byte[] bytes(ByteBuf from) {
    byte[] bytes = new byte[from.readableBytes()];
    from.readBytes(bytes);
    return bytes;
  }

  private static String kind(byte[] packet) {
    ByteBuf in = Unpooled.wrappedBuffer(packet);
    return switch (packet[0] & 0xFF) {
      case 0 -> "OK " + (in.getUnsignedShortLE(3) & FLAGS);
      case 0xFE -> "EOF " + (in.getUnsignedShortLE(3) & FLAGS);
      case 0xFF ->
          "error "
              + in.getUnsignedShortLE(1)
              + in.toString(3, packet.length - 3, StandardCharsets.UTF_8)
                  .replaceAll("\\(\\d+\\)", "(n)");
      default -> "packet " + HexFormat.of().formatHex(packet);
    };
  }

  @Override
  public void close() throws IOException {
    probe.close();
  }
}
