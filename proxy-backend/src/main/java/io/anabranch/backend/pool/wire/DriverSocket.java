package io.anabranch.backend.pool.wire;

import io.anabranch.backend.pool.address.StreamSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import javax.net.ssl.SSLEngine;

/** The driver's socket: blocking streams over a {@link WireConnection}. */
public final class DriverSocket extends StreamSocket {

  private final Dialer dialer;
  private final WireConnection connection;
  private volatile boolean closed;

  DriverSocket(Dialer dialer) throws SocketException {
    this.dialer = dialer;
    this.connection = dialer.connection();
  }

  @Override
  protected void dial(InetSocketAddress address, int milliseconds) throws IOException {
    dialer.dial(address, milliseconds);
  }

  /**
   * From here on what goes over the network is encrypted. Blocks.
   *
   * @throws javax.net.ssl.SSLException if the two sides do not agree, or the peer is not trusted
   */
  void secure(SSLEngine engine) throws IOException {
    connection.secure(engine);
  }

  @Override
  protected int read(byte[] target, int offset, int length) throws IOException {
    return connection.readForDriver(target, offset, length, getSoTimeout());
  }

  @Override
  protected void write(byte[] source, int offset, int length) throws IOException {
    connection.writeForDriver(source, offset, length);
  }

  @Override
  protected int available() {
    return connection.availableForDriver();
  }

  @Override
  public void close() {
    closed = true;
    connection.closeForDriver();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  protected boolean isEnded() {
    return closed || connection.isDriverEnded();
  }
}
