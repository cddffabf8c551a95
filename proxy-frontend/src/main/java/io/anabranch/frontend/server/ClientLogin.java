package io.anabranch.frontend.server;

import io.anabranch.frontend.auth.AuthenticationStep;
import io.anabranch.frontend.auth.Authenticator;
import io.anabranch.frontend.auth.Login;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.frame.Frame;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.rules.account.AccountStore;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Leads one client through the handshake, and through COM_CHANGE_USER: carries out the steps of its
 * {@link Authenticator} on its channel. On the client's event loop.
 */
final class ClientLogin {

  private static final int HANDSHAKE_TOO_SLOW = 1159;

  /** How it ends, but for violations and for clients that go. */
  interface Outcome {

    /**
     * @param sequence of the packet that says so
     */
    void granted(Login login, int sequence);

    /**
     * @param sequence of the packet that says so
     */
    void refused(ErrPacket error, int sequence);
  }

  private final ClientChannel client;
  private final ClientServices services;
  private final Outcome outcome;
  private final int id;
  private final Authenticator authenticator;
  private boolean isRunning = true;
  private @Nullable Future<?> timeout;

  /** Forgets what the account store is asked; null: it is asked nothing. */
  private @Nullable Runnable asked;

  ClientLogin(
      ClientChannel client, ClientServices services, int id, InetAddress address, Outcome outcome) {
    this.client = client;
    this.services = services;
    this.id = id;
    this.outcome = outcome;
    this.authenticator =
        new Authenticator(
            () -> services.deployments().get().realm(),
            ServerCapabilities.of(services.capabilities(), services.deployments().get()),
            address,
            services.failedLogins(),
            services.random());
  }

  /** Greets the client; its time runs. */
  void start() {
    startTime();
    Deployment deployment = services.deployments().get();
    var greeting =
        authenticator.greeting(deployment.serverVersion(), id, deployment.greetingCollation());
    client.send(greeting::encode, 0);
  }

  /**
   * A packet of the client, which stays the caller's.
   *
   * @throws io.anabranch.protocol.type.ProtocolViolationException if it is malformed or unexpected
   */
  void accept(Frame frame) {
    carryOut(authenticator.accept(frame.payload()), frame.nextSequence());
  }

  private void startTime() {
    long seconds = services.limits().handshakeTimeoutSeconds();
    timeout = channel().eventLoop().schedule(this::tooSlow, seconds, TimeUnit.SECONDS);
  }

  /** COM_CHANGE_USER: the client's time runs again. */
  void changeUser(ClientCommand.ChangeUser command, int sequence) {
    isRunning = true;
    startTime();
    carryOut(authenticator.changeUser(command), sequence);
  }

  /** The PROXY protocol told who the client is. */
  void cameFrom(InetAddress address) {
    authenticator.address(address);
  }

  /** The client connected by the socket file. */
  void cameByFile() {
    authenticator.cameByFile();
  }

  /** TLS is in place. */
  void secured() {
    authenticator.secured(client.hasClientCertificate());
  }

  /** Where the client comes from. */
  InetAddress address() {
    return authenticator.address();
  }

  /** Nothing more is asked of the client. */
  void stop() {
    isRunning = false;
    Future<?> waiting = timeout;
    if (waiting != null) {
      waiting.cancel(false);
    }
    Runnable question = asked;
    if (question != null) {
      asked = null;
      question.run();
    }
  }

  private Channel channel() {
    return client.channel();
  }

  private void tooSlow() {
    if (isRunning) {
      services.listener().refused(HANDSHAKE_TOO_SLOW);
      channel().close();
    }
  }

  private void carryOut(AuthenticationStep step, int sequence) {
    switch (step) {
      case AuthenticationStep.Continue more -> client.send(more.payload(), sequence);
      case AuthenticationStep.Compute(BooleanSupplier check) ->
          services.background().execute(() -> compute(check, sequence));
      case AuthenticationStep.Ask ask ->
          asked =
              services
                  .accounts()
                  .ask(ask, channel().eventLoop(), answer -> answered(answer, sequence));
      case AuthenticationStep.StartTls _ -> {
        client.expectSequence(sequence);
        client.startTls(services.newTlsHandler(channel().alloc()));
      }
      case AuthenticationStep.Denied denied -> {
        stop();
        outcome.refused(denied.error(), sequence);
      }
      case AuthenticationStep.Granted granted -> {
        stop();
        byte[] payload = granted.payload();
        outcome.granted(
            granted.login(), payload == null ? sequence : client.write(payload, sequence));
      }
    }
  }

  /** On a background thread. */
  private void compute(BooleanSupplier check, int sequence) {
    try {
      boolean isRight = check.getAsBoolean();
      channel().eventLoop().execute(() -> computed(isRight, sequence));
    } catch (RuntimeException e) {
      channel().pipeline().fireExceptionCaught(e);
    }
  }

  private void answered(AccountStore.@Nullable Answer answer, int sequence) {
    asked = null;
    if (isRunning) {
      carryOut(authenticator.answered(answer), sequence);
    }
  }

  private void computed(boolean isRight, int sequence) {
    if (isRunning) {
      carryOut(authenticator.computed(isRight), sequence);
    }
  }
}
