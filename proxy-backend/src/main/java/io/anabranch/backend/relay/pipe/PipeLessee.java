package io.anabranch.backend.relay.pipe;

import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.lease.Lessee;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.protection.Priority;
import io.netty.channel.EventLoop;

/**
 * Who has a shared connection: nobody's session. It holds nothing that others might wait for while
 * it waits itself.
 */
final class PipeLessee implements Lessee {

  private final PipeRoom room;
  private final EventLoop loop;
  private final long startedAt;
  private final String user;
  private final Priority priority;

  /**
   * @param first for whom the connection is asked
   */
  PipeLessee(PipeRoom room, EventLoop loop, Lessee first) {
    this.room = room;
    this.loop = loop;
    this.startedAt = first.startedAt();
    this.user = first.user();
    this.priority = first.priority();
  }

  @Override
  public boolean hasLeases() {
    return false;
  }

  @Override
  public long since() {
    return Long.MIN_VALUE;
  }

  @Override
  public long startedAt() {
    return startedAt;
  }

  @Override
  public String user() {
    return user;
  }

  @Override
  public Priority priority() {
    return priority;
  }

  /** Its statements are run by their sessions, which can be told. */
  @Override
  public void endWait(HeldLease waiting, RefusedException reason) {
    loop.execute(
        () -> {
          if (waiting.isUnchanged()) {
            room.giveUp(waiting.lease());
          }
        });
  }

  @Override
  public String toString() {
    return "several sessions";
  }
}
