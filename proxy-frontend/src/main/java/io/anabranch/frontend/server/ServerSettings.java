package io.anabranch.frontend.server;

import io.anabranch.frontend.tls.TlsInForce;
import io.anabranch.frontend.transport.SocketFile;
import io.anabranch.rules.model.ClientProperties;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.model.ProxyProperties.Ending;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * How the proxy listens.
 *
 * @param address where to bind; port 0 lets the system choose
 * @param file where clients of this machine may connect besides; null: nowhere
 * @param backlog connections that wait to be accepted
 * @param clients what is asked of clients and what they may cost
 * @param tls null: not offered
 * @param ending how clients are sent away in the end
 */
public record ServerSettings(
    InetSocketAddress address,
    @Nullable SocketFile file,
    int backlog,
    ClientProperties clients,
    @Nullable TlsInForce tls,
    Ending ending) {

  public static ServerSettings of(
      ProxyProperties properties,
      InetSocketAddress address,
      @Nullable SocketFile file,
      @Nullable TlsInForce tls) {
    return new ServerSettings(
        address, file, properties.nettyBacklog(), properties.clients(), tls, properties.ending());
  }
}
