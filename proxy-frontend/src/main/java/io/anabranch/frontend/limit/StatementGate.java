package io.anabranch.frontend.limit;

import io.anabranch.rules.model.protection.Limit;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Places for statements that run at the same time, and the line before them. Statements of open
 * transactions come first: others may wait for their locks. Thread-safe, without locks.
 */
final class StatementGate {

  private final AtomicInteger running = new AtomicInteger();

  /** Those in line, and those that are just joining it. */
  private final AtomicInteger waiting = new AtomicInteger();

  private final Deque<QueuedStatement> ofTransactions = new ConcurrentLinkedDeque<>();
  private final Deque<QueuedStatement> others = new ConcurrentLinkedDeque<>();
  private volatile Limit.Statements settings;

  StatementGate(Limit.Statements settings) {
    this.settings = settings;
  }

  /** Lets in whom the new number allows. Who runs already goes on. */
  void settings(Limit.Statements changed) {
    settings = changed;
    letIn();
  }

  /** Takes a place; false if there is none, or if others wait for one. */
  boolean enter() {
    return (waiting.get() == 0 || !hasLine()) && take();
  }

  /**
   * Waits for a place.
   *
   * @return false if too many wait
   */
  boolean join(QueuedStatement statement, boolean inTransaction) {
    if (waiting.incrementAndGet() > settings.queue()) {
      waiting.decrementAndGet();
      return false;
    }
    (inTransaction ? ofTransactions : others).addLast(statement);
    letIn();
    return true;
  }

  /** Takes one out of the line that has given up. */
  void forget(QueuedStatement gone) {
    if (ofTransactions.remove(gone) || others.remove(gone)) {
      waiting.decrementAndGet();
    }
    letIn();
  }

  /** Gives a place back. */
  void leave() {
    running.decrementAndGet();
    if (waiting.get() > 0) {
      letIn();
    }
  }

  int running() {
    return running.get();
  }

  int waiting() {
    return waiting.get();
  }

  private boolean take() {
    int most = settings.most();
    while (true) {
      int now = running.get();
      if (most > 0 && now >= most) {
        return false;
      }
      if (running.compareAndSet(now, now + 1)) {
        return true;
      }
    }
  }

  /** As long as there are a place and somebody who waits: nobody is forgotten between the two. */
  private void letIn() {
    while (hasLine() && take()) {
      QueuedStatement next = next();
      if (next == null) {
        running.decrementAndGet();
      } else {
        waiting.decrementAndGet();
        next.run();
      }
    }
  }

  private boolean hasLine() {
    return !ofTransactions.isEmpty() || !others.isEmpty();
  }

  private @Nullable QueuedStatement next() {
    while (true) {
      QueuedStatement first = ofTransactions.pollFirst();
      if (first == null) {
        first = others.pollFirst();
      }
      if (first == null || first.admit()) {
        return first;
      }
      waiting.decrementAndGet();
    }
  }
}
