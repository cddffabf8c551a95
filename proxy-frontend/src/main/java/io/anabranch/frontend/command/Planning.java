package io.anabranch.frontend.command;

import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.frontend.privilege.Privileges;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.PlanScope;

/** Plans the current statement and binds its values, on the event loop where the plan is known. */
final class Planning {

  private final Session session;
  private final CurrentStatement statement;
  private final StatementCourse course;

  Planning(Session session, CurrentStatement statement, StatementCourse course) {
    this.session = session;
    this.statement = statement;
    this.course = course;
  }

  void plan() {
    PlanScope wanted = session.scope();
    Backend on = session.backend();
    if (wanted == null || on == null) {
      on = UnscopedStatement.backend(statement.source(), statement.scan.kind(), session);
      wanted = session.scopeOf(on);
    }
    statement.backend = on;
    StatementPlan cached = session.deployment().planner().cached(statement.scan, wanted);
    if (cached != null) {
      bind(cached);
    } else {
      planMiss(wanted);
    }
  }

  private void planMiss(PlanScope wanted) {
    String literal = SessionFunctions.replace(statement.source(), session);
    if (literal != null) {
      statement.replace(literal);
      StatementPlan cached = session.deployment().planner().cached(statement.scan, wanted);
      if (cached != null) {
        bind(cached);
        return;
      }
    }
    Backend on = statement.targetBackend();
    course.blocking(
        () -> {
          Privileges.check(
              statement.source(), session, name -> isOwn(on, name) || isBeside(on, name));
          StatementPlan fresh = session.deployment().planner().plan(statement.scan, wanted);
          return () -> bind(fresh);
        });
  }

  /** The logical database's name, or what the server calls it. Blocks. */
  static boolean isOwn(Backend on, String name) {
    return on.database().name().equalsIgnoreCase(name)
        || on.database().endpoints().stream()
            .anyMatch(endpoint -> on.catalog().defaultSchema(endpoint).equalsIgnoreCase(name));
  }

  /** Whether it is another database of the same server, and the user's too. */
  private boolean isBeside(Backend on, String name) {
    Backend other = session.deployment().backend(name);
    return other != null && session.isPermitted(name) && on.database().isBeside(other.database());
  }

  private void bind(StatementPlan found) {
    statement.plan = found;
    statement.names = found.names();
    statement.access = found.access();
    BoundPlan bound = found.bind(statement.slots());
    statement.planned = System.nanoTime();
    SessionTransaction transaction = session.transaction();
    boolean commits =
        statement.prepareReply == null && ImplicitCommit.precedes(statement.scan, transaction);
    if (!commits) {
      course.run(bound);
    } else if (transaction.hasOpened()) {
      course.blocking(
          () -> {
            transaction.commitBeforeDdl();
            return () -> course.run(bound);
          });
    } else {
      transaction.commitBeforeDdl();
      course.run(bound);
    }
  }
}
