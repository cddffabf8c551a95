package io.anabranch.backend.pool.address;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import org.jspecify.annotations.Nullable;

/**
 * A socket for the driver that has none of its own beneath: who extends it reads and writes. What
 * is set of TCP is decided elsewhere, or means nothing.
 */
public abstract class StreamSocket extends Socket {

  private volatile int soTimeout;
  private volatile @Nullable InetSocketAddress remote;

  protected StreamSocket() throws SocketException {
    super(noImplementation());
  }

  /** Constructors of {@link Socket} that take an implementation accept none. */
  @SuppressWarnings("NullAway")
  private static SocketImpl noImplementation() {
    return null;
  }

  @Override
  public final void connect(SocketAddress endpoint) throws IOException {
    connect(endpoint, 0);
  }

  @Override
  public final void connect(SocketAddress endpoint, int timeout) throws IOException {
    InetSocketAddress address = (InetSocketAddress) endpoint;
    try {
      dial(address, timeout);
    } catch (IOException | RuntimeException failed) {
      // no driver closes what it has not connected
      close();
      throw failed;
    }
    remote = address;
  }

  /**
   * Connects. Blocks.
   *
   * @param milliseconds 0: no limit of its own
   */
  protected abstract void dial(InetSocketAddress address, int milliseconds) throws IOException;

  /**
   * Reads some bytes. Blocks, for {@link #getSoTimeout} at most.
   *
   * @return how many; -1 at the end
   */
  protected abstract int read(byte[] target, int offset, int length) throws IOException;

  /** Writes all of them. Blocks. */
  protected abstract void write(byte[] source, int offset, int length) throws IOException;

  /** How many bytes can be read without blocking, as far as is known. */
  protected int available() {
    return 0;
  }

  /** Whether nothing more is read or written. */
  protected abstract boolean isEnded();

  @Override
  public final InputStream getInputStream() {
    return new Input();
  }

  @Override
  public final OutputStream getOutputStream() {
    return new Output();
  }

  @Override
  public abstract void close();

  @Override
  public abstract boolean isClosed();

  @Override
  public final void bind(@Nullable SocketAddress local) throws IOException {
    throw new SocketException("localSocketAddress is not supported");
  }

  @Override
  public final void shutdownInput() {
    close();
  }

  @Override
  public final void shutdownOutput() {
    close();
  }

  @Override
  public final boolean isConnected() {
    return remote != null;
  }

  @Override
  public final boolean isBound() {
    return remote != null;
  }

  @Override
  public final boolean isInputShutdown() {
    return isEnded();
  }

  @Override
  public final boolean isOutputShutdown() {
    return isEnded();
  }

  @Override
  public final void setSoTimeout(int milliseconds) {
    soTimeout = milliseconds;
  }

  @Override
  public final int getSoTimeout() {
    return soTimeout;
  }

  @Override
  public final @Nullable SocketAddress getRemoteSocketAddress() {
    return remote;
  }

  @Override
  public final @Nullable InetAddress getInetAddress() {
    InetSocketAddress address = remote;
    return address == null ? null : address.getAddress();
  }

  @Override
  public final int getPort() {
    InetSocketAddress address = remote;
    return address == null ? 0 : address.getPort();
  }

  @Override
  public final void setTcpNoDelay(boolean on) {}

  @Override
  public final boolean getTcpNoDelay() {
    return true;
  }

  @Override
  public final void setKeepAlive(boolean on) {}

  @Override
  public final boolean getKeepAlive() {
    return true;
  }

  @Override
  public final void setSoLinger(boolean on, int seconds) {}

  @Override
  public final int getSoLinger() {
    return -1;
  }

  @Override
  public final String toString() {
    return getClass().getSimpleName() + "[" + remote + "]";
  }

  private final class Input extends InputStream {

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return StreamSocket.this.read(target, offset, length);
    }

    @Override
    public int available() {
      return StreamSocket.this.available();
    }

    @Override
    public void close() {
      StreamSocket.this.close();
    }
  }

  private final class Output extends OutputStream {

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      StreamSocket.this.write(source, offset, length);
    }

    @Override
    public void close() {
      StreamSocket.this.close();
    }
  }
}
