package io.anabranch.rules.algorithm.balance;

import java.util.List;

/**
 * Chooses the replica that a read goes to. Thread-safe; must not block, for it is asked on event
 * loops, for each read that may go to several.
 */
@FunctionalInterface
public interface LoadBalancer {

  /**
   * @param group the group's name
   * @param replicas that are fit and have not failed this read; two or more, in no order that means
   *     anything; not to be kept, nor changed
   * @return the position of one of them, from 0
   */
  int choose(String group, List<? extends Replica> replicas);

  /** A replica, as it is now. */
  interface Replica {

    /** The data source's name. */
    String name();

    /** Statements that it has been given and not answered. */
    int running();

    /** How long reads take there, a moving average in nanoseconds; 0: it was given none. */
    long latencyNanos();

    /** How far it is behind its primary, as it last said; -1: unknown. */
    long lagMilliseconds();
  }
}
