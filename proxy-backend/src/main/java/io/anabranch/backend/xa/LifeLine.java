package io.anabranch.backend.xa;

import org.jspecify.annotations.Nullable;

/**
 * The connection over which a process tells the log that it lives. It holds a lock of the log's
 * server under the process's name, which the server frees when the connection ends: {@link
 * DeadNodes} of other processes need not wait then until the process has been silent for too long.
 * Thread-safe; blocks.
 */
final class LifeLine {

  private final LogStore store;
  private Links.@Nullable Link link;
  private boolean locked;
  private int renewals;

  LifeLine(LogStore store) {
    this.store = store;
  }

  /** Begins the life of a process, on a connection that holds no other life's lock. */
  synchronized void begin(String cluster, String incarnation) {
    end();
    run(
        link -> {
          locked = store.lock(link, incarnation);
          store.register(link, cluster, incarnation);
          return true;
        });
  }

  /** Tells that the process lives; false if it has been declared dead. */
  synchronized boolean beat(String incarnation) {
    if (link != null && !store.isAt(link)) {
      end();
    }
    boolean isNew = link == null;
    return run(
        link -> {
          if (isNew) {
            renewals++;
          }
          // a server that has not noticed yet that the former connection is gone has it still
          if (isNew || !locked) {
            locked = store.lock(link, incarnation);
          }
          return store.beat(link, incarnation);
        });
  }

  /** Whether the log's server has given the lock: others have theirs, too, then. */
  synchronized boolean isLocked() {
    return locked && link != null;
  }

  /** How often its connection has taken the place of another one. */
  synchronized int renewals() {
    return renewals;
  }

  /** Gives the connection back, and with it the lock. */
  synchronized void end() {
    Links.Link held = link;
    link = null;
    if (held != null) {
      held.giveBack();
    }
  }

  private <T> T run(Links.Work<T> work) {
    Links.Link held = held();
    boolean isDone = false;
    try {
      T result = held.run(work);
      isDone = true;
      return result;
    } finally {
      if (!isDone) {
        link = null;
        held.discard();
      }
    }
  }

  private Links.Link held() {
    Links.Link held = link;
    if (held == null) {
      held = store.take();
      link = held;
    }
    return held;
  }
}
