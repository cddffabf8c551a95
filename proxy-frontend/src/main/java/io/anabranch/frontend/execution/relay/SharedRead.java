package io.anabranch.frontend.execution.relay;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.relay.column.ClientColumns;
import io.anabranch.backend.relay.column.ToldColumns;
import io.anabranch.backend.relay.command.RelayCallback;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.backend.relay.command.RelayRequest.Proviso;
import io.anabranch.backend.relay.pipe.LoopPipes;
import io.anabranch.backend.relay.pipe.PipedRead;
import io.anabranch.backend.relay.pipe.ReadRecord;
import io.anabranch.backend.relay.pipe.Repeat;
import io.anabranch.backend.relay.pipe.Sharing;
import io.anabranch.backend.topology.Member;
import io.anabranch.backend.transaction.SessionConnections.Share;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.Interruption;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.effect.Aftermath;
import io.anabranch.frontend.effect.ProgramEffects;
import io.anabranch.frontend.effect.Remains;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.ProxyProperties;
import io.anabranch.rules.plan.StatementPlan;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current statement on a connection that other sessions use at the same time, where it is one
 * that may (ADR 92). What comes of it other than rows without warnings is run again on a connection
 * of its own, so that nothing here has to know errors, warnings, or what is left behind.
 */
final class SharedRead implements PipedRead.Reader, RelayCallback {

  /** Where it is set, each answer tells of a change. */
  private static final String TOLD_ALWAYS = "session_track_transaction_info";

  private static final Logger log = LoggerFactory.getLogger(SharedRead.class);

  private final Session session;
  private final CurrentStatement statement;
  private final Interruption interruption;
  private final StatementCourse course;
  private final Remains remains;
  private final ProgramEffects programs;
  private final MemberReading reading;
  private final Otherwise otherwise;

  private @Nullable ReadRecord record;
  private @Nullable PipedRead read;
  private @Nullable ClientColumns clientColumns;

  /** Because few are under way. */
  private @Nullable PipedRead lone;

  private boolean isLate;
  private long answerNanos;
  private boolean isDelivering;

  /** Who runs the statement where it cannot share. */
  interface Otherwise {
    void runAlone();

    void notLeased(RuntimeException refusal);
  }

  SharedRead(
      Session session,
      CurrentStatement statement,
      Interruption interruption,
      StatementCourse course,
      Remains remains,
      ProgramEffects programs,
      MemberReading reading,
      Otherwise otherwise) {
    this.session = session;
    this.statement = statement;
    this.interruption = interruption;
    this.course = course;
    this.remains = remains;
    this.programs = programs;
    this.reading = reading;
    this.otherwise = otherwise;
  }

  /**
   * Runs the statement so, if it may.
   *
   * @param what it sends
   * @return false: it is to be run otherwise
   */
  boolean runs(Member member, @Nullable RelayCommand what, Proviso proviso, Aftermath aftermath) {
    int property = SharedReads.depth(session);
    byte[] sql = property == 0 ? null : SharedReads.text(what);
    if (sql == null
        || what == null
        || proviso.await().length > 0
        || !aftermath.isEmpty()
        || !isUnbound()
        || !SharedReads.mayBe(statement.scan(), statement.target().access(), sql)
        || programs.mayMatter()) {
      return false;
    }
    StatementPlan plan = statement.target().plan();
    Share share = plan == null ? null : session.connections().share(member.name());
    if (plan == null || share == null || !plan.isLasting()) {
      return false;
    }
    LoopPipes pipes = session.deployment().relay().pipes().of(session.loop());
    ReadRecord known =
        pipes.record(
            statement.scan().fingerprint(), plan, () -> SharedReads.arePlain(session, sql));
    record = known;
    if (statement.attempts().sharesNoMore()
        || !known.mayShare(property == ProxyProperties.PIPELINE_AUTO)) {
      return false;
    }
    statement.attempts().sharesNoMore(true);
    var next = new PipedRead(share.desk(), share.request(), session.settings(), what, this);
    clientColumns = what instanceof RelayCommand.Execute execute ? execute.columns() : null;
    read = next;
    interruption.queued(this::end);
    if (!pipes.enter(next, Sharing.of(property, known.isQuick()))) {
      over();
      lone = next;
      return false;
    }
    return true;
  }

  private boolean isUnbound() {
    return statement.command().listed() == null
        && statement.target().key().first() == 0
        && interruption.reason() == null
        && statement.ruling().cap() == null
        && !session.settings().variables().containsKey(TOLD_ALWAYS)
        && session.database().temporaries().isEmpty();
  }

  /** The statement was run alone: what that says of the next ones. */
  void ranAlone(RelayOutcome.Done answer) {
    ReadRecord known = record;
    if (known != null) {
      known.ranAlone(
          statement.times().answered() - statement.times().leased(),
          answer.rows(),
          answer.warnings());
    }
  }

  /** The statement has ended. */
  void ended() {
    record = null;
    PipedRead former = lone;
    lone = null;
    if (former != null) {
      former.ranAlone();
    }
  }

  // ---- told by the connection

  @Override
  public void answered(
      BackendConnection from,
      ByteBuf answer,
      @Nullable ToldColumns columns,
      boolean keptOthersWaiting,
      long nanos) {
    over();
    answerNanos = nanos;
    isLate = keptOthersWaiting;
    isDelivering = true;
    statement.times().leased(statement.times().planned());
    try {
      session
          .deployment()
          .relay()
          .deliver(
              from,
              answer,
              columns,
              clientColumns,
              statement.scan().fingerprint(),
              statement.target().names(),
              session.sink(),
              this);
    } catch (RuntimeException mistake) {
      log.error("{}: an answer could not be given", session, mistake);
      if (isDelivering) {
        isDelivering = false;
        reading.fails();
        course.closeAfterwards();
        course.failed(ErrorCatalogue.BACKEND_LOST.errno());
      } else {
        session.channel().close();
      }
    }
  }

  /** The client has its answer. */
  @Override
  public void completed(RelayOutcome outcome) {
    isDelivering = false;
    statement.times().answered(System.nanoTime());
    reading.ends();
    if (outcome instanceof RelayOutcome.Done answer) {
      statement.executed().sent(answer.rows());
      remains.remember(answer);
    }
    ReadRecord known = record;
    if (known != null && isLate) {
      known.wasLate();
    } else if (known != null) {
      known.shared(answerNanos);
    }
    course.succeeded();
  }

  @Override
  public void alone(Repeat why) {
    over();
    ReadRecord known = record;
    if (known != null && why.isOwnFault()) {
      known.burdened();
    }
    course.step(otherwise::runAlone);
  }

  @Override
  public void refused(RuntimeException refusal) {
    over();
    course.step(() -> otherwise.notLeased(refusal));
  }

  /** KILL, or the client is gone: the database is told nothing, for others use the connection. */
  private void end(RuntimeException reason) {
    PipedRead running = read;
    over();
    if (running != null) {
      running.withdraw();
      if (record != null) {
        record.wasLate();
      }
      reading.fails();
      course.fail(reason);
    }
  }

  private void over() {
    read = null;
    interruption.unqueued();
  }
}
