package io.anabranch.frontend.command;

import io.anabranch.backend.lease.BlockingWork;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.Interruption;
import io.anabranch.frontend.current.ReceivedCommand;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.current.Syntax;
import io.anabranch.frontend.execution.Cursors;
import io.anabranch.frontend.execution.KeptReads;
import io.anabranch.frontend.execution.Mirroring;
import io.anabranch.frontend.execution.Planning;
import io.anabranch.frontend.execution.StatementRewriting;
import io.anabranch.frontend.execution.StatementRules;
import io.anabranch.frontend.execution.merge.MergeLane;
import io.anabranch.frontend.execution.relay.Preparation;
import io.anabranch.frontend.execution.relay.RelayLane;
import io.anabranch.frontend.local.LocalStatements;
import io.anabranch.frontend.local.OwnTablesCommand;
import io.anabranch.frontend.notice.RefusalLog;
import io.anabranch.frontend.response.Failures;
import io.anabranch.frontend.rewrite.SystemSchema;
import io.anabranch.frontend.rule.SessionRules;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionListener;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.frontend.session.prepared.OpenCursor;
import io.anabranch.frontend.session.prepared.PreparedCommand;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.frontend.statement.PercentSigns;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.function.Supplier;

/**
 * The way of a command's statements, one after the other: scan, then either an answer of the
 * proxy's own or plan, bind and one of the lanes. One per session, used again for each command; on
 * the session's event loop but where it says otherwise.
 */
final class StatementRun implements StatementCourse {

  /** The answer to COM_STMT_PREPARE has two bytes for their number. */
  private static final int MOST_PARAMETERS = 0xFFFF;

  private final Session session;
  private final RefusalLog refusals;
  private final CurrentStatement statement;
  private final Interruption interruption;
  private final RelayLane relayLane;
  private final FieldList fieldList;
  private final OwnAnswer own;
  private final Cursors cursors;
  private final CursorFetch fetch;
  private final StatementAdmission admission;
  private final StatementRules rules;
  private final StatementRewriting rewriting;
  private final Mirroring mirroring;
  private final KeptReads kept;
  private final StatementChoice choice;
  private final LaneChoice lanes;
  private final ChangedDefinitions definitions;
  private final StatementReport report;

  private Runnable done = () -> {};
  private boolean closeAfterwards;

  StatementRun(
      Session session, SessionListener listener, LocalStatements local, SessionRegistry registry) {
    this.session = session;
    this.refusals = registry.refusals();
    statement = new CurrentStatement(session);
    interruption = new Interruption(session);
    session.sink().errors(error -> statement.text().told(interruption.told(error)));
    var concerning = new SessionRules(registry.rules());
    rules = new StatementRules(session, statement, interruption, concerning);
    rewriting = new StatementRewriting(session, statement, concerning);
    mirroring = new Mirroring(session, statement, registry.mirrors());
    kept = new KeptReads(session, statement, interruption, this, registry.answers());
    var planning =
        new Planning(session, statement, interruption, rules, rewriting, kept, this, this::answer);
    admission = new StatementAdmission(session, statement, interruption, this, planning::plan);
    cursors = new Cursors(session);
    relayLane = new RelayLane(session, statement, interruption, cursors, this);
    var mergeLane = new MergeLane(session, statement, interruption, cursors, this);
    var preparation = new Preparation(session, statement, relayLane, this);
    fieldList = new FieldList(session, statement, relayLane);
    definitions = new ChangedDefinitions(session, statement);
    statement.executed().explainedBy(new ExplainedStatement(session, statement)::query);
    report = new StatementReport(session, statement, listener.of(session.loop()));
    fetch = new CursorFetch(session, statement.executed(), relayLane, cursors, this);
    own = new OwnAnswer(session, statement, preparation, relayLane, planning, this, this::answer);
    var ownTables = new OwnTablesCommand(listener.schema(), this);
    choice = new StatementChoice(session, statement, local, ownTables, preparation, admission, own);
    lanes =
        new LaneChoice(statement, relayLane, mergeLane, preparation, fieldList, definitions, this);
  }

  // ---------------------------------------------------------------- commands

  /**
   * COM_QUERY.
   *
   * @param payload the command byte and the text; the caller keeps its reference
   * @param whenDone runs when the answer has been given
   */
  void query(ByteBuf payload, Runnable whenDone) {
    byte[] sql = new byte[payload.readableBytes() - 1];
    payload.getBytes(payload.readerIndex() + 1, sql);
    statement.command().packet(payload);
    begin("Query", sql, ExecuteParameters.NONE, whenDone);
  }

  /** The same with a statement of the proxy's own. */
  void query(String sql, Runnable whenDone) {
    begin("Query", sql.getBytes(session.charset()), ExecuteParameters.NONE, whenDone);
  }

  /**
   * COM_STMT_EXECUTE.
   *
   * @param withCursor the client wants to fetch the rows in portions
   */
  void execute(
      PreparedStatement which, ExecuteParameters values, boolean withCursor, Runnable whenDone) {
    closeCursor(which);
    which.columns().begin();
    statement.command().prepared(which);
    statement.command().wantsCursor(withCursor);
    begin("Execute", which.sql(), values, whenDone);
  }

  /**
   * COM_STMT_BULK_EXECUTE.
   *
   * @param arguments flags, types and rows
   */
  void executeAll(PreparedStatement which, byte[] arguments, Runnable whenDone) {
    closeCursor(which);
    which.columns().begin();
    statement.command().prepared(which);
    statement.command().bulk(arguments);
    begin("Bulk Execute", which.sql(), ExecuteParameters.NONE, whenDone);
  }

  /**
   * COM_STMT_FETCH.
   *
   * @param rows at most, unsigned 32 bits
   */
  void fetch(PreparedStatement which, OpenCursor from, long rows, Runnable whenDone) {
    done = whenDone;
    closeAfterwards = false;
    statement.command().prepared(which);
    statement.command().fetches(true);
    statement.begin(which.sql(), ExecuteParameters.NONE);
    long now = session.command().started("Fetch", which.sql());
    interruption.clear();
    statement.scan(0, now);
    fetch.run(which, from, rows);
  }

  /** COM_STMT_RESET, COM_STMT_CLOSE. */
  void closeCursor(PreparedStatement of) {
    cursors.close(of);
  }

  /** How large the text is that was prepared last. */
  Scan.Size size() {
    return statement.scan().size();
  }

  /** COM_STMT_PREPARE; errors go to the client as for a query. */
  void prepare(byte[] sql, ReceivedCommand.PrepareReply reply, Runnable whenDone) {
    statement.command().prepareReply(reply);
    statement.prepares(true);
    begin("Prepare", sql, ExecuteParameters.NONE, whenDone);
  }

  /** COM_FIELD_LIST. */
  void list(ClientCommand.FieldList command, Runnable whenDone) {
    if (session.database().systemSchema() == null) {
      statement.command().listed(command);
      begin(
          "Field List",
          FieldList.planned(command).getBytes(session.charset()),
          ExecuteParameters.NONE,
          whenDone);
    } else {
      prepare(
          FieldList.described(command).getBytes(session.charset()),
          (columns, _, _) -> fieldList.reply(command, columns),
          whenDone);
    }
  }

  private void begin(String name, byte[] sql, ExecuteParameters values, Runnable whenDone) {
    done = whenDone;
    closeAfterwards = false;
    statement.begin(sql, values);
    statement(0, session.command().started(name, sql));
  }

  private void statement(int from, long now) {
    own.begin();
    interruption.clear();
    try {
      renewRules();
      statement.scan(from, now);
      session.connections().tellStateLost();
      boolean more = statement.text().next() >= 0;
      if (more && (statement.command().isPrepared() || !session.has(Capability.MULTI_STATEMENTS))) {
        throw Syntax.near(statement.text().commandText(), statement.text().nextCharacter());
      }
      if (more && statement.scan().kind() == StatementKind.EMPTY) {
        throw statement.text().empty();
      }
      session.moreResults(more);
      count(statement.scan().kind());
      String schema = session.database().systemSchema();
      PreparedStatement prepared = statement.command().prepared();
      if (schema != null && (prepared == null || prepared.database() == null)) {
        useSchema(schema);
      }
      answer();
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  /** As commands of the protocol are counted where they arrive. */
  private void count(StatementKind kind) {
    switch (kind) {
      case PREPARE -> session.statements().count(PreparedCommand.PREPARE);
      case EXECUTE -> session.statements().count(PreparedCommand.EXECUTE);
      case DEALLOCATE -> session.statements().count(PreparedCommand.CLOSE);
      default -> {}
    }
  }

  private void answer() {
    if (statement.prepares() && statement.scan().parameterCount() > MOST_PARAMETERS) {
      throw ErrorCatalogue.TOO_MANY_PLACEHOLDERS.refuse();
    }
    PercentSigns.requireFew(statement.scan());
    kept.begins();
    choice.make();
  }

  private void renewRules() {
    try {
      session.rules().begin();
    } catch (RefusedException refused) {
      closeAfterwards = true;
      throw refused;
    }
  }

  private void useSchema(String schema) {
    String qualified = SystemSchema.qualify(statement.source(), schema);
    if (qualified != null) {
      statement.replace(qualified);
    }
  }

  @Override
  public void run(BoundPlan planned) {
    lanes.run(rules.routed(planned));
  }

  // ---------------------------------------------------------------- answers

  @Override
  public void fail(Throwable failure) {
    if (failure instanceof RefusedException refused
        && refused.errno() == ErrorCatalogue.DEADLOCK.errno()) {
      session.connections().deadlocked();
    }
    if (failure instanceof RefusedException refused) {
      refusals.ofStatement(session, refused.errno(), refused.id());
      closeAfterwards |= refused.is(ErrorCatalogue.SESSION_STATE_LOST);
    }
    fail(
        statement
            .text()
            .told(
                Failures.packet(
                    asServer(failure), session.toString(), session.deployment().isMariaDb())),
        failure instanceof ShardException.Database refused ? refused.problems() : List.of());
  }

  /** A database that is one schema may have been dropped meanwhile, here or by others. */
  private Throwable asServer(Throwable failure) {
    boolean isGone =
        failure instanceof RefusedException refused && refused.is(ErrorCatalogue.SCHEMA_GONE);
    Backend target = isGone ? statement.target().chosen() : null;
    return target != null && target.database().isPassThrough()
        ? ErrorCatalogue.UNKNOWN_DATABASE.refuse(target.database().name())
        : failure;
  }

  @Override
  public void fail(ErrPacket error) {
    fail(error, List.of());
  }

  /**
   * @param problems what SHOW WARNINGS will tell; none: the error
   */
  private void fail(ErrPacket error, List<List<String>> problems) {
    session.diagnostics().failed(error);
    session.diagnostics().problems(problems);
    session.replies().error(error, session.settings().resultCharset());
    finish(error.errno());
  }

  @Override
  public void blocking(Supplier<Runnable> work) {
    run(BlockingWork.endable(session.connections()::areBound), work);
  }

  @Override
  public void concluding(Supplier<Runnable> work) {
    run(BlockingWork.conclusion(session.connections()::areBound), work);
  }

  private void run(BlockingWork within, Supplier<Runnable> work) {
    interruption.works(within);
    session
        .background()
        .execute(
            () -> {
              Runnable then;
              try {
                then = within.call(work);
              } catch (Throwable t) {
                Throwable told = within.told(t);
                then = () -> fail(told);
              }
              Runnable last = then;
              session
                  .loop()
                  .execute(
                      () -> {
                        interruption.worked();
                        step(last);
                      });
            });
  }

  @Override
  public void step(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  @Override
  public void closeAfterwards() {
    closeAfterwards = true;
  }

  // ---------------------------------------------------------------- end

  @Override
  public void succeeded() {
    finish(0);
  }

  @Override
  public void failed(int errno) {
    finish(errno);
  }

  private void finish(int errno) {
    session.connections().statementEnded();
    session.members().statementEnded();
    mirroring.ended(errno);
    kept.ended(errno);
    own.ended();
    admission.ended();
    rules.ended();
    rewriting.ended();
    definitions.ended(errno);
    relayLane.dropCommand();
    long now = statement.times().end();
    report.ended(errno, now);
    interruption.clear();
    session.database().target(null);
    int next = statement.text().next();
    boolean goesOn =
        errno == 0 && next >= 0 && !statement.command().isPrepared() && !closeAfterwards;
    statement.ended();
    if (goesOn) {
      session.loop().execute(() -> statement(next, System.nanoTime()));
      return;
    }
    statement.commandEnded();
    cursors.commandEnded();
    session.moreResults(false);
    session.rules().ended();
    session.command().finished(now);
    if (closeAfterwards) {
      session.channel().close();
    }
    Runnable end = done;
    done = () -> {};
    session.settle(end);
  }

  /**
   * Whether the statement changes something although its client has gone: a write that commits by
   * itself, or COMMIT. A read would be for nobody, and what a transaction has done is rolled back.
   * Large statements that wait for their plan have not begun.
   */
  boolean outlivesClient() {
    StatementKind kind = statement.scan().kind();
    if (interruption.isQueued()
        || interruption.endsPlanning()
        || (interruption.isPlanning() && kind == StatementKind.SELECT)) {
      return false;
    }
    return switch (kind) {
      case COMMIT, XA -> true;
      case LOAD_DATA -> false;
      // also where they go to the primary: BENCHMARK and GET_LOCK would keep its connection
      case SELECT, QUERY_EXPRESSION, DO, SHOW, DESCRIBE -> false;
      // the session's own values would be for nobody, too
      case SET -> !interruption.isWorking() && changesDatabases();
      default -> changesDatabases();
    };
  }

  private boolean changesDatabases() {
    return statement.target().access() == Access.WRITE && !session.transaction().isBegun();
  }

  /**
   * Ends what runs, for KILL and for clients that went away.
   *
   * @param reason what the client is told
   */
  void interrupt(RuntimeException reason) {
    interruption.interrupt(reason);
  }
}
