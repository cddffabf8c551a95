package io.anabranch.app.tpcc;

import io.anabranch.app.tpcc.Transactions.Card;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What terminals have seen. Thread-safe; complete when they have ended. */
public final class Tally {

  private final Map<Card, Queue<Long>> nanos = new EnumMap<>(Card.class);
  private final Queue<Integer> retries = new ConcurrentLinkedQueue<>();
  private final Queue<Boolean> rollbacks = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  Tally() {
    for (Card card : Card.values()) {
      nanos.put(card, new ConcurrentLinkedQueue<>());
    }
  }

  void committed(Card card, long took) {
    of(card).add(took);
  }

  void rolledBack() {
    rollbacks.add(true);
  }

  void triedAgain(int errno) {
    retries.add(errno);
  }

  void failed(Throwable failure) {
    failures.add(failure);
  }

  private Queue<Long> of(Card card) {
    Queue<Long> queue = nanos.get(card);
    if (queue == null) {
      throw new IllegalStateException("no " + card);
    }
    return queue;
  }

  /** Lost connections, and errors that are neither a deadlock nor a lock wait timeout. */
  public List<Throwable> failures() {
    return List.copyOf(failures);
  }

  public int committed() {
    int sum = 0;
    for (Card card : Card.values()) {
      sum += of(card).size();
    }
    return sum;
  }

  /** Committed, milliseconds in the middle and at 95 of 100, by transaction. */
  @Override
  public String toString() {
    var text = new StringBuilder().append(committed()).append(" committed");
    for (Card card : Card.values()) {
      long[] sorted = of(card).stream().mapToLong(Long::longValue).sorted().toArray();
      text.append("; ").append(card).append(' ').append(sorted.length);
      if (sorted.length > 0) {
        text.append(" (%.1f, %.1f ms)".formatted(at(sorted, 50), at(sorted, 95)));
      }
    }
    var again = new TreeMap<Integer, Integer>();
    retries.forEach(errno -> again.merge(errno, 1, Integer::sum));
    return text.append("; ")
        .append(rollbacks.size())
        .append(" rolled back as they shall; tried again ")
        .append(again)
        .append("; failed ")
        .append(Arrays.toString(failures.toArray()))
        .toString();
  }

  private static double at(long[] sorted, int percent) {
    return sorted[(sorted.length - 1) * percent / 100] / 1e6;
  }
}
