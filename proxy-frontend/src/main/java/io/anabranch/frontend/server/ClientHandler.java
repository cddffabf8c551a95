package io.anabranch.frontend.server;

import io.anabranch.backend.loop.ReceiveBuffers;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.memory.SessionMemory;
import io.anabranch.frontend.auth.Identity;
import io.anabranch.frontend.auth.Login;
import io.anabranch.frontend.command.CommandRunner;
import io.anabranch.frontend.limit.SessionLimits;
import io.anabranch.frontend.response.Failures;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.compression.CompressionAlgorithm;
import io.anabranch.protocol.frame.Frame;
import io.anabranch.protocol.frame.FrameDecoder;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.Authority;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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

  /**
   * How long a read may go on for a client that has closed its side: it may have left, or wait for
   * the answer.
   */
  private static final long READ_OUT_SECONDS = 2;

  /** Nothing that a client says before it is authenticated is longer. */
  private static final long MAX_HANDSHAKE_PAYLOAD = (1L << 16) + (1L << 14);

  /** Of a session that does nothing, by experience. */
  private static final long BYTES_OF_SESSION = 12L << 10;

  /** What a handler is told from outside. */
  enum Due {
    /** The session's transaction may have outlived its limits. */
    LIMITS
  }

  private enum State {
    HANDSHAKE,
    IDLE,
    RUNNING,
    CLOSED
  }

  private final Channel channel;
  private final ClientServices services;
  private final ClientChannel client;
  private final ClientLogin login;
  private final ClientFaults faults;
  private final int id;
  private final StallWatch stallWatch;
  private final CommandQueue waiting;
  private final SessionMemory guest;
  private int port;
  private State state = State.HANDSHAKE;

  /** No command is run before the client has taken answers to those before. */
  private boolean isHeldBack;

  /** The client has closed its side: nothing will follow what has come. */
  private boolean inputEnded;

  /** Keeps the room of the session itself; null before there is one. */
  private @Nullable SessionMemory frame;

  /** The client has gone, and its last statement goes on. */
  private boolean outlives;

  private @Nullable Session session;
  private @Nullable CommandRunner commands;
  private @Nullable CommandMemory commandMemory;
  private @Nullable IdleLimit idleLimit;

  private ClientHandler(
      Channel channel,
      ClientServices services,
      FrameDecoder frames,
      @Nullable InetSocketAddress from) {
    InetAddress address = from == null ? InetAddress.getLoopbackAddress() : from.getAddress();
    this.port = from == null ? 0 : from.getPort();
    this.channel = channel;
    this.services = services;
    this.client = new ClientChannel(channel, frames);
    client.whenResumed(this::resumed);
    this.waiting = new CommandQueue(client);
    this.guest = services.memory().guest();
    client.room(new ClientRoom(guest), ClientRoom.UNCOUNTED_OF_GUEST);
    this.id = services.registry().nextId();
    this.login = new ClientLogin(client, services, id, address, new LoginOutcome());
    if (from == null) {
      login.cameByFile();
    }
    this.faults = new ClientFaults(client, login, services, id, this::refuse);
    long writeTimeout = services.limits().writeTimeoutSeconds();
    this.stallWatch =
        new StallWatch(channel, TimeUnit.SECONDS.toNanos(writeTimeout), this::stalled);
  }

  /** Puts the handlers of a client into a fresh channel. */
  static void install(Channel channel, ClientServices services) {
    ReceiveBuffers.install(channel);
    // null: it came by the socket file
    InetSocketAddress address =
        channel.remoteAddress() instanceof InetSocketAddress internet ? internet : null;
    var frames = new FrameDecoder(MAX_HANDSHAKE_PAYLOAD);
    if (address != null && services.mayBeProxied(address.getAddress())) {
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
    login.start();
  }

  private @Nullable RefusedException refusal() {
    if (!services.door().isOpen()) {
      return ErrorCatalogue.SERVER_SHUTDOWN.refuse();
    }
    int limit = services.limits().maxConnections();
    return limit > 0 && services.clients().size() > limit
        ? ErrorCatalogue.TOO_MANY_CONNECTIONS.refuse()
        : null;
  }

  private final class LoginOutcome implements ClientLogin.Outcome {

    @Override
    public void granted(Login granted, int sequence) {
      boolean isFirst = session == null;
      try {
        open(granted);
      } catch (RefusedException e) {
        refuse(Failures.packet(e, "client " + id), sequence);
        return;
      }
      long capabilities = granted.capabilities();
      current().sink().sequence(sequence);
      current().replies().ok(ServerStatus.AUTOCOMMIT);
      client.expectSequence(0);
      client.maxPayload(services.limits().maxAllowedPacket());
      state = State.IDLE;
      current().command().finished();
      watchIdle();
      CompressionAlgorithm algorithm = CompressionAlgorithm.negotiated(capabilities);
      if (isFirst && algorithm != null) {
        client.startCompression(algorithm, granted.zstdLevel());
      }
      next();
    }

    @Override
    public void refused(ErrPacket error, int sequence) {
      Session former = session;
      // MySQL says good-bye to who cannot become the other
      if (former == null || !former.deployment().isMariaDb()) {
        refuse(error, sequence);
      } else {
        keep(former, error, sequence);
      }
    }
  }

  /**
   * COM_CHANGE_USER has failed, as on MariaDB: the client stays who it was, in a session that has
   * begun anew.
   */
  private void keep(Session former, ErrPacket error, int sequence) {
    refused(error);
    former.sink().sequence(sequence);
    former.replies().error(error, former.settings().resultCharset());
    client.expectSequence(0);
    state = State.IDLE;
    former.command().finished();
    watchIdle();
    next();
  }

  /** The session of a client that has logged in, or its change to another user. */
  private void open(Login granted) {
    var identity =
        new Identity(
            granted.user(),
            granted.name(),
            granted.address(),
            port,
            granted.capabilities(),
            granted.collation(),
            granted.attributes());
    Session known = session;
    if (known == null) {
      services.admit(granted.user(), null);
      frame = frame(granted.user());
      SessionMemory memory = services.memory().session(granted.user().toString());
      known =
          new Session(
              id,
              channel,
              identity,
              services.deployments(),
              services.background(),
              memory,
              new SessionLimits(services.registry().limits()));
      known.statements().kept().atMost(services.limits().maxAllowedPacket());
      known.sink().fileLimit(TimeUnit.SECONDS.toNanos(services.limits().uploadTimeoutSeconds()));
      session = known;
      known.whenAwaited(stallWatch::giveWay);
      commandMemory = new CommandMemory(memory);
      var room = new ClientRoom(memory);
      client.room(room, ClientRoom.UNCOUNTED);
      waiting.room(room, ClientRoom.UNCOUNTED);
      guest.close();
      commands = new CommandRunner(known, services.registry(), services.listener());
      services.registry().add(known);
      services.listener().connected();
      boolean interactive = known.has(Capability.INTERACTIVE);
      idleLimit = new IdleLimit(known, services.limits(), interactive, this::idleTooLong);
    } else {
      Authority.User former = known.user();
      // a reload may have changed what the account may do, and it is the same
      if (!former.toString().equals(granted.user().toString())) {
        services.admit(granted.user(), former);
        services.registry().leave(former);
        known.memory().become(granted.user().toString());
        if (frame != null) {
          frame.become(granted.user().toString());
        }
      }
      known.become(identity);
    }
    if (!granted.database().isEmpty()) {
      known.database().use(granted.database());
    }
  }

  /**
   * The room of a session that does nothing.
   *
   * @throws RefusedException if there is none; then the user has not been let in
   */
  private SessionMemory frame(Authority.User user) {
    SessionMemory taken = services.memory().session(user.toString());
    RefusedException refusal = taken.take(MemoryKind.HEAP, BYTES_OF_SESSION, "another session");
    if (refusal != null) {
      taken.close();
      services.registry().leave(user);
      throw refusal;
    }
    return taken;
  }

  private void refuse(ErrPacket error, int sequence) {
    state = State.CLOSED;
    refused(error);
    client.sendAndClose(error, sequence);
  }

  private void refused(ErrPacket error) {
    services.listener().refused(error.errno());
    services
        .registry()
        .refusals()
        .ofClient(id, login.address().getHostAddress(), error.errno(), error.message());
  }

  // ---------------------------------------------------------------- commands

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof ProxyHeaders.Source(InetAddress address, int from)) {
      login.cameFrom(address);
      port = from;
      return;
    }
    Frame frame = (Frame) message;
    switch (state) {
      case HANDSHAKE -> authenticate(frame);
      case IDLE -> {
        if (waiting.isEmpty() && !isHeldBack) {
          run(frame, client.compressedSequence());
        } else {
          // The next one is about to run: none may overtake it.
          waiting.add(frame, client.compressedSequence());
        }
      }
      case RUNNING -> waiting.add(frame, client.compressedSequence());
      case CLOSED -> frame.release();
    }
  }

  private void authenticate(Frame frame) {
    RuntimeException tooMuch = frame.refusal();
    try {
      if (tooMuch == null) {
        login.accept(frame);
      } else {
        login.stop();
        refuse(Failures.packet(tooMuch, "client " + id), frame.nextSequence());
      }
    } catch (ProtocolViolationException e) {
      faults.violated(e, frame.nextSequence(), isLoggingIn());
    } finally {
      frame.release();
    }
  }

  private void run(Frame frame, int compressedSequence) {
    CommandRunner runner = commands;
    CommandMemory memory = commandMemory;
    if (runner == null || memory == null) {
      throw new IllegalStateException("no session in state " + state);
    }
    client.answers(compressedSequence);
    if (services.door().drain() != Drain.NOBODY && isAnsweredByGoing(frame)) {
      return;
    }
    state = State.RUNNING;
    if (services.door().isPastAnswers()) {
      client.cork(true);
    }
    try {
      RuntimeException unkept = frame.refusal();
      RuntimeException refusal =
          unkept == null ? memory.begin(frame.payload().readableBytes()) : unkept;
      if (refusal == null) {
        runner.run(frame, command -> changeUser(command, frame.nextSequence()), this::done);
      } else {
        runner.refuse(frame, refusal, this::done);
      }
    } catch (ProtocolViolationException e) {
      state = State.CLOSED;
      faults.violated(e, frame.nextSequence(), false);
    } finally {
      frame.release();
    }
    if (inputEnded && state == State.RUNNING) {
      lastRuns();
    }
  }

  /**
   * A pool that asks whether the connection is alive finds it closed, and takes another: an error
   * in answer is none of a lost connection to some (SQLAlchemy).
   */
  private boolean isAnsweredByGoing(Frame frame) {
    if (frame.refusal() != null || !Door.isLook(frame) || !mayGo(current())) {
      return false;
    }
    frame.release();
    state = State.CLOSED;
    channel.close();
    return true;
  }

  /** As servers do, ends what is open first: whoever proves nothing holds no locks meanwhile. */
  private void changeUser(ClientCommand.ChangeUser command, int sequence) {
    state = State.HANDSHAKE;
    current().reset();
    login.changeUser(command, sequence);
    if (inputEnded && state == State.HANDSHAKE) {
      // what it is asked it cannot answer any more
      client.closeWhenSent();
    }
  }

  private void forget(Session gone) {
    if (frame != null) {
      frame.give(MemoryKind.HEAP, BYTES_OF_SESSION);
      frame.close();
    }
    services.registry().leave(gone.user());
    services.registry().remove(gone);
  }

  private void done() {
    CommandMemory memory = commandMemory;
    if (memory != null) {
      memory.end();
    }
    if (state == State.RUNNING) {
      state = State.IDLE;
    }
    Session current = session;
    if (state == State.CLOSED) {
      if (current != null) {
        current.close();
        if (outlives) {
          forget(current);
        }
      }
      return;
    }
    if (services.door().isPastAnswers()) {
      if (services.door().drain() == Drain.EVERYBODY || (current != null && mayGo(current))) {
        farewell();
        return;
      }
      client.cork(false);
    }
    watchIdle();
    next();
  }

  /** Goes on with what has come meanwhile; the end of the input is the last of it. */
  private void next() {
    if (inputEnded && isDrained()) {
      client.closeWhenSent();
    } else if (!channel.isWritable() && channel.isActive()) {
      // answers that nobody reads must not pile up
      isHeldBack = true;
      client.pause();
    } else {
      waiting.runNext(this::runWaiting);
    }
  }

  /** Whether all that has come has been run, or runs. */
  private boolean isDrained() {
    return waiting.isEmpty() && !client.isPaused();
  }

  /** What came while nothing was taken has been passed on. */
  private void resumed() {
    if (state == State.IDLE && inputEnded && isDrained()) {
      client.closeWhenSent();
    }
  }

  /** SET SESSION wait_timeout may have changed it. */
  private void watchIdle() {
    IdleLimit limit = idleLimit;
    if (limit != null) {
      limit.refresh();
    }
  }

  private void runWaiting() {
    if (state == State.IDLE) {
      CommandQueue.Waiting first = waiting.poll();
      if (first != null) {
        run(first.frame(), first.compressedSequence());
      }
    }
  }

  // ---------------------------------------------------------------- end

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    stallWatch.writabilityChanged();
    if (isHeldBack && channel.isWritable()) {
      isHeldBack = false;
      next();
    }
    Session current = session;
    if (current != null) {
      current.sink().writabilityChanged();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    switch (event) {
      case Drain whom -> drained(whom);
      case Due.LIMITS -> limitTransaction();
      case SslHandshakeCompletionEvent tls when tls.isSuccess() -> login.secured();
      case ChannelInputShutdownEvent _ -> inputEnded();
      default -> ctx.fireUserEventTriggered(event);
    }
  }

  /** No command begins while what it has given up is rolled back. */
  private void limitTransaction() {
    Session current = session;
    if (state == State.IDLE && current != null) {
      current.limitTransaction();
      if (current.connections().haveGivenUp()) {
        state = State.RUNNING;
        current.settle(this::done);
      }
    }
  }

  /** The client has closed its side; whether it still reads, only sending would show. */
  private void inputEnded() {
    inputEnded = true;
    if (state == State.RUNNING) {
      lastRuns();
    } else if (state == State.HANDSHAKE || isDrained()) {
      client.closeWhenSent();
    }
  }

  /** What runs is the last command, unless others wait. */
  private void lastRuns() {
    Session current = session;
    if (isForNobody() && current != null && current.transaction().isBegun()) {
      channel.close();
    } else if (isDrained()) {
      var _ = channel.eventLoop().schedule(this::readsOut, READ_OUT_SECONDS, TimeUnit.SECONDS);
    }
  }

  private void readsOut() {
    if (state == State.RUNNING && isForNobody()) {
      channel.close();
    } else if (state == State.RUNNING) {
      lastRuns();
    }
  }

  private boolean isForNobody() {
    CommandRunner runner = commands;
    return runner != null && isDrained() && !runner.outlivesClient();
  }

  private void idleTooLong() {
    log.info("{} closed: idle for too long", current());
    close(ErrorCatalogue.IDLE_TOO_LONG.refuse());
  }

  /** Nothing runs. MySQL tells why it closes a connection, MariaDB does not. */
  private void close(RefusedException reason) {
    state = State.CLOSED;
    if (services.deployments().get().isMariaDb()) {
      channel.close();
    } else {
      client.sendAndClose(Failures.packet(reason, "client"), 0);
    }
  }

  /** The proxy is about to end, or to be left alone. */
  private void drained(Drain whom) {
    Session current = session;
    if (state == State.HANDSHAKE) {
      if (services.door().isPastAnswers()) {
        channel.close();
      }
    } else if (whom == Drain.EVERYBODY && current != null) {
      cutOff(current);
    } else if (state == State.IDLE && current != null) {
      long idle = current.command().idleNanos();
      if (mayGo(current)) {
        if (services.door().isQuiet(idle)) {
          farewell();
        }
      } else if (!current.isDone() && services.door().isForgotten(idle)) {
        log.info("{} closed: what it has open is not gone on with, and the proxy ends", current);
        farewell();
      }
    }
  }

  /** Whether nothing runs, is open, or has come: the client loses nothing. */
  private boolean mayGo(Session current) {
    return current.isDone() && isDrained() && !isHeldBack;
  }

  /** Its client learns why; the answer of what runs is the error. */
  private void cutOff(Session current) {
    if (state == State.RUNNING) {
      current.command().interrupt(ErrorCatalogue.SERVER_SHUTDOWN.refuse());
    } else if (state == State.IDLE) {
      farewell();
    }
  }

  private void farewell() {
    close(ErrorCatalogue.SERVER_SHUTDOWN.refuse());
  }

  private void stalled() {
    log.info("client {} at {} closed: it does not read its answer", id, login.address());
    channel.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    boolean running = state == State.RUNNING;
    state = State.CLOSED;
    login.stop();
    stallWatch.stop();
    waiting.release();
    guest.close();
    IdleLimit limit = idleLimit;
    Session current = session;
    CommandRunner runner = commands;
    if (current == null || limit == null || runner == null) {
      return;
    }
    limit.stop();
    services.listener().closed();
    current.sink().writabilityChanged();
    if (running && runner.outlivesClient()) {
      // others can see it, count it and end it until then
      outlives = true;
      log.debug("{} has left, its last statement goes on", current);
      return;
    }
    forget(current);
    if (running) {
      current.command().interrupt(ErrorCatalogue.QUERY_INTERRUPTED.refuse());
    } else {
      current.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    faults.caught(cause, isLoggingIn());
  }

  private boolean isLoggingIn() {
    return state == State.HANDSHAKE && session == null;
  }

  private Session current() {
    Session known = session;
    if (known == null) {
      throw new IllegalStateException("no session in state " + state);
    }
    return known;
  }
}
