package io.anabranch.rules.model;

import java.util.Map;

/**
 * What reads of a group may see, and where they go. Times in milliseconds.
 *
 * @param consistency of sessions that choose none themselves
 * @param consistencyTimeoutMilliseconds how long a replica may take to catch up before the primary
 *     is asked instead
 * @param primaryAfterWriteMilliseconds how long a session's reads go to the primary after a write
 *     of it; 0: not at all
 * @param readOnlyTransactionsOnReplicas whether {@code START TRANSACTION READ ONLY} picks a replica
 *     and stays with it, whatever the strategy for other transactions is
 * @param noReplica what reads do while no replica is fit
 * @param noReplicaWaitMilliseconds for {@link NoReplica#WAIT}
 * @param users by user name, what differs for that user
 * @param digests by statement digest, see {@code rules.lexer.StatementDigest}
 */
public record ReadPolicy(
    Consistency consistency,
    long consistencyTimeoutMilliseconds,
    long primaryAfterWriteMilliseconds,
    boolean readOnlyTransactionsOnReplicas,
    NoReplica noReplica,
    long noReplicaWaitMilliseconds,
    Map<String, UserReads> users,
    Map<String, Destination> digests) {

  /** What holds where nothing is configured. */
  public static final ReadPolicy DEFAULT =
      new ReadPolicy(
          Consistency.EVENTUAL, 1000, 0, true, NoReplica.PRIMARY, 2000, Map.of(), Map.of());

  public ReadPolicy {
    users = Map.copyOf(users);
    digests = Map.copyOf(digests);
  }

  /** Whether reads of anybody are configured to see any writes for sure. */
  public boolean promisesAnything() {
    return consistency != Consistency.EVENTUAL
        || users.values().stream().anyMatch(user -> user.consistency() != Consistency.EVENTUAL);
  }

  /** Which writes a read is sure to see. */
  public enum Consistency {
    /** None: replicas answer as they are. */
    EVENTUAL,
    /** Those of the same session. */
    SESSION,
    /** Those of all sessions of the same user through this proxy. */
    USER,
    /** All that were acknowledged before the read came, by whichever way. */
    GLOBAL
  }

  /** What a read does while no replica is fit. */
  public enum NoReplica {
    PRIMARY,
    WAIT,
    ERROR
  }

  /** Where a kind of statement goes. */
  public enum Destination {
    PRIMARY,
    REPLICA
  }

  /**
   * @param destination of the user's plain reads
   */
  public record UserReads(Consistency consistency, Destination destination) {}
}
