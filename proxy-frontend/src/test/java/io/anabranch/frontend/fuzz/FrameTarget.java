package io.anabranch.frontend.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.protocol.command.BulkArguments;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.command.CommandWriter;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.compression.CompressedProtocol;
import io.anabranch.protocol.compression.CompressionAlgorithm;
import io.anabranch.protocol.frame.Frame;
import io.anabranch.protocol.frame.FrameDecoder;
import io.anabranch.protocol.frame.FrameRoom;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.testkit.CountingAllocator;
import io.anabranch.testkit.FuzzInput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client's bytes behind its login, compressed or not: commands or a violation, the same ones
 * however the bytes are cut, in buffers that are no longer than what came, all of which are given
 * back.
 */
public final class FrameTarget {

  private static final int MOST = 1 << 16;

  /** What does not follow from the bytes. */
  private static final int FEW = 1 << 16;

  private static final long[] CAPABILITIES = {
    Capability.PROTOCOL_41,
    Capability.PROTOCOL_41
        | Capability.SECURE_CONNECTION
        | Capability.PLUGIN_AUTH
        | Capability.CONNECT_ATTRS
  };

  private FrameTarget() {}

  /** What client and proxy have agreed on, and what the statement has that is executed. */
  private record Terms(
      @Nullable CompressionAlgorithm algorithm,
      long capabilities,
      int parameters,
      int @Nullable [] types) {}

  /**
   * Called by the fuzzer.
   *
   * @param data the first bytes choose, the others are the client's
   */
  public static void fuzzerTestOneInput(byte[] data) {
    var input = new FuzzInput(data);
    CompressionAlgorithm algorithm =
        switch (input.choice(4)) {
          case 1 -> CompressionAlgorithm.ZLIB;
          case 2 -> CompressionAlgorithm.ZSTD;
          default -> null;
        };
    long capabilities = CAPABILITIES[input.choice(2)];
    int parameters = input.choice(12);
    int[] types = input.flag() ? new int[parameters] : null;
    if (types != null) {
      Arrays.fill(types, 0xFD);
    }
    int how = input.choice(250);
    var terms = new Terms(algorithm, capabilities, parameters, types);
    byte[] bytes = input.rest();
    List<String> whole = commands(terms, bytes, 0, FrameRoom.UNLIMITED);
    for (int each : new int[] {1, 2 + how}) {
      List<String> cut = commands(terms, bytes, each, FrameRoom.UNLIMITED);
      if (!cut.equals(whole)) {
        throw new IllegalStateException("cut otherwise: " + cut + " instead of " + whole);
      }
    }
    commands(terms, bytes, 2 + how, new Narrow());
  }

  private static List<String> commands(Terms terms, byte[] bytes, int how, FrameRoom room) {
    var counting = new CountingAllocator();
    var client = new Client(terms);
    var channel = new EmbeddedChannel();
    channel.config().setAllocator(counting);
    channel.freezeTime();
    var frames = new FrameDecoder(MOST);
    frames.room(room, 0);
    channel.pipeline().addLast(frames, client);
    if (terms.algorithm != null) {
      frames.ignoreSequence();
      var compressed = CompressedProtocol.of(terms.algorithm, 0, room, frames::isPaused);
      channel.pipeline().addFirst(compressed);
      ChannelHandlerContext own = channel.pipeline().context(compressed);
      frames.upstream(() -> compressed.goOn(own));
    }
    for (byte[] piece : FuzzInput.pieces(bytes, how)) {
      ByteBuf buffer = Unpooled.directBuffer(piece.length).writeBytes(piece);
      channel.pipeline().fireChannelRead(buffer);
      channel.pipeline().fireChannelReadComplete();
      int read;
      do {
        read = client.seen.size();
        channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
      } while (client.seen.size() > read);
    }
    channel.finishAndReleaseAll();
    if (client.unexpected != null) {
      throw new IllegalStateException(client.unexpected);
    }
    if (counting.held() != 0) {
      throw new IllegalStateException(counting.held() + " bytes are not given back");
    }
    if (how == 0 && counting.asked() > FEW + most(terms.algorithm) * bytes.length) {
      throw new IllegalStateException(counting.asked() + " bytes asked for " + bytes.length);
    }
    return client.seen;
  }

  /** How many bytes one byte may become. */
  private static long most(@Nullable CompressionAlgorithm algorithm) {
    return algorithm == null ? 4 : algorithm == CompressionAlgorithm.ZLIB ? 1100 : 1 << 15;
  }

  private static final class NoRoomException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Has no room for more than a few bytes. */
  private static final class Narrow implements FrameRoom {
    private long left = 64;

    @Override
    public @Nullable RuntimeException take(long bytes) {
      if (bytes > left) {
        return new NoRoomException();
      }
      left -= bytes;
      return null;
    }

    @Override
    public void give(long bytes) {
      left += bytes;
    }
  }

  /** Writes down what comes, commands with what they mean. */
  private static final class Client extends ChannelInboundHandlerAdapter {
    private final List<String> seen = new ArrayList<>();
    private final Terms terms;

    /** Netty keeps to itself what handlers of exceptions throw. */
    private @Nullable Throwable unexpected;

    Client(Terms terms) {
      this.terms = terms;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      var frame = (Frame) message;
      try {
        if (frame.refusal() != null) {
          if (frame.payload().readableBytes() > Frame.HEAD_BYTES) {
            throw new IllegalStateException("refused and kept");
          }
          seen.add("refused");
          return;
        }
        seen.add(frame.sequence() + " " + ByteBufUtil.hexDump(frame.payload()));
        decode(frame.payload());
      } catch (ProtocolViolationException violation) {
        seen.add("malformed: " + violation.getMessage());
      } finally {
        frame.release();
      }
    }

    private void decode(ByteBuf payload) {
      switch (ClientCommand.decode(payload, terms.capabilities, UTF_8)) {
        case ClientCommand.StmtExecute execute -> read(execute);
        case ClientCommand.StmtBulkExecute bulk ->
            BulkArguments.decode(bulk, 1 + terms.parameters, terms.types);
        default -> {}
      }
    }

    private void read(ClientCommand.StmtExecute execute) {
      var parameters = ExecuteParameters.decode(execute, terms.parameters, terms.types, null);
      int[] all = new int[parameters.count()];
      for (int i = 0; i < all.length; i++) {
        all[i] = i;
        parameters.kind(i);
        parameters.value(i);
      }
      ByteBuf out = Unpooled.buffer();
      CommandWriter.stmtExecute(out, 1, parameters, all);
      out.release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      boolean isExpected =
          cause instanceof DecoderException
              && cause.getCause() instanceof ProtocolViolationException;
      if (!isExpected && !(cause instanceof NoRoomException)) {
        unexpected = cause;
      }
      seen.add("broken: " + cause.getMessage());
    }
  }
}
