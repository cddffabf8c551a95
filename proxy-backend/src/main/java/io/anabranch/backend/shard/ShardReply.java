package io.anabranch.backend.shard;

import org.jspecify.annotations.Nullable;

/**
 * What came of a statement without rows: exactly one of both is there.
 *
 * @param outcome what the database's OK packet says
 * @param failure why there is none
 */
public record ShardReply(@Nullable ShardOutcome outcome, @Nullable ShardException failure) {

  public static ShardReply of(ShardOutcome outcome) {
    return new ShardReply(outcome, null);
  }

  public static ShardReply of(ShardException failure) {
    return new ShardReply(null, failure);
  }

  /** Whether the connection broke. */
  public boolean isLost() {
    return failure instanceof ShardException.Lost;
  }
}
