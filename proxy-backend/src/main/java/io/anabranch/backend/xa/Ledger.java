package io.anabranch.backend.xa;

import io.anabranch.backend.transaction.commit.CommitBarrier;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The transactions that this process is ending with two phases. Thread-safe. */
final class Ledger {

  /** How far a transaction is. */
  enum Stage {
    /** A thread is at it: nobody else touches its branches. */
    ACTIVE,
    /** Nobody knows yet what the log says; the branches wait. */
    UNDECIDED,
    /** In the log; some branch has not been committed yet: for the recovery. */
    UNFINISHED
  }

  private static final String INHERITANCE = "what this node was committing before it was started";

  private final Map<GlobalId, Stage> stages = new ConcurrentHashMap<>();
  private final CommitBarrier barrier;

  /** Snapshots wait until {@link #inherited}. */
  Ledger(CommitBarrier barrier) {
    this.barrier = barrier;
    barrier.halfDone(INHERITANCE);
  }

  /**
   * Nothing is left of what a process before this one was committing: until that is known snapshots
   * might show half of it.
   */
  void inherited() {
    barrier.done(INHERITANCE);
  }

  void begin(GlobalId transaction) {
    stages.put(transaction, Stage.ACTIVE);
  }

  /** The log could not be asked; it will tell. */
  void undecided(GlobalId transaction) {
    barrier.halfDone(transaction.toString());
    stages.put(transaction, Stage.UNDECIDED);
  }

  void unfinished(GlobalId transaction) {
    barrier.halfDone(transaction.toString());
    stages.put(transaction, Stage.UNFINISHED);
  }

  /** All branches are committed, or what is left of them is to be rolled back. */
  void end(GlobalId transaction) {
    stages.remove(transaction);
    barrier.done(transaction.toString());
  }

  /** Null for one that is not being ended: the log says what is to become of its branches. */
  @Nullable Stage stage(GlobalId transaction) {
    return stages.get(transaction);
  }

  /** Those that wait for the recovery. */
  List<GlobalId> unfinished() {
    return stages.entrySet().stream()
        .filter(entry -> entry.getValue() == Stage.UNFINISHED)
        .map(Map.Entry::getKey)
        .toList();
  }
}
