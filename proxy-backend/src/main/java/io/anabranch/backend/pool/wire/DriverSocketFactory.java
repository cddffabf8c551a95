package io.anabranch.backend.pool.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * What the driver option {@code socketFactory} names. The driver makes an instance by its public
 * constructor for every connection, hence the {@link Dialer#CURRENT} binding.
 */
public final class DriverSocketFactory extends SocketFactory {

  /** For the driver. */
  public DriverSocketFactory() {}

  @Override
  public Socket createSocket() throws IOException {
    return new DriverSocket(Dialer.CURRENT.get());
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  private Socket connected(InetSocketAddress address) throws IOException {
    Socket socket = createSocket();
    socket.connect(address, 0);
    return socket;
  }
}
