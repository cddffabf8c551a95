package io.anabranch.backend.pool.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * The driver's socket: blocking streams over a {@link WireConnection}. Has no socket of its own.
 */
public final class DriverSocket extends Socket {

  private final Dialer dialer;
  private final WireConnection connection;
  private volatile int soTimeout;
  private volatile boolean closed;
  private volatile @Nullable InetSocketAddress remote;

  DriverSocket(Dialer dialer) throws SocketException {
    super(noImplementation());
    this.dialer = dialer;
    this.connection = dialer.connection();
  }

  /** Constructors of {@link Socket} that take an implementation accept none. */
  @SuppressWarnings("NullAway")
  private static SocketImpl noImplementation() {
    return null;
  }

  @Override
  public void connect(SocketAddress endpoint) throws IOException {
    connect(endpoint, 0);
  }

  @Override
  public void connect(SocketAddress endpoint, int timeout) throws IOException {
    InetSocketAddress address = (InetSocketAddress) endpoint;
    dialer.dial(address, timeout);
    remote = address;
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
  public void bind(@Nullable SocketAddress local) throws IOException {
    throw new SocketException("localSocketAddress is not supported");
  }

  @Override
  public InputStream getInputStream() {
    return new Input();
  }

  @Override
  public OutputStream getOutputStream() {
    return new Output();
  }

  @Override
  public void close() {
    closed = true;
    connection.closeForDriver();
  }

  @Override
  public void shutdownInput() {
    close();
  }

  @Override
  public void shutdownOutput() {
    close();
  }

  @Override
  public boolean isConnected() {
    return remote != null;
  }

  @Override
  public boolean isBound() {
    return remote != null;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public boolean isInputShutdown() {
    return closed || connection.isDriverEnded();
  }

  @Override
  public boolean isOutputShutdown() {
    return closed || connection.isDriverEnded();
  }

  @Override
  public void setSoTimeout(int milliseconds) {
    soTimeout = milliseconds;
  }

  @Override
  public int getSoTimeout() {
    return soTimeout;
  }

  @Override
  public @Nullable SocketAddress getRemoteSocketAddress() {
    return remote;
  }

  @Override
  public @Nullable InetAddress getInetAddress() {
    InetSocketAddress address = remote;
    return address == null ? null : address.getAddress();
  }

  @Override
  public int getPort() {
    InetSocketAddress address = remote;
    return address == null ? 0 : address.getPort();
  }

  // The dialer has set these on the channel.

  @Override
  public void setTcpNoDelay(boolean on) {}

  @Override
  public boolean getTcpNoDelay() {
    return true;
  }

  @Override
  public void setKeepAlive(boolean on) {}

  @Override
  public boolean getKeepAlive() {
    return true;
  }

  @Override
  public void setSoLinger(boolean on, int seconds) {}

  @Override
  public int getSoLinger() {
    return -1;
  }

  @Override
  public String toString() {
    return "DriverSocket[" + remote + "]";
  }

  private final class Input extends InputStream {

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return connection.readForDriver(target, offset, length, soTimeout);
    }

    @Override
    public int available() {
      return connection.availableForDriver();
    }

    @Override
    public void close() {
      DriverSocket.this.close();
    }
  }

  private final class Output extends OutputStream {

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      connection.writeForDriver(source, offset, length);
    }

    @Override
    public void close() {
      DriverSocket.this.close();
    }
  }
}
