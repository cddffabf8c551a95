package io.anabranch.frontend.current;

import io.anabranch.backend.topology.Member;
import io.anabranch.backend.topology.position.Position;
import org.jspecify.annotations.Nullable;

/**
 * Where in a read/write group the statement was tried, and what came of it: a read whose replica
 * broke is tried on another one, and at last on the primary.
 */
public final class Attempts {

  private @Nullable Member member;
  private @Nullable Position awaited;
  private long tried;
  private long refused;
  private @Nullable RuntimeException failure;
  private boolean primaryOnly;
  private boolean retried;
  private boolean sharesNoMore;

  Attempts() {}

  void begin() {
    member = null;
    awaited = null;
    tried = 0;
    refused = 0;
    failure = null;
    primaryOnly = false;
    retried = false;
    sharesNoMore = false;
  }

  /** A read failed on its member: another one may do it. */
  public void failedOn(Member where, RuntimeException reason) {
    tried |= where.bit();
    failure = reason;
  }

  /** It is tried there again, although a read has failed there. */
  public void mayTry(Member where) {
    tried &= ~where.bit();
  }

  /**
   * A member said that it takes no writes. Programs can say so, too: what it says a second time,
   * when it has been asked whether it is so, is the client's.
   */
  public void refusedBy(Member where) {
    refused |= where.bit();
  }

  public boolean isRefusedBy(Member where) {
    return (refused & where.bit()) != 0;
  }

  /** Bits of members on which a read has failed. */
  public long tried() {
    return tried;
  }

  /** How the last of {@link #tried} failed. */
  public @Nullable RuntimeException failure() {
    return failure;
  }

  /** Where it runs; null before it was found. */
  public @Nullable Member member() {
    return member;
  }

  public void member(@Nullable Member next) {
    member = next;
  }

  /** What the replica is to have applied before it answers; null: nothing in particular. */
  public @Nullable Position awaited() {
    return awaited;
  }

  public void awaited(@Nullable Position next) {
    awaited = next;
  }

  /** No replica showed in time what the read must see. */
  public boolean primaryOnly() {
    return primaryOnly;
  }

  public void primaryOnly(boolean next) {
    primaryOnly = next;
  }

  /** It was run once and lost its connection before it could have any effect. */
  public boolean retried() {
    return retried;
  }

  public void retried(boolean next) {
    retried = next;
  }

  /** It was sent on a connection that others use: if it is run again, then on its own. */
  public boolean sharesNoMore() {
    return sharesNoMore;
  }

  public void sharesNoMore(boolean next) {
    sharesNoMore = next;
  }
}
