package io.anabranch.backend.pool;

import io.anabranch.rules.model.protection.Priority;
import io.netty.channel.EventLoop;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Those of one user and one event loop who wait for a connection, higher priorities in front, of
 * one priority first come, first served; apart by whether they have connections already. Guarded by
 * the lock of its {@link Gate}.
 */
final class WaitLine {

  /** Waits that differ by less are alike. */
  static final long ALIKE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** The highest first. */
  private static final List<Priority> PRIORITIES = List.of(Priority.values()).reversed();

  private final EventLoop loop;
  private final SequencedSet<Waiter> joining = new LinkedHashSet<>();
  private final Map<Priority, SequencedSet<Waiter>> others = new EnumMap<>(Priority.class);

  WaitLine(EventLoop loop) {
    this.loop = loop;
  }

  EventLoop loop() {
    return loop;
  }

  void add(Waiter waiter) {
    if (waiter.isJoining()) {
      joining.add(waiter);
    } else {
      others.computeIfAbsent(waiter.priority(), _ -> new LinkedHashSet<>()).add(waiter);
    }
  }

  /** Whether it was there. */
  boolean remove(Waiter waiter) {
    SequencedSet<Waiter> queue = waiter.isJoining() ? joining : others.get(waiter.priority());
    return queue != null && queue.remove(waiter);
  }

  @Nullable Waiter first(boolean isJoining) {
    SequencedSet<Waiter> queue = queue(isJoining);
    return queue == null ? null : queue.getFirst();
  }

  /** The first leaves; there is one. */
  Waiter take(boolean isJoining) {
    return Objects.requireNonNull(queue(isJoining)).removeFirst();
  }

  /** Whether its first has waited so much longer than the first of another that he is next. */
  boolean isPassedOver(WaitLine other, boolean isJoining, long now) {
    Waiter first = first(isJoining);
    Waiter others = other.first(isJoining);
    return first != null
        && others != null
        && now - first.sinceNanos() > 2 * (now - others.sinceNanos()) + ALIKE_NANOS;
  }

  boolean isEmpty() {
    return joining.isEmpty() && first(false) == null;
  }

  void addJoiningTo(Collection<Waiter> all) {
    all.addAll(joining);
  }

  void addOthersTo(Collection<Waiter> all) {
    for (Priority priority : PRIORITIES) {
      SequencedSet<Waiter> queue = others.get(priority);
      if (queue != null) {
        all.addAll(queue);
      }
    }
  }

  /** That of the highest priority; null: nobody waits. */
  private @Nullable SequencedSet<Waiter> queue(boolean isJoining) {
    if (isJoining) {
      return joining.isEmpty() ? null : joining;
    }
    for (Priority priority : PRIORITIES) {
      SequencedSet<Waiter> queue = others.get(priority);
      if (queue != null && !queue.isEmpty()) {
        return queue;
      }
    }
    return null;
  }
}
