package io.anabranch.backend.xa;

import io.anabranch.backend.fakes.SimulatedLoop;
import io.anabranch.backend.fakes.SimulatedThreads;
import io.anabranch.backend.fakes.SimulatedThreads.SimulatedThread;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.transaction.commit.CommitBarrier;
import io.anabranch.backend.transaction.commit.Coordinator;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A proxy's part in two-phase commits, made of the product's own classes, with the beat and the
 * recovery that {@link XaService} would run on threads.
 */
final class SimulatedProcess implements LeaseDesk {

  static final long NODE_TIMEOUT = 1000;
  private static final long BEAT = NODE_TIMEOUT / 4;
  private static final long RECOVERY = 800;
  private static final long ANSWER_TIMEOUT = 2000;
  private static final long LOG_TIMEOUT = 800;

  /** How long decisions stay in the log. */
  static final long RETENTION = 20_000;

  private final XaSimulation simulation;
  private final String node;
  private final String name;
  private final SimulatedLoop loop;
  private final SimulatedThreads threads = new SimulatedThreads();
  private final List<SimulatedThread> running = new ArrayList<>();
  private final Membership membership;
  private final DeadNodes dead;
  private final DecisionLog decisions;
  private final Recovery recovery;
  private final Coordinator coordinator;
  private int connections;
  private boolean recoversSoon;
  private boolean isKilled;
  private long pausedUntil;

  SimulatedProcess(XaSimulation simulation, String node, int life, Random random) {
    this.simulation = simulation;
    this.node = node;
    this.name = node + "-" + life;
    this.loop = new SimulatedLoop(name, simulation.time());
    var links = new Links(loop, ANSWER_TIMEOUT);
    var sources = new ArrayList<XaSource>();
    for (SimulatedServer server : simulation.servers()) {
      sources.add(new XaSource("db." + server, "db", this, () -> server.name));
    }
    var store = new LogStore(links, sources.getLast());
    var barrier = new CommitBarrier();
    var ledger = new Ledger(barrier);
    var fitness = new Fitness();
    this.membership = new Membership(store, "c", node, random);
    this.dead =
        new DeadNodes(store, membership, 3 * BEAT, NODE_TIMEOUT, simulation.time()::nanoTime);
    this.decisions =
        new DecisionLog(
            store,
            loop,
            XaListener.NONE,
            RETENTION,
            simulation.time()::nanoTime,
            work -> start("log", work));
    this.recovery =
        new Recovery(
            links,
            store,
            membership,
            decisions,
            ledger,
            fitness,
            sources,
            XaListener.NONE,
            NODE_TIMEOUT,
            RETENTION,
            simulation.time()::nanoTime);
    this.coordinator =
        new XaCoordinator(
            membership,
            fitness,
            new TwoPhases.Parts(
                decisions,
                ledger,
                barrier,
                new BranchPhases(loop, ANSWER_TIMEOUT),
                loop,
                XaListener.NONE,
                () -> recoversSoon = true,
                LOG_TIMEOUT));
    start("node", this::beat);
    start("recovery", this::recover);
  }

  private void start(String work, Runnable task) {
    running.add(threads.start(name + "-" + work, task));
  }

  private void beat() {
    while (true) {
      try {
        membership.beat();
        recoversSoon |= dead.look();
        decisions.sweep();
      } catch (RuntimeException failure) {
        note(this, "has no beat:", failure.getMessage());
      }
      pause(BEAT, false);
    }
  }

  private void recover() {
    while (true) {
      pause(RECOVERY, true);
      recoversSoon = false;
      try {
        recovery.pass();
      } catch (RuntimeException failure) {
        note(this, "has no recovery:", failure.getMessage());
        recovery.lookWithoutLog();
      }
    }
  }

  private void pause(long milliseconds, boolean untilWanted) {
    long due = simulation.time().nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
    loop.schedule(() -> {}, milliseconds, TimeUnit.MILLISECONDS);
    threads.waitFor(() -> simulation.time().nanoTime() >= due || (untilWanted && recoversSoon));
  }

  // ---------------------------------------------------------------- what may happen next

  /** Whether it can name transactions that can be decided. */
  boolean isRegistered() {
    return membership.cluster() != null;
  }

  boolean isAwake() {
    return !isKilled && simulation.time().nanoTime() >= pausedUntil;
  }

  String node() {
    return node;
  }

  boolean isKilled() {
    return isKilled;
  }

  /** What can go on now: its event loop and its threads. */
  void addSteps(List<Runnable> steps) {
    if (!isAwake()) {
      return;
    }
    if (loop.isReady()) {
      steps.add(loop::runOne);
    }
    for (SimulatedThread thread : running) {
      if (thread.isReady()) {
        steps.add(() -> goOn(thread));
      }
    }
  }

  private void goOn(SimulatedThread thread) {
    thread.goOn();
    running.removeIf(SimulatedThread::isOver);
  }

  /** When it has something to do again, by the clock's nanoseconds; -1: it has nothing. */
  long nextDue() {
    if (isKilled) {
      return -1;
    }
    return Math.max(loop.nextDue(), pausedUntil);
  }

  void pauseUntil(long moment) {
    pausedUntil = moment;
  }

  /** As by {@code kill -9}. */
  void kill() {
    isKilled = true;
    for (SimulatedThread thread : List.copyOf(running)) {
      thread.kill();
    }
    running.clear();
  }

  // ---------------------------------------------------------------- for the product's classes

  SimulatedLoop loop() {
    return loop;
  }

  SimulatedThreads threads() {
    return threads;
  }

  Coordinator coordinator() {
    return coordinator;
  }

  int nextConnection() {
    return ++connections;
  }

  void note(@Nullable Object... what) {
    simulation.note(what);
  }

  /** Fails the run, also where whoever called keeps the error for himself. */
  AssertionError wrong(String what) {
    return simulation.wrong(new AssertionError(what));
  }

  @Override
  public void lease(Request request, Callback callback) {
    throw new AssertionError("nobody waits for a lease here");
  }

  @Override
  public Lease leaseBlocking(Request request, Consumer<Place> queued) {
    threads.waitFor(() -> true);
    return connect(simulation.server(request.dataSource()));
  }

  /** A connection of its own. */
  SimulatedConnection connect(SimulatedServer server) {
    if (!server.isReachable) {
      throw ErrorCatalogue.DATA_SOURCE_DOWN.refuse(server.name, "simulated");
    }
    return new SimulatedConnection(this, server);
  }

  @Override
  public String toString() {
    return name;
  }
}
