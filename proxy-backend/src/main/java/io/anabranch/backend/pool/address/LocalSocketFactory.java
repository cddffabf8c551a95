package io.anabranch.backend.pool.address;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * What the driver option {@code socketFactory} names for sockets of this machine. The driver makes
 * an instance by its public constructor for every connection, hence the {@link #FILE} binding.
 */
public final class LocalSocketFactory extends SocketFactory {

  static final ScopedValue<String> FILE = ScopedValue.newInstance();

  /** For the driver. */
  public LocalSocketFactory() {}

  @Override
  public Socket createSocket() throws IOException {
    return new LocalSocket(FILE.get());
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw new UnsupportedOperationException("the driver connects by itself");
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw new UnsupportedOperationException("the driver connects by itself");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
    throw new UnsupportedOperationException("the driver connects by itself");
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
    throw new UnsupportedOperationException("the driver connects by itself");
  }
}
