package io.anabranch.backend.topology;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Tells those who wait that a group's view has changed. Whoever stops waiting is forgotten at once,
 * because a group may stay as it is for hours. Thread-safe.
 */
final class ViewChanges {

  private final Map<Long, CompletableFuture<@Nullable Void>> waiting = new ConcurrentHashMap<>();
  private final AtomicLong last = new AtomicLong();

  /**
   * Completes with the next change. Take it before looking at the view, or the change may be
   * missed; cancel it if there is no need to wait.
   */
  CompletableFuture<@Nullable Void> next() {
    var change = new CompletableFuture<@Nullable Void>();
    Long number = last.incrementAndGet();
    waiting.put(number, change);
    var _ = change.whenComplete((_, _) -> waiting.remove(number));
    return change;
  }

  /** After the new view can be seen. */
  void happened() {
    waiting.values().forEach(change -> change.complete(null));
  }

  /** How many wait. */
  int size() {
    return waiting.size();
  }
}
