package io.anabranch.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.frame.Frame;
import io.anabranch.protocol.frame.FrameDecoder;
import io.anabranch.protocol.frame.PacketScanner;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.handshake.Greeting;
import io.anabranch.protocol.handshake.HandshakeResponse;
import io.anabranch.protocol.handshake.NativePassword;
import io.anabranch.protocol.message.ColumnCount;
import io.anabranch.protocol.message.ColumnDefinition;
import io.anabranch.protocol.message.EofPacket;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.LocalInfileRequest;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.message.PrepareOk;
import io.anabranch.protocol.message.ResultSetState;
import io.anabranch.protocol.message.ResultSetState.Kind;
import io.anabranch.protocol.message.ResultSetState.Response;
import io.anabranch.protocol.message.WholeMessages;
import io.anabranch.protocol.type.Capability;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversations captured from a server: every packet is recognised, and comes back unchanged. */
class ConversationTest {

  private static final String EOF = "eof.hex";
  private static final String DEPRECATE_EOF = "deprecate-eof.hex";
  private static final String EXTENDED = "extended.hex";

  private record Conversation(List<GoldenFile.Packet> packets, long capabilities) {

    static Conversation read(String name) {
      GoldenFile file = GoldenFile.read(ConversationTest.class, name);
      Greeting greeting = Greeting.decode(first(file, "GREETING"));
      HandshakeResponse response = HandshakeResponse.decode(first(file, "RESPONSE"));
      long capabilities = greeting.capabilities() & response.capabilities();
      return new Conversation(file.packets().subList(3, file.packets().size()), capabilities);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {EOF, DEPRECATE_EOF, EXTENDED})
  void everyServerPacketIsRecognised(String name) {
    Conversation conversation = Conversation.read(name);
    var state = new ResultSetState(conversation.capabilities());
    for (GoldenFile.Packet packet : conversation.packets()) {
      switch (packet.mark()) {
        case "FILE" -> {}
        case "COMMAND" -> {
          assertThat(state.isDone()).as("before %s", command(packet)).isTrue();
          state.expect(responseTo(command(packet)));
        }
        default -> {
          Kind kind =
              WholeMessages.kind(state, firstByte(packet.payload()), packet.payload().length);
          assertThat(kind).hasToString(packet.mark());
          state.accept(kind, kind.isRead() ? Unpooled.wrappedBuffer(packet.payload()) : null);
        }
      }
    }
    assertThat(state.isDone()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {EOF, DEPRECATE_EOF, EXTENDED})
  void everyServerPacketIsEncodedAsItWas(String name) {
    Conversation conversation = Conversation.read(name);
    boolean hasEof = !Capability.has(conversation.capabilities(), Capability.DEPRECATE_EOF);
    for (GoldenFile.Packet packet : conversation.packets()) {
      if (List.of("COMMAND", "FILE", "ROW").contains(packet.mark())) {
        continue;
      }
      ByteBuf in = Unpooled.wrappedBuffer(packet.payload());
      Consumer<ByteBuf> encoder = decoded(packet.mark(), in, conversation.capabilities(), hasEof);
      assertThat(in.isReadable()).as(packet.mark()).isFalse();
      ByteBuf out = Unpooled.buffer();
      encoder.accept(out);
      assertThat(bytes(out)).as(packet.mark()).isEqualTo(packet.payload());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {EOF, DEPRECATE_EOF, EXTENDED})
  void aScannerFindsThePacketsByteByByte(String name) {
    Conversation conversation = Conversation.read(name);
    ByteBuf stream = Unpooled.buffer();
    var expected = new ArrayList<Integer>();
    for (GoldenFile.Packet packet : conversation.packets()) {
      PacketWriter.write(stream, 7, packet.payload());
      expected.add(packet.payload().length);
    }
    var scanner = new PacketScanner();
    ByteBuf in = Unpooled.buffer();
    var lengths = new ArrayList<Integer>();
    while (stream.isReadable()) {
      in.writeByte(stream.readByte());
      while (scanner.peek(in)) {
        if (!scanner.isWhole(in)) {
          break;
        }
        assertThat(scanner.sequence()).isEqualTo(7);
        lengths.add(scanner.advance(in) - PacketWriter.HEADER_SIZE);
      }
    }
    assertThat(lengths).isEqualTo(expected);
    assertThat(scanner.isAtMessageBoundary()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {EOF, DEPRECATE_EOF, EXTENDED})
  void commandsArriveByteByByte(String name) {
    Conversation conversation = Conversation.read(name);
    List<byte[]> commands =
        conversation.packets().stream()
            .filter(packet -> packet.mark().equals("COMMAND"))
            .map(GoldenFile.Packet::payload)
            .toList();
    var channel = new EmbeddedChannel(new FrameDecoder(1 << 20));
    for (byte[] payload : commands) {
      ByteBuf packet = Unpooled.buffer();
      PacketWriter.write(packet, 0, payload);
      while (packet.isReadable()) {
        channel.writeInbound(packet.readRetainedSlice(1));
      }
      packet.release();
    }
    for (byte[] payload : commands) {
      Frame frame = channel.readInbound();
      assertThat(bytes(frame.payload())).isEqualTo(payload);
      frame.release();
    }
    assertThat(channel.finish()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {EOF, DEPRECATE_EOF, EXTENDED})
  void theHandshakeComesBackAndItsPasswordIsRight(String name) {
    GoldenFile file = GoldenFile.read(ConversationTest.class, name);
    Greeting greeting = Greeting.decode(first(file, "GREETING"));
    HandshakeResponse response = HandshakeResponse.decode(first(file, "RESPONSE"));
    ByteBuf greetingOut = Unpooled.buffer();
    greeting.encode(greetingOut);
    ByteBuf responseOut = Unpooled.buffer();
    response.encode(responseOut);
    assertThat(bytes(greetingOut)).isEqualTo(file.payloads("GREETING").getFirst());
    assertThat(bytes(responseOut)).isEqualTo(file.payloads("RESPONSE").getFirst());
    byte[] password = "test".getBytes(StandardCharsets.US_ASCII);
    assertThat(NativePassword.scramble(password, greeting.scramble()))
        .isEqualTo(response.authResponse());
    assertThat(response.database()).isEqualTo("dev_protocol_1");
  }

  private static Consumer<ByteBuf> decoded(
      String mark, ByteBuf in, long capabilities, boolean hasEof) {
    return switch (mark) {
      case "OK" -> {
        OkPacket packet = OkPacket.decode(in, capabilities);
        yield out -> packet.encode(out, capabilities);
      }
      case "ERR" -> ErrPacket.decode(in)::encode;
      case "COLUMNS_END", "PARAMETERS_END" -> EofPacket.decode(in)::encode;
      case "ROWS_END" -> hasEof ? EofPacket.decode(in)::encode : decodedOkAsEof(in, capabilities);
      case "COLUMN_COUNT" -> {
        ColumnCount count = ColumnCount.decode(in, capabilities);
        yield out -> count.encode(out, capabilities);
      }
      case "COLUMN_DEFINITION", "PARAMETER_DEFINITION" -> {
        ColumnDefinition column = ColumnDefinition.decode(in, capabilities, StandardCharsets.UTF_8);
        yield out -> column.encode(out, capabilities, StandardCharsets.UTF_8);
      }
      case "PREPARE_OK" -> PrepareOk.decode(in)::encode;
      case "LOCAL_INFILE" -> LocalInfileRequest.decode(in)::encode;
      default -> throw new IllegalArgumentException(mark);
    };
  }

  private static Consumer<ByteBuf> decodedOkAsEof(ByteBuf in, long capabilities) {
    OkPacket packet = OkPacket.decode(in, capabilities);
    return out -> packet.encodeAsEof(out, capabilities);
  }

  private static ClientCommand command(GoldenFile.Packet packet) {
    return ClientCommand.decode(
        Unpooled.wrappedBuffer(packet.payload()), 0, StandardCharsets.UTF_8);
  }

  private static Response responseTo(ClientCommand command) {
    return switch (command) {
      case ClientCommand.Query _ -> Response.TEXT;
      case ClientCommand.StmtExecute execute -> {
        assertThat(execute.flags()).isIn(0, ExecuteParameters.CURSOR_READ_ONLY);
        yield execute.flags() == 0 ? Response.BINARY : Response.CURSOR;
      }
      case ClientCommand.StmtPrepare _ -> Response.PREPARE;
      case ClientCommand.StmtFetch _ -> Response.FETCH;
      case ClientCommand.FieldList _ -> Response.FIELD_LIST;
      default -> Response.SIMPLE;
    };
  }

  private static int firstByte(byte[] payload) {
    return payload.length == 0 ? -1 : payload[0] & 0xFF;
  }

  private static ByteBuf first(GoldenFile file, String mark) {
    return Unpooled.wrappedBuffer(file.payloads(mark).getFirst());
  }

  private static byte[] bytes(ByteBuf in) {
    byte[] bytes = new byte[in.readableBytes()];
    in.readBytes(bytes);
    return bytes;
  }
}
