package io.anabranch.frontend.execution;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.frontend.answer.AnswerFlight;
import io.anabranch.frontend.answer.AnswerKey;
import io.anabranch.frontend.answer.KeptAnswer;
import io.anabranch.frontend.answer.KeptAnswers;
import io.anabranch.frontend.answer.SessionWrites;
import io.anabranch.frontend.answer.TableVersions;
import io.anabranch.frontend.answer.TableVersions.Stamp;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.Interruption;
import io.anabranch.frontend.current.Ruling;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.effect.Remains;
import io.anabranch.frontend.response.AnswerCopy;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.function.FunctionUses;
import io.anabranch.rules.function.Trait;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.PlanRules.Keeping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers the current statement by what another session has got, or gets, where rules say so; and
 * tells which tables it changes, so that no answer is given that is out of date. On the session's
 * event loop.
 */
public final class KeptReads {

  /** The answer to a command has its packets numbered from here. */
  private static final int FIRST_PACKET = 1;

  /** Where one is set, answers to reads tell of what others have no part in. */
  private static final Set<String> TOLD_ALWAYS =
      Set.of("session_track_transaction_info", "session_track_gtids");

  private final Session session;
  private final CurrentStatement statement;
  private final Interruption interruption;
  private final StatementCourse course;
  private final KeptAnswers answers;

  private @Nullable Leading leading;
  private @Nullable Following following;

  /**
   * What others may get of the statement that runs.
   *
   * @param nanos for which it is kept; 0: it is not
   */
  private record Leading(
      AnswerKey key, Stamp stamp, long nanos, AnswerCopy copy, @Nullable AnswerFlight flight) {}

  /**
   * @param answers of the proxy
   */
  public KeptReads(
      Session session,
      CurrentStatement statement,
      Interruption interruption,
      StatementCourse course,
      KeptAnswers answers) {
    this.session = session;
    this.statement = statement;
    this.interruption = interruption;
    this.course = course;
    this.answers = answers;
  }

  // ---------------------------------------------------------------- changes

  /** A statement comes; what the proxy answers itself has no plan that tells. */
  public void begins() {
    if (!session.deployment().rules().protection().keepsAnswers()) {
      return;
    }
    boolean mayChange =
        switch (statement.scan().kind()) {
          case XA -> true;
          case SET, SHOW, KILL -> runsPrograms(statement.source().tokens());
          default -> false;
        };
    if (mayChange) {
      session.writes().begins(answers.tables().any());
    }
  }

  /** By itself, or through a view. */
  private static boolean runsPrograms(SqlTokens tokens) {
    return tokens.mention("SELECT")
        || FunctionUses.any(tokens, function -> function.traits().contains(Trait.UNKNOWN));
  }

  private void change(Keeping keeping) {
    SessionWrites own = session.writes();
    TableVersions tables = answers.tables();
    switch (keeping) {
      case Keeping.Change(Set<String> names) -> names.forEach(name -> own.begins(tables.of(name)));
      case Keeping.ChangeOfAny _ -> own.begins(tables.any());
      case Keeping.Nothing _, Keeping.Answer _ -> {}
    }
  }

  // ---------------------------------------------------------------- reads

  /**
   * The statement is about to run.
   *
   * @param bound where it goes if rules say nothing else
   * @param alone runs it
   * @return whether it is answered, or will be, without that
   */
  boolean answer(StatementPlan plan, BoundPlan bound, Runnable alone) {
    Keeping keeping = plan.rules().keeping();
    if (keeping instanceof Keeping.Nothing || !statement.isExecution()) {
      return false;
    }
    if (!(keeping instanceof Keeping.Answer(Set<String> tables))) {
      change(keeping);
      return false;
    }
    Ruling.Kept wanted = statement.ruling().kept();
    if (wanted == null
        || !answers.isOpen(session.deployment().rules().protection().rules())
        || !mayBe(plan)) {
      return false;
    }
    AnswerKey key = key();
    boolean isKept = wanted.milliseconds() > 0 && !goesToMember(bound);
    if (isKept) {
      KeptAnswer known = answers.find(key);
      if (known != null && give(known)) {
        wanted.cached();
        return true;
      }
    }
    if (wanted.merges() && follows(key, wanted, alone)) {
      return true;
    }
    Stamp stamp = stamp(tables);
    AnswerFlight flight = wanted.merges() && stamp != null ? answers.begin(key, stamp) : null;
    if (stamp != null && flight == null && wanted.merges() && follows(key, wanted, alone)) {
      // another one has begun it meanwhile
      return true;
    }
    // what a replica does not have yet would be kept
    boolean keeps = isKept && havePrimaries();
    if (stamp != null && (keeps || flight != null)) {
      leads(key, stamp, keeps ? wanted.milliseconds() : 0, flight);
    }
    return false;
  }

  /** While a group has none, its replicas answer as ever, and nothing is kept. */
  private boolean havePrimaries() {
    Backend on = statement.target().chosen();
    for (String endpoint : on.database().endpoints()) {
      if (on.topology().reads(endpoint) != null
          && on.topology().member(endpoint, Access.WRITE, null, 0) == null) {
        return false;
      }
    }
    return true;
  }

  /** Null while nobody knows what others see of the tables. */
  private @Nullable Stamp stamp(Set<String> tables) {
    return session.deployment().coordinators().barrier().hasHalfDone()
        ? null
        : answers.tables().stamp(tables);
  }

  /** Whether rules or a hint send it to one server of a group, which may lag behind the others. */
  private boolean goesToMember(BoundPlan bound) {
    String ruled = statement.ruling().dataSource();
    String hinted = bound instanceof BoundPlan.AsIs(String name) ? name : null;
    String target = ruled == null ? hinted : ruled;
    return target != null && !statement.target().chosen().database().endpoints().contains(target);
  }

  /** Whether it needs nothing of its session but its settings, and others' answers are as good. */
  private boolean mayBe(StatementPlan plan) {
    Scan scan = statement.scan();
    return scan.kind() == StatementKind.SELECT
        && Mirroring.isRead(scan, plan)
        && plan.isLasting()
        && !scan.hasExecutableComment()
        && isPlainCommand(scan)
        && session.connections().areApart()
        && session.database().temporaries().isEmpty()
        && answers.knowsStart(session.began())
        && interruption.reason() == null
        && !readsUncommitted(session.settings())
        && Collections.disjoint(session.settings().variables().keySet(), TOLD_ALWAYS);
  }

  /** What is rolled back is seen by those until it has been, which nobody is told. */
  private static boolean readsUncommitted(SessionSettings settings) {
    String level = settings.isolation();
    return level != null && level.toUpperCase(Locale.ROOT).contains("UNCOMMITTED");
  }

  private boolean isPlainCommand(Scan scan) {
    PreparedStatement prepared = statement.command().prepared();
    return session.sink().sequence() == FIRST_PACKET
        && scan.next() < 0
        && statement.command().bulk() == null
        && !statement.command().wantsCursor()
        && statement.text().preparedUnder() == null
        && (prepared != null
            ? !statement.command().parameters().hasLongValues() && isAsDerived()
            : scan.parameterCount() == 0);
  }

  private AnswerKey key() {
    return new AnswerKey(
        session.deployment().rules(),
        statement.target().chosen().database().name(),
        session.user().toString(),
        session.settings(),
        session.capabilities(),
        statement.ruling(),
        statement.text().sql(),
        statement.command().prepared() == null ? null : values(statement.command().parameters()));
  }

  private static byte[] values(ExecuteParameters parameters) {
    ByteBuf out = Unpooled.buffer(8 + parameters.length());
    for (int i = 0; i < parameters.count(); i++) {
      byte[] value = parameters.value(i);
      out.writeInt(parameters.type(i)).writeInt(value == null ? -1 : value.length);
      if (value != null) {
        out.writeBytes(value);
      }
    }
    byte[] all = new byte[out.readableBytes()];
    out.readBytes(all);
    return all;
  }

  /**
   * @return false: the session has no room for it
   */
  private boolean give(KeptAnswer answer) {
    if (!session.sink().replay(answer.packets(), session.memory())) {
      return false;
    }
    statement.times().leased(statement.times().planned());
    statement.times().answered(System.nanoTime());
    statement.executed().sent(answer.rows());
    Remains.rows(session, statement, answer.rows(), 0);
    session.diagnostics().foundRows(answer.foundRows());
    course.succeeded();
    return true;
  }

  // ---------------------------------------------------------------- one for others

  /** It runs, and what its client gets is kept, or told to those who wait for the same. */
  private void leads(AnswerKey key, Stamp stamp, long milliseconds, @Nullable AnswerFlight flight) {
    Runnable onSlow = flight == null ? () -> {} : () -> answers.end(key, flight, null);
    var copy =
        new AnswerCopy(
            session.memory().charge(MemoryKind.HEAP, "an answer for others"),
            KeptAnswers.LONGEST,
            onSlow);
    leading = new Leading(key, stamp, TimeUnit.MILLISECONDS.toNanos(milliseconds), copy, flight);
    session.sink().copy(copy);
    if (milliseconds > 0) {
      statement.attempts().primaryOnly(true);
    }
    PreparedStatement prepared = statement.command().prepared();
    if (prepared != null) {
      // others may not know the columns that its client knows
      prepared.columns().begin();
    }
  }

  private void read(Leading read, int errno) {
    leading = null;
    session.sink().copy(null);
    KeptAnswer answer = null;
    try (AnswerCopy copy = read.copy) {
      boolean isGood =
          errno == 0
              && copy.isWhole()
              && statement.executed().warnings() == 0
              && isAsDerived()
              && session.diagnostics().knowsFoundRows();
      if (isGood) {
        answer =
            new KeptAnswer(
                copy.packets(),
                statement.executed().rows(),
                session.diagnostics().foundRows(),
                read.stamp);
      }
    }
    if (answer != null && read.nanos > 0) {
      answers.keep(read.key, answer, read.nanos);
    }
    if (read.flight != null) {
      answers.end(read.key, read.flight, answer);
    }
  }

  /** What its values did to the types of its parameters others would have to be told. */
  private boolean isAsDerived() {
    PreparedStatement prepared = statement.command().prepared();
    return prepared == null || prepared.history().areAsDerived();
  }

  // ---------------------------------------------------------------- waiting for another

  private boolean follows(AnswerKey key, Ruling.Kept wanted, Runnable alone) {
    AnswerFlight flight = answers.flight(key);
    if (flight == null || !session.reads().areAsOthers(statement.target().chosen())) {
      return false;
    }
    var own = new Following(flight, wanted, alone);
    if (!flight.join(own)) {
      return false;
    }
    following = own;
    interruption.queued(own::end);
    return true;
  }

  /** The current statement waits for what another session's brings. */
  private final class Following implements AnswerFlight.Follower {

    private final AnswerFlight flight;
    private final Ruling.Kept by;
    private final Runnable alone;

    Following(AnswerFlight flight, Ruling.Kept by, Runnable alone) {
      this.flight = flight;
      this.by = by;
      this.alone = alone;
    }

    @Override
    public void ended(@Nullable KeptAnswer answer) {
      try {
        session.loop().execute(() -> course.step(() -> goOn(answer)));
      } catch (RejectedExecutionException ending) {
        // whoever has read it goes on
      }
    }

    private void goOn(@Nullable KeptAnswer answer) {
      if (!over()) {
        return;
      }
      if (answer != null && give(answer)) {
        by.merged();
      } else {
        alone.run();
      }
    }

    /** KILL, a limit of time, or the client is gone. */
    private void end(RuntimeException reason) {
      if (over()) {
        flight.leave(this);
        course.fail(reason);
      }
    }

    private boolean over() {
      boolean isWaiting = equals(following);
      if (isWaiting) {
        following = null;
        interruption.unqueued();
      }
      return isWaiting;
    }
  }

  // ---------------------------------------------------------------- end

  /** The statement has ended. */
  public void ended(int errno) {
    Leading read = leading;
    if (read != null) {
      read(read, errno);
    }
    if (Remains.setsGlobals(statement)) {
      answers.globalsChanged(System.nanoTime());
    }
    SessionWrites own = session.writes();
    if (own.areAny()) {
      own.ended(session.transaction().hasOpened() || session.connections().pins().any(Pin.XA));
    }
  }
}
