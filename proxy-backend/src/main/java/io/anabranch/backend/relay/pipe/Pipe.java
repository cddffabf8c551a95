package io.anabranch.backend.relay.pipe;

import io.anabranch.backend.breaker.AnswerListener;
import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.loop.DirectSend;
import io.anabranch.backend.relay.pipe.WholeAnswer.End;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection with the statements that are under way on it, in the order in which they were sent
 * and are answered. An answer is kept until its end is there, and goes to its session whole or not
 * at all: so each statement can be run again elsewhere as long as its session has not got it.
 *
 * <p>Lives from the first statement until none is under way, then gives its lease back. On the
 * event loop.
 */
final class Pipe implements BackendConnection.Receiver {

  /** Bytes of an answer that are kept. */
  static final int LONGEST_ANSWER = 64 * 1024;

  /** So long it takes more while others wait for a connection. */
  static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** So long in any case: then its pool gets to look at the connection. */
  static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int EXPECTED_BYTES = 1024;

  private static final Logger log = LoggerFactory.getLogger(Pipe.class);

  private final PipeRoom room;
  private final Slowness slowness;
  private final Lease lease;
  private final BackendConnection connection;
  private final EventLoop loop;
  private final Executor blocking;
  private final WholeAnswer answer;
  private final ArrayDeque<SentRead> underWay = new ArrayDeque<>();
  private final long openedAt;

  /** Since when the first of them is the first. */
  private long firstSince;

  /** How much of that counts, by the ticks since. */
  private long waited;

  /** Commands that go out at the end of this turn of the event loop. */
  private @Nullable ByteBuf unsent;

  /** The beginning of the answer that is arriving, and how much of it has been looked at. */
  private @Nullable ByteBuf arrived;

  private int looked;

  /** Takes no more. */
  private boolean isClosing;

  private boolean isOver;

  /**
   * @param blocking runs what blocks
   */
  Pipe(PipeRoom room, Lease lease, EventLoop loop, Executor blocking) {
    BackendConnection wire = lease.connection();
    if (wire == null) {
      throw new IllegalArgumentException(lease.dataSource() + " cannot be relayed");
    }
    this.room = room;
    this.slowness = room.slowness();
    this.blocking = blocking;
    this.lease = lease;
    this.connection = wire;
    this.loop = loop;
    this.answer = new WholeAnswer(wire.capabilities());
    this.openedAt = loop.ticker().nanoTime();
    connection.receiver(this);
  }

  Lease lease() {
    return lease;
  }

  int underWay() {
    return underWay.size();
  }

  /** Whether there is a place for it. */
  boolean takes(PipedRead read, long now) {
    return !isClosing
        && !isOver
        && underWay.size() < read.sharing().depth()
        && now - openedAt < LIFE_NANOS
        && (now - openedAt < TURN_NANOS || !lease.isWanted());
  }

  /** Sends it behind those that are under way. */
  void send(SentRead read) {
    if (underWay.isEmpty()) {
      first(loop.ticker().nanoTime());
      answer.next(read.columns());
    }
    underWay.add(read);
    ByteBuf out = unsent;
    if (out == null) {
      out = connection.channel().alloc().ioBuffer(EXPECTED_BYTES);
      unsent = out;
      loop.execute(this::flush);
    }
    read.write(connection, out);
    room.sent(underWay.size());
  }

  /** Another one is the first. */
  private void first(long now) {
    firstSince = now;
    waited = 0;
  }

  private void flush() {
    ByteBuf out = unsent;
    unsent = null;
    if (out != null) {
      DirectSend.send(connection.channel(), out);
    }
  }

  // ---- answers

  @Override
  public void received(ByteBuf bytes) {
    int start = 0;
    ByteBuf in = bytes;
    ByteBuf before = arrived;
    if (before != null) {
      arrived = null;
      in = joined(before, bytes);
      in.skipBytes(looked);
    } else {
      start = in.readerIndex();
    }
    boolean isKept = false;
    try {
      while (!isOver && in.readerIndex() < in.writerIndex()) {
        int from = start;
        End end = underWay.isEmpty() ? null : answer.read(in);
        if (end == null) {
          throw new IllegalStateException("bytes that nobody has asked for");
        }
        if (end == End.NOT_YET) {
          break;
        }
        start = in.readerIndex();
        over(end, in.slice(from, start - from));
      }
      if (!isOver && in.writerIndex() - start > LONGEST_ANSWER) {
        tooLong();
      } else if (!isOver && start < in.writerIndex()) {
        isKept = true;
        looked = in.readerIndex() - start;
        arrived = in.readerIndex(start);
      }
    } catch (RuntimeException nonsense) {
      log.warn("{}: cannot understand the server: {}", lease.dataSource(), nonsense.toString());
      giveUp(Repeat.LOST, false);
    } finally {
      if (!isKept) {
        in.release();
      }
    }
    if (!isOver) {
      room.fill(this);
      endIfIdle();
    }
  }

  private ByteBuf joined(ByteBuf before, ByteBuf bytes) {
    try {
      int length = before.readableBytes() + bytes.readableBytes();
      return connection.channel().alloc().buffer(length).writeBytes(before).writeBytes(bytes);
    } finally {
      before.release();
      bytes.release();
    }
  }

  /** The answer to the first statement is there, all of it. */
  private void over(End end, ByteBuf whole) {
    SentRead answered = underWay.remove();
    SentRead next = underWay.peek();
    if (next != null) {
      answer.next(next.columns());
    }
    PipedRead first = answered.read();
    long now = loop.ticker().nanoTime();
    long taken = now - firstSince;
    if (end == End.PLAIN || end == End.WARNED) {
      tell(taken);
    }
    slowness.answered(taken);
    first(now);
    switch (end) {
      case PLAIN -> first.answered(connection, whole, answered.columns(), taken);
      case WARNED -> room.repeat(first, Repeat.WARNED);
      case FAILED -> room.repeat(first, Repeat.FAILED);
      case CHANGED, NOT_YET -> {
        giveUp(Repeat.GIVEN_UP, false);
        room.repeat(first, Repeat.CHANGED);
      }
    }
  }

  /** What fails, or is lost, is told of where it runs again. */
  private void tell(long nanos) {
    AnswerListener told = connection.answers();
    if (told != null) {
      long answered = told.now();
      told.answered(answered - nanos, answered, 0);
    }
  }

  /** The rest of a long answer is for nobody: its statement is run again, and all behind it. */
  private void tooLong() {
    PipedRead first = underWay.remove().read();
    giveUp(Repeat.GIVEN_UP, false);
    room.repeat(first, Repeat.LARGE);
  }

  @Override
  public void readComplete() {
    if (!isOver) {
      connection.channel().read();
    }
  }

  // ---- ends

  /** Called now and then. */
  void tick(Tick tick) {
    SentRead slow = underWay.peek();
    if (isOver || slow == null) {
      return;
    }
    long before = waited;
    waited += tick.counted(firstSince);
    if (!slowness.isReached(tick.isLate() ? before : waited)) {
      return;
    }
    PipedRead first = slow.read();
    if (!first.isWanted()) {
      giveUp(Repeat.GIVEN_UP, true);
      return;
    }
    isClosing = true;
    first.late();
    for (SentRead behind : List.copyOf(underWay)) {
      if (!behind.read().equals(first)) {
        room.repeat(behind.read(), Repeat.BEHIND_SLOW);
      }
    }
  }

  private void endIfIdle() {
    if (!isOver && underWay.isEmpty()) {
      isOver = true;
      connection.noReceiver();
      lease.release();
      room.closed(this);
    }
  }

  /**
   * Closes the connection; all that is under way is run again.
   *
   * @param interrupts whether the database still works at something that it need not finish. Nobody
   *     else's statement can be hit: none is sent here any more
   */
  void giveUp(Repeat why, boolean interrupts) {
    if (isOver) {
      return;
    }
    isOver = true;
    connection.noReceiver();
    if (interrupts) {
      blocking.execute(this::interrupt);
    } else {
      lease.discard("given up while several sessions used it");
    }
    leave(why);
  }

  private void interrupt() {
    try {
      lease.interrupt();
    } catch (RuntimeException untold) {
      log.debug("{}: KILL failed: {}", lease.dataSource(), untold.toString());
    } finally {
      lease.discard("nobody waits for what it runs");
    }
  }

  @Override
  public void closed(String reason) {
    if (!isOver) {
      isOver = true;
      lease.discard(reason);
      leave(Repeat.LOST);
    }
  }

  private void leave(Repeat why) {
    ByteBuf kept = arrived;
    arrived = null;
    if (kept != null) {
      kept.release();
    }
    ByteBuf out = unsent;
    unsent = null;
    if (out != null) {
      out.release();
    }
    var left = List.copyOf(underWay);
    underWay.clear();
    room.closed(this);
    for (SentRead each : left) {
      room.repeat(each.read(), why);
    }
  }
}
