package io.anabranch.frontend.server;

import io.anabranch.frontend.response.Failures;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.rules.error.ErrorCatalogue;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.haproxy.HAProxyProtocolException;
import java.io.IOException;
import java.util.function.ObjIntConsumer;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What ends a client's connection: packets that are none, TLS that fails, a socket that breaks. */
final class ClientFaults {

  private static final Logger log = LoggerFactory.getLogger(ClientHandler.class);

  private final ClientChannel client;
  private final ClientLogin login;
  private final ClientServices services;
  private final int id;
  private final ObjIntConsumer<ErrPacket> refusal;

  /**
   * @param refusal sends a client away that has not logged in, with an error and its sequence
   *     number
   */
  ClientFaults(
      ClientChannel client,
      ClientLogin login,
      ClientServices services,
      int id,
      ObjIntConsumer<ErrPacket> refusal) {
    this.client = client;
    this.login = login;
    this.services = services;
    this.id = id;
    this.refusal = refusal;
  }

  /** Something was thrown in the channel's pipeline. */
  void caught(Throwable cause, boolean isLoggingIn) {
    Throwable root =
        cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
    switch (root) {
      case ProtocolViolationException violation -> violated(violation, 0, isLoggingIn);
      case SSLException tls -> {
        services.violations().log(id, login.address(), "TLS: " + tls.getMessage());
        client.channel().close();
      }
      case IOException gone -> {
        log.debug("client {} is gone: {}", id, gone.toString());
        client.channel().close();
      }
      case HAProxyProtocolException header ->
          violated(
              ProtocolViolationException.malformed("PROXY: " + header.getMessage()),
              0,
              isLoggingIn);
      default -> client.sendAndClose(Failures.packet(root, "client " + id), 0);
    }
  }

  /** The client does not keep to the protocol. */
  void violated(ProtocolViolationException violation, int sequence, boolean isLoggingIn) {
    login.stop();
    services.violations().log(id, login.address(), String.valueOf(violation.getMessage()));
    if (isLoggingIn) {
      boolean malformed = violation.errno() == ProtocolViolationException.MALFORMED;
      refusal.accept(
          Failures.packet(
              malformed ? ErrorCatalogue.BAD_HANDSHAKE.refuse() : violation, "client " + id),
          sequence);
    } else if (violation.errno() == ProtocolViolationException.TOO_LARGE) {
      client.sendAndLinger(Failures.packet(violation, "client " + id), sequence);
    } else {
      client.sendAndClose(Failures.packet(violation, "client " + id), sequence);
    }
  }
}
