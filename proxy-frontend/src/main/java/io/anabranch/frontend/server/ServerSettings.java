package io.anabranch.frontend.server;

import io.anabranch.rules.model.ProxyProperties;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * How the proxy listens.
 *
 * @param address where to bind; port 0 lets the system choose
 * @param maxConnections clients beyond it get ERR 1040; 0: no limit
 * @param idleTimeout clients that are silent for longer between commands are closed; zero: never
 * @param handshakeTimeout clients that have not authenticated by then are closed
 */
public record ServerSettings(
    InetSocketAddress address,
    int backlog,
    int maxConnections,
    Duration idleTimeout,
    Duration handshakeTimeout) {

  private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(10);

  public static ServerSettings of(ProxyProperties properties, InetSocketAddress address) {
    return new ServerSettings(
        address,
        properties.nettyBacklog(),
        properties.frontendMaxConnections(),
        Duration.ofSeconds(properties.frontendIdleTimeoutSeconds()),
        HANDSHAKE_TIMEOUT);
  }
}
