package io.anabranch.app.live;

import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Which sessions may still take or have connections of desks that are not in force any more. A desk
 * must be out of the deployment first, see {@link io.anabranch.frontend.session.RulesInForce#used}.
 * Thread-safe.
 *
 * @param sessions all that there are
 */
record DeskUsers(Supplier<Collection<Session>> sessions) {

  private static final long PAUSE_MILLISECONDS = 20;

  /**
   * Waits for them.
   *
   * @return whether there are none left; false: the limit is over
   */
  boolean areGoneWithin(List<? extends LeaseDesk> desks, long milliseconds)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
    while (sessions.get().stream().anyMatch(session -> uses(session, desks))) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      Thread.sleep(PAUSE_MILLISECONDS);
    }
    return true;
  }

  boolean uses(Session session, List<? extends LeaseDesk> desks) {
    Deployment used = session.rules().used();
    return used != null
        && used.backends().values().stream().anyMatch(backend -> desks.contains(backend.desk()));
  }
}
