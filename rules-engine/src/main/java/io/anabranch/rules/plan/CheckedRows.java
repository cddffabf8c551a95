package io.anabranch.rules.plan;

import org.jspecify.annotations.Nullable;

/**
 * The rows of an INSERT or REPLACE one by one, for the case that another node has a key of one of
 * them. Used by one thread, while the client's statement runs.
 */
public interface CheckedRows {

  int count();

  /** Position of the node where a row belongs. */
  int own(int row);

  /**
   * As {@link KeyCheck#condition} says.
   *
   * @throws io.anabranch.rules.error.RefusedException likewise
   */
  byte @Nullable [] condition(int row, int key);

  /** The statement with one of its rows, for any node. */
  ShardQuery statement(int row, int node);
}
