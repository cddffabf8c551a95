package io.anabranch.app.live;

import io.anabranch.backend.pool.HikariLeaseDesk;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes what databases have that are not in force any more, once no session uses it, or after a
 * limit. Thread-safe.
 */
final class Departure {

  private static final Logger log = LoggerFactory.getLogger(Departure.class);
  private static final long EXPIRY_MILLISECONDS = 1000;

  private final DeskUsers sessions;
  private final ServerUsers users;
  private final long limitMilliseconds;

  /** In force or not, not closed yet. */
  private final List<RunningDatabase> present = new ArrayList<>();

  /**
   * @param sessions all that there are
   * @param limitMilliseconds how long transactions may go on with what is not in force any more
   */
  Departure(Supplier<Collection<Session>> sessions, ServerUsers users, long limitMilliseconds) {
    this.sessions = new DeskUsers(sessions);
    this.users = users;
    this.limitMilliseconds = limitMilliseconds;
  }

  synchronized void arrived(RunningDatabase database) {
    present.add(database);
  }

  /** What there is besides. */
  private synchronized List<RunningDatabase> forget(RunningDatabase gone) {
    present.remove(gone);
    return List.copyOf(present);
  }

  /** All that is not closed yet, in force or not. */
  synchronized List<RunningDatabase> present() {
    return List.copyOf(present);
  }

  /**
   * These are not in force any more. Does not wait for those who use them.
   *
   * @param inForce what has taken their place
   */
  void leave(Collection<RunningDatabase> former, Collection<RunningDatabase> inForce) {
    var leaving = new ArrayList<RunningDatabase>();
    for (RunningDatabase each : former) {
      if (inForce.stream().anyMatch(other -> other.desk().equals(each.desk()))) {
        forget(each);
      } else {
        leaving.add(each);
      }
    }
    if (!leaving.isEmpty()) {
      var _ =
          Thread.ofVirtual()
              .name("configuration-leaves")
              .start(() -> end(leaving, List.copyOf(inForce)));
    }
  }

  private void end(List<RunningDatabase> former, List<RunningDatabase> inForce) {
    List<HikariLeaseDesk> desks = former.stream().map(RunningDatabase::desk).toList();
    try {
      if (!sessions.areGoneWithin(desks, limitMilliseconds)) {
        log.warn(
            "configuration: transactions on the former one have not ended within {} ms: they are"
                + " rolled back",
            limitMilliseconds);
        sessions.sessions().get().forEach(session -> expire(session, desks));
        sessions.areGoneWithin(desks, EXPIRY_MILLISECONDS);
      }
      for (RunningDatabase each : former) {
        close(each, inForce);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void expire(Session session, List<HikariLeaseDesk> former) {
    session
        .loop()
        .execute(
            () -> {
              if (sessions.uses(session, former) && session.command().isIdle()) {
                session
                    .transaction()
                    .expire(ErrorCatalogue.CONFIGURATION_LEFT.refuse(limitMilliseconds));
              }
            });
  }

  private void close(RunningDatabase former, List<RunningDatabase> inForce)
      throws InterruptedException {
    List<RunningDatabase> others = forget(former);
    former.watching().close();
    former.describing().close();
    users.left(former, inForce.stream().noneMatch(each -> each.key().equals(former.key())));
    CompletableFuture<Void> drained =
        former.desk().leaveTo(others.stream().map(RunningDatabase::desk).toList());
    try {
      drained.get(EXPIRY_MILLISECONDS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException stillUsed) {
      log.warn("database {}: connections are cut that are still used", former.database().name());
      former.desk().cutBeside(others.stream().map(RunningDatabase::desk).toList());
    } catch (ExecutionException failed) {
      log.warn("database {}: pools did not end", former.database().name(), failed);
    }
  }
}
