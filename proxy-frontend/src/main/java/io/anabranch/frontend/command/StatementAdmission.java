package io.anabranch.frontend.command;

import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.Interruption;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.limit.QueuedStatement;
import io.anabranch.frontend.limit.SubjectLimits;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.RefusedException;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets the current statement go on to databases when all limits that concern it have a place, and
 * gives the places back when it has ended. What the proxy answers itself needs none.
 */
final class StatementAdmission {

  private final Session session;
  private final CurrentStatement statement;
  private final Interruption interruption;
  private final StatementCourse course;
  private final Runnable then;

  private List<SubjectLimits> shares = List.of();

  /** In how many of them, from the first on, the statement has a place. */
  private int entered;

  private boolean isAdmitted;

  /**
   * @param then goes on with the statement
   */
  StatementAdmission(
      Session session,
      CurrentStatement statement,
      Interruption interruption,
      StatementCourse course,
      Runnable then) {
    this.session = session;
    this.statement = statement;
    this.interruption = interruption;
    this.course = course;
    this.then = then;
  }

  /**
   * Goes on with the statement, now or when there is a place.
   *
   * @throws RefusedException 1226 if there will be none
   */
  void admit() {
    if (isAdmitted) {
      then.run();
      return;
    }
    List<SubjectLimits> own = session.limitsOf(statement.scan());
    if (own.isEmpty()) {
      then.run();
      return;
    }
    isAdmitted = true;
    long now = session.limits().now();
    for (SubjectLimits share : own) {
      RefusedException refusal = share.refusesRate(now);
      if (refusal != null) {
        throw refusal;
      }
    }
    shares = own;
    if (enter()) {
      then.run();
    }
  }

  /** The statement has ended, whether it ran or not. */
  void ended() {
    isAdmitted = false;
    while (entered > 0) {
      entered--;
      shares.get(entered).leave();
    }
    shares = List.of();
  }

  /** False if the statement waits. */
  private boolean enter() {
    while (entered < shares.size()) {
      SubjectLimits share = shares.get(entered);
      if (!share.enter()) {
        new Place(share).queue();
        return false;
      }
      entered++;
    }
    return true;
  }

  /** The statement's place in one line. */
  private final class Place {

    private final SubjectLimits share;
    private final long milliseconds;
    private final QueuedStatement queued;
    private @Nullable Future<?> deadline;

    Place(SubjectLimits share) {
      this.share = share;
      milliseconds = share.queueMilliseconds();
      queued = new QueuedStatement(session.loop(), this::admitted);
    }

    void queue() {
      RefusedException refusal = share.join(queued, session.transaction().hasOpened());
      if (refusal != null) {
        throw refusal;
      }
      interruption.queued(this::end);
      deadline = session.loop().schedule(this::tooLong, milliseconds, TimeUnit.MILLISECONDS);
    }

    private void admitted() {
      over();
      entered++;
      RuntimeException ending = interruption.reason();
      if (ending != null) {
        course.fail(ending);
        return;
      }
      course.step(
          () -> {
            if (enter()) {
              then.run();
            }
          });
    }

    private void tooLong() {
      if (gaveUp()) {
        course.fail(share.waitedTooLong(milliseconds));
      }
    }

    /** Who is killed, or whose client goes, waits no more. */
    private void end(RuntimeException reason) {
      if (gaveUp()) {
        course.fail(reason);
      }
    }

    /** False if the statement has been let in, which it will be told. */
    private boolean gaveUp() {
      if (!queued.giveUp()) {
        return false;
      }
      over();
      share.forget(queued);
      return true;
    }

    private void over() {
      interruption.unqueued();
      Future<?> timer = deadline;
      if (timer != null) {
        timer.cancel(false);
      }
    }
  }
}
