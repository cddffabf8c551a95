package io.anabranch.backend.execute.source;

import io.anabranch.rules.plan.ShardQuery;

/**
 * Knows what no answer tells: whether a query that failed may have changed its connection's state
 * before, in a function or a trigger. Asked on virtual threads, may block.
 */
@FunctionalInterface
public interface UntoldState {

  /** Nothing is ever left. */
  UntoldState NONE = (_, _) -> false;

  /**
   * @param failed as it was sent
   * @param errno the database's
   */
  boolean mayBeLeft(ShardQuery failed, int errno);
}
