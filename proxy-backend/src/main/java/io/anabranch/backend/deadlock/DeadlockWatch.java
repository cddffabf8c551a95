package io.anabranch.backend.deadlock;

import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.Lessee;
import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.backend.pool.PoolState;
import io.anabranch.backend.pool.QueuedRequest;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for transactions that wait for each other over several data sources and ends one of them,
 * the youngest, so that the others go on.
 *
 * <p>Waits for connections are looked at as soon as somebody who has some stands in line for
 * another. Databases are asked for their lock waits only when a statement of somebody who has
 * connections of several data sources has waited for an interval. Nobody gives way unless two looks
 * have found the same.
 */
public final class DeadlockWatch implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(DeadlockWatch.class);

  /** A line that has just formed may dissolve by itself. */
  private static final long LINE_MILLISECONDS = 10;

  /** MariaDB tells what it has collected once for a tenth of a second. */
  private static final long PAUSE_MILLISECONDS = 150;

  /** Where there was one deadlock there is another. */
  private static final long AGAIN_MILLISECONDS = 100;

  private static final Comparator<Lessee> YOUNGEST_FIRST =
      Comparator.comparingLong(Lessee::since).reversed();

  private final Collection<HikariLeaseDesk> desks = new CopyOnWriteArrayList<>();
  private final long intervalMilliseconds;
  private final DeadlockListener listener;
  private final LockInquiry inquiry = new LockInquiry();

  /** Has an element when somebody has joined a line. */
  private final ArrayBlockingQueue<Boolean> lines = new ArrayBlockingQueue<>(1);

  private final Thread thread = Thread.ofVirtual().name("deadlock-watch").unstarted(this::watch);

  /** Which command was running where, an interval ago. */
  private Map<Lease, Integer> earlier = Map.of();

  private long nextTick = System.nanoTime();
  private long nextTold = System.nanoTime();
  private int untold;

  private volatile boolean isClosed;

  /**
   * @param intervalMilliseconds how long a statement waits before databases are asked, above 0
   */
  public DeadlockWatch(long intervalMilliseconds, DeadlockListener listener) {
    this.intervalMilliseconds = intervalMilliseconds;
    this.listener = listener;
  }

  /** Looks at another logical database's connections, too. */
  public void add(HikariLeaseDesk desk) {
    desk.whenQueued(() -> lines.offer(Boolean.TRUE));
    desks.add(desk);
  }

  /** They are looked at no more. */
  public void remove(HikariLeaseDesk desk) {
    desks.remove(desk);
  }

  public void start() {
    thread.start();
  }

  private void watch() {
    try {
      while (true) {
        if (lines.poll(untilTick(), TimeUnit.NANOSECONDS) != null) {
          TimeUnit.MILLISECONDS.sleep(LINE_MILLISECONDS);
        }
        try {
          look();
        } catch (RuntimeException failure) {
          if (isClosed) {
            // what it asks has ended
            log.debug("deadlocks over data sources are not looked for any more", failure);
            break;
          }
          log.warn("deadlocks over data sources could not be looked for", failure);
        }
      }
    } catch (InterruptedException closed) {
      log.debug("the look for deadlocks over data sources ends");
    } finally {
      inquiry.close();
    }
  }

  private long untilTick() {
    return nextTick - System.nanoTime();
  }

  private void look() throws InterruptedException {
    boolean isTick = untilTick() <= 0;
    if (isTick) {
      nextTick = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(intervalMilliseconds);
    }
    if (HikariLeaseDesk.used(desks) < 2) {
      earlier = Map.of();
      inquiry.close();
      return;
    }
    List<PoolState> pools = pools();
    List<PoolState> asked = isTick ? whereLong(pools) : List.of();
    var first = new Look(pools, inquiry.ask(asked));
    if (first.graph().deadlocks(YOUNGEST_FIRST).isEmpty()) {
      return;
    }
    if (!asked.isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLISECONDS);
    }
    Look both = first.and(new Look(pools(), inquiry.ask(asked)));
    List<WaitGraph.Deadlock<Lessee>> found = both.graph().deadlocks(YOUNGEST_FIRST);
    found.forEach(each -> end(each, both));
    if (!found.isEmpty()) {
      nextTick = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(AGAIN_MILLISECONDS);
    }
  }

  private List<PoolState> pools() {
    return HikariLeaseDesk.look(desks);
  }

  /**
   * Data sources where commands have run for an interval, if they may be in a deadlock: if anybody
   * has connections of several data sources and waits.
   */
  private List<PoolState> whereLong(List<PoolState> pools) {
    var now = new HashMap<Lease, Integer>();
    var slow = new ArrayList<PoolState>();
    var waiting = new HashSet<Lessee>();
    for (PoolState pool : pools) {
      boolean isSlow = false;
      for (HeldLease held : pool.held()) {
        if (held.busy()) {
          now.put(held.lease(), held.exchange());
          if (Integer.valueOf(held.exchange()).equals(earlier.get(held.lease()))) {
            isSlow = true;
            waiting.add(held.lessee());
          }
        }
      }
      if (isSlow) {
        slow.add(pool);
      }
      for (QueuedRequest request : pool.queued()) {
        waiting.add(request.lessee());
      }
    }
    earlier = now;
    if (slow.isEmpty() || !anyIsSpread(waiting, pools)) {
      inquiry.close();
      return List.of();
    }
    return slow;
  }

  private static boolean anyIsSpread(Set<Lessee> waiting, List<PoolState> pools) {
    var sources = new HashMap<Lessee, PoolState>();
    for (PoolState pool : pools) {
      var here = new HashSet<Lessee>();
      pool.held().forEach(held -> here.add(held.lessee()));
      pool.queued().forEach(request -> here.add(request.lessee()));
      for (Lessee lessee : here) {
        if (waiting.contains(lessee) && sources.putIfAbsent(lessee, pool) != null) {
          return true;
        }
      }
    }
    return false;
  }

  private void end(WaitGraph.Deadlock<Lessee> found, Look look) {
    Lessee victim = found.victim();
    Look.Line line = look.line(victim);
    Look.RowWait rows = look.rowWait(victim, found.members());
    if (line != null) {
      if (!line.request().refuse(ErrorCatalogue.DEADLOCK.refuse())) {
        return;
      }
      listener.ended(DeadlockListener.Wait.CONNECTION);
    } else if (rows != null) {
      victim.endWait(rows.waiter(), ErrorCatalogue.DEADLOCK.refuse());
      listener.ended(DeadlockListener.Wait.ROW_LOCK);
    }
    tell(victim, found, look);
  }

  /** One a second in full; the metric has them all. */
  private void tell(Lessee victim, WaitGraph.Deadlock<Lessee> found, Look look) {
    long now = System.nanoTime();
    if (now - nextTold < 0) {
      untold++;
      return;
    }
    String others = untold == 0 ? "" : " (" + untold + " others since the last line)";
    log.warn(
        "deadlock over data sources{}: {} gives way: {}",
        others,
        victim,
        Waits.told(found.members(), look));
    nextTold = now + TimeUnit.SECONDS.toNanos(1);
    untold = 0;
  }

  /** Looks no more. */
  @Override
  public void close() {
    isClosed = true;
    desks.forEach(desk -> desk.whenQueued(() -> {}));
    thread.interrupt();
  }
}
