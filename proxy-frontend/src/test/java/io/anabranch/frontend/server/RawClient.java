package io.anabranch.frontend.server;

import io.anabranch.protocol.handshake.Greeting;
import io.anabranch.protocol.handshake.HandshakeResponse;
import io.anabranch.protocol.handshake.NativePassword;
import io.anabranch.protocol.type.Capability;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A client that speaks packets and nothing more. Blocks; a test's timeout is the socket's. */
final class RawClient implements AutoCloseable {

  private static final long CAPABILITIES =
      Capability.PROTOCOL_41
          | Capability.SECURE_CONNECTION
          | Capability.PLUGIN_AUTH
          | Capability.CONNECT_WITH_DB
          | Capability.TRANSACTIONS;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;

  RawClient(InetSocketAddress address) throws IOException {
    socket = new Socket(address.getAddress(), address.getPort());
    socket.setSoTimeout(20_000);
    in = new DataInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /** The answer to the handshake response. */
  byte[] login(String user, String password, String database) throws IOException {
    Greeting greeting = Greeting.decode(Unpooled.wrappedBuffer(read()));
    byte[] scramble =
        password.isEmpty()
            ? new byte[0]
            : NativePassword.scramble(
                password.getBytes(StandardCharsets.UTF_8), greeting.scramble());
    var response =
        new HandshakeResponse(
            CAPABILITIES,
            1 << 24,
            45,
            user,
            scramble,
            database,
            NativePassword.PLUGIN,
            Map.of(),
            0);
    ByteBuf payload = Unpooled.buffer();
    response.encode(payload);
    byte[] bytes = new byte[payload.readableBytes()];
    payload.readBytes(bytes);
    send(1, bytes);
    return read();
  }

  byte[] query(String sql) throws IOException {
    byte[] text = sql.getBytes(StandardCharsets.UTF_8);
    byte[] payload = new byte[text.length + 1];
    payload[0] = 3;
    System.arraycopy(text, 0, payload, 1, text.length);
    send(0, payload);
    return read();
  }

  void send(int sequence, byte... payload) throws IOException {
    byte[] packet = new byte[payload.length + 4];
    packet[0] = (byte) payload.length;
    packet[1] = (byte) (payload.length >> 8);
    packet[2] = (byte) (payload.length >> 16);
    packet[3] = (byte) sequence;
    System.arraycopy(payload, 0, packet, 4, payload.length);
    out.write(packet);
    out.flush();
  }

  /** The header of a packet that does not come. */
  void announce(int sequence, int length) throws IOException {
    out.write(
        new byte[] {(byte) length, (byte) (length >> 8), (byte) (length >> 16), (byte) sequence});
    out.flush();
  }

  byte[] read() throws IOException {
    int length = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
    in.readUnsignedByte();
    byte[] payload = new byte[length];
    in.readFully(payload);
    return payload;
  }

  /** Whether the server closes the connection, after whatever it still says. */
  boolean isClosedByServer() throws IOException {
    try {
      while (true) {
        read();
      }
    } catch (EOFException e) {
      return true;
    }
  }

  static int errno(byte[] error) {
    return (error[0] & 0xFF) == 0xFF ? (error[1] & 0xFF) | (error[2] & 0xFF) << 8 : 0;
  }

  static String text(byte[] payload) {
    return new String(payload, StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
