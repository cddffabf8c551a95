package io.anabranch.rules.resolve;

import java.util.BitSet;

/** Where a statement goes with the values of one execution. */
public sealed interface Targets {

  /**
   * One data source has all that the statement needs.
   *
   * @param nodes node of each sharded table reference
   */
  record One(String dataSource, int[] nodes) implements Targets {}

  /**
   * All sharded tables share these nodes; more than one.
   *
   * @param legs positions in the layout of the first sharded table reference
   */
  record Many(BitSet legs) implements Targets {}

  /** The tables do not meet anywhere. */
  record Apart(String construct) implements Targets {}
}
