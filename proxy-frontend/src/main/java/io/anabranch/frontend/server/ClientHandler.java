package io.anabranch.frontend.server;

import io.anabranch.frontend.auth.AuthenticationStep;
import io.anabranch.frontend.auth.Authenticator;
import io.anabranch.frontend.auth.Login;
import io.anabranch.frontend.command.CommandRunner;
import io.anabranch.frontend.response.Failures;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.frame.Frame;
import io.anabranch.protocol.frame.FrameDecoder;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.type.Collation;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: authenticates it, then runs its commands one after the other. Packets
 * that arrive while a command runs wait; when many wait, the socket is not read.
 */
final class ClientHandler extends ChannelInboundHandlerAdapter {

  private static final Logger log = LoggerFactory.getLogger(ClientHandler.class);
  private static final int WAITING_LIMIT = 16;

  /** MySQL's upper bound of max_allowed_packet. */
  private static final long MAX_PAYLOAD = 1L << 30;

  /** Nothing that a client says before it is authenticated is longer. */
  private static final long MAX_HANDSHAKE_PAYLOAD = 1L << 16;

  private static final int HANDSHAKE_TOO_SLOW = 1159;

  private enum State {
    HANDSHAKE,
    IDLE,
    RUNNING,
    CLOSED
  }

  private final Channel channel;
  private final ClientServices services;
  private final FrameDecoder frames;
  private final Authenticator authenticator;
  private final int id;
  private final ArrayDeque<Frame> waiting = new ArrayDeque<>();
  private State state = State.HANDSHAKE;
  private @Nullable Session session;
  private @Nullable CommandRunner commands;
  private @Nullable Future<?> handshakeTimeout;

  private ClientHandler(Channel channel, ClientServices services, FrameDecoder frames) {
    this.channel = channel;
    this.services = services;
    this.frames = frames;
    this.id = services.registry().nextId();
    InetAddress address = ((InetSocketAddress) channel.remoteAddress()).getAddress();
    this.authenticator =
        new Authenticator(
            () -> services.deployments().get().realm(),
            ServerCapabilities.OFFERED,
            address,
            services.random());
  }

  /** Puts the handlers of a client into a fresh channel. */
  static void install(Channel channel, ClientServices services) {
    var frames = new FrameDecoder(MAX_HANDSHAKE_PAYLOAD);
    channel.pipeline().addLast(frames, new ClientHandler(channel, services, frames));
  }

  // ---------------------------------------------------------------- handshake

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    services.clients().add(channel);
    RefusedException refusal = refusal();
    if (refusal != null) {
      state = State.CLOSED;
      services.listener().refused(refusal.errno());
      sendAndClose(Failures.packet(refusal, "client"), 0);
      return;
    }
    handshakeTimeout =
        channel
            .eventLoop()
            .schedule(
                this::handshakeTooSlow,
                services.settings().handshakeTimeout().toNanos(),
                TimeUnit.NANOSECONDS);
    String version = services.deployments().get().serverVersion();
    var greeting = authenticator.greeting(version, id, Collation.UTF8MB4_GENERAL_CI);
    ByteBuf out = channel.alloc().buffer();
    int start = PacketWriter.begin(out);
    greeting.encode(out);
    frames.expectSequence(PacketWriter.end(out, start, 0));
    channel.writeAndFlush(out);
  }

  private @Nullable RefusedException refusal() {
    if (services.draining().getAsBoolean()) {
      return ErrorCatalogue.SERVER_SHUTDOWN.refuse();
    }
    int limit = services.settings().maxConnections();
    return limit > 0 && services.clients().size() > limit
        ? ErrorCatalogue.TOO_MANY_CONNECTIONS.refuse()
        : null;
  }

  private void handshakeTooSlow() {
    if (state == State.HANDSHAKE) {
      services.listener().refused(HANDSHAKE_TOO_SLOW);
      channel.close();
    }
  }

  private void step(AuthenticationStep step, int sequence) {
    switch (step) {
      case AuthenticationStep.Continue more ->
          frames.expectSequence(send(more.payload(), sequence));
      case AuthenticationStep.StartTls _ ->
          throw ProtocolViolationException.malformed("TLS was not offered");
      case AuthenticationStep.Denied denied -> {
        state = State.CLOSED;
        services.listener().refused(denied.error().errno());
        sendAndClose(denied.error(), sequence);
      }
      case AuthenticationStep.Granted granted -> {
        byte[] payload = granted.payload();
        granted(granted.login(), payload == null ? sequence : send(payload, sequence));
      }
    }
  }

  private void granted(Login login, int sequence) {
    var identity =
        new Session.Identity(
            login.user(), login.name(), login.address(), login.capabilities(), login.collation());
    Session current = session;
    if (current == null) {
      current = new Session(id, channel, identity, services.deployments(), services.background());
      session = current;
      commands = new CommandRunner(current, services.registry(), services.listener());
      services.registry().add(current);
      services.listener().connected();
      cancelHandshakeTimeout();
    } else {
      current.become(identity);
    }
    try {
      if (!login.database().isEmpty()) {
        current.use(login.database());
      }
    } catch (RefusedException e) {
      state = State.CLOSED;
      sendAndClose(Failures.packet(e, current.toString()), sequence);
      return;
    }
    ByteBuf out = channel.alloc().buffer();
    int start = PacketWriter.begin(out);
    OkPacket.of(0, 0, ServerStatus.AUTOCOMMIT, 0).encode(out, login.capabilities());
    PacketWriter.end(out, start, sequence);
    channel.writeAndFlush(out);
    frames.expectSequence(0);
    frames.maxPayload(MAX_PAYLOAD);
    state = State.IDLE;
    current.finished();
    next();
  }

  private void cancelHandshakeTimeout() {
    Future<?> timeout = handshakeTimeout;
    if (timeout != null) {
      timeout.cancel(false);
    }
  }

  // ---------------------------------------------------------------- commands

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    Frame frame = (Frame) message;
    switch (state) {
      case HANDSHAKE -> authenticate(frame);
      case IDLE -> run(frame);
      case RUNNING -> {
        waiting.add(frame);
        if (waiting.size() >= WAITING_LIMIT) {
          channel.config().setAutoRead(false);
        }
      }
      case CLOSED -> frame.release();
    }
  }

  private void authenticate(Frame frame) {
    try {
      step(authenticator.accept(frame.payload()), frame.nextSequence());
    } catch (ProtocolViolationException e) {
      violated(e, frame.nextSequence());
    } finally {
      frame.release();
    }
  }

  private void run(Frame frame) {
    CommandRunner runner = commands;
    if (runner == null) {
      throw new IllegalStateException("no session in state " + state);
    }
    state = State.RUNNING;
    try {
      runner.run(frame, command -> changeUser(command, frame.nextSequence()), this::done);
    } catch (ProtocolViolationException e) {
      state = State.CLOSED;
      violated(e, frame.nextSequence());
    } finally {
      frame.release();
    }
  }

  private void changeUser(ClientCommand.ChangeUser command, int sequence) {
    state = State.HANDSHAKE;
    step(authenticator.changeUser(command), sequence);
  }

  private void done() {
    if (state == State.RUNNING) {
      state = State.IDLE;
    }
    Session current = session;
    if (state == State.CLOSED) {
      if (current != null) {
        current.close();
      }
      return;
    }
    if (services.draining().getAsBoolean() && current != null && current.isDone()) {
      channel.close();
      return;
    }
    next();
  }

  /** The next waiting packet, from a fresh stack so that many small commands do not nest. */
  private void next() {
    if (!waiting.isEmpty()) {
      channel.eventLoop().execute(this::runWaiting);
    } else if (!channel.config().isAutoRead()) {
      channel.config().setAutoRead(true);
    }
  }

  private void runWaiting() {
    if (state == State.IDLE) {
      Frame frame = waiting.poll();
      if (frame != null) {
        run(frame);
      }
    }
  }

  // ---------------------------------------------------------------- end

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    Session current = session;
    if (current != null) {
      current.sink().writabilityChanged();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event == Drain.BEGINS) {
      Session current = session;
      boolean done = state == State.IDLE && current != null && current.isDone();
      if (done || state == State.HANDSHAKE) {
        channel.close();
      }
    } else {
      ctx.fireUserEventTriggered(event);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    boolean running = state == State.RUNNING;
    state = State.CLOSED;
    cancelHandshakeTimeout();
    waiting.forEach(Frame::release);
    waiting.clear();
    Session current = session;
    if (current == null) {
      return;
    }
    services.registry().remove(current);
    services.listener().closed();
    current.sink().writabilityChanged();
    if (running) {
      current.interrupt(ErrorCatalogue.QUERY_INTERRUPTED.refuse());
    } else {
      current.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    Throwable root =
        cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
    switch (root) {
      case ProtocolViolationException violation -> violated(violation, 0);
      case IOException gone -> {
        log.debug("client {} is gone: {}", id, gone.toString());
        channel.close();
      }
      default -> {
        sendAndClose(Failures.packet(root, "client " + id), 0);
      }
    }
  }

  private void violated(ProtocolViolationException violation, int sequence) {
    ErrPacket error = Failures.packet(violation, "client " + id);
    if (state == State.HANDSHAKE) {
      state = State.CLOSED;
      services.listener().refused(error.errno());
    }
    services.violations().log(id, channel.remoteAddress(), String.valueOf(violation.getMessage()));
    sendAndClose(error, sequence);
  }

  private int send(byte[] payload, int sequence) {
    ByteBuf out = channel.alloc().buffer(payload.length + PacketWriter.HEADER_SIZE);
    int next = PacketWriter.write(out, sequence, payload);
    channel.writeAndFlush(out);
    return next;
  }

  private void sendAndClose(ErrPacket error, int sequence) {
    ByteBuf out = channel.alloc().buffer();
    int start = PacketWriter.begin(out);
    error.encode(out, StandardCharsets.UTF_8);
    PacketWriter.end(out, start, sequence);
    channel.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE);
  }
}
