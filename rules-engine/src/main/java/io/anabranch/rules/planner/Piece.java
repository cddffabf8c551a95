package io.anabranch.rules.planner;

/** A part of a statement that is rendered once its targets and values are known. */
sealed interface Piece {

  /** Bytes as they are; never modified. */
  record Text(byte[] bytes) implements Piece {}

  /** A literal or parameter of the client. */
  record Slot(int slot) implements Piece {}

  /**
   * The actual table of a sharded one.
   *
   * @param table position among the statement's sharded table references
   */
  record Table(int table) implements Piece {}
}
