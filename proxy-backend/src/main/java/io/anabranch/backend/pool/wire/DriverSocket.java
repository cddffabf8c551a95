package io.anabranch.backend.pool.wire;

import io.anabranch.backend.pool.address.StreamSocket;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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
  public boolean isClosed() {
    return closed;
  }

  @Override
  protected boolean isEnded() {
    return closed || connection.isDriverEnded();
  }

  private final class Input extends InputStream {

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return connection.readForDriver(target, offset, length, getSoTimeout());
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
