package io.anabranch.backend.pool.wire;

import io.anabranch.backend.breaker.AnswerListener;
import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.lease.KnownInsertId;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.StartValues;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * One physical connection: a channel whose bytes go to the driver's blocking streams, or, during a
 * lease, to a {@link BackendConnection.Receiver}.
 *
 * <p>A read is always pending unless whoever takes the bytes has enough of them, so that a
 * connection that the server closes is noticed while it is idle. The driver's side holds at most
 * one read beyond {@link #DRIVER_LIMIT}.
 */
public final class WireConnection extends ChannelDuplexHandler implements BackendConnection {

  private static final int DRIVER_LIMIT = 256 * 1024;

  private final HandshakeWatch watch = new HandshakeWatch();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Queue<ByteBuf> forDriver = new ArrayDeque<>();
  private int driverBytes;
  private boolean readPaused;
  private @Nullable String end;

  private volatile boolean watching = true;
  private volatile boolean leased;

  /** This side has closed it, or is about to. */
  private volatile boolean aborted;

  private volatile @Nullable Channel channel;
  private volatile HandshakeWatch.@Nullable Facts facts;

  /** Written by the lease's holder, read by the next one; leases hand over safely. */
  private volatile AppliedSettings applied = AppliedSettings.INITIAL;

  private volatile StartValues start = StartValues.UNKNOWN;

  /** Set once, when the connection is opened. */
  private volatile long longestPacket = Long.MAX_VALUE;

  /** Told on the event loop, taken by whoever has the lease. */
  private volatile boolean stateChanged;

  /** The same. */
  private volatile @Nullable String schema;

  private final KnownInsertId insertId = new KnownInsertId();

  /** The schema that it is in, where it was opened with another: it is never leased again. */
  private volatile @Nullable String moved;

  /** On the event loop only. */
  private @Nullable Receiver receiver;

  /** Goes up when a command begins, and when it ends; on the event loop only. */
  private int exchange;

  /** Whether bytes are asked for that have not come yet; on the event loop only. */
  private boolean isReading;

  /** Goes up with each read of bytes; on the event loop only. */
  private int heard;

  /** What both were when the silence began, and when that was; on the event loop only. */
  private int silentExchange;

  private int silentHeard;
  private long silentSince;

  /** Who has the connection; on the event loop only. */
  private @Nullable Holder lessee;

  /** Who has the connection for the length of a lease. Called on the event loop. */
  public interface Holder {

    /** The server told the GTID of something that was committed. */
    void committed(String gtid);

    /** A comment that goes in front of texts; null: none does. */
    byte @Nullable [] origin();

    /** Who is told of answers; null: nobody. */
    @Nullable AnswerListener answers();

    /** Whether what runs may answer with whatever error its client likes. */
    boolean raisesErrors();

    /** The lease as it is now; null if it has ended, or belongs to nobody. */
    @Nullable
    public HeldLease look(WireConnection connection);
  }

  // ---- what the relay sees

  @Override
  public Channel channel() {
    Channel current = channel;
    if (current == null) {
      throw new IllegalStateException("not connected");
    }
    return current;
  }

  private HandshakeWatch.Facts facts() {
    HandshakeWatch.Facts known = facts;
    if (known == null) {
      known = watch.facts();
      facts = known;
      watching = false;
    }
    return known;
  }

  @Override
  public long capabilities() {
    return facts().capabilities();
  }

  @Override
  public long threadId() {
    return facts().threadId();
  }

  @Override
  public String serverVersion() {
    return facts().serverVersion();
  }

  @Override
  public String database() {
    String current = moved;
    return current == null ? facts().database() : current;
  }

  @Override
  public void inSchema(String name) {
    moved = name;
  }

  @Override
  public SessionSettings applied() {
    return applied.known();
  }

  @Override
  public StartValues start() {
    return start;
  }

  void start(StartValues values) {
    start = values;
  }

  void applied(SessionSettings settings) {
    applied = new AppliedSettings(settings);
  }

  @Override
  public long longestPacket() {
    return longestPacket;
  }

  public void longestPacket(long bytes) {
    longestPacket = bytes;
  }

  @Override
  public void committed(String gtid) {
    Holder holder = lessee;
    if (holder != null) {
      holder.committed(gtid);
    }
  }

  @Override
  public void stateChanged() {
    stateChanged = true;
  }

  @Override
  public boolean takeStateChange() {
    boolean told = stateChanged;
    if (told) {
      stateChanged = false;
    }
    return told;
  }

  @Override
  public KnownInsertId insertId() {
    return insertId;
  }

  @Override
  public void schemaChanged(String name) {
    schema = name;
  }

  @Override
  public @Nullable String takeSchema() {
    String told = schema;
    if (told != null) {
      schema = null;
    }
    return told;
  }

  /** A lease begins; on the event loop. */
  public void lessee(Holder holder) {
    stateChanged = false;
    schema = null;
    lessee = holder;
  }

  @Override
  public void receiver(Receiver next) {
    if (receiver != null) {
      throw new IllegalStateException("a command is running on this connection");
    }
    receiver = next;
    exchange++;
  }

  @Override
  public int exchange() {
    return exchange;
  }

  @Override
  public @Nullable AnswerListener answers() {
    Holder holder = lessee;
    return holder == null ? null : holder.answers();
  }

  @Override
  public boolean raisesErrors() {
    Holder holder = lessee;
    return holder != null && holder.raisesErrors();
  }

  @Override
  public byte @Nullable [] origin() {
    Holder holder = lessee;
    return holder == null ? null : holder.origin();
  }

  @Override
  public boolean isAborted() {
    return aborted;
  }

  /** Whether a command runs; on the event loop. */
  public boolean isBusy() {
    return receiver != null;
  }

  /**
   * How long a command has been waiting for a byte of the server, as far as looks before have seen;
   * 0 while it is still being sent, or nobody wants its answer just now. On the event loop.
   *
   * @param now {@link System#nanoTime}
   */
  public long silentFor(long now) {
    ChannelOutboundBuffer unsent = channel().unsafe().outboundBuffer();
    boolean isSent = unsent != null && unsent.totalPendingWriteBytes() == 0;
    if (receiver == null || !leased || !isReading || !isSent) {
      silentHeard = heard - 1;
      return 0;
    }
    if (silentExchange != exchange || silentHeard != heard) {
      silentExchange = exchange;
      silentHeard = heard;
      silentSince = now;
    }
    return now - silentSince;
  }

  /** The lease as it is now; null if there is none that is known. On the event loop. */
  @Nullable
  public HeldLease look() {
    Holder holder = lessee;
    return holder == null || !leased ? null : holder.look(this);
  }

  @Override
  public void noReceiver() {
    receiver = null;
    exchange++;
    channel().read();
  }

  // ---- leasing

  public boolean isActive() {
    Channel current = channel;
    return current != null && current.isActive();
  }

  /** Ends the handshake's watch and keeps the driver out. */
  public void startLease() {
    facts();
    leased = true;
  }

  public void endLease() {
    leased = false;
  }

  /** Closes the channel; the driver then finds its stream ended. */
  public void abort() {
    aborted = true;
    Channel current = channel;
    if (current != null) {
      var _ = current.close();
    }
  }

  /**
   * Registers the channel with another event loop.
   *
   * @param done called on {@code target}, with what went wrong or null
   */
  public void moveTo(EventLoop target, Consumer<@Nullable Throwable> done) {
    Channel moved = channel();
    if (moved.eventLoop().equals(target)) {
      target.execute(() -> done.accept(null));
      return;
    }
    moved
        .deregister()
        .addListener(
            left -> {
              if (!left.isSuccess()) {
                target.execute(() -> done.accept(left.cause()));
                return;
              }
              target
                  .register(moved)
                  .addListener(
                      joined ->
                          target.execute(
                              () -> {
                                if (joined.isSuccess()) {
                                  moved.read();
                                }
                                done.accept(joined.cause());
                              }));
            });
  }

  // ---- the channel's events

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    channel = ctx.channel();
    read(ctx);
  }

  @Override
  public void read(ChannelHandlerContext ctx) {
    isReading = true;
    ctx.read();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    heard++;
    ByteBuf bytes = (ByteBuf) message;
    if (receiver != null) {
      receiver.received(bytes);
      return;
    }
    if (leased) {
      // The server speaks unasked when it ends the connection (shutdown, KILL).
      bytes.release();
      var _ = ctx.close();
      return;
    }
    if (watching) {
      try {
        watch.received(bytes);
      } catch (RuntimeException malformed) {
        bytes.release();
        end("malformed greeting: " + malformed.getMessage());
        var _ = ctx.close();
        return;
      }
    }
    lock.lock();
    try {
      forDriver.add(bytes);
      driverBytes += bytes.readableBytes();
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    isReading = false;
    if (receiver != null) {
      receiver.readComplete();
      return;
    }
    lock.lock();
    try {
      readPaused = driverBytes >= DRIVER_LIMIT;
      if (readPaused) {
        return;
      }
    } finally {
      lock.unlock();
    }
    read(ctx);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    end("the server closed the connection");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    end(String.valueOf(cause.getMessage()));
    var _ = ctx.close();
  }

  private void end(String reason) {
    lock.lock();
    try {
      if (end == null) {
        end = reason;
      }
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
    Receiver last = receiver;
    if (last != null) {
      receiver = null;
      last.closed(reason);
    }
  }

  // ---- the driver's streams

  /**
   * Blocks until there are bytes.
   *
   * @param timeout milliseconds, 0: none
   * @return -1 at the end of the stream
   */
  int readForDriver(byte[] target, int offset, int length, int timeout) throws IOException {
    if (length == 0) {
      return 0;
    }
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(timeout);
      while (forDriver.isEmpty()) {
        if (end != null) {
          return -1;
        }
        if (timeout == 0) {
          arrived.await();
        } else if (left <= 0) {
          throw new SocketTimeoutException("Read timed out");
        } else {
          left = arrived.awaitNanos(left);
        }
      }
      ByteBuf first = forDriver.element();
      int count = Math.min(length, first.readableBytes());
      first.readBytes(target, offset, count);
      driverBytes -= count;
      if (!first.isReadable()) {
        forDriver.remove().release();
      }
      if (readPaused && driverBytes < DRIVER_LIMIT / 2) {
        readPaused = false;
        channel().read();
      }
      return count;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading from the database", interrupted);
    } finally {
      lock.unlock();
    }
  }

  int availableForDriver() {
    lock.lock();
    try {
      return driverBytes;
    } finally {
      lock.unlock();
    }
  }

  void writeForDriver(byte[] source, int offset, int length) throws IOException {
    if (leased) {
      throw new IOException("the connection is leased");
    }
    if (watching) {
      watch.sent(source, offset, length);
    }
    try {
      var written = channel().writeAndFlush(Unpooled.copiedBuffer(source, offset, length)).await();
      if (!written.isSuccess()) {
        throw new IOException("cannot write to the database", written.cause());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while writing to the database", interrupted);
    }
  }

  /** The driver wants TLS; returns when it is there. */
  void secure(SSLEngine engine) throws IOException {
    Channel secured = channel();
    var tls = new SslHandler(engine);
    try {
      secured.eventLoop().submit(() -> secured.pipeline().addFirst(tls)).sync();
      if (!secured.isActive()) {
        throw new IOException("the server closed the connection");
      }
      tls.handshakeFuture().await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while agreeing on TLS", interrupted);
    }
    if (!tls.handshakeFuture().isSuccess()) {
      Throwable cause = tls.handshakeFuture().cause();
      throw new SSLHandshakeException(String.valueOf(cause.getMessage()), cause);
    }
  }

  /** The driver closes its socket: buffers that it has not read are freed. */
  void closeForDriver() {
    abort();
    lock.lock();
    try {
      if (end == null) {
        end = "closed";
      }
      while (!forDriver.isEmpty()) {
        forDriver.remove().release();
      }
      driverBytes = 0;
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isDriverEnded() {
    lock.lock();
    try {
      return end != null;
    } finally {
      lock.unlock();
    }
  }
}
