package io.anabranch.backend.relay.pipe;

import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.relay.conversation.KeptStatements;
import io.anabranch.rules.plan.StatementPlan;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The shared connections of one event loop, and what it knows of plans. Used there only. */
public final class LoopPipes {

  /** A room that nobody has used for so long goes. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final int RECORDS = 1024;

  private final EventLoop loop;
  private final KeptStatements kept;
  private final PipeListener listener;
  private final Executor blocking;

  /** They are few, and looked through for each statement. */
  private final List<PipeRoom> rooms = new ArrayList<>();

  private final @Nullable ReadRecord[] records = new @Nullable ReadRecord[RECORDS];
  private boolean ticking;

  /** The former tick, or since when there are some. */
  private long tickedAt;

  /**
   * @param blocking runs what blocks
   */
  LoopPipes(EventLoop loop, KeptStatements kept, PipeListener listener, Executor blocking) {
    this.blocking = blocking;
    this.kept = kept;
    this.loop = loop;
    this.listener = listener;
  }

  /**
   * What is known of a plan. Another one with the same place may have taken it: then nothing is.
   *
   * @param fingerprint of its statements
   * @param isPlain whether they may share, asked once
   */
  public ReadRecord record(long fingerprint, StatementPlan plan, BooleanSupplier isPlain) {
    int place = (int) (fingerprint ^ (fingerprint >>> 32)) & (RECORDS - 1);
    ReadRecord known = records[place];
    if (known == null || !known.isOf(plan)) {
      known = new ReadRecord(plan, isPlain.getAsBoolean());
      records[place] = known;
    }
    return known;
  }

  /**
   * Runs it on a connection with others, now or when there is a place; tells its reader.
   *
   * @return false: it is to be run on a connection of its own, because so few are under way; its
   *     reader is told nothing, and {@link PipedRead#ranAlone} is to be called at its end
   */
  public boolean enter(PipedRead read, Sharing sharing) {
    long now = loop.ticker().nanoTime();
    read.enters(now, sharing);
    PipeRoom room = room(read.desk(), read.request(), now);
    if (!room.enter(read)) {
      read.alone(room);
      return false;
    }
    startTicking(now);
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // desks are told apart by identity
  private PipeRoom room(LeaseDesk desk, LeaseDesk.Request request, long now) {
    for (PipeRoom room : rooms) {
      if (room.desk() == desk
          && room.foundRows() == request.foundRows()
          && room.dataSource().equals(request.dataSource())) {
        return room;
      }
    }
    // where few are under way, nothing ticks
    leaveIdle(now);
    var room =
        new PipeRoom(
            desk, request.dataSource(), request.foundRows(), loop, kept, listener, blocking);
    rooms.add(room);
    return room;
  }

  private void startTicking(long now) {
    if (!ticking) {
      ticking = true;
      tickedAt = now;
      var _ = loop.schedule(this::tick, Tick.NANOS, TimeUnit.NANOSECONDS);
    }
  }

  private void tick() {
    ticking = false;
    long now = loop.ticker().nanoTime();
    var tick = new Tick(tickedAt, now);
    boolean isBusy = false;
    for (PipeRoom room : List.copyOf(rooms)) {
      room.tick(tick);
      isBusy |= room.isBusy();
    }
    leaveIdle(now);
    if (isBusy) {
      startTicking(now);
    }
  }

  /** Of how many data sources connections may be shared here. */
  int rooms() {
    return rooms.size();
  }

  private void leaveIdle(long now) {
    rooms.removeIf(room -> !room.isBusy() && !room.hasLone() && now - room.lastUsed() > IDLE_NANOS);
  }
}
