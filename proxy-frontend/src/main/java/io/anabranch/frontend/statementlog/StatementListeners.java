package io.anabranch.frontend.statementlog;

import io.anabranch.rules.listener.ListenerDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The listeners of plug-ins that the configuration in force names. Thread-safe. */
public final class StatementListeners implements AutoCloseable {

  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final ListenerThread.Counts counts = new ListenerThread.Counts();
  private volatile List<ListenerThread> running = List.of();

  /**
   * Statements that end from now on are told these. A listener of the same name, type and props
   * goes on; others hear of what they have not heard of yet, for at most two seconds.
   */
  public synchronized void follow(List<ListenerDefinition> wanted) {
    List<ListenerThread> former = running;
    var next = new ArrayList<ListenerThread>();
    for (ListenerDefinition each : wanted) {
      next.add(
          former.stream()
              .filter(thread -> thread.definition().says(each))
              .findFirst()
              .orElseGet(() -> new ListenerThread(each, counts)));
    }
    running = List.copyOf(next);
    List<ListenerThread> left = former.stream().filter(each -> !next.contains(each)).toList();
    if (!left.isEmpty()) {
      var _ = Thread.ofVirtual().name("listeners-leave").start(() -> end(left));
    }
  }

  boolean areAny() {
    return !running.isEmpty();
  }

  /** Does not wait. */
  void tell(LoggedStatement statement) {
    for (ListenerThread each : running) {
      each.tell(statement);
    }
  }

  /** Statements that a listener has taken. */
  public long told() {
    return counts.told.sum();
  }

  /** Statements that came faster than a listener takes them. */
  public long dropped() {
    return counts.dropped.sum();
  }

  /** Statements for which a listener has thrown. */
  public long failed() {
    return counts.failed.sum();
  }

  private static void end(List<ListenerThread> threads) {
    long deadline = System.nanoTime() + END_NANOS;
    threads.forEach(ListenerThread::leave);
    threads.forEach(each -> each.awaitEnd(deadline));
  }

  /** Tells them what waits, for at most two seconds. */
  @Override
  public synchronized void close() {
    List<ListenerThread> last = running;
    running = List.of();
    end(last);
  }
}
