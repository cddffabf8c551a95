package io.anabranch.backend.relay.shard;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.backend.relay.column.ToldColumns;
import io.anabranch.backend.relay.conversation.Answer;
import io.anabranch.backend.relay.conversation.TrackedPosition;
import io.anabranch.backend.shard.DatabaseWait;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.protocol.frame.PacketScanner;
import io.anabranch.protocol.frame.PacketWriter;
import io.anabranch.protocol.message.ColumnCount;
import io.anabranch.protocol.message.EofPacket;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.message.OkPacket;
import io.anabranch.protocol.message.ResultSetState;
import io.anabranch.protocol.message.ResultSetState.Kind;
import io.anabranch.protocol.message.ResultSetState.Response;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.rules.effort.GivingWay;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.ResultColumn;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An answer that one thread reads while the event loop fills it. The loop reads ahead up to {@link
 * #READ_AHEAD} bytes of rows and then leaves the rest to the socket. Of several results the first
 * counts, the others are read away.
 */
public final class WireCursor implements Answer, ShardCursor {

  private static final int READ_AHEAD = 512 * 1024;

  /** Nobody has longer ones: servers have no packets beyond 1 GiB. */
  private static final int MOST_ROW_BYTES = Integer.MAX_VALUE - 64;

  private static final byte[] NO_ROW = {};

  /** Of the thread that reads: rows that are here already are read without waiting. */
  private final GivingWay others = new GivingWay();

  private final BackendConnection connection;
  private final long capabilities;
  private final StatementMemory memory;
  private final DatabaseWait waits;
  private final PacketScanner scanner = new PacketScanner();
  private final ResultSetState state;

  // On the event loop only:
  private byte[] row = NO_ROW;
  private int rowLength;
  private int columnCount;
  private int definitionsLeft;
  private boolean firstResultOver;
  private @Nullable Runnable answered;
  private ToldColumns told = new ToldColumns();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by lock:
  private final Queue<byte[]> rows = new ArrayDeque<>();
  private int queuedBytes;
  private boolean paused;
  private boolean over;

  /** Rows that still come are wanted by nobody. */
  private boolean dropping;

  /** Who waited for it was interrupted: nobody reads it to its end. */
  private boolean isAbandoned;

  private @Nullable List<ResultColumn> columns;
  private @Nullable ShardOutcome outcome;

  /** Set on the event loop before anything is read. */
  private volatile int textWarnings;

  private @Nullable ShardException failure;

  /** Why the rows are not given: one was too long to be kept. */
  private @Nullable RefusedException refusal;

  /** Of the row that was given last, if it was long. */
  private long given;

  /**
   * @param memory counts long rows while they are here
   * @param waits is told when the reader waits
   * @param answered called once on the event loop, when reading has something to begin with
   */
  public WireCursor(
      BackendConnection connection,
      boolean binary,
      StatementMemory memory,
      DatabaseWait waits,
      Runnable answered) {
    this.memory = memory;
    this.waits = waits;
    this.answered = answered;
    this.connection = connection;
    this.capabilities = connection.capabilities();
    this.state = new ResultSetState(capabilities);
    state.expect(binary ? Response.BINARY : Response.TEXT);
  }

  // ---- filling, on the event loop

  @Override
  public void executes(ToldColumns of, int warned) {
    told = of;
    textWarnings = warned;
  }

  @Override
  public boolean read(ByteBuf in) {
    lock.lock();
    try {
      boolean done = false;
      while (!done && scanner.peek(in)) {
        if (!scanner.isStart() || scanner.isContinuation()) {
          rowPart(in);
        } else {
          Kind kind = state.kind(scanner);
          if (kind == Kind.ROW) {
            rowPart(in);
          } else if (scanner.isWhole(in)) {
            ByteBuf payload =
                in.slice(in.readerIndex() + PacketWriter.HEADER_SIZE, scanner.length());
            packet(kind, payload);
            scanner.advance(in);
          } else {
            break;
          }
        }
        done = state.isDone() && scanner.isAtMessageBoundary();
      }
      changed.signalAll();
      return done;
    } finally {
      lock.unlock();
    }
  }

  private void rowPart(ByteBuf in) {
    int from = in.readerIndex();
    if (scanner.isStart()) {
      from += PacketWriter.HEADER_SIZE;
      makeRoom(scanner.length());
    }
    scanner.advance(in);
    int length = in.readerIndex() - from;
    if (refusal == null && !dropping) {
      in.getBytes(from, row, rowLength, length);
      rowLength += length;
    }
    if (scanner.isAtMessageBoundary()) {
      if (!firstResultOver && !dropping && refusal == null) {
        rows.add(row);
        queuedBytes += row.length;
      }
      row = NO_ROW;
      rowLength = 0;
    }
  }

  /** The row that arrives has so many bytes more. */
  private void makeRoom(int more) {
    if (refusal != null || dropping) {
      return;
    }
    long needed = (long) rowLength + more;
    try {
      memory.hold(weight(needed) - weight(row.length) + whileItGrows());
    } catch (RefusedException noRoom) {
      refuse(noRoom);
      return;
    }
    if (needed > MOST_ROW_BYTES) {
      refuse(ErrorCatalogue.MERGE_LIMIT.refuse("a row", "2 GiB", "read it in parts"));
      return;
    }
    long second = whileItGrows();
    row = row.length == 0 ? new byte[(int) needed] : Arrays.copyOf(row, (int) needed);
    memory.letGo(second);
  }

  /** A row of several packets is there twice for a moment. */
  private long whileItGrows() {
    return weight(row.length);
  }

  /** What a long row costs; short ones are not counted one by one. */
  private static long weight(long length) {
    return length > StatementMemory.LONG_ROW ? length : 0;
  }

  private void refuse(RefusedException noRoom) {
    refusal = noRoom;
    drop();
  }

  /** Keeps nothing more, neither what waits nor what arrives. */
  private void drop() {
    memory.letGo(weight(row.length));
    row = NO_ROW;
    rowLength = 0;
    rows.forEach(each -> memory.letGo(weight(each.length)));
    rows.clear();
    queuedBytes = 0;
    memory.letGo(given);
    given = 0;
  }

  private void packet(Kind kind, ByteBuf payload) {
    state.accept(kind, payload);
    switch (kind) {
      case OK -> {
        OkPacket ok = OkPacket.decode(payload, capabilities);
        if (columns == null) {
          columns = List.of();
        }
        resultOver(ok);
      }
      case ERR -> {
        ErrPacket err = ErrPacket.decode(payload, connection.applied().resultCharset());
        failure = new ShardException.Database(err.errno(), err.sqlState(), err.message());
      }
      case COLUMN_COUNT -> columnCount(ColumnCount.decode(payload, capabilities));
      case COLUMN_DEFINITION -> {
        told.add(payload);
        if (--definitionsLeft == 0 && columns == null) {
          columns = toldColumns();
        }
      }
      case COLUMNS_END -> {}
      case ROWS_END -> {
        if (Capability.has(capabilities, Capability.DEPRECATE_EOF)) {
          resultOver(OkPacket.decode(payload, capabilities));
        } else {
          EofPacket eof = EofPacket.decode(payload);
          resultOver(OkPacket.of(0, 0, eof.status(), eof.warnings()));
        }
      }
      case ROW, LOCAL_INFILE, PREPARE_OK, PARAMETER_DEFINITION, PARAMETERS_END ->
          throw ProtocolViolationException.malformed("an answer with " + kind);
    }
  }

  private void columnCount(ColumnCount head) {
    columnCount = head.count();
    definitionsLeft = columnCount;
    if (head.definitionsFollow()) {
      told.begin();
    } else if (columns == null) {
      columns = toldColumns();
    }
  }

  private List<ResultColumn> toldColumns() {
    return told.columns(columnCount, capabilities, connection.applied().resultCharset());
  }

  private void resultOver(OkPacket ok) {
    TrackedPosition.tell(ok, connection);
    if (firstResultOver) {
      return;
    }
    firstResultOver = true;
    outcome =
        new ShardOutcome(
            ok.affectedRows(),
            ok.lastInsertId(),
            ok.status(),
            ok.warnings(),
            new String(ok.info(), StandardCharsets.UTF_8));
  }

  @Override
  public int textWarnings() {
    return textWarnings;
  }

  @Override
  public boolean isError() {
    return failure != null;
  }

  @Override
  public int errno() {
    return failure instanceof ShardException.Database refused ? refused.errno() : 0;
  }

  @Override
  public void batchRead() {
    boolean isOpened;
    boolean isFull;
    lock.lock();
    try {
      isOpened = columns != null;
      // what is begun counts too, once there is something to give: few long rows are here at a time
      isFull = !rows.isEmpty() && queuedBytes + row.length >= READ_AHEAD;
      paused = isFull;
    } finally {
      lock.unlock();
    }
    if (isOpened) {
      tellAnswered();
    }
    if (!isFull) {
      connection.channel().read();
    }
  }

  @Override
  public void completed() {
    end(null);
  }

  @Override
  public void failed(ErrPacket err, boolean inPrologue) {
    end(new ShardException.Database(err.errno(), err.sqlState(), err.message()));
  }

  @Override
  public void lost(String reason, boolean mayHaveRun) {
    end(new ShardException.Lost(reason, mayHaveRun));
  }

  private void end(@Nullable ShardException reason) {
    lock.lock();
    try {
      over = true;
      if (reason != null) {
        failure = reason;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    tellAnswered();
  }

  private void tellAnswered() {
    Runnable told = answered;
    if (told != null) {
      answered = null;
      told.run();
    }
  }

  // ---- reading, on the merge lane's thread

  /**
   * Waits until the answer's kind is known.
   *
   * @throws ShardException.Lost also if the thread is interrupted, as those are that plan: then the
   *     answer is still under way, and the connection is of no more use
   */
  public WireCursor opened() {
    lock.lock();
    try {
      while (columns == null && !over) {
        awaitChange();
      }
      if (columns == null) {
        throw failure();
      }
      return this;
    } catch (InterruptedException _) {
      throw abandoned();
    } finally {
      lock.unlock();
    }
  }

  private ShardException failure() {
    ShardException known = failure;
    return known == null ? new ShardException.Lost("no answer", true) : known;
  }

  @Override
  public List<ResultColumn> columns() {
    lock.lock();
    try {
      return columns == null ? List.of() : columns;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public byte @Nullable [] next() {
    others.step();
    boolean resume;
    byte[] next;
    lock.lock();
    try {
      while (rows.isEmpty() && !over && refusal == null) {
        awaitChange();
      }
      memory.letGo(given);
      given = 0;
      if (refusal != null) {
        throw refusal;
      }
      next = rows.poll();
      if (next == null) {
        if (failure != null) {
          throw failure;
        }
        return null;
      }
      queuedBytes -= next.length;
      given = weight(next.length);
      resume = paused && queuedBytes < READ_AHEAD / 2;
      if (resume) {
        paused = false;
      }
    } catch (InterruptedException _) {
      throw abandoned();
    } finally {
      lock.unlock();
    }
    if (resume) {
      connection.channel().read();
    }
    return next;
  }

  @Override
  public ShardOutcome outcome() {
    lock.lock();
    try {
      while (!over) {
        awaitEnd();
      }
      if (outcome == null) {
        throw failure();
      }
      return outcome;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    boolean resume;
    lock.lock();
    try {
      dropping = true;
      drop();
      resume = paused;
      paused = false;
    } finally {
      lock.unlock();
    }
    if (resume) {
      connection.channel().read();
    }
    lock.lock();
    try {
      while (!over && !isAbandoned) {
        awaitEnd();
      }
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // who calls it loops
  private void awaitChange() throws InterruptedException {
    waits.begins();
    try {
      changed.await();
    } finally {
      waits.ends();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // who calls it loops
  private void awaitEnd() {
    waits.begins();
    changed.awaitUninterruptibly();
    waits.ends();
  }

  private ShardException abandoned() {
    isAbandoned = true;
    Thread.currentThread().interrupt();
    return new ShardException.Lost("interrupted", true);
  }
}
