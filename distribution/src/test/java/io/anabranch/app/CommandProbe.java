package io.anabranch.app;

import io.anabranch.protocol.handshake.Greeting;
import io.anabranch.protocol.handshake.HandshakeResponse;
import io.anabranch.protocol.handshake.NativePassword;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.type.Capability;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A client that sends one command as it is and tells what kind of answer comes. Blocks; without an
 * answer within its time limit that is what it tells.
 */
final class CommandProbe implements AutoCloseable {

  private static final long WANTED =
      Capability.PROTOCOL_41
          | Capability.SECURE_CONNECTION
          | Capability.PLUGIN_AUTH
          | Capability.CONNECT_WITH_DB
          | Capability.TRANSACTIONS
          | Capability.MULTI_STATEMENTS
          | Capability.MULTI_RESULTS;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private final Greeting greeting;
  private final long wanted;
  private final OkPacket loggedIn;

  CommandProbe(int port, String user, String password, String database) throws IOException {
    this(port, user, password, database, 0);
  }

  /**
   * @param more capabilities besides those that all probes have
   */
  CommandProbe(int port, String user, String password, String database, long more)
      throws IOException {
    wanted = WANTED | more;
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
    out = socket.getOutputStream();
    greeting = Greeting.decode(Unpooled.wrappedBuffer(read()));
    byte[] scramble =
        NativePassword.scramble(password.getBytes(StandardCharsets.UTF_8), greeting.scramble());
    var response =
        new HandshakeResponse(
            wanted, 1 << 24, 45, user, scramble, database, NativePassword.PLUGIN, Map.of(), 0);
    ByteBuf payload = Unpooled.buffer();
    response.encode(payload);
    byte[] bytes = new byte[payload.readableBytes()];
    payload.readBytes(bytes);
    send(1, bytes);
    byte[] answer = read();
    if (answer[0] == (byte) 0xFE && password.isEmpty()) {
      send(3); // another way to have none
      answer = read();
    }
    if (answer[0] != 0) {
      throw new IOException("not logged in: " + kind(answer));
    }
    loggedIn = ok(answer);
  }

  /** What the server offers. */
  long capabilities() {
    return greeting.capabilities();
  }

  /** The server's number of this connection. */
  long connectionId() {
    return greeting.threadId();
  }

  /** Answers a packet that was not the last of a conversation, {@code 0xFE} at the start of one. */
  void sendBehind(byte[] request, byte[] payload) throws IOException {
    if (request[0] != (byte) 0xFE) {
      throw new IOException("nothing was asked");
    }
    send(2, payload);
  }

  /** What the login was answered with. */
  OkPacket loggedIn() {
    return loggedIn;
  }

  /** What a statement without rows, or the end of rows, is answered with. */
  OkPacket ok(String sql) throws IOException {
    send(0, ("\u0003" + sql).getBytes(StandardCharsets.UTF_8));
    byte[] answer = read();
    int columns = answer[0];
    if (columns > 0) {
      for (int i = 0; i < columns; i++) {
        read();
      }
      while (answer[0] != (byte) OkPacket.HEADER_AS_EOF) {
        answer = read();
      }
    }
    return ok(answer);
  }

  private OkPacket ok(byte[] answer) throws IOException {
    if (answer[0] != 0 && answer[0] != (byte) OkPacket.HEADER_AS_EOF) {
      throw new IOException(new String(answer, StandardCharsets.UTF_8));
    }
    return OkPacket.decode(Unpooled.wrappedBuffer(answer), wanted);
  }

  /** {@code OK}, {@code error 1047}, {@code result}, {@code closes} … */
  String answer(byte... command) throws IOException {
    send(0, command);
    try {
      return kind(read());
    } catch (EOFException | java.net.SocketException e) {
      return "closes the connection";
    }
  }

  /**
   * Sends commands one by one without waiting for answers, and reads as many.
   *
   * @return the answers, each of one packet, as text
   */
  List<String> pipelined(List<byte[]> commands) throws IOException {
    var writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    for (byte[] command : commands) {
                      send(0, command);
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
    var answers = new ArrayList<String>();
    for (int i = 0; i < commands.size(); i++) {
      answers.add(new String(read(), StandardCharsets.ISO_8859_1));
    }
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return answers;
  }

  /** Sends a command. */
  void send(byte[] command) throws IOException {
    send(0, command);
  }

  /** The payload of the next packet. */
  byte[] receive() throws IOException {
    return read();
  }

  private static String kind(byte[] answer) {
    int first = answer.length == 0 ? -1 : answer[0] & 0xFF;
    return switch (first) {
      case -1 -> "an empty packet";
      case 0 -> "OK";
      case 0xFE -> answer.length < 9 ? "EOF" : "a switch of authentication";
      case 0xFF -> "error " + ((answer[1] & 0xFF) | (answer[2] & 0xFF) << 8);
      default -> answer.length == 1 ? "a result" : "text";
    };
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

  private byte[] read() throws IOException {
    int length = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
    in.readUnsignedByte();
    byte[] payload = new byte[length];
    in.readFully(payload);
    return payload;
  }

  /** So many bytes as they come. */
  byte[] exactly(int length) throws IOException {
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  /** Bytes that may be no packets at all. */
  void raw(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Says no more, and reads until the other side has ended, too. */
  byte[] rest() throws IOException {
    socket.shutdownOutput();
    return in.readAllBytes();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
