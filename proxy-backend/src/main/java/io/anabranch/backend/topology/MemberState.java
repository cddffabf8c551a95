package io.anabranch.backend.topology;

/** Whether a member takes statements. */
public enum MemberState {
  ONLINE,
  /** It answers, but is too far behind, or its replication stands still: it takes no reads. */
  LAGGING,
  /** It does not answer, or its cluster has put it out. */
  DOWN,
  /** An administrator took it out: what runs goes on, nothing new comes. */
  OFFLINE_SOFT
}
