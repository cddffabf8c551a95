package io.anabranch.backend.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.fakes.FakeDatabase;
import io.anabranch.backend.fakes.SimulatedLoop;
import io.anabranch.backend.fakes.VirtualTime;
import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.Lessee;
import io.anabranch.backend.lease.PoolListener;
import io.anabranch.backend.lease.StartValues;
import io.anabranch.backend.pool.wire.PhysicalConnection;
import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.DataSourceDefinition;
import io.netty.channel.EventLoop;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run: sessions on three event loops and the leases of one data source, whose pool is replaced
 * now and then. What happens next is drawn by lot; what blocks is done at some later time.
 */
final class LeaseSimulation {

  private static final int STEPS = 250;
  private static final long TIMEOUT_MILLISECONDS = 100;

  /** What is left to do is done after so many tasks, or something goes round in circles. */
  private static final int MOST_TASKS = 10_000;

  /** Nothing is asked of it. */
  private static final Connection CONNECTION =
      (Connection)
          Proxy.newProxyInstance(
              LeaseSimulation.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (_, method, _) -> {
                throw new AssertionError(method);
              });

  private static final ShardConnection SHARD = new FakeDatabase("ds").lease().shard();

  private final Random random;
  private final Map<String, Integer> tally;
  private final StringBuilder trace = new StringBuilder();
  private final VirtualTime time = new VirtualTime();
  private final List<SimulatedLoop> loops = new ArrayList<>();
  private final List<Runnable> threads = new ArrayList<>();
  private final List<Pool> pools = new ArrayList<>();
  private final List<Asker> askers = new ArrayList<>();

  /**
   * @param tally counts what has happened, by name
   */
  LeaseSimulation(long seed, Map<String, Integer> tally) {
    this.random = new Random(seed);
    this.tally = tally;
    for (int i = 0; i < 3; i++) {
      loops.add(new SimulatedLoop("loop-" + i, time));
    }
    pools.add(new Pool(1 + random.nextInt(4)));
  }

  /** What happened, line by line. */
  String trace() {
    return trace.toString();
  }

  private void note(String what, @Nullable Object... of) {
    tally.merge(what, 1, Integer::sum);
    trace.append(time.nanoTime() / 1000).append(" us ").append(what);
    for (Object each : of) {
      trace.append(' ').append(each);
    }
    trace.append('\n');
  }

  /** A pool, and what its connections' database is. */
  private final class Pool implements SourceLeases.Connections {

    private final int number = pools.size();
    private final int most;
    private final SourceLeases leases;
    private final List<SimulatedCheckout> out = new ArrayList<>();
    private List<Waiter> line = List.of();
    private boolean isDown;
    private boolean isClosed;
    private @Nullable CompletableFuture<@Nullable Void> drained;

    Pool(int most) {
      this.most = most;
      var definition =
          new DataSourceDefinition(
              "ds",
              "jdbc:mariadb://h/d",
              "u",
              "",
              TIMEOUT_MILLISECONDS,
              1,
              1,
              most,
              1,
              false,
              Map.of());
      this.leases =
          new SourceLeases(
              "db",
              definition,
              List.<EventLoop>copyOf(loops),
              this,
              (_, task) -> threads.add(task),
              PoolListener.NONE,
              () -> note("queued"));
    }

    @Override
    public Checkout open(boolean foundRows) throws SQLException {
      assertThat(isClosed).as("a connection of a closed pool is wanted").isFalse();
      if (isDown) {
        note("opening refused by", this);
        throw new Flavour.DownException(new SQLException("down"));
      }
      if (random.nextInt(20) == 0) {
        note("opening took too long");
        throw new SQLException("too late");
      }
      if (random.nextInt(50) == 0) {
        note("opening failed otherwise");
        throw new IllegalStateException("otherwise");
      }
      var checkout = new SimulatedCheckout(foundRows);
      out.add(checkout);
      assertThat(out).as("connections that are out").hasSizeLessThanOrEqualTo(most);
      note("opened by", this);
      return checkout;
    }

    @Override
    public void giveBack(Checkout checkout) {
      assertThat(out.remove(checkout)).as("given back once").isTrue();
      note("returned to", this);
      if (random.nextInt(50) == 0) {
        throw new IllegalStateException("HikariCP failed");
      }
    }

    @Override
    public void evict(Checkout checkout) {
      assertThat(out.remove(checkout)).as("evicted once").isTrue();
      note("evicted from", this);
    }

    @Override
    public void interrupt(Checkout checkout) {
      throw new AssertionError("nobody interrupts");
    }

    @Override
    public StartValues startOf(Lessee session) {
      return StartValues.UNKNOWN;
    }

    @Override
    public @Nullable SQLException whyDown() {
      return isDown ? new SQLException("down") : null;
    }

    @Override
    public void look(EventLoop loop, List<HeldLease> into) {
      for (Asker asker : askers) {
        Lease lease = asker.lease;
        if (lease != null && asker.pool == this && asker.loop.equals(loop)) {
          into.add(new HeldLease(lease, asker, 1, 1, false));
        }
      }
    }

    @Override
    public void close() {
      assertThat(out).as("connections out while the pool closes").isEmpty();
      isClosed = true;
    }

    /** Who has left the line since the last look has done so in the promised order. */
    void checkOrder() {
      List<Waiter> before = line;
      line = leases.inLine();
      long now = time.nanoTime();
      var served = new ArrayList<Waiter>();
      for (Waiter left : before) {
        Asker asker = askerOf(left);
        if (line.contains(left) || asker.isRefused()) {
          continue;
        }
        served.add(left);
        for (Waiter stays : before) {
          if (line.contains(stays) && !askerOf(stays).isRefused()) {
            checkOrder(left, stays, now);
            checkTurns(served, stays);
          }
        }
      }
    }

    private static void checkTurns(List<Waiter> served, Waiter stays) {
      if (served.stream().noneMatch(each -> each.user().equals(stays.user()))) {
        assertThat(served)
            .as("users take turns")
            .filteredOn(each -> each.isJoining() == stays.isJoining())
            .extracting(Waiter::user)
            .doesNotHaveDuplicates();
      }
    }

    private void checkOrder(Waiter served, Waiter stays, long now) {
      if (served.isJoining() != stays.isJoining()) {
        assertThat(served.isJoining()).as("who has leases goes first").isTrue();
        return;
      }
      if (!served.user().equals(stays.user())) {
        return;
      }
      if (served.request().loop().equals(stays.request().loop())) {
        assertThat(served.sinceNanos())
            .as("first come, first served on a loop")
            .isLessThanOrEqualTo(stays.sinceNanos());
      }
      assertThat(now - stays.sinceNanos())
          .as("who has waited twice as long on another loop is not passed over")
          .isLessThanOrEqualTo(2 * (now - served.sinceNanos()) + WaitLine.ALIKE_NANOS);
    }

    private static Asker askerOf(Waiter waiter) {
      if (waiter.request().lessee() instanceof Asker asker) {
        return asker;
      }
      throw new AssertionError("not an asker of ours");
    }

    /** Nothing is under way: who waits does so because all is leased. */
    void checkNobodyWaitsForNothing() {
      long leased = askers.stream().filter(each -> each.pool == this && each.lease != null).count();
      assertThat(leases.taken() - leases.cached()).as("permits that are taken").isEqualTo(leased);
      assertThat(out).as("connections that are out").hasSize(leases.taken());
      if (leases.waiting() > 0) {
        assertThat(leased).as("leases while somebody waits").isEqualTo(most);
        note("all leased and waited for");
      }
    }

    @Override
    public String toString() {
      return "pool-" + number + "/" + most;
    }
  }

  /** A connection that is moved and breaks when the lot falls so. */
  private final class SimulatedCheckout extends Checkout {

    private boolean isBroken;

    SimulatedCheckout(boolean foundRows) {
      super(foundRows, CONNECTION, new PhysicalConnection(null, SHARD, StartValues.UNKNOWN));
    }

    @Override
    boolean isBroken() {
      return isBroken;
    }

    @Override
    void moveTo(EventLoop loop, Consumer<@Nullable Throwable> done) {
      if (random.nextInt(30) == 0) {
        note("cannot be moved");
        loop.execute(() -> done.accept(new IllegalStateException("closed on the way")));
      } else {
        threads.add(() -> loop.execute(() -> done.accept(null)));
      }
    }
  }

  /** A session that asks for one lease. */
  private final class Asker implements Lessee, LeaseDesk.Callback {

    private final int number = askers.size();
    private final Pool pool;
    private final SimulatedLoop loop;
    private final boolean foundRows;
    private final boolean isJoining;
    private final String user;
    private int answers;
    private boolean isGone;
    private @Nullable RuntimeException refusal;
    private @Nullable Lease lease;
    private LeaseDesk.@Nullable Place place;

    Asker(Pool pool, SimulatedLoop loop) {
      this.pool = pool;
      this.loop = loop;
      this.foundRows = random.nextInt(4) == 0;
      this.isJoining = random.nextInt(4) == 0;
      this.user = "user-" + random.nextInt(3);
    }

    void ask() {
      note("asks", this);
      pool.leases.lease(
          new LeaseDesk.Request("ds", foundRows, loop, LeaseDesk.Commits.NOBODY, this), this);
    }

    boolean isRefused() {
      return refusal != null;
    }

    @Override
    public void queued(LeaseDesk.Place given) {
      assertThat(place).as("told of a place once").isNull();
      assertThat(answers).as("told of a place before the answer").isZero();
      place = given;
    }

    /** Does not wait any more; has no effect if it does not stand in line. */
    void leave() {
      LeaseDesk.Place known = place;
      if (known != null) {
        note(answers == 0 ? "leaves" : "leaves too late", this);
        known.leave(ErrorCatalogue.QUERY_INTERRUPTED.refuse());
      }
    }

    @Override
    public void leased(@Nullable Lease given, @Nullable RuntimeException refused) {
      answers++;
      assertThat(answers).as("answers to %s", this).isEqualTo(1);
      assertThat(loop.inEventLoop()).as("answered on its loop").isTrue();
      assertThat(given == null).as("either a lease or a refusal").isEqualTo(refused != null);
      note(given == null ? "refused" : "leased", this, refused == null ? "" : refused.getMessage());
      lease = given;
      refusal = refused;
      if (isGone && given != null) {
        release();
      }
    }

    void release() {
      Lease given = lease;
      if (given != null) {
        lease = null;
        note("gives back", this);
        given.release();
        given.release();
      }
    }

    void discard() {
      Lease given = lease;
      if (given != null) {
        lease = null;
        note("discards", this);
        given.discard("simulated");
        given.release();
      }
    }

    @Override
    public boolean hasLeases() {
      return isJoining;
    }

    @Override
    public String user() {
      return user;
    }

    @Override
    public boolean yields(Lease held) {
      if (random.nextInt(3) == 0) {
        note("yields", this);
        release();
        return true;
      }
      return false;
    }

    @Override
    public long since() {
      return Long.MIN_VALUE;
    }

    @Override
    public void endWait(HeldLease waiting, RefusedException reason) {
      throw new AssertionError("nobody ends waits");
    }

    @Override
    public String toString() {
      return "asker-" + number + "@" + loop + (isJoining ? "+" : "") + (foundRows ? "/f" : "");
    }
  }

  // ---------------------------------------------------------------- what happens

  /** Fails by an {@link AssertionError} where something is not as promised. */
  void run() {
    for (int i = 0; i < STEPS; i++) {
      step();
      checkAlways();
    }
    settle();
  }

  private void step() {
    switch (random.nextInt(26)) {
      case 0, 1, 2, 3 -> ask();
      case 4, 5, 6, 7, 8 -> loops.get(random.nextInt(loops.size())).runOne();
      case 9, 10, 11, 12 -> runThread();
      case 13, 14, 15 -> release();
      case 16 -> leaseHolder(Asker::discard);
      case 17, 18 -> time.advanceBy(random.nextInt(3000), TimeUnit.MICROSECONDS);
      case 19 -> time.advanceBy(random.nextInt(80), TimeUnit.MILLISECONDS);
      case 20 -> breakOne();
      case 21 -> interfere();
      case 22 -> rare();
      default -> runAll();
    }
  }

  private void ask() {
    var asker = new Asker(pools.getLast(), loops.get(random.nextInt(loops.size())));
    askers.add(asker);
    asker.loop.execute(asker::ask);
  }

  private void runThread() {
    if (!threads.isEmpty()) {
      Runnable task = threads.remove(random.nextInt(threads.size()));
      try {
        task.run();
      } catch (IllegalStateException ofConnections) {
        note("a thread ended by", ofConnections.getMessage());
      }
    }
  }

  /** On the loop of the lease or on any other thread. */
  private void release() {
    leaseHolder(
        holder -> {
          if (random.nextBoolean()) {
            holder.release();
          } else {
            holder.loop.within(holder::release);
          }
        });
  }

  private void leaseHolder(Consumer<Asker> then) {
    List<Asker> holders = askers.stream().filter(each -> each.lease != null).toList();
    if (!holders.isEmpty()) {
      then.accept(holders.get(random.nextInt(holders.size())));
    }
  }

  private void breakOne() {
    Pool pool = pools.get(random.nextInt(pools.size()));
    if (!pool.out.isEmpty()) {
      note("a connection breaks");
      pool.out.get(random.nextInt(pool.out.size())).isBroken = true;
    }
  }

  /** Somebody who waits is refused by another, leaves, or goes away without a word. */
  private void interfere() {
    if (!askers.isEmpty() && random.nextInt(4) == 0) {
      Asker served = askers.get(random.nextInt(askers.size()));
      if (served.answers > 0) {
        served.leave();
      }
      return;
    }
    Pool pool = pools.get(random.nextInt(pools.size()));
    List<QueuedRequest> queued = pool.leases.queued();
    if (queued.isEmpty()) {
      return;
    }
    QueuedRequest one = queued.get(random.nextInt(queued.size()));
    if (one.lessee() instanceof Asker asker) {
      int how = random.nextInt(3);
      if (how == 0) {
        note("goes away", asker);
        asker.isGone = true;
      } else if (how == 1) {
        asker.refusal = ErrorCatalogue.QUERY_INTERRUPTED.refuse();
        asker.leave();
        assertThat(pool.leases.queued()).doesNotContain(one);
      } else {
        note("is refused by another", asker);
        RefusedException reason = ErrorCatalogue.QUERY_INTERRUPTED.refuse();
        asker.refusal = reason;
        assertThat(one.refuse(reason)).isTrue();
        assertThat(one.refuse(reason)).isFalse();
      }
    }
  }

  private void rare() {
    Pool pool = pools.getLast();
    switch (random.nextInt(6)) {
      case 0 -> {
        note("closes", pool);
        for (QueuedRequest left : pool.leases.queued()) {
          if (left.lessee() instanceof Asker asker) {
            asker.refusal = ErrorCatalogue.QUERY_INTERRUPTED.refuse();
          }
        }
        pool.drained = pool.leases.drain();
        assertThat(pool.leases.drain()).isSameAs(pool.drained);
        pools.add(new Pool(1 + random.nextInt(4)));
      }
      case 1 -> {
        note("may yield", pool);
        pool.leases.mayYield();
      }
      default -> {
        pool.isDown = !pool.isDown;
        note(pool.isDown ? "database down" : "database up", pool);
      }
    }
  }

  // ---------------------------------------------------------------- what must hold

  private void checkAlways() {
    for (Pool pool : pools) {
      assertThat(pool.leases.taken()).as("permits of %s", pool).isBetween(0, pool.most);
      assertThat(pool.out).hasSizeLessThanOrEqualTo(pool.most);
      pool.checkOrder();
    }
  }

  /** All that can be done now is done; the clock stands still. */
  private void runAll() {
    boolean isBusy = true;
    for (int i = 0; isBusy; i++) {
      assertThat(i).as("tasks until nothing is under way").isLessThan(MOST_TASKS);
      List<SimulatedLoop> ready = loops.stream().filter(SimulatedLoop::isReady).toList();
      isBusy = !ready.isEmpty() || !threads.isEmpty();
      int pick = isBusy ? random.nextInt(ready.size() + threads.size()) : 0;
      if (pick < ready.size()) {
        ready.get(pick).runOne();
      } else if (isBusy) {
        runThread();
      }
      checkAlways();
    }
    pools.forEach(Pool::checkNobodyWaitsForNothing);
  }

  /** Everybody gives back, time goes on, and nothing is left. */
  private void settle() {
    note("settles");
    for (int round = 0; round < 10; round++) {
      runAll();
      askers.forEach(Asker::release);
      runAll();
      time.advanceBy(TIMEOUT_MILLISECONDS, TimeUnit.MILLISECONDS);
    }
    assertThat(askers).allSatisfy(each -> assertThat(each.answers).isEqualTo(1));
    for (Pool pool : pools) {
      assertThat(pool.out).as("out of %s", pool).isEmpty();
      assertThat(pool.leases.taken()).as("taken of %s", pool).isZero();
      assertThat(pool.leases.waiting()).as("waiting for %s", pool).isZero();
      CompletableFuture<@Nullable Void> drained = pool.drained;
      if (drained != null) {
        assertThat(drained).as("drained %s", pool).isCompleted();
        assertThat(pool.isClosed).isTrue();
      }
    }
    for (SimulatedLoop loop : loops) {
      assertThat(loop.nextDue()).as("timers left on %s", loop).isNegative();
    }
  }
}
