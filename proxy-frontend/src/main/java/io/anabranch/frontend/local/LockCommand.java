package io.anabranch.frontend.local;

import io.anabranch.backend.transaction.Pin;
import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.plan.LockedTables;

/** What ends LOCK TABLES: another one, UNLOCK TABLES, BEGIN. Stateless. */
final class LockCommand {

  private LockCommand() {}

  /** LOCK TABLES, which first unlocks what the session has locked in sharded databases. */
  static void lock(Answer answer) {
    if (answer.session().database().locks().isEmpty()) {
      answer.plan();
    } else {
      unlock(answer, answer::plan);
    }
  }

  /** UNLOCK TABLES, on all connections that have locks. */
  static void unlock(Answer answer) {
    if (answer.session().connections().pins().any(Pin.LOCK_TABLES)) {
      unlock(
          answer,
          () -> {
            if (!answer.session().transaction().isOpen()) {
              answer.session().changes().transaction(false);
            }
            answer.ok();
          });
    } else {
      answer.ok();
    }
  }

  /** Of LOCK TABLES; of a database that is passed through its connection alone knows which. */
  static boolean areHeld(Session session) {
    return !session.database().locks().isEmpty()
        || session.connections().pins().any(Pin.LOCK_TABLES);
  }

  /** Commits if tables are locked, as servers do, unlocks them, and goes on. */
  static void unlock(Answer answer, Runnable next) {
    answer.blocking(
        () -> {
          release(answer.session());
          return () -> {
            answer.session().database().locks(LockedTables.NONE);
            next.run();
          };
        });
  }

  /** Blocks. */
  private static void release(Session session) {
    var transaction = session.transaction();
    if (!session.database().locks().isEmpty() && transaction.isOpen()) {
      transaction.requireNotGone();
      transaction.commit(false);
    }
    transaction.connections().unlock(session.settings());
  }
}
