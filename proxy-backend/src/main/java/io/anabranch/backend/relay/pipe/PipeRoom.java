package io.anabranch.backend.relay.pipe;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.SettingsReplay;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.rules.error.RefusedException;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one event loop that may share connections to one data source: those under way
 * on its {@link Pipe}s, and those that wait for a place. At most one request of the room stands in
 * line for a connection, so that it competes with others as one session does.
 */
final class PipeRoom {

  private final LeaseDesk desk;
  private final String dataSource;
  private final boolean foundRows;
  private final EventLoop loop;
  private final KeptStatements kept;
  private final PipeListener listener;
  private final Executor blocking;
  private final Slowness slowness = new Slowness();
  private final List<Pipe> pipes = new ArrayList<>();
  private final ArrayDeque<PipedRead> waiting = new ArrayDeque<>();
  private PipeListener.@Nullable Source counts;

  /** Statements that may share and do not, because so few are under way. */
  private int lone;

  private boolean isRequested;
  private long requestedAt;
  private long lastUsed;

  PipeRoom(
      LeaseDesk desk,
      String dataSource,
      boolean foundRows,
      EventLoop loop,
      KeptStatements kept,
      PipeListener listener,
      Executor blocking) {
    this.blocking = blocking;
    this.kept = kept;
    this.desk = desk;
    this.dataSource = dataSource;
    this.foundRows = foundRows;
    this.loop = loop;
    this.listener = listener;
  }

  LeaseDesk desk() {
    return desk;
  }

  String dataSource() {
    return dataSource;
  }

  boolean foundRows() {
    return foundRows;
  }

  /** As all its connections tell it. */
  Slowness slowness() {
    return slowness;
  }

  /** By the clock of the event loop. */
  long lastUsed() {
    return lastUsed;
  }

  boolean hasLone() {
    return lone > 0;
  }

  void loneEnded() {
    lone--;
  }

  boolean isBusy() {
    return isRequested || !pipes.isEmpty() || !waiting.isEmpty();
  }

  // ---- coming

  /**
   * @return false: so few are under way that it is to be run alone; {@link #loneEnded} then tells
   *     of its end
   */
  boolean enter(PipedRead read) {
    lastUsed = read.since();
    if (lone + pipes.size() < read.sharing().width()) {
      lone++;
      return false;
    }
    send(read);
    return true;
  }

  private void send(PipedRead read) {
    Place shared = placeFor(read);
    if (shared != null) {
      shared.take();
      return;
    }
    // whoever waits was here before
    Lease free = isRequested ? null : desk.leaseNow(request(read));
    if (free == null) {
      waiting.add(read);
      request();
      return;
    }
    SentRead alone = fitting(free, read);
    if (alone == null) {
      giveBack(free, read);
    } else {
      open(free, alone);
    }
  }

  /** Where a read may be sent. */
  private record Place(Pipe pipe, SentRead read) {

    void take() {
      pipe.send(read);
    }
  }

  /** On the one with the fewest statements under way. */
  private @Nullable Place placeFor(PipedRead read) {
    Place best = null;
    for (Pipe pipe : pipes) {
      if (pipe.takes(read, read.since())
          && (best == null || pipe.underWay() < best.pipe().underWay())) {
        SentRead fitting = fitting(pipe.lease(), read);
        best = fitting == null ? best : new Place(pipe, fitting);
      }
    }
    return best;
  }

  /**
   * What the connection is to be sent.
   *
   * @return null: it is not as the statement's session wants it, or something has to be said first
   */
  private @Nullable SentRead fitting(Lease lease, PipedRead read) {
    BackendConnection connection = lease.connection();
    return connection != null && !lease.isLost() && isSettled(lease, read)
        ? SentRead.on(connection, kept, read)
        : null;
  }

  private boolean isSettled(Lease lease, PipedRead read) {
    return SettingsReplay.isNeedless(
        lease, read.settings(), desk.startOf(dataSource, read.request().lessee()));
  }

  /** A connection that does not fit: the read finds another one by itself. */
  private void giveBack(Lease lease, PipedRead read) {
    Repeat misfit = isSettled(lease, read) ? Repeat.UNPREPARED : Repeat.SETTINGS;
    lease.release();
    repeat(read, misfit);
  }

  private Pipe open(Lease lease, SentRead first) {
    if (counts == null) {
      counts = listener.of(lease.logicalDatabase(), lease.dataSource());
    }
    var pipe = new Pipe(this, lease, loop, blocking);
    pipes.add(pipe);
    pipe.send(first);
    return pipe;
  }

  // ---- waiting

  private LeaseDesk.Request request(PipedRead first) {
    var lessee = new PipeLessee(this, loop, first.request().lessee());
    return new LeaseDesk.Request(dataSource, foundRows, loop, LeaseDesk.Commits.NOBODY, lessee);
  }

  private void request() {
    while (!isRequested) {
      PipedRead first = firstWaiting();
      if (first == null) {
        return;
      }
      isRequested = true;
      requestedAt = loop.ticker().nanoTime();
      desk.lease(request(first), this::leased);
    }
  }

  private @Nullable PipedRead firstWaiting() {
    PipedRead first = waiting.peek();
    while (first != null && !first.isWanted()) {
      waiting.remove();
      first = waiting.peek();
    }
    return first;
  }

  private void leased(@Nullable Lease lease, @Nullable RuntimeException refusal) {
    isRequested = false;
    if (lease == null) {
      refused(refusal == null ? new IllegalStateException("neither lease nor refusal") : refusal);
      return;
    }
    PipedRead first = firstWaiting();
    if (first == null) {
      lease.release();
      return;
    }
    waiting.remove();
    SentRead fitting = fitting(lease, first);
    if (fitting == null) {
      giveBack(lease, first);
    } else {
      fill(open(lease, fitting));
    }
    request();
  }

  /** Those who have waited as long as the request get its answer, the others wait by themselves. */
  private void refused(RuntimeException refusal) {
    long now = loop.ticker().nanoTime();
    long longest = (now - requestedAt) / 10 * 9;
    boolean isForAll = refusal instanceof RefusedException told && told.isAway();
    var left = List.copyOf(waiting);
    waiting.clear();
    for (PipedRead read : left) {
      if (isForAll || now - read.since() >= longest) {
        read.refused(refusal);
      } else {
        repeat(read, Repeat.NO_CONNECTION);
      }
    }
    request();
  }

  /** Gives the places of a connection to those who wait. */
  void fill(Pipe pipe) {
    if (waiting.isEmpty()) {
      return;
    }
    long now = loop.ticker().nanoTime();
    var passed = new ArrayList<PipedRead>(0);
    while (!waiting.isEmpty() && pipe.takes(waiting.element(), now)) {
      PipedRead next = waiting.remove();
      if (next.isWanted()) {
        SentRead fitting = fitting(pipe.lease(), next);
        if (fitting == null) {
          passed.add(next);
        } else {
          pipe.send(fitting);
        }
      }
    }
    for (int i = passed.size() - 1; i >= 0; i--) {
      waiting.addFirst(passed.get(i));
    }
  }

  // ---- told by pipes

  void sent(int underWay) {
    if (counts != null) {
      counts.sent(underWay);
    }
  }

  void repeat(PipedRead read, Repeat why) {
    if (counts != null && read.isWanted()) {
      counts.repeated(why);
    }
    read.alone(why);
  }

  void closed(Pipe pipe) {
    pipes.remove(pipe);
    request();
  }

  void tick(Tick tick) {
    for (Pipe pipe : List.copyOf(pipes)) {
      pipe.tick(tick);
    }
  }

  /** Gives up what runs on a connection. */
  void giveUp(Lease lease) {
    for (Pipe pipe : List.copyOf(pipes)) {
      if (pipe.lease().equals(lease)) {
        pipe.giveUp(Repeat.GIVEN_UP, true);
      }
    }
  }
}
