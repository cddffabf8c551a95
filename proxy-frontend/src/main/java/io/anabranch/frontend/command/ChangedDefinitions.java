package io.anabranch.frontend.command;

import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.DatabaseStatement;
import io.anabranch.frontend.effect.ImplicitCommit;
import io.anabranch.frontend.effect.Pins;
import io.anabranch.frontend.effect.ProgramEffects;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.lexer.StatementKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What others must know of a statement that defines: {@code ALTER TABLE} makes plans and what is
 * known of tables stale, {@code CREATE DATABASE} and {@code DROP DATABASE} change which databases
 * there are where a rule lets clients make them.
 */
final class ChangedDefinitions {

  /** ER_DB_CREATE_EXISTS. */
  private static final int DATABASE_EXISTS = 1007;

  /** ER_DB_DROP_EXISTS. */
  private static final int NO_DATABASE_TO_DROP = 1008;

  private final Session session;
  private final CurrentStatement statement;

  /** Where the current statement changes tables; null: it changes none. */
  private @Nullable Backend changing;

  /** What the current statement does to a database that is in no file; null: nothing. */
  private @Nullable DatabaseStatement defined;

  private boolean isNewDatabase;

  ChangedDefinitions(Session session, CurrentStatement statement) {
    this.session = session;
    this.statement = statement;
  }

  /**
   * The statement is run next. Whoever hears that tables have changed, by the answer or otherwise,
   * meets no former plan.
   */
  void begin() {
    Backend on = statement.target().backend();
    if (on != null
        && ImplicitCommit.changesTables(statement.scan().kind())
        && !Pins.isOfTemporaryTable(statement.scan())) {
      changing = on;
      session.sink().beforeAnswer(this::forgetTables);
    }
    DatabaseStatement definition = statement.target().definition();
    if (definition != null && definition.isByRule()) {
      defined = definition;
    }
  }

  /** Whoever hears that a database was made can use it. */
  private void defineDatabase() {
    DatabaseStatement definition = defined;
    if (definition != null && definition.verb() == StatementKind.CREATE) {
      isNewDatabase |= session.deployment().registry().created(definition.on(), definition.name());
    }
  }

  /**
   * What was made for a statement that failed is not there.
   *
   * @param errno 0: it did not fail
   */
  void ended(int errno) {
    changedTables();
    DatabaseStatement definition = defined;
    if (definition == null) {
      return;
    }
    defined = null;
    boolean drops = definition.verb() == StatementKind.DROP;
    boolean isDropped = drops && (errno == 0 || errno == NO_DATABASE_TO_DROP);
    boolean isNone = isNewDatabase && errno != 0 && errno != DATABASE_EXISTS;
    isNewDatabase = false;
    if (isDropped || isNone) {
      session.deployment().registry().dropped(definition.name());
    }
    if (drops && errno == 0) {
      session.database().dropped(definition.name());
    }
  }

  /** Also when DDL has failed: it may have been done on some nodes. */
  private void forgetTables() {
    Backend on = changing;
    if (on == null) {
      return;
    }
    defineDatabase();
    Deployment deployment = session.deployment();
    if (deployment.rules().protection().keepsAnswers()) {
      // plans know which tables are changed, and two databases may be one schema
      deployment.forgetTables(deployment.backends().values(), null);
    } else if (on.database().readsDefinitions()) {
      deployment.forgetTables(List.of(on), null);
    } else {
      deployment.relay().tablesChanged();
    }
    on.programs().changed(ProgramEffects.mayDefine(statement.scan()));
  }

  /** Once more, for plans that were made while others still waited for their nodes. */
  private void changedTables() {
    if (changing != null) {
      session.sink().beforeAnswer(null);
      forgetTables();
      changing = null;
    }
  }
}
