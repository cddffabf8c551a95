package io.anabranch.frontend.command;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.pool.LeaseDesk;
import io.anabranch.backend.relay.RelayCallback;
import io.anabranch.backend.relay.RelayCommand;
import io.anabranch.backend.relay.RelayOutcome;
import io.anabranch.backend.relay.RelayRequest;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionListener.Lane;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the current statement on one connection: lease, prologue and command in one packet train,
 * the answer forwarded. On the session's event loop from end to end.
 */
final class RelayLane implements LeaseDesk.Callback, RelayCallback {

  private static final Logger sqlLog = LoggerFactory.getLogger("io.anabranch.sql");
  private static final NameMapping NO_NAMES = NameMapping.ofSchema("");

  private final Session session;
  private final CurrentStatement statement;
  private final Interruption interruption;
  private final StatementCourse course;
  private final LeasedRead reader;
  private final Remains remains;

  private String endpoint = "";
  private @Nullable RelayCommand command;
  private Aftermath aftermath = Aftermath.NONE;
  private @Nullable Lease lease;

  RelayLane(
      Session session,
      CurrentStatement statement,
      Interruption interruption,
      StatementCourse course) {
    this.session = session;
    this.statement = statement;
    this.interruption = interruption;
    this.course = course;
    interruption.resumes(outcome -> course.step(() -> completed(outcome)));
    this.reader = new LeasedRead(session, statement, this, course);
    this.remains = new Remains(session, statement, course);
  }

  void run(BoundPlan.AsIs target) {
    run(target.dataSource(), statement.unchanged(target));
  }

  void run(BoundPlan.Single target) {
    statement.generatedKey = target.generatedKey();
    run(
        target.query().dataSource(),
        statement.prepared == null
            ? new RelayCommand.Query(target.query().sql())
            : new RelayCommand.Execute(target.query(), statement.parameters));
  }

  private void run(String target, RelayCommand what) {
    statement.lane = Lane.RELAY;
    aftermath = Aftermath.of(statement.scan, statement::source);
    endpoint = target;
    command = what;
    String member = session.member(statement.targetBackend(), endpoint, statement.access);
    if (statement.showsSql()) {
      sqlLog.info("{}: {} <- {}", session, member, sqlForLog(what));
    }
    session.target(statement.targetBackend());
    session.transaction().lease(member, this);
  }

  /** On a connection that the session has. */
  void run(Lease held, byte[] sql) {
    statement.lane = Lane.RELAY;
    aftermath = Aftermath.NONE;
    uses(held);
    statement.leased = System.nanoTime();
    send(held, new RelayRequest(prologue(held), new RelayCommand.Query(sql), NO_NAMES));
  }

  private String sqlForLog(RelayCommand what) {
    return switch (what) {
      case RelayCommand.Query(byte[] sql) -> new String(sql, session.charset());
      case RelayCommand.Execute execute -> execute.query().sqlText();
      case RelayCommand.Packet _ -> statement.source().text();
    };
  }

  @Override
  public void leased(@Nullable Lease given, @Nullable RuntimeException refusal) {
    statement.leased = System.nanoTime();
    if (given == null) {
      dropCommand();
      course.fail(refusal == null ? ErrorCatalogue.BACKEND_LOST.refuse(endpoint) : refusal);
      return;
    }
    RuntimeException ending = interruption.reason();
    if (ending != null) {
      dropCommand();
      session.transaction().failed(given, Interruption.ERRNO);
      course.fail(ending);
      return;
    }
    uses(given);
    try {
      exchange(given);
    } catch (RuntimeException e) {
      session.transaction().lost(given, "relay failed: " + e);
      lease = null;
      course.fail(e);
    }
  }

  private void uses(Lease given) {
    lease = given;
    interruption.runsOn(given);
  }

  private void dropCommand() {
    if (command instanceof RelayCommand.Packet own) {
      own.payload().release();
    }
    command = null;
  }

  private void exchange(Lease given) {
    RelayCommand what = command;
    command = null;
    if (what == null) {
      throw new IllegalStateException("nothing to send");
    }
    if (isRead(given)) {
      reader.read(given, what, endpoint, aftermath);
      return;
    }
    List<byte[]> prologue = aftermath.after(prologue(given), session);
    send(given, new RelayRequest(prologue, what, statement.names, statement.generatedKey));
  }

  private void send(Lease on, RelayRequest request) {
    session.deployment().relay().exchange(on, request, session.sink(), this);
  }

  /** What must run in front; the connection is taken for having the settings from then on. */
  List<byte[]> prologue(Lease given) {
    List<byte[]> prologue = session.transaction().prologue(given, session.settings());
    given.applied(session.settings());
    return prologue;
  }

  /** Whether the merge lane's reader has to do what the relay does. */
  boolean isRead(Lease given) {
    boolean relays = session.deployment().rules().properties().relayEnabled();
    return given.connection() == null || (!relays && statement.scan.kind() != StatementKind.CALL);
  }

  /** Several results and clients' files are the relay's alone. */
  static boolean needsRelay(StatementKind kind) {
    return kind == StatementKind.CALL || kind == StatementKind.LOAD_DATA;
  }

  @Override
  public void completed(RelayOutcome outcome) {
    if (interruption.keeps(outcome)) {
      return;
    }
    Lease used = lease;
    lease = null;
    if (used == null) {
      throw new IllegalStateException("no lease for " + outcome);
    }
    switch (outcome) {
      case RelayOutcome.Done answer -> done(used, answer);
      case RelayOutcome.Failed answer -> {
        if (answer.inPrologue()) {
          session.transaction().lost(used, "settings could not be replayed: " + answer.message());
        } else {
          session.transaction().prologueSent(used, session.settings());
          session.transaction().failed(used, answer.errno());
        }
        session
            .diagnostics()
            .failed(new ErrPacket(answer.errno(), answer.sqlState(), answer.message()));
        course.failed(answer.errno());
      }
      case RelayOutcome.Lost lost -> lost(used, lost);
    }
  }

  private void done(Lease used, RelayOutcome.Done answer) {
    session.transaction().prologueSent(used, session.settings());
    Pins.after(statement.scan, session.transaction(), used);
    remains.remember(answer);
    if (answer.warnings() > 0 || !aftermath.isEmpty()) {
      remains.read(used, answer, aftermath);
    } else {
      session.transaction().completed(used, answer.statusFlags());
      course.succeeded();
    }
  }

  private void lost(Lease used, RelayOutcome.Lost lost) {
    boolean free = !session.transaction().hasOpened();
    RefusedException refusal = session.transaction().lost(used, lost.reason());
    StatementPlan again = statement.plan;
    if (lost.responseStarted()) {
      course.closeAfterwards();
      course.failed(refusal.errno());
    } else if (free
        && !lost.mayHaveRun()
        && !statement.retried
        && interruption.reason() == null
        && again != null) {
      statement.retried = true;
      course.run(again.bind(statement.slots()));
    } else {
      course.fail(refusal);
    }
  }

  /** The answer never came to an end that says what it left. */
  void broken(Lease used, Throwable why) {
    lease = null;
    session.transaction().lost(used, String.valueOf(why));
    course.fail(why);
  }

  /** Nothing was sent. */
  void unused(Lease given, RefusedException refusal) {
    lease = null;
    session.transaction().failed(given, 0);
    course.fail(refusal);
  }
}
