package io.anabranch.frontend.command;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.memory.SessionMemory;
import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.execution.Planning;
import io.anabranch.frontend.execution.relay.Preparation;
import io.anabranch.frontend.execution.relay.RelayLane;
import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.effort.Wish;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers the statements that the proxy handles itself, or hands them on. One per session, used
 * again for each statement; on the session's event loop.
 */
final class OwnAnswer implements Answer {

  /** Bytes of rows that are sent without asking whether there is room. */
  private static final int UNCHARGED = 1 << 16;

  private final Session session;
  private final CurrentStatement statement;
  private final Preparation preparation;
  private final RelayLane relayLane;
  private final Planning planning;
  private final StatementCourse course;
  private final Runnable dispatch;

  private Runnable afterwards = () -> {};
  private boolean keepDiagnostics;
  private List<List<String>> warned = List.of();

  /**
   * @param dispatch looks at the current statement as if it had just come
   */
  OwnAnswer(
      Session session,
      CurrentStatement statement,
      Preparation preparation,
      RelayLane relayLane,
      Planning planning,
      StatementCourse course,
      Runnable dispatch) {
    this.session = session;
    this.statement = statement;
    this.preparation = preparation;
    this.relayLane = relayLane;
    this.planning = planning;
    this.course = course;
    this.dispatch = dispatch;
  }

  /** Another statement begins. */
  void begin() {
    keepDiagnostics = false;
    warned = List.of();
  }

  /** The statement has been answered. */
  void ended() {
    Runnable last = afterwards;
    afterwards = () -> {};
    last.run();
  }

  @Override
  public Session session() {
    return session;
  }

  @Override
  public void ok() {
    if (statement.command().prepareReply() != null) {
      preparation.answer(List.of(), 0);
      return;
    }
    List<List<String>> rows = warned;
    warned = List.of();
    if (!keepDiagnostics) {
      session.diagnostics().done(0, 0, rows.size());
    }
    if (rows.isEmpty()) {
      session.replies().ok(session.status());
    } else {
      session.diagnostics().warningRows(rows);
      session.replies().ok(0, 0, session.status(), rows.size(), "");
    }
    course.succeeded();
  }

  @Override
  public void warned(List<List<String>> rows) {
    warned = rows;
  }

  @Override
  public void rows(List<ResultColumn> ofUs, List<? extends List<@Nullable String>> rows) {
    List<ResultColumn> columns =
        LocalColumns.forClient(
            ofUs, session.language().resultCollation(), session.deployment().isMariaDb());
    List<List<String>> said = warned;
    warned = List.of();
    if (statement.command().prepareReply() != null) {
      preparation.answer(isDescribed() ? columns : List.of(), said.size());
      session.diagnostics().warningRows(said);
      return;
    }
    boolean binary = statement.command().prepared() != null;
    long bytes = bytes(rows);
    @Nullable Runnable whenSent = null;
    if (bytes > UNCHARGED) {
      // its client may not read it
      SessionMemory memory = session.memory();
      RefusedException refusal = memory.take(MemoryKind.DIRECT, bytes, "the rows of the answer");
      if (refusal != null) {
        course.fail(refusal);
        return;
      }
      whenSent = () -> memory.give(MemoryKind.DIRECT, bytes);
    }
    statement.executed().sent(rows.size());
    // what is said of a text is said when it is prepared
    int warnings = binary ? 0 : said.size();
    session
        .replies()
        .rows(
            columns,
            rows,
            binary,
            session.settings().resultCharset(),
            session.status(),
            warnings,
            whenSent);
    if (keepDiagnostics) {
      session.diagnostics().shown();
    } else {
      session.diagnostics().rows(rows.size(), warnings);
      session.diagnostics().warningRows(binary ? List.of() : said);
    }
    course.succeeded();
  }

  private static long bytes(List<? extends List<@Nullable String>> rows) {
    long bytes = 0;
    for (List<@Nullable String> row : rows) {
      for (String cell : row) {
        bytes += cell == null ? 1 : cell.length();
      }
    }
    return bytes;
  }

  /** MariaDB does not describe what SHOW WARNINGS and the like will answer. */
  private boolean isDescribed() {
    if (statement.scan().kind() != StatementKind.SHOW || !session.deployment().isMariaDb()) {
      return true;
    }
    SqlTokens tokens = statement.source().tokens();
    return !tokens.isWord(1, "WARNINGS")
        && !tokens.isWord(1, "ERRORS")
        && !tokens.isWord(tokens.isWord(1, "FULL") ? 2 : 1, "PROCESSLIST");
  }

  @Override
  public void keepDiagnostics() {
    keepDiagnostics = true;
  }

  @Override
  public void fail(Throwable failure) {
    course.fail(failure);
  }

  @Override
  public void blocking(Supplier<Runnable> work) {
    course.blocking(work);
  }

  @Override
  public void awaiting(Consumer<Consumer<@Nullable Throwable>> work) {
    work.accept(failure -> course.step(() -> told(failure)));
  }

  private void told(@Nullable Throwable failure) {
    if (failure == null) {
      ok();
    } else {
      fail(failure);
    }
  }

  @Override
  public void relay(Lease held, byte[] sql) {
    relayLane.run(held, sql);
  }

  @Override
  public void afterwards(Runnable last) {
    Runnable before = afterwards;
    afterwards =
        () -> {
          try {
            last.run();
          } finally {
            before.run();
          }
        };
  }

  @Override
  public void instead(String sql) {
    statement.replace(sql);
    dispatch.run();
  }

  @Override
  public void insteadOf(String sql, @Nullable String database) {
    statement.target().preparedIn(database);
    instead(sql);
  }

  @Override
  public void insteadOf(String sql, @Nullable String database, ExecuteParameters values) {
    statement.bindsVariables(values);
    insteadOf(sql, database);
  }

  @Override
  public void prepareInstead(String sql, Runnable prepared) {
    statement.prepares(true);
    statement
        .command()
        .prepareReply(
            (columns, parameterCount, warnings) -> {
              statement.command().prepareReply(null);
              prepared.run();
              session.diagnostics().done(0, 0, warnings);
              session.replies().ok(0, 0, session.status(), warnings, "Statement prepared");
            });
    instead(sql);
  }

  @Override
  public Wish planning() {
    return planning.begin();
  }

  @Override
  public void plan() {
    planning.plan();
  }

  @Override
  public void closeAfterwards() {
    course.closeAfterwards();
  }
}
