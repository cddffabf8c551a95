package io.anabranch.rules.model;

/**
 * How a group's primary is known.
 *
 * @param holdWritesMilliseconds how long writes wait for a primary before they are refused
 */
public record Discovery(Kind kind, long holdWritesMilliseconds) {

  /** The configured writer is the primary. */
  public static final Discovery STATIC = new Discovery(Kind.STATIC, 0);

  /** Who says which member is the primary. */
  public enum Kind {
    STATIC,
    /** Asynchronous or semi-synchronous replication: the only one that is not read-only. */
    REPLICATION,
    /** MySQL Group Replication: the group itself. */
    GROUP_REPLICATION,
    /** All synchronised members could be: one is chosen, and kept while it is fit. */
    GALERA
  }
}
