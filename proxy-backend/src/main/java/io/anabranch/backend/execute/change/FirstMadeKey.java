package io.anabranch.backend.execute.change;

import io.anabranch.backend.execute.source.SourceRun;
import io.anabranch.rules.plan.ShardQuery;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Which of the keys that the proxy made is that of the first row that was inserted, however the
 * rows came: generators count upwards, so it is the least that is there. Tables are asked in the
 * unit that has written the rows.
 */
final class FirstMadeKey {

  private final Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());
  private long least;

  /**
   * Asks for the least of some keys of a node, unless one of the keys before them is there.
   *
   * @param node stands for it
   * @param question answers NULL where none is there
   */
  void ask(SourceRun run, Object node, ShardQuery question) {
    if (found.contains(node)) {
      return;
    }
    long there = run.number(question);
    if (there != 0) {
      found.add(node);
      least = least == 0 || Long.compareUnsigned(there, least) < 0 ? there : least;
    }
  }

  /** 0: no row with such a key was inserted. */
  long known() {
    return least;
  }
}
