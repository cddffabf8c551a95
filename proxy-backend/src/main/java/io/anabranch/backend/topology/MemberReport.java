package io.anabranch.backend.topology;

import org.jspecify.annotations.Nullable;

/**
 * What a data source said of itself when it was asked for its health.
 *
 * @param askedNanos {@link System#nanoTime} before the question was sent
 * @param version as the server tells it
 * @param identity what replicas call it: server id or UUID; empty if it was not asked
 * @param isReadOnly whether plain accounts cannot write there
 * @param source whom it replicates from; null: from nobody
 * @param lagMilliseconds how far it is behind; -1: unknown
 * @param membership what its cluster says of it; null outside of clusters
 * @param hasPositions whether writes can be followed by GTID
 */
public record MemberReport(
    long askedNanos,
    String version,
    String identity,
    boolean isReadOnly,
    @Nullable Source source,
    long lagMilliseconds,
    @Nullable Membership membership,
    boolean hasPositions) {

  /** Lag that nobody knows. */
  public static final long UNKNOWN_LAG = -1;

  MemberReport asReadOnly() {
    return new MemberReport(
        askedNanos, version, identity, true, source, lagMilliseconds, membership, hasPositions);
  }

  /**
   * Whom a replica follows.
   *
   * @param identity of the source; empty while it has not been reached, or may not be seen
   * @param isApplying whether it applies what it gets; false as well if it has given up getting
   *     anything
   * @param isConnected whether it gets anything
   * @param state for people: what stands still and why
   */
  public record Source(String identity, boolean isApplying, boolean isConnected, String state) {}

  /**
   * A member's place in its cluster.
   *
   * @param isServing whether it may take statements at all
   * @param isPrimary whether it may take writes
   * @param state for people
   */
  public record Membership(boolean isServing, boolean isPrimary, String state) {}
}
