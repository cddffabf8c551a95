package io.anabranch.frontend.execution.relay;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.relay.command.RelayCallback;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.relay.command.RelayRequest;
import io.anabranch.backend.relay.command.RelayRequest.Proviso;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.backend.topology.Member;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.Interruption;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.effect.Aftermath;
import io.anabranch.frontend.effect.OwnTables;
import io.anabranch.frontend.effect.ProgramEffects;
import io.anabranch.frontend.effect.Remains;
import io.anabranch.frontend.effect.Sequences;
import io.anabranch.frontend.effect.UserLocks;
import io.anabranch.frontend.execution.Cursors;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.StatementListener.Lane;
import io.anabranch.frontend.session.prepared.OpenCursor;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the current statement on one connection: lease, prologue and command in one packet train,
 * the answer forwarded. On the session's event loop from end to end.
 */
public final class RelayLane implements LeaseDesk.Callback, RelayCallback {

  private static final Logger log = LoggerFactory.getLogger(RelayLane.class);
  private static final Logger sqlLog = LoggerFactory.getLogger("io.anabranch.sql");
  private static final NameMapping NO_NAMES = NameMapping.ofSchema("");

  private final Session session;
  private final CurrentStatement statement;
  private final Interruption interruption;
  private final StatementCourse course;
  private final LeasedRead reader;
  private final Remains remains;
  private final ProgramEffects programs;
  private final MemberSearch search;
  private final MemberReading reading;
  private final EarlyPreparation early;
  private final SharedRead shared;
  private final RelayEnd ends;

  private @Nullable RelayCommand command;

  private Proviso proviso = Proviso.NONE;
  private @Nullable Lease lease;

  /** The lease was not there at once: its time counts. */
  private boolean awaitsLease;

  public RelayLane(
      Session session,
      CurrentStatement statement,
      Interruption interruption,
      Cursors cursors,
      StatementCourse course) {
    this.session = session;
    this.statement = statement;
    this.interruption = interruption;
    this.course = course;
    interruption.resumes(outcome -> course.step(() -> completed(outcome)));
    this.reader = new LeasedRead(session, statement, this, cursors, course);
    this.programs = new ProgramEffects(session, statement, course);
    this.remains = new Remains(session, statement, programs, interruption, course);
    this.search = new MemberSearch(session, statement, interruption, course, this::found);
    this.reading = new MemberReading(statement);
    this.early = new EarlyPreparation(session, this, course);
    this.shared =
        new SharedRead(
            session,
            statement,
            interruption,
            course,
            remains,
            programs,
            reading,
            new SharedRead.Otherwise() {
              @Override
              public void runAlone() {
                lease();
              }

              @Override
              public void notLeased(RuntimeException refusal) {
                RelayLane.this.notLeased(refusal);
              }
            });
    this.ends =
        new RelayEnd(
            session, statement, interruption, cursors, course, remains, programs, reading, shared);
  }

  public void run(BoundPlan.AsIs target) {
    run(target.dataSource(), statement.relayed().unchanged(target));
  }

  public void run(BoundPlan.Single target) {
    statement.target().key(target.key());
    run(
        target.query().dataSource(),
        statement.command().isExecuted()
            ? statement.relayed().execution(target.query())
            : new RelayCommand.Query(target.query().sql()));
  }

  /** Where {@code target} is an endpoint. */
  public void run(String target, RelayCommand what) {
    command = what;
    statement.target().lane(Lane.RELAY);
    if (programs.areKnown(target, what)) {
      run(target);
    } else {
      programs.know(target, () -> run(target));
    }
  }

  private void run(String target) {
    Aftermath left =
        Aftermath.of(statement.scan(), statement.command().bulk() != null, statement::source)
            .with(
                OwnTables.after(
                    statement.scan(),
                    statement::source,
                    statement.target().chosen().database(),
                    session.database().temporaries(),
                    target))
            .withLocks(programs.mayChangeLocks() || UserLocks.change(session, statement));
    ends.expect(target, left);
    search.find(target);
  }

  /** Finds the member of a group that would run the statement. */
  void find(String target, MemberSearch.Found then) {
    new MemberSearch(session, statement, interruption, course, then).find(target);
  }

  private void found(Member member, Proviso wanted) {
    RelayCommand what = command;
    if (statement.showsSql() && what != null) {
      sqlLog.info("{}: {} <- {}", session, member, statement.forLog(sqlForLog(what)));
    }
    proviso = wanted;
    statement.executed().on(member.name());
    session.database().target(statement.target().chosen());
    Sequences sequences = Sequences.of(session, statement);
    ends.draws(sequences);
    RefusedException refusal = sequences.refusal(session, member.name());
    if (refusal != null) {
      course.fail(refusal);
      return;
    }
    if (isTranslated() && wanted.await().length > 0) {
      // nobody waits in front of what is read here
      statement.attempts().awaited(null);
      statement.attempts().primaryOnly(true);
      statement.target().chosen().topology().countFallBack(ends.endpoint());
      search.find(ends.endpoint());
      return;
    }
    reading.begins(member, statement.target().access());
    boolean mayShare = !isTranslated();
    if (!mayShare || !shared.runs(member, what, wanted, ends.aftermath())) {
      lease();
    }
  }

  /** On a connection of the session's own. */
  private void lease() {
    Member member = statement.attempts().member();
    if (member == null) {
      throw new IllegalStateException("no member to run it");
    }
    awaitsLease = false;
    if (statement.usesNoTables()) {
      session.connections().usesNoTables();
    }
    if (statement.mayEndTransaction()) {
      session.connections().mayEndTransaction();
    } else if (statement.scan().kind() == StatementKind.EXECUTE) {
      session.connections().runsProgram();
    }
    session.connections().lease(member.name(), statement.target().access(), this);
    awaitsLease = true;
  }

  /** On a connection that the session has. */
  public void run(Lease held, byte[] sql) {
    statement.target().lane(Lane.RELAY);
    programs.clear();
    ends.expect("", Aftermath.NONE);
    proviso = Proviso.NONE;
    uses(held);
    statement.times().leased(System.nanoTime());
    send(held, new RelayRequest(prologue(held), new RelayCommand.Query(sql), NO_NAMES));
  }

  /** COM_STMT_FETCH. */
  public void fetch(OpenCursor.InDatabase from, long rows) {
    Lease held = from.lease();
    statement.target().lane(Lane.RELAY);
    programs.clear();
    ends.expect("", Aftermath.NONE);
    proviso = Proviso.NONE;
    uses(held);
    statement.times().leased(System.nanoTime());
    List<byte[]> due = session.connections().dueBefore(held, session.settings());
    held.applied(session.settings());
    send(held, new RelayRequest(due, new RelayCommand.Fetch(from.cursor(), rows), NO_NAMES));
  }

  private String sqlForLog(RelayCommand what) {
    return switch (what) {
      case RelayCommand.Query(byte[] sql, ResponseForm _) -> new String(sql, session.charset());
      case RelayCommand.Execute execute -> execute.query().sqlText();
      case RelayCommand.Bulk bulk -> bulk.query().sqlText();
      case RelayCommand.Open open -> open.query().sqlText();
      case RelayCommand.Packet _, RelayCommand.Fetch _ -> statement.source().text();
    };
  }

  /** Called by whoever gives connections back: what fails here is told to this client. */
  @Override
  public void leased(@Nullable Lease given, @Nullable RuntimeException refusal) {
    try {
      goOn(given, refusal);
    } catch (RuntimeException e) {
      course.fail(e);
    }
  }

  private void goOn(@Nullable Lease given, @Nullable RuntimeException refusal) {
    statement.times().leased(awaitsLease ? System.nanoTime() : statement.times().planned());
    if (given == null) {
      notLeased(refusal == null ? ErrorCatalogue.BACKEND_LOST.refuse(ends.endpoint()) : refusal);
      return;
    }
    RuntimeException ending = interruption.reason();
    if (ending != null) {
      reading.fails();
      session.connections().failed(given, Interruption.ERRNO);
      course.fail(ending);
      return;
    }
    uses(given);
    try {
      exchange(given);
    } catch (RuntimeException e) {
      reading.fails();
      session.connections().lost(given, "relay failed: " + e);
      lease = null;
      course.fail(e);
    }
  }

  private void notLeased(RuntimeException refusal) {
    reading.fails();
    Member member = statement.attempts().member();
    boolean isDown = refusal instanceof RefusedException refused && refused.isUnreachable();
    boolean isAway = refusal instanceof RefusedException refused && refused.isAway();
    if (isAway && member != null && ends.isMovable()) {
      statement.attempts().failedOn(member, refusal);
      search.find(ends.endpoint());
    } else if (isDown && search.mayHold()) {
      search.later(ends.endpoint());
    } else {
      course.fail(refusal);
    }
  }

  private void uses(Lease given) {
    lease = given;
    interruption.runsOn(given);
  }

  /** What was not sent is not sent any more. */
  public void dropCommand() {
    if (command instanceof RelayCommand.Packet own) {
      own.payload().release();
    }
    command = null;
    shared.ended();
    programs.clear();
  }

  private void exchange(Lease given) {
    RelayCommand what = command;
    command = null;
    if (what == null) {
      throw new IllegalStateException("nothing to send");
    }
    if (isRead(given)) {
      reader.read(given, what, ends.endpoint());
      return;
    }
    switch (what) {
      case RelayCommand.Execute execute when execute.readUnder() != null ->
          early.prepare(
              given,
              execute.query(),
              execute.parameters(),
              execute.readUnder(),
              () -> exchange(given, what));
      case RelayCommand.Bulk bulk when bulk.readUnder() != null ->
          early.prepare(
              given,
              bulk.query(),
              ExecuteParameters.NONE,
              bulk.readUnder(),
              () -> exchange(given, what));
      default -> exchange(given, what);
    }
  }

  private void exchange(Lease given, RelayCommand what) {
    send(
        given,
        new RelayRequest(
            begins(given),
            what,
            statement.scan().fingerprint(),
            statement.target().names(),
            statement.target().key(),
            proviso,
            statement.ruling().cap(),
            mayWithhold(what)));
  }

  /** What must run in front of the statement; from then on it is taken for sent. */
  List<byte[]> begins(Lease given) {
    List<byte[]> prologue =
        ends.aftermath()
            .after(prologue(given), given, session, statement, programs.mayAskInsertId());
    remains.begins(given);
    return prologue;
  }

  /**
   * The client is told that it has variables when the session has them, and there was room; and
   * that global ones are set when sessions that begin have them.
   */
  private boolean mayWithhold(RelayCommand what) {
    return !(what instanceof RelayCommand.Open)
        && switch (statement.scan().kind()) {
          case SELECT, QUERY_EXPRESSION, DO, CALL -> !ends.aftermath().variables().isEmpty();
          case SET -> Remains.setsGlobals(statement);
          default -> false;
        };
  }

  @Override
  public void withheld(byte[] end) {
    ends.withhold(end);
  }

  private void send(Lease on, RelayRequest request) {
    session.deployment().relay().exchange(on, request, session.sink(), this);
  }

  /** What must run in front; the connection is taken for having the settings from then on. */
  List<byte[]> prologue(Lease given) {
    List<byte[]> prologue = session.connections().prologue(given, session.settings());
    given.applied(session.settings());
    return prologue;
  }

  /** Whether the merge lane's reader has to do what the relay does. */
  boolean isRead(Lease given) {
    boolean relays = session.deployment().rules().properties().relayEnabled();
    boolean isRelayed =
        relays
            || statement.scan().kind() == StatementKind.CALL
            || statement.command().listed() != null;
    return given.connection() == null || !isRelayed || isTranslated();
  }

  /** Whether rows come in another form of the protocol than the client gets them in. */
  private boolean isTranslated() {
    return statement.command().bindsVariables()
        && switch (statement.scan().kind()) {
          case SELECT, QUERY_EXPRESSION -> true;
          default -> false;
        };
  }

  /** Several results and clients' files are the relay's alone. */
  static boolean needsRelay(StatementKind kind) {
    return kind == StatementKind.CALL || kind == StatementKind.LOAD_DATA;
  }

  /** The database need not go on: nobody gets what it still says. */
  @Override
  public void exceeded(RefusedException refusal) {
    interruption.interrupt(refusal);
  }

  /**
   * Called by the database's answer: what fails behind one that the client has ends its session.
   */
  @Override
  public void completed(RelayOutcome outcome) {
    try {
      end(outcome);
    } catch (RuntimeException e) {
      if (outcome instanceof RelayOutcome.Done || outcome instanceof RelayOutcome.Failed) {
        log.error("{}: failed behind its answer", session, e);
        session.channel().close();
      } else {
        course.fail(e);
      }
    }
  }

  private void end(RelayOutcome outcome) {
    if (interruption.keeps(outcome)) {
      return;
    }
    Lease used = lease;
    lease = null;
    if (used == null) {
      throw new IllegalStateException("no lease for " + outcome);
    }
    ends.end(used, outcome);
  }

  /** The answer never came to an end that says what it left. */
  void broken(Lease used, Throwable why) {
    lease = null;
    reading.fails();
    session.connections().lost(used, String.valueOf(why));
    course.fail(why);
  }

  /** The database does not take the statement, which has not run. */
  void refused(Lease used, ErrPacket error) {
    lease = null;
    reading.fails();
    session.connections().failed(used, error.errno());
    course.fail(error);
  }

  /** The connection does not take the session's settings: it is given up. */
  void notReplayed(Lease given, ErrPacket error) {
    lease = null;
    reading.fails();
    session.connections().lost(given, "settings could not be replayed: " + error.message());
    course.fail(error);
  }

  /** Nothing was sent. */
  void unused(Lease given, RefusedException refusal) {
    lease = null;
    reading.fails();
    session.connections().failed(given, 0);
    course.fail(refusal);
  }
}
