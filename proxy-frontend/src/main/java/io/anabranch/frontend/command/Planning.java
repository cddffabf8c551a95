package io.anabranch.frontend.command;

import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.frontend.privilege.Privileges;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.PreparedStatement;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.PlanScope;

/** Plans the current statement and binds its values, on the event loop where the plan is known. */
final class Planning {

  /** Of databases that are called as their server calls them. */
  private static final NameMapping SAME_NAMES = NameMapping.ofSchema("");

  private final Session session;
  private final CurrentStatement statement;
  private final StatementCourse course;

  Planning(Session session, CurrentStatement statement, StatementCourse course) {
    this.session = session;
    this.statement = statement;
    this.course = course;
  }

  void plan() {
    PlanScope wanted = session.database().scope();
    Backend on = session.backend();
    PreparedStatement prepared = statement.prepared;
    if (prepared != null && on != null && !prepared.isOf(on.database().name())) {
      on = preparedIn(prepared, on);
      wanted = session.database().scopeOf(on);
    }
    if (wanted == null || on == null) {
      on = UnscopedStatement.backend(statement.source(), statement.scan.kind(), session);
      wanted = session.database().scopeOf(on);
    }
    statement.backend = on;
    if (statement.readOtherwise() != null
        && (statement.wantsCursor || !on.database().isPassThrough())) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "executing what was prepared under another character set, collation or sql_mode "
              + (statement.wantsCursor ? "with a cursor" : "in a sharded database"),
          "prepare it again");
    }
    StatementPlan cached = session.deployment().planner().cached(statement.scan, wanted);
    if (cached != null) {
      bind(cached);
    } else {
      planMiss(wanted);
    }
  }

  /** Prepared statements stay with the database that was selected when they were prepared. */
  private Backend preparedIn(PreparedStatement prepared, Backend current) {
    String database = prepared.database();
    return database == null ? current : session.database().permitted(database);
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
    return other != null
        && session.database().isPermitted(name)
        && on.database().isBeside(other.database());
  }

  private void bind(StatementPlan found) {
    statement.plan = found;
    boolean hasMoved = session.transaction().connections().haveMoved();
    statement.names = hasMoved ? SAME_NAMES : found.names();
    statement.access = found.access();
    BoundPlan bound = found.bind(statement.slots());
    statement.planned = System.nanoTime();
    SessionTransaction transaction = session.transaction();
    boolean commits = statement.prepareReply == null && ImplicitCommit.precedes(statement, session);
    if (!commits) {
      course.run(bound);
    } else if (transaction.isBegun()) {
      course.blocking(
          () -> {
            ImplicitCommit.run(statement, session);
            return () -> course.run(bound);
          });
    } else {
      transaction.commitBeforeDdl();
      course.run(bound);
    }
  }
}
