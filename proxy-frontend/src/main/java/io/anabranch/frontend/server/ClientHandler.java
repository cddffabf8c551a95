package io.anabranch.frontend.server;

import io.anabranch.frontend.auth.AuthenticationStep;
import io.anabranch.frontend.auth.Authenticator;
import io.anabranch.frontend.auth.Login;
import io.anabranch.frontend.command.CommandRunner;
import io.anabranch.frontend.response.Failures;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.compression.CompressionAlgorithm;
import io.anabranch.protocol.frame.Frame;
import io.anabranch.protocol.frame.FrameDecoder;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.Collation;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.Authority;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.haproxy.HAProxyProtocolException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
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

  /** Nothing that a client says before it is authenticated is longer. */
  private static final long MAX_HANDSHAKE_PAYLOAD = 1L << 16;

  private static final int HANDSHAKE_TOO_SLOW = 1159;

  private enum State {
    HANDSHAKE,
    IDLE,
    RUNNING,
    CLOSED
  }

  /** A command that came while another one ran. */
  private record Waiting(Frame frame, int compressedSequence) {}

  private final Channel channel;
  private final ClientServices services;
  private final ClientChannel client;
  private final Authenticator authenticator;
  private final int id;
  private final StallWatch stallWatch;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private State state = State.HANDSHAKE;
  private @Nullable Session session;
  private @Nullable CommandRunner commands;
  private @Nullable IdleLimit idleLimit;
  private @Nullable Future<?> handshakeTimeout;

  private ClientHandler(
      Channel channel, ClientServices services, FrameDecoder frames, InetAddress address) {
    this.channel = channel;
    this.services = services;
    this.client = new ClientChannel(channel, frames);
    this.id = services.registry().nextId();
    this.authenticator =
        new Authenticator(
            () -> services.deployments().get().realm(),
            services.capabilities(),
            address,
            services.failedLogins(),
            services.random());
    long writeTimeout = services.limits().writeTimeoutSeconds();
    this.stallWatch =
        new StallWatch(channel, TimeUnit.SECONDS.toNanos(writeTimeout), this::stalled);
  }

  /** Puts the handlers of a client into a fresh channel. */
  static void install(Channel channel, ClientServices services) {
    InetAddress address = ((InetSocketAddress) channel.remoteAddress()).getAddress();
    var frames = new FrameDecoder(MAX_HANDSHAKE_PAYLOAD);
    if (services.mayBeProxied(address)) {
      channel.pipeline().addLast(new ProxyHeaders());
    }
    channel.pipeline().addLast(frames, new ClientHandler(channel, services, frames, address));
  }

  // ---------------------------------------------------------------- handshake

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    services.clients().add(channel);
    RefusedException refusal = refusal();
    if (refusal != null) {
      refuse(Failures.packet(refusal, "client"), 0);
      return;
    }
    handshakeTimeout =
        channel
            .eventLoop()
            .schedule(
                this::handshakeTooSlow,
                services.limits().handshakeTimeoutSeconds(),
                TimeUnit.SECONDS);
    String version = services.deployments().get().serverVersion();
    var greeting = authenticator.greeting(version, id, Collation.UTF8MB4_GENERAL_CI);
    client.send(greeting::encode, 0);
  }

  private @Nullable RefusedException refusal() {
    if (services.draining().getAsBoolean()) {
      return ErrorCatalogue.SERVER_SHUTDOWN.refuse();
    }
    int limit = services.limits().maxConnections();
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
      case AuthenticationStep.Continue more -> client.send(more.payload(), sequence);
      case AuthenticationStep.Compute(BooleanSupplier check) ->
          services.background().execute(() -> compute(check, sequence));
      case AuthenticationStep.StartTls _ -> {
        client.expectSequence(sequence);
        client.startTls(services.newTlsHandler(channel.alloc()));
      }
      case AuthenticationStep.Denied denied -> refuse(denied.error(), sequence);
      case AuthenticationStep.Granted granted -> {
        byte[] payload = granted.payload();
        granted(granted.login(), payload == null ? sequence : client.write(payload, sequence));
      }
    }
  }

  /** On a background thread. */
  private void compute(BooleanSupplier check, int sequence) {
    try {
      boolean isRight = check.getAsBoolean();
      channel.eventLoop().execute(() -> computed(isRight, sequence));
    } catch (RuntimeException e) {
      channel.pipeline().fireExceptionCaught(e);
    }
  }

  private void computed(boolean isRight, int sequence) {
    if (state == State.HANDSHAKE) {
      step(authenticator.computed(isRight), sequence);
    }
  }

  private void granted(Login login, int sequence) {
    boolean isFirst = session == null;
    try {
      open(login);
    } catch (RefusedException e) {
      refuse(Failures.packet(e, "client " + id), sequence);
      return;
    }
    client.send(
        out -> OkPacket.of(0, 0, ServerStatus.AUTOCOMMIT, 0).encode(out, login.capabilities()),
        sequence);
    client.expectSequence(0);
    client.maxPayload(services.limits().maxAllowedPacket());
    state = State.IDLE;
    current().finished();
    watchIdle();
    CompressionAlgorithm algorithm = CompressionAlgorithm.negotiated(login.capabilities());
    if (isFirst && algorithm != null) {
      client.startCompression(algorithm, login.zstdLevel());
    }
    next();
  }

  /** The session of a client that has logged in, or its change to another user. */
  private void open(Login login) {
    var identity =
        new Session.Identity(
            login.user(),
            login.name(),
            login.address(),
            login.capabilities(),
            login.collation(),
            login.attributes());
    Session known = session;
    if (known == null) {
      services.admit(login.user());
      known = new Session(id, channel, identity, services.deployments(), services.background());
      session = known;
      commands = new CommandRunner(known, services.registry(), services.listener());
      services.registry().add(known);
      services.listener().connected();
      cancelHandshakeTimeout();
      boolean interactive = known.has(Capability.INTERACTIVE);
      idleLimit = new IdleLimit(known, services.limits(), interactive, this::idleTooLong);
    } else {
      Authority.User former = known.user();
      if (!former.equals(login.user())) {
        services.admit(login.user());
        services.registry().leave(former);
      }
      known.become(identity);
    }
    if (!login.database().isEmpty()) {
      known.use(login.database());
    }
  }

  private void refuse(ErrPacket error, int sequence) {
    state = State.CLOSED;
    services.listener().refused(error.errno());
    client.sendAndClose(error, sequence);
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
    if (message instanceof ProxyHeaders.Source(InetAddress address)) {
      authenticator.address(address);
      return;
    }
    Frame frame = (Frame) message;
    switch (state) {
      case HANDSHAKE -> authenticate(frame);
      case IDLE -> run(frame, client.compressedSequence());
      case RUNNING -> {
        waiting.add(new Waiting(frame, client.compressedSequence()));
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

  private void run(Frame frame, int compressedSequence) {
    CommandRunner runner = commands;
    if (runner == null) {
      throw new IllegalStateException("no session in state " + state);
    }
    state = State.RUNNING;
    client.answers(compressedSequence);
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
    watchIdle();
    next();
  }

  /** SET SESSION wait_timeout may have changed it. */
  private void watchIdle() {
    IdleLimit limit = idleLimit;
    if (limit != null) {
      limit.refresh();
    }
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
      Waiting first = waiting.poll();
      if (first != null) {
        run(first.frame(), first.compressedSequence());
      }
    }
  }

  // ---------------------------------------------------------------- end

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    stallWatch.writabilityChanged();
    Session current = session;
    if (current != null) {
      current.sink().writabilityChanged();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    switch (event) {
      case Drain _ -> {
        Session current = session;
        boolean done = state == State.IDLE && current != null && current.isDone();
        if (done || state == State.HANDSHAKE) {
          channel.close();
        }
      }
      case SslHandshakeCompletionEvent tls when tls.isSuccess() ->
          authenticator.secured(client.hasClientCertificate());
      default -> ctx.fireUserEventTriggered(event);
    }
  }

  private void idleTooLong() {
    log.info("{} closed: idle for too long", current());
    state = State.CLOSED;
    if (services.deployments().get().serverVersion().contains("MariaDB")) {
      channel.close();
    } else {
      client.sendAndClose(Failures.packet(ErrorCatalogue.IDLE_TOO_LONG.refuse(), "client"), 0);
    }
  }

  private void stalled() {
    log.info("client {} at {} closed: it does not read its answer", id, authenticator.address());
    channel.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    boolean running = state == State.RUNNING;
    state = State.CLOSED;
    cancelHandshakeTimeout();
    stallWatch.stop();
    waiting.forEach(each -> each.frame().release());
    waiting.clear();
    IdleLimit limit = idleLimit;
    Session current = session;
    if (current == null || limit == null) {
      return;
    }
    limit.stop();
    services.registry().leave(current.user());
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
      case SSLException tls -> {
        services.violations().log(id, authenticator.address(), "TLS: " + tls.getMessage());
        channel.close();
      }
      case IOException gone -> {
        log.debug("client {} is gone: {}", id, gone.toString());
        channel.close();
      }
      case HAProxyProtocolException header ->
          violated(ProtocolViolationException.malformed("PROXY: " + header.getMessage()), 0);
      default -> client.sendAndClose(Failures.packet(root, "client " + id), 0);
    }
  }

  private void violated(ProtocolViolationException violation, int sequence) {
    boolean isHandshake = state == State.HANDSHAKE && session == null;
    services.violations().log(id, authenticator.address(), String.valueOf(violation.getMessage()));
    if (isHandshake) {
      boolean malformed = violation.errno() == ProtocolViolationException.MALFORMED;
      refuse(
          Failures.packet(
              malformed ? ErrorCatalogue.BAD_HANDSHAKE.refuse() : violation, "client " + id),
          sequence);
    } else if (violation.errno() == ProtocolViolationException.TOO_LARGE) {
      client.sendAndLinger(Failures.packet(violation, "client " + id), sequence);
    } else {
      client.sendAndClose(Failures.packet(violation, "client " + id), sequence);
    }
  }

  private Session current() {
    Session known = session;
    if (known == null) {
      throw new IllegalStateException("no session in state " + state);
    }
    return known;
  }
}
