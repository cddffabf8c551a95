package io.anabranch.frontend.session;

import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.transaction.WaitEnding;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.protection.Priority;
import org.jspecify.annotations.Nullable;

/** Ends what a session waits for as KILL QUERY does, but for the reason. */
record WaitingStatement(Session session) implements WaitEnding {

  @Override
  public void end(HeldLease waiting, RefusedException reason) {
    session
        .loop()
        .execute(
            () -> {
              if (waiting.isUnchanged()) {
                session.command().interrupt(reason);
              }
            });
  }

  @Override
  public void giveWay() {
    session.giveWay();
  }

  @Override
  public int sessionId() {
    return session.id();
  }

  @Override
  public String user() {
    return session.user().name();
  }

  @Override
  public Priority priority() {
    return session.command().priority();
  }

  @Override
  public byte @Nullable [] origin() {
    return session.origin();
  }

  @Override
  public boolean raisesErrors() {
    return session.command().mentions("SIGNAL");
  }

  @Override
  public boolean isIdle() {
    return session.command().isIdle();
  }

  @Override
  public String toString() {
    return session.toString();
  }
}
