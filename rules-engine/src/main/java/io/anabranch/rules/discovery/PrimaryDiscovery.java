package io.anabranch.rules.discovery;

import java.util.List;
import java.util.Optional;

/**
 * Says which member of a group is its primary. Asked each time a member has answered its health
 * check, or has not, by the thread that heard of it, an event loop among them, for one group at a
 * time: must not block. What it learns from elsewhere, a registry or a tool that promotes, it
 * learns on a thread of its own, and answers from memory.
 *
 * <p>It promotes nobody: writes go to the member that it names as long as that answers and is not
 * read-only, else they wait. What it throws leaves the primary that it was.
 */
@FunctionalInterface
public interface PrimaryDiscovery {

  /**
   * @param group the group's name
   * @param members in the configured order, the configured writer first; not to be kept
   * @param current the primary so far; empty: none is known
   * @return the name of a member; empty: none is known now, and writes wait
   */
  Optional<String> primary(
      String group, List<? extends Candidate> members, Optional<String> current);

  /** A member, and what it said of itself when it was last asked. */
  interface Candidate {

    /** The data source's name. */
    String name();

    /** Whether it answers; the others say what it said before. */
    boolean isAnswering();

    /** Whether plain accounts cannot write there; true as well if it has not been asked yet. */
    boolean isReadOnly();

    /** What its replicas call it, server id or UUID; empty: unknown. */
    String identity();

    /** The {@link #identity} of the server that it replicates from; empty: none, or unknown. */
    String sourceIdentity();

    /** How far it is behind its source; -1: unknown. */
    long lagMilliseconds();
  }
}
