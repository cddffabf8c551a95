package io.anabranch.frontend.mirror;

import io.anabranch.backend.memory.SpareMemory;
import io.anabranch.frontend.rule.RuleCount;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** The lines of statements that wait for a mirror, one for each query rule. Thread-safe. */
public final class Mirrors {

  private final SpareMemory memory;
  private final Map<String, MirrorLine> lines = new ConcurrentHashMap<>();

  /**
   * @param memory what waits is charged to it
   */
  public Mirrors(SpareMemory memory) {
    this.memory = memory;
  }

  /**
   * Puts a statement into its rule's line, or drops it where that is full. Does not block.
   *
   * @param rule its name
   * @param inOrder whether one begins when the one before has been answered
   * @param background runs what blocks, a virtual thread each
   */
  public void send(
      String rule,
      boolean inOrder,
      MirroredStatement statement,
      RuleCount count,
      Executor background) {
    lines
        .computeIfAbsent(rule, name -> new MirrorLine(name, memory))
        .add(statement, inOrder, count, background);
  }
}
