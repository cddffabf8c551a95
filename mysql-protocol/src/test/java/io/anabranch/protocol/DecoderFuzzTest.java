package io.anabranch.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.frame.FrameDecoder;
import io.anabranch.protocol.handshake.AuthMoreData;
import io.anabranch.protocol.handshake.AuthSwitchRequest;
import io.anabranch.protocol.handshake.Greeting;
import io.anabranch.protocol.handshake.HandshakeResponse;
import io.anabranch.protocol.message.BinaryRowReader;
import io.anabranch.protocol.message.BinaryRowWriter;
import io.anabranch.protocol.message.CellConversion;
import io.anabranch.protocol.message.ColumnCount;
import io.anabranch.protocol.message.ColumnDefinition;
import io.anabranch.protocol.message.EofPacket;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.LocalInfileRequest;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.message.PrepareOk;
import io.anabranch.protocol.message.ResultSetState;
import io.anabranch.protocol.message.SessionChange;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.protocol.message.TextRowWriter;
import io.anabranch.protocol.message.WholeMessages;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Bytes that nobody should send: decoders answer with {@link ProtocolViolationException} or a
 * value, nothing else. Half of them are captured packets with some bytes changed, cut or repeated.
 */
class DecoderFuzzTest {

  private static final int ROUNDS = 40_000;
  private static final long SEED = 20261121;

  private static final List<byte[]> CAPTURED =
      Stream.of("eof.hex", "deprecate-eof.hex", "extended.hex")
          .flatMap(name -> GoldenFile.read(DecoderFuzzTest.class, name).packets().stream())
          .map(GoldenFile.Packet::payload)
          .filter(payload -> payload.length > 0)
          .toList();

  private static final List<ColumnType> TYPES = List.of(ColumnType.values());

  enum Target {
    COMMAND,
    EXECUTION,
    GREETING,
    RESPONSE,
    AUTHENTICATION,
    OK,
    ERR,
    EOF,
    COLUMN_COUNT,
    COLUMN_DEFINITION,
    PREPARE_OK,
    LOCAL_INFILE,
    SESSION_STATE,
    TEXT_ROW,
    BINARY_ROW,
    TEXT_CELL,

    RESPONSE_STATE,
    FRAMES
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  @Timeout(60)
  void onlyViolations(Target target) {
    var random = new Random(SEED);
    int rounds = target == Target.FRAMES ? ROUNDS / 20 : ROUNDS;
    int violations = 0;
    for (int i = 0; i < rounds; i++) {
      byte[] bytes = bytes(random);
      try {
        decode(target, bytes, random);
      } catch (ProtocolViolationException e) {
        violations++;
      }
    }
    assertThat(violations).isPositive();
  }

  private static void decode(Target target, byte[] bytes, Random random) {
    ByteBuf in = Unpooled.wrappedBuffer(bytes);
    long capabilities = random.nextLong();
    switch (target) {
      case COMMAND -> ClientCommand.decode(in, capabilities, StandardCharsets.UTF_8);
      case EXECUTION -> decodeExecution(bytes, random);
      case GREETING -> Greeting.decode(in);
      case RESPONSE -> {
        if (bytes.length >= 4) {
          in.setIntLE(0, in.getIntLE(0) | (int) Capability.PROTOCOL_41);
        }
        HandshakeResponse.decode(in);
      }
      case AUTHENTICATION -> {
        AuthSwitchRequest.decode(in.duplicate());
        AuthMoreData.decode(in);
      }
      case OK -> OkPacket.decode(in, capabilities);
      case ERR -> ErrPacket.decode(in);
      case EOF -> EofPacket.decode(in);
      case COLUMN_COUNT -> ColumnCount.decode(in, capabilities);
      case COLUMN_DEFINITION -> {
        ColumnDefinition column = ColumnDefinition.decode(in, capabilities, StandardCharsets.UTF_8);
        column.columnType();
      }
      case PREPARE_OK -> PrepareOk.decode(in);
      case LOCAL_INFILE -> LocalInfileRequest.decode(in);
      case SESSION_STATE -> SessionChange.decodeAll(bytes);
      case TEXT_ROW -> new TextRowReader(1 + random.nextInt(6)).read(bytes);
      case BINARY_ROW -> readBinaryRow(bytes, random);
      case TEXT_CELL -> convertText(bytes, random);
      case RESPONSE_STATE -> walk(capabilities, random);
      case FRAMES -> decodeFrames(bytes, random);
    }
  }

  private static void decodeExecution(byte[] bytes, Random random) {
    ByteBuf in = Unpooled.buffer().writeByte(0x17).writeBytes(bytes);
    var command = ClientCommand.decode(in, 0, StandardCharsets.UTF_8);
    if (command instanceof ClientCommand.StmtExecute execute) {
      int count = random.nextInt(5);
      int[] types = random.nextInt(10) == 0 ? null : random.ints(count, 0, 0xFFFF).toArray();
      ExecuteParameters.decode(execute, count, types, null);
    }
  }

  private static void readBinaryRow(byte[] bytes, Random random) {
    bytes[0] = 0;
    List<ColumnType> types =
        random.ints(1 + random.nextInt(3), 0, TYPES.size()).mapToObj(TYPES::get).toList();
    var row = new BinaryRowReader(types);
    row.read(bytes);
    var writer = new TextRowWriter();
    writer.begin();
    for (int i = 0; i < row.columns(); i++) {
      if (row.isNull(i)) {
        writer.addNull();
      } else {
        new CellConversion(types.get(i), random.nextInt(), random.nextInt(40), random.nextInt(20))
            .addAsText(writer, bytes, row.offset(i), row.length(i));
      }
    }
    assertThat(writer.finish()).isNotNull();
  }

  private static void convertText(byte[] bytes, Random random) {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) "0123456789-:. e+x".charAt(random.nextInt(17));
    }
    ColumnType type = TYPES.get(random.nextInt(TYPES.size()));
    var writer = new BinaryRowWriter(1);
    writer.begin();
    int length = random.nextInt(Math.min(bytes.length, 30) + 1);
    new CellConversion(type, random.nextInt(), 6, 20).addAsBinary(writer, bytes, 0, length);
  }

  private static void walk(long capabilities, Random random) {
    var state = new ResultSetState(capabilities | Capability.PROTOCOL_41);
    var responses = ResultSetState.Response.values();
    state.expect(responses[random.nextInt(responses.length)]);
    for (int i = 0; i < 50; i++) {
      byte[] bytes = bytes(random);
      ResultSetState.Kind kind = WholeMessages.kind(state, bytes[0] & 0xFF, bytes.length);
      state.accept(kind, Unpooled.wrappedBuffer(bytes));
    }
  }

  private static void decodeFrames(byte[] bytes, Random random) {
    var channel = new EmbeddedChannel(new FrameDecoder(1000));
    try {
      for (int from = 0; from < bytes.length; ) {
        int to = Math.min(bytes.length, from + 1 + random.nextInt(20));
        channel.writeInbound(Unpooled.copiedBuffer(bytes, from, to - from));
        from = to;
      }
    } catch (DecoderException e) {
      if (e.getCause() instanceof ProtocolViolationException violation) {
        throw violation;
      }
      throw e;
    } finally {
      channel.finishAndReleaseAll();
    }
  }

  /** At least one byte, a copy of the caller's own. */
  private static byte[] bytes(Random random) {
    if (random.nextBoolean()) {
      byte[] bytes = new byte[1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 40)];
      random.nextBytes(bytes);
      return bytes;
    }
    byte[] captured = CAPTURED.get(random.nextInt(CAPTURED.size()));
    int length = 1 + random.nextInt(captured.length + 2);
    byte[] bytes = Arrays.copyOf(captured, length);
    for (int changes = random.nextInt(4); changes > 0; changes--) {
      bytes[random.nextInt(length)] = interesting(random);
    }
    return bytes;
  }

  private static byte interesting(Random random) {
    var values = new ArrayList<>(List.of(0, 1, 2, 4, 8, 11, 12, 0x7F, 0x80));
    values.addAll(List.of(0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF, random.nextInt(256)));
    return values.get(random.nextInt(values.size())).byteValue();
  }
}
