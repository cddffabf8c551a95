package io.anabranch.frontend.server;

import io.anabranch.frontend.tls.ClientTls;
import io.anabranch.rules.model.ClientProperties;
import io.anabranch.rules.model.ProxyProperties;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * How the proxy listens.
 *
 * @param address where to bind; port 0 lets the system choose
 * @param backlog connections that wait to be accepted
 * @param clients what is asked of clients and what they may cost
 * @param tls null: not offered
 */
public record ServerSettings(
    InetSocketAddress address, int backlog, ClientProperties clients, @Nullable ClientTls tls) {

  public static ServerSettings of(
      ProxyProperties properties, InetSocketAddress address, @Nullable ClientTls tls) {
    return new ServerSettings(address, properties.nettyBacklog(), properties.clients(), tls);
  }
}
