package io.anabranch.backend.xa;

/**
 * A prepared branch that the last look at the databases found.
 *
 * @param source where it is
 * @param transaction global part of its name
 * @param branch branch part
 * @param kind whose it is
 * @param ageMilliseconds since it was seen first
 */
public record InDoubt(
    String source, String transaction, String branch, Kind kind, long ageMilliseconds) {

  /** Whose a branch is, and what is done with it. */
  public enum Kind {
    /** A living process ends it. */
    IN_PROGRESS,
    /** To be resolved, but its database did not let us yet. */
    WAITING,
    /** The log does not say yet what is to become of it. */
    UNDECIDED,
    /** Named by a cluster of the same name with another log: only an operator can end it. */
    FOREIGN
  }
}
