package io.anabranch.frontend.limit;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;

/** A statement that waits for others to end: it is let in once, or gives up once. Thread-safe. */
public final class QueuedStatement {

  private enum State {
    WAITING,
    ADMITTED,
    GONE
  }

  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
  private final Executor loop;
  private final Runnable admitted;

  /**
   * @param loop of the session
   * @param admitted run there when the statement is let in
   */
  public QueuedStatement(Executor loop, Runnable admitted) {
    this.loop = loop;
    this.admitted = admitted;
  }

  /** False if it has been let in: then it has a place, which is to be left. */
  public boolean giveUp() {
    return state.compareAndSet(State.WAITING, State.GONE);
  }

  /** False if it has given up. */
  boolean admit() {
    return state.compareAndSet(State.WAITING, State.ADMITTED);
  }

  void run() {
    loop.execute(admitted);
  }
}
