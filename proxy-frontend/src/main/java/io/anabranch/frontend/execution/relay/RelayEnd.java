package io.anabranch.frontend.execution.relay;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.relay.command.RelayCursor;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.topology.Member;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.Interruption;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.effect.Aftermath;
import io.anabranch.frontend.effect.OwnTables;
import io.anabranch.frontend.effect.Pins;
import io.anabranch.frontend.effect.ProgramEffects;
import io.anabranch.frontend.effect.Remains;
import io.anabranch.frontend.effect.Sequences;
import io.anabranch.frontend.effect.UserLocks;
import io.anabranch.frontend.execution.Binding;
import io.anabranch.frontend.execution.Cursors;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import org.jspecify.annotations.Nullable;

/**
 * What the end of a relayed answer means: for the connection, for what the session has to know of
 * it, and whether the statement runs again elsewhere. The client has the answer by then, but for
 * its end where that is withheld. On the session's event loop.
 */
final class RelayEnd {

  // <a href="https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html">errors</a>
  private static final int NO_SUCH_COLUMN = 1054;
  private static final int SYNTAX_ERROR = 1064;
  private static final int NO_SUCH_TABLE = 1146;
  private static final int LOCK_WAIT_TIMEOUT = 1205;
  private static final int DEADLOCK = 1213;

  private final Session session;
  private final CurrentStatement statement;
  private final Interruption interruption;
  private final Cursors cursors;
  private final StatementCourse course;
  private final Remains remains;
  private final ProgramEffects programs;
  private final MemberReading reading;
  private final SharedRead shared;

  private String endpoint = "";
  private Aftermath aftermath = Aftermath.NONE;
  private Sequences sequences = Sequences.NONE;

  /** The end of the answer, which the client has not got yet. */
  private byte @Nullable [] withheld;

  RelayEnd(
      Session session,
      CurrentStatement statement,
      Interruption interruption,
      Cursors cursors,
      StatementCourse course,
      Remains remains,
      ProgramEffects programs,
      MemberReading reading,
      SharedRead shared) {
    this.session = session;
    this.statement = statement;
    this.interruption = interruption;
    this.cursors = cursors;
    this.course = course;
    this.remains = remains;
    this.programs = programs;
    this.reading = reading;
    this.shared = shared;
  }

  /**
   * Another statement begins.
   *
   * @param at data source or read/write group
   * @param left what has to be read back behind its answer
   */
  void expect(String at, Aftermath left) {
    endpoint = at;
    aftermath = left;
    sequences = Sequences.NONE;
    withheld = null;
  }

  /** The statement may draw numbers of these. */
  void draws(Sequences from) {
    sequences = from;
  }

  /** What has to be read back behind the answer. */
  Aftermath aftermath() {
    return aftermath;
  }

  /** The data source or read/write group of the statement. */
  String endpoint() {
    return endpoint;
  }

  /** The client has not got this end of the answer. */
  void withhold(byte[] end) {
    withheld = end;
  }

  void end(Lease used, RelayOutcome outcome) {
    statement.times().answered(System.nanoTime());
    if (statement.command().wantsCursor() || statement.command().fetches()) {
      noteCursor(used, outcome);
    }
    switch (outcome) {
      case RelayOutcome.Done answer -> {
        reading.ends();
        statement.executed().sent(answer.sent());
        statement.executed().changed(Math.max(0, answer.affectedRows()));
        done(used, answer);
      }
      case RelayOutcome.Unreached _ -> unreached(used);
      case RelayOutcome.Kept answer -> kept(used, answer);
      case RelayOutcome.Failed answer -> {
        reading.ends();
        statement.executed().sent(answer.sent());
        session
            .diagnostics()
            .failed(new ErrPacket(answer.errno(), answer.sqlState(), answer.message()));
        failed(used, answer);
      }
      case RelayOutcome.Lost lost -> lost(used, lost);
    }
  }

  private void failed(Lease used, RelayOutcome.Failed answer) {
    if (answer.inPrologue()) {
      session.connections().lost(used, "settings could not be replayed: " + answer.message());
      course.failed(answer.errno());
      return;
    }
    session.connections().prologueSent(used, session.settings());
    boolean leftState = programs.mayHaveLeftState(answer.errno());
    boolean mayHaveRun = leftState || mayHaveRun(answer.errno());
    if (mayHaveRun) {
      UserLocks.taken(session.connections().pins(), used, statement);
      programs.taken(session.connections().pins(), used);
    }
    if (answer.errno() == DEADLOCK && interruption.isDeadlocked()) {
      if (leftState) {
        session.connections().lost(used, "a program has ended in the middle");
      } else {
        session.connections().failed(used, Interruption.ERRNO);
      }
      session.connections().deadlocked();
      course.failed(DEADLOCK);
      return;
    }
    OwnTables tables = session.database().temporaries().isEmpty() ? null : aftermath.tables();
    boolean doubtful = session.connections().mayHaveLeft(used, answer.errno());
    boolean warned = !isAlone(answer.errno()) && interruption.reason() == null;
    boolean keys = (aftermath.keys() || aftermath.insertId()) && mayHaveRun;
    if (warned || doubtful || tables != null || keys || leftState || interruption.cameLate()) {
      remains.readFailed(used, answer.errno(), tables, keys, leftState);
    } else {
      session.connections().failed(used, answer.errno());
      course.failed(answer.errno());
    }
  }

  /** Errors that come before a statement does anything: nothing was warned of. */
  private static boolean isAlone(int errno) {
    return !mayHaveRun(errno) || errno == DEADLOCK || errno == LOCK_WAIT_TIMEOUT;
  }

  private static boolean mayHaveRun(int errno) {
    return errno != SYNTAX_ERROR && errno != NO_SUCH_TABLE && errno != NO_SUCH_COLUMN;
  }

  private void noteCursor(Lease used, RelayOutcome outcome) {
    PreparedStatement prepared = statement.command().prepared();
    RelayCursor opened = statement.relayed().cursor();
    int status = outcome instanceof RelayOutcome.Done answer ? answer.statusFlags() : 0;
    boolean isOpen = (status & ServerStatus.CURSOR_EXISTS) != 0;
    if (prepared != null && statement.command().fetches()) {
      cursors.fetched(prepared, isOpen);
    } else if (prepared != null && opened != null) {
      cursors.answered(prepared, used, opened, isOpen);
    }
  }

  /** The replica is too far behind: the primary answers. */
  private void unreached(Lease used) {
    reading.fails();
    session.connections().prologueSent(used, session.settings());
    session.connections().failed(used, 0);
    statement.target().chosen().topology().countFallBack(endpoint);
    statement.attempts().primaryOnly(true);
    Member late = statement.attempts().member();
    if (late != null) {
      late.missed();
    }
    again();
  }

  /** The member does no such statements any more, and has done nothing: another one runs it. */
  private void kept(Lease used, RelayOutcome.Kept answer) {
    boolean isRead = statement.target().access() == Access.READ;
    if (isRead) {
      session.connections().lost(used, "the server shuts down");
    } else {
      session.connections().retract(used, "the server is read-only");
    }
    reading.fails();
    Member member = statement.attempts().member();
    if (member == null) {
      throw new IllegalStateException("an error kept for no member");
    }
    if (isRead) {
      statement
          .attempts()
          .failedOn(
              member,
              new ShardException.Database(answer.errno(), answer.sqlState(), answer.message()));
    } else {
      session.members().forget(endpoint);
      statement.attempts().refusedBy(member);
      statement.target().chosen().topology().refusedWrite(endpoint, member);
    }
    again();
  }

  private void again() {
    StatementPlan plan = statement.target().plan();
    if (plan == null) {
      throw new IllegalStateException("no plan to run again");
    }
    Binding.bind(plan, statement, course, course::run);
  }

  private void done(Lease used, RelayOutcome.Done answer) {
    session.connections().prologueSent(used, session.settings());
    Pins.after(statement.scan(), answer.statusFlags(), session.connections(), used);
    UserLocks.taken(session.connections().pins(), used, statement);
    programs.taken(session.connections().pins(), used);
    if (!sequences.drawn().isEmpty()) {
      session.connections().pins().drew(used, sequences.drawnBy(statement.scan().kind(), answer));
    }
    if (programs.haveLeftState(used)) {
      session.connections().pins().pin(used, Pin.OTHER);
      aftermath = aftermath.withAllVariables();
    }
    remains.remember(used, answer);
    if (programs.mayAskInsertId()) {
      // a view may give one, too
      Aftermath.forgetInsertId(used);
    }
    shared.ranAlone(answer);
    if (answer.warnings() > 0
        || Remains.setsGlobals(statement)
        || !aftermath.isEmpty()
        || remains.isDoubtful()
        || interruption.cameLate()) {
      byte[] end = withheld;
      withheld = null;
      remains.read(used, answer, aftermath, end);
    } else {
      session.connections().completed(used, answer.statusFlags());
      Pins.over(statement.scan(), statement::source, session.connections(), used);
      course.succeeded();
    }
  }

  private void lost(Lease used, RelayOutcome.Lost lost) {
    boolean free = !session.transaction().hasOpened();
    RefusedException refusal = session.connections().lost(used, lost.reason(), lost.mayHaveRun());
    free &= !session.connections().isStateLost();
    StatementPlan again = statement.target().plan();
    Member member = statement.attempts().member();
    reading.fails();
    if (lost.responseStarted()) {
      course.closeAfterwards();
      course.failed(refusal.errno());
    } else if (free
        && member != null
        && again != null
        && interruption.reason() == null
        && isMovable()) {
      statement.attempts().failedOn(member, refusal);
      Binding.bind(again, statement, course, course::run);
    } else if (free
        && !lost.mayHaveRun()
        && !statement.attempts().retried()
        && interruption.reason() == null
        && again != null) {
      statement.attempts().retried(true);
      Binding.bind(again, statement, course, course::run);
    } else {
      course.fail(refusal);
    }
  }

  /** Whether the statement is a read that any other member of the group may do as well. */
  boolean isMovable() {
    return statement.target().access() == Access.READ
        && !session.members().areBound()
        && statement.target().chosen().topology().reads(endpoint) != null;
  }
}
