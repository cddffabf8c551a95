package io.anabranch.backend.pool.address;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * The driver's socket to a socket's file on this machine, with a limit on each read. Read and
 * written by one thread at a time; closed by any.
 */
final class LocalSocket extends StreamSocket {

  private final String file;
  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;

  LocalSocket(String file) throws IOException {
    this.file = file;
    this.key = registered();
    this.channel = (SocketChannel) key.channel();
    this.selector = key.selector();
  }

  private static SelectionKey registered() throws IOException {
    Selector selector = Selector.open();
    try {
      SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      channel.configureBlocking(false);
      return channel.register(selector, 0);
    } catch (IOException none) {
      selector.close();
      throw none;
    }
  }

  /** A server that listens takes a client of its machine at once, or none. */
  @Override
  protected void dial(InetSocketAddress address, int milliseconds) throws IOException {
    if (!channel.connect(UnixDomainSocketAddress.of(file))) {
      throw new SocketException(file + " does not take us");
    }
  }

  /**
   * Waits until the channel is ready.
   *
   * @param milliseconds 0: for ever
   */
  private void await(int operation, int milliseconds) throws IOException {
    try {
      select(operation, milliseconds);
    } catch (ClosedSelectorException | CancelledKeyException closed) {
      throw new SocketException("Socket closed", closed);
    }
  }

  private void select(int operation, int milliseconds) throws IOException {
    key.interestOps(operation);
    long start = System.nanoTime();
    while (selector.select(milliseconds) == 0) {
      if (Thread.currentThread().isInterrupted()) {
        throw new SocketException("interrupted");
      }
      if (milliseconds > 0 && System.nanoTime() - start >= milliseconds * 1_000_000L) {
        throw new SocketTimeoutException("Read timed out");
      }
    }
    selector.selectedKeys().clear();
  }

  @Override
  protected int read(byte[] target, int offset, int length) throws IOException {
    ByteBuffer into = ByteBuffer.wrap(target, offset, length);
    int count = channel.read(into);
    while (count == 0 && length > 0) {
      await(SelectionKey.OP_READ, getSoTimeout());
      count = channel.read(into);
    }
    return count;
  }

  @Override
  protected void write(byte[] source, int offset, int length) throws IOException {
    ByteBuffer from = ByteBuffer.wrap(source, offset, length);
    while (from.hasRemaining()) {
      if (channel.write(from) == 0) {
        await(SelectionKey.OP_WRITE, getSoTimeout());
      }
    }
  }

  @Override
  public void close() {
    try (selector) {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean isClosed() {
    return !channel.isOpen();
  }

  @Override
  protected boolean isEnded() {
    return isClosed();
  }
}
