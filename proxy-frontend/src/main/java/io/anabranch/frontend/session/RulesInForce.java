package io.anabranch.frontend.session;

import io.anabranch.backend.transaction.Pin;
import io.anabranch.backend.transaction.SessionConnections;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.Authority;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which rules a session works with: those in force when its statement began, and as long as a
 * transaction is open, those that it began with. Like the session: on its event loop, or on the
 * virtual thread that works for it; {@link #used} for everybody.
 */
public final class RulesInForce {

  private final Session session;
  private final Supplier<Deployment> deployments;
  private Deployment deployment;

  /** What the session's databases and connections are needed of; null: of none. */
  private volatile @Nullable Deployment used;

  RulesInForce(Session session, Supplier<Deployment> deployments) {
    this.session = session;
    this.deployments = deployments;
    this.deployment = deployments.get();
  }

  Deployment deployment() {
    return deployment;
  }

  /**
   * The rules whose connections the session may take or have; null if it has and takes none. Any
   * thread: whoever has put others in force and sees these here must not close what they have.
   */
  public @Nullable Deployment used() {
    return used;
  }

  /**
   * A statement begins, with the rules that are in force now if nothing binds the session to those
   * that it has.
   *
   * @throws io.anabranch.rules.error.RefusedException if the session has what cannot be taken to
   *     the new rules, or its user is gone: its connection is to be closed, then
   */
  public void begin() {
    Deployment now = deployments.get();
    while (true) {
      if (!now.equals(deployment)) {
        renew(now);
      }
      // first told, then looked at again: see used()
      used = deployment;
      Deployment again = deployments.get();
      if (again.equals(now)) {
        return;
      }
      now = again;
    }
  }

  /** A command has ended. */
  public void ended() {
    if (!session.connections().areHeld()) {
      used = null;
    }
  }

  /** The session begins anew: nothing binds it. */
  void renewFreely() {
    Deployment now = deployments.get();
    Authority.User present = now.realm().present(session.user());
    if (!now.equals(deployment) && present != null) {
      session.account(present);
      take(now);
    }
  }

  private void renew(Deployment next) {
    SessionConnections connections = session.connections();
    boolean isInTransaction = session.transaction().hasOpened() || connections.pins().any(Pin.XA);
    if (isInTransaction && !isAsItWas(next)) {
      return;
    }
    if (connections.areBound()
        && !isInTransaction
        && !keepsConnections(next)
        && !session.database().moves(next)) {
      throw ErrorCatalogue.CONFIGURATION_CHANGED.refuse(connections.binding());
    }
    Authority.User present = next.realm().present(session.user());
    if (present == null) {
      throw ErrorCatalogue.ACCESS_DENIED.refuse(session.userName(), session.clientHost(), "YES");
    }
    boolean mayAsBefore =
        next.realm().allows(present).equals(deployment.realm().allows(session.user()));
    if (!mayAsBefore && connections.pins().any(Pin.OTHER)) {
      // what a connection keeps open, a HANDLER say, asks for no right any more
      throw ErrorCatalogue.CONFIGURATION_CHANGED.refuse(connections.binding());
    }
    session.account(present);
    take(next);
  }

  private void take(Deployment next) {
    deployment = next;
    session.database().follow(next);
  }

  /** Whether the database that the transaction is in has not changed. */
  private boolean isAsItWas(Deployment next) {
    Backend now = session.backend();
    return now == null
        ? next.continues(deployment)
        : now.equals(next.backend(now.database().name()));
  }

  /** Whether the connections that the session has are good under the next rules, too. */
  private boolean keepsConnections(Deployment next) {
    Backend now = session.backend();
    Backend then = now == null ? null : next.backend(now.database().name());
    if (now == null || then == null) {
      return now == null && next.continues(deployment);
    }
    boolean hasTables =
        session.connections().pins().any(Pin.TEMPORARY_TABLE)
            || session.connections().pins().any(Pin.LOCK_TABLES);
    boolean areServersSame =
        then.desk().equals(now.desk()) && then.topology().equals(now.topology());
    boolean arePlain = now.database().isOfOneEndpoint() && then.database().isOfOneEndpoint();
    return then.equals(now) || (areServersSame && (arePlain || !hasTables));
  }
}
