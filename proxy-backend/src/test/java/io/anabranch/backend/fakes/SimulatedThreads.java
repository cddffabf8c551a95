package io.anabranch.backend.fakes;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads for code that blocks, of which exactly one runs at a time: the one that whoever simulates
 * lets go on, until it waits again. {@link #simulate} is where all of it happens.
 */
public final class SimulatedThreads {

  /** Ends a thread whose process was killed; no code catches it. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed() {
      super("killed", null, false, false);
    }
  }

  private final List<SimulatedThread> threads = new ArrayList<>();
  private @Nullable SimulatedThread current;

  /** A thread; begins to run with the first {@link #goOn}. */
  public final class SimulatedThread {

    private final Thread thread;
    private Thread simulation = Thread.currentThread();
    private BooleanSupplier ready = () -> true;
    private volatile boolean hasTurn;
    private volatile boolean isOver;
    private boolean isKilled;
    private @Nullable Throwable failure;

    private SimulatedThread(String name, Runnable work) {
      this.thread = Thread.ofVirtual().name(name).unstarted(() -> run(work));
    }

    private void run(Runnable work) {
      try {
        awaitTurn();
        work.run();
      } catch (Killed end) {
        isKilled = true;
      } catch (RuntimeException | Error wrong) {
        failure = wrong;
      } finally {
        isOver = true;
        hasTurn = false;
        LockSupport.unpark(simulation);
      }
    }

    /** Whether it has ended. */
    public boolean isOver() {
      return isOver;
    }

    /** Whether it would go on. */
    public boolean isReady() {
      return !isOver && ready.getAsBoolean();
    }

    /** Runs it until it waits or ends. */
    public void goOn() {
      simulation = Thread.currentThread();
      SimulatedThread before = current;
      current = this;
      hasTurn = true;
      if (thread.getState() == Thread.State.NEW) {
        thread.start();
      } else {
        LockSupport.unpark(thread);
      }
      while (hasTurn) {
        LockSupport.park(this);
      }
      current = before;
      if (isOver) {
        threads.remove(this);
      }
      if (failure != null) {
        throw new AssertionError("a thread ended: " + thread.getName(), failure);
      }
    }

    /** Ends it where it waits. */
    public void kill() {
      isKilled = true;
      if (thread.getState() == Thread.State.NEW) {
        isOver = true;
        threads.remove(this);
      } else if (!isOver) {
        goOn();
      }
    }

    private void awaitTurn() {
      while (!hasTurn) {
        LockSupport.park(this);
      }
      if (isKilled) {
        throw new Killed();
      }
    }

    private void waitFor(BooleanSupplier until) {
      ready = until;
      hasTurn = false;
      LockSupport.unpark(simulation);
      awaitTurn();
    }
  }

  /** A new thread. */
  public SimulatedThread start(String name, Runnable work) {
    var thread = new SimulatedThread(name, work);
    threads.add(thread);
    return thread;
  }

  /** Called by a simulated thread: waits until that holds and it is its turn. */
  public void waitFor(BooleanSupplier until) {
    SimulatedThread self = current;
    if (self == null) {
      throw new AssertionError("what blocks is not on a simulated thread");
    }
    self.waitFor(until);
  }

  /** Runs a simulation, on a thread from which it is quick to go to those of this class. */
  public static void simulate(Runnable simulation) {
    var failure = new CompletableFuture<@Nullable Throwable>();
    Thread.ofVirtual()
        .name("simulation")
        .start(
            () -> {
              try {
                simulation.run();
                failure.complete(null);
              } catch (RuntimeException | Error wrong) {
                failure.complete(wrong);
              }
            });
    switch (failure.join()) {
      case null -> {}
      case Error wrong -> throw wrong;
      case RuntimeException wrong -> throw wrong;
      case Throwable wrong -> throw new AssertionError(wrong);
    }
  }
}
