package io.anabranch.frontend.statementlog;

import io.anabranch.backend.background.BackgroundQuery;
import io.anabranch.frontend.session.ExecutedStatement;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.ProxyProperties.Audited;
import io.anabranch.rules.model.ProxyProperties.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * Decides which statements are logged where and who hears of them, by what the configuration in
 * force says. Thread-safe.
 */
public final class StatementLogs implements AutoCloseable {

  private static final long NANOS_PER_MILLISECOND = 1_000_000;

  private final Explanations explanations = new Explanations(System::nanoTime);
  private final RecentStatements slow = new RecentStatements();
  private final StatementListeners listeners = new StatementListeners();
  private final @Nullable StatementLog slowLog;
  private final @Nullable StatementLog auditLog;

  /**
   * @param slowLog null: slow statements are in memory only
   * @param auditLog null: nothing is audited
   */
  public StatementLogs(@Nullable StatementLog slowLog, @Nullable StatementLog auditLog) {
    this.slowLog = slowLog;
    this.auditLog = auditLog;
  }

  /** On the session's event loop. */
  public void executed(ExecutedStatement statement) {
    Statistics settings = statement.session().deployment().rules().properties().statistics();
    long slowest = threshold(statement, settings);
    boolean isSlow = slowest >= 0 && statement.totalNanos() / NANOS_PER_MILLISECOND >= slowest;
    StatementLog audit = auditLog;
    boolean isAudited = audit != null && isAudited(statement, settings);
    boolean isListenedTo = listeners.areAny();
    if (!isSlow && !isAudited && !isListenedTo) {
      return;
    }
    LoggedStatement logged = LoggedStatement.of(statement, settings.showsLiterals());
    if (isSlow) {
      explain(statement, settings.slowPlans(), logged);
    }
    if (audit != null && isAudited) {
      audit.log(logged);
    }
    if (isListenedTo) {
      listeners.tell(logged);
    }
  }

  /** Logs it at once, or behind the answer of a database that is asked for its plan. */
  private void explain(ExecutedStatement statement, int most, LoggedStatement logged) {
    BackgroundQuery question =
        most == 0 ? null : explanations.next(statement.fingerprint(), most, statement::explanation);
    if (question == null) {
      logSlow(logged);
      return;
    }
    statement
        .session()
        .background()
        .execute(() -> logSlow(logged.explained(explanations.ask(question, logged.charset()))));
  }

  private void logSlow(LoggedStatement logged) {
    slow.add(logged);
    if (slowLog != null) {
      slowLog.log(logged);
    }
  }

  /** Milliseconds, or below 0: none is slow. The user's, else the database's, else all others'. */
  private static long threshold(ExecutedStatement statement, Statistics settings) {
    if (!settings.slowUsers().isEmpty()) {
      Long ofUser = settings.slowUsers().get(statement.session().user().name());
      if (ofUser != null) {
        return ofUser;
      }
    }
    String database = statement.database();
    if (!settings.slowDatabases().isEmpty() && database != null) {
      Long ofDatabase = settings.slowDatabases().get(database);
      if (ofDatabase != null) {
        return ofDatabase;
      }
    }
    return settings.slowMilliseconds();
  }

  private static boolean isAudited(ExecutedStatement statement, Statistics settings) {
    return settings.audited().contains(group(statement.kind()))
        || (statement.errno() != 0 && settings.audited().contains(Audited.FAILED));
  }

  private static Audited group(StatementKind kind) {
    return switch (kind) {
      case SELECT, QUERY_EXPRESSION, SHOW, DESCRIBE, EXPLAIN_ROUTE -> Audited.READ;
      case INSERT, REPLACE, UPDATE, DELETE, LOAD_DATA, CALL, DO, HANDLER, EXECUTE -> Audited.WRITE;
      case CREATE, ALTER, DROP, RENAME, TRUNCATE, TABLE_MAINTENANCE -> Audited.DEFINITION;
      case ACCOUNT -> Audited.ACCOUNT;
      case BEGIN, COMMIT, ROLLBACK, SAVEPOINT, XA -> Audited.TRANSACTION;
      case ALTER_GROUP,
          SET,
          USE,
          LOCK_TABLES,
          UNLOCK_TABLES,
          PREPARE,
          DEALLOCATE,
          KILL,
          FLUSH,
          EMPTY,
          OTHER ->
          Audited.OTHER;
    };
  }

  /** The last ones that were slow. */
  public RecentStatements slow() {
    return slow;
  }

  public @Nullable StatementLog slowLog() {
    return slowLog;
  }

  public @Nullable StatementLog auditLog() {
    return auditLog;
  }

  /** Who hears of all statements. */
  public StatementListeners listeners() {
    return listeners;
  }

  @Override
  public void close() {
    listeners.close();
    if (slowLog != null) {
      slowLog.close();
    }
    if (auditLog != null) {
      auditLog.close();
    }
  }
}
