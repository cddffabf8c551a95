package io.anabranch.frontend.mirror;

import io.anabranch.backend.memory.SpareMemory;
import io.anabranch.frontend.notice.Pace;
import io.anabranch.frontend.rule.RuleCount;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The statements of one rule that wait for its mirror, and the few that run there. Who comes when
 * it is full is dropped and counted, so that nobody ever waits. Thread-safe.
 */
final class MirrorLine {

  private static final Logger log = LoggerFactory.getLogger("io.anabranch.rules");

  /** Statements that wait; more would be out of date when their turn comes. */
  static final int MOST_WAITING = 1000;

  static final long MOST_BYTES = 16L << 20;

  /** Connections that a mirror takes for one rule. */
  static final int MOST_RUNNING = 4;

  private final String rule;
  private final SpareMemory memory;
  private final Pace pace = new Pace(System::nanoTime);

  // guarded by this
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private long bytes;
  private int running;

  private record Waiting(MirroredStatement statement, RuleCount count) {}

  MirrorLine(String rule, SpareMemory memory) {
    this.rule = rule;
    this.memory = memory;
  }

  void add(MirroredStatement statement, boolean inOrder, RuleCount count, Executor background) {
    if (!keeps(statement, count)) {
      count.mirrorDropped();
      statement.over().run();
      return;
    }
    if (begins(inOrder ? 1 : MOST_RUNNING)) {
      background.execute(this::run);
    }
  }

  private synchronized boolean keeps(MirroredStatement statement, RuleCount count) {
    long weight = statement.weight();
    boolean hasRoom =
        waiting.size() < MOST_WAITING && bytes + weight <= MOST_BYTES && memory.take(weight);
    if (hasRoom) {
      bytes += weight;
      waiting.add(new Waiting(statement, count));
    }
    return hasRoom;
  }

  private synchronized boolean begins(int most) {
    boolean isWanted = running < most && !waiting.isEmpty();
    if (isWanted) {
      running++;
    }
    return isWanted;
  }

  /** Null: this runner ends. */
  private synchronized @Nullable Waiting next() {
    Waiting next = waiting.poll();
    if (next == null) {
      running--;
    } else {
      bytes -= next.statement.weight();
      memory.give(next.statement.weight());
    }
    return next;
  }

  /** On a virtual thread of its own. */
  private void run() {
    for (Waiting next = next(); next != null; next = next()) {
      boolean succeeded = false;
      try {
        next.statement.run();
        succeeded = true;
      } catch (RuntimeException failure) {
        tell(next.statement, failure);
      } finally {
        next.statement.over().run();
        next.count.mirrored(succeeded);
      }
    }
  }

  private void tell(MirroredStatement statement, RuntimeException failure) {
    long others = pace.next();
    if (others >= 0) {
      log.warn(
          "the rule {}: its mirror {} has failed: {}{}",
          rule,
          statement.endpoint(),
          failure.getMessage(),
          Pace.others(others));
    }
  }
}
