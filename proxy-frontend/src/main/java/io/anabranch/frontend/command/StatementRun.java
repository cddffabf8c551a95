package io.anabranch.frontend.command;

import io.anabranch.frontend.administration.AdministrationCommand;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.DatabaseStatement;
import io.anabranch.frontend.current.Interruption;
import io.anabranch.frontend.current.ReceivedCommand;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.current.Syntax;
import io.anabranch.frontend.effect.ImplicitCommit;
import io.anabranch.frontend.effect.KeptWarnings;
import io.anabranch.frontend.effect.Pins;
import io.anabranch.frontend.effect.ProgramEffects;
import io.anabranch.frontend.execution.Cursors;
import io.anabranch.frontend.execution.MergeLane;
import io.anabranch.frontend.execution.Planning;
import io.anabranch.frontend.execution.Preparation;
import io.anabranch.frontend.execution.RelayLane;
import io.anabranch.frontend.execution.StatementRules;
import io.anabranch.frontend.local.DiagnosticsCommand;
import io.anabranch.frontend.local.LocalStatements;
import io.anabranch.frontend.local.NamedStatements;
import io.anabranch.frontend.local.OwnTablesCommand;
import io.anabranch.frontend.notice.RefusalLog;
import io.anabranch.frontend.privilege.KnownNames;
import io.anabranch.frontend.privilege.Privileges;
import io.anabranch.frontend.response.Failures;
import io.anabranch.frontend.response.KeptRows;
import io.anabranch.frontend.response.MergedRows;
import io.anabranch.frontend.rewrite.SessionValues;
import io.anabranch.frontend.rewrite.SystemSchema;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.ExecutedStatement;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionListener;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.frontend.session.StatementListener;
import io.anabranch.frontend.session.prepared.OpenCursor;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.frontend.statement.PreparableStatements;
import io.anabranch.frontend.statement.SetStatement;
import io.anabranch.frontend.statement.VersionComments;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.rewrite.MarkerLiterals;
import io.netty.buffer.ByteBuf;
import java.nio.charset.Charset;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of a command's statements, one after the other: scan, then either an answer of the
 * proxy's own or plan, bind and one of the lanes. One per session, used again for each command; on
 * the session's event loop but where it says otherwise.
 */
final class StatementRun implements StatementCourse {

  /** ER_DB_CREATE_EXISTS. */
  private static final int DATABASE_EXISTS = 1007;

  /** ER_DB_DROP_EXISTS. */
  private static final int NO_DATABASE_TO_DROP = 1008;

  private final Session session;
  private final StatementListener listener;
  private final RefusalLog refusals;
  private final LocalStatements local;
  private final CurrentStatement statement;
  private final Interruption interruption;
  private final Planning planning;
  private final RelayLane relayLane;
  private final MergeLane mergeLane;
  private final Preparation preparation;
  private final FieldList fieldList;
  private final OwnAnswer own;
  private final Cursors cursors;
  private final OwnTablesCommand ownTables;
  private final StatementAdmission admission;
  private final StatementRules rules;

  private Runnable done = () -> {};
  private boolean closeAfterwards;

  /** Where the current statement changes tables; null: it changes none. */
  private @Nullable Backend changing;

  /** What the current statement does to a database that is in no file; null: nothing. */
  private @Nullable DatabaseStatement defined;

  private boolean isNewDatabase;

  StatementRun(
      Session session, SessionListener listener, LocalStatements local, SessionRegistry registry) {
    this.session = session;
    this.refusals = registry.refusals();
    this.listener = listener.of(session.loop());
    this.local = local;
    statement = new CurrentStatement(session);
    interruption = new Interruption(session);
    session.sink().errors(error -> statement.text().told(interruption.told(error)));
    rules = new StatementRules(session, statement, interruption, registry.rules());
    planning = new Planning(session, statement, interruption, rules, this);
    admission = new StatementAdmission(session, interruption, this, planning::plan);
    cursors = new Cursors(session);
    relayLane = new RelayLane(session, statement, interruption, cursors, this);
    mergeLane = new MergeLane(session, statement, interruption, cursors, this);
    preparation = new Preparation(session, statement, relayLane, this);
    fieldList = new FieldList(session, statement, relayLane);
    ownTables = new OwnTablesCommand(listener.schema(), this);
    own = new OwnAnswer(session, statement, preparation, relayLane, planning, this, this::dispatch);
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
    switch (from) {
      case OpenCursor.InDatabase inDatabase -> step(() -> relayLane.fetch(inDatabase, rows));
      case OpenCursor.InProxy(KeptRows kept) -> send(which, kept, rows);
    }
  }

  private void send(PreparedStatement which, KeptRows kept, long most) {
    Charset results = session.settings().resultCharset();
    var rows = new MergedRows(session.sink(), results, session.status(), session.memory());
    int status = session.status();
    blocking(
        () -> {
          boolean isOpen;
          try {
            isOpen = Cursors.send(kept, most, rows, status);
          } finally {
            rows.close();
          }
          return () -> {
            session.sink().sequence(rows.sequence());
            cursors.fetched(which, isOpen);
            succeeded();
          };
        });
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
      String schema = session.database().systemSchema();
      if (schema != null) {
        useSchema(schema);
      }
      dispatch();
    } catch (RuntimeException e) {
      fail(e);
    }
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

  private void dispatch() {
    if (statement.command().bulk() != null && !isBulkStatement()) {
      throw ErrorCatalogue.NOT_PREPARABLE.refuse();
    }
    if (statement.scan().hasExecutableComment()) {
      unwrap();
    }
    if (statement.command().prepareReply() != null && isRefusedToPrepare()) {
      throw ErrorCatalogue.NOT_PREPARABLE.refuse();
    }
    if (session.diagnostics().warnings() > 0
        && session.deployment().isMariaDb()
        && !keepsWarnings()) {
      session.diagnostics().forgetWarnings();
    }
    if (AdministrationCommand.mayBe(statement.scan().kind())
        && AdministrationCommand.answer(
            statement.source().tokens(), statement.command().prepareReply() != null, own)) {
      return;
    }
    if (ownTables.answer(statement, own)) {
      return;
    }
    if (local.takes(statement.scan().kind())) {
      ofSession();
    } else if (!SessionValues.answer(statement, own)
        && !DiagnosticsCommand.answer(statement, own)) {
      admission.admit();
    }
  }

  /** Whether it leaves what the statement before warned of, as MariaDB's do. */
  private boolean keepsWarnings() {
    StatementKind kind = statement.scan().kind();
    return switch (kind) {
      case PREPARE, EXECUTE -> NamedStatements.keepWarnings(statement.source(), session);
      default -> KeptWarnings.areKept(kind, statement.source().tokens());
    };
  }

  private boolean isBulkStatement() {
    if (statement.scan().kind() != StatementKind.SET) {
      return isBulkStatement(statement.scan().kind());
    }
    SetStatement.ForStatement outer = setForStatement();
    if (outer == null) {
      return false;
    }
    SourceText source = statement.source();
    byte[] text = source.bytes();
    var inner = new Scan();
    new SqlScanner().scan(text, outer.statementOffset(), text.length, session.lexerMode(), inner);
    return isBulkStatement(inner.kind());
  }

  /** Whether what stands behind {@code SET STATEMENT … FOR} has all parameters, and takes them. */
  private boolean keepsMarkers() {
    SetStatement.ForStatement outer = setForStatement();
    if (outer == null) {
      return false;
    }
    SourceText source = statement.source();
    SqlTokens tokens = source.tokens();
    int offset = new String(source.bytes(), 0, outer.statementOffset(), source.charset()).length();
    boolean ofSettings = false;
    for (int token = 0; token < tokens.size() && tokens.start(token) < offset; token++) {
      ofSettings |= tokens.kind(token) == TokenKind.MARKER;
    }
    return !ofSettings || !LocalStatements.takeApart(session);
  }

  /** {@code SET STATEMENT … FOR} another one; null: it is none. */
  private SetStatement.@Nullable ForStatement setForStatement() {
    boolean is = statement.scan().kind() == StatementKind.SET;
    return is && SetStatement.parse(statement.source()) instanceof SetStatement.ForStatement found
        ? found
        : null;
  }

  private boolean isRefusedToPrepare() {
    return PreparableStatements.areRefused(
        statement.scan().kind(),
        () -> statement.source().tokens(),
        session.deployment().isMariaDb());
  }

  /** Those that servers run for many rows of parameters. */
  private static boolean isBulkStatement(StatementKind kind) {
    return switch (kind) {
      case INSERT, REPLACE, UPDATE, DELETE -> true;
      default -> false;
    };
  }

  /**
   * Comments decide what the statement is, or are in one that the proxy reads itself, or what they
   * hide must be known to tell whether the user may do it.
   */
  private void unwrap() {
    SourceText source = statement.source();
    boolean decides = source.tokens().kind(0) == TokenKind.EXECUTABLE_START;
    boolean isLimited = !session.user().grants().isUnlimited();
    if (decides || isLimited || local.takes(statement.scan().kind())) {
      var comments = new VersionComments(session.deployment().serverVersion());
      statement.replace(comments.unwrap(source));
    }
  }

  private void ofSession() {
    boolean prepares = statement.command().prepareReply() != null;
    if (prepares && local.isWithoutResult(statement.scan().kind(), statement::source)) {
      preparation.answer(List.of(), 0);
    } else {
      if (statement.command().prepared() != null
          && statement.scan().parameterCount() > 0
          && !keepsMarkers()) {
        List<MarkerLiterals.Value> values =
            BoundParameters.literals(statement.values().slots(), session).stream()
                .map(MarkerLiterals.Value::of)
                .toList();
        statement.replace(MarkerLiterals.in(statement.source(), values));
      }
      SourceText source = statement.source();
      Backend current = session.backend();
      String database = current == null ? "" : current.database().name();
      Privileges.check(statement.scan().kind(), source, session, KnownNames.of(database));
      local.run(statement.scan().kind(), source, own);
    }
  }

  @Override
  public void run(BoundPlan planned) {
    BoundPlan bound = rules.routed(planned);
    if (statement.command().prepareReply() != null) {
      preparation.describe(bound);
      return;
    }
    ClientCommand.FieldList listed = statement.command().listed();
    if (listed != null) {
      fieldList.run(listed, bound);
      return;
    }
    changesTables();
    if (statement.command().bulk() != null && !(bound instanceof BoundPlan.AsIs)) {
      fail(
          ErrorCatalogue.NOT_SUPPORTED.refuse(
              "COM_STMT_BULK_EXECUTE in a database with sharded tables",
              "execute row by row: useBulkStmts=false, useBulkStmtsForInserts=false"));
      return;
    }
    switch (bound) {
      case BoundPlan.AsIs target -> relayLane.run(target);
      case BoundPlan.Single target -> relayLane.run(target);
      case BoundPlan.Merged merged -> {
        statement.target().generatedKey(merged.generatedKey());
        mergeLane.run(merged.root());
      }
    }
  }

  // ---------------------------------------------------------------- answers

  @Override
  public void fail(Throwable failure) {
    if (failure instanceof RefusedException refused && refused.is(ErrorCatalogue.DEADLOCK)) {
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
                    asServer(failure), session.toString(), session.deployment().isMariaDb())));
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
    session.diagnostics().failed(error);
    session.replies().error(error, session.settings().resultCharset());
    finish(error.errno());
  }

  @Override
  public void blocking(Supplier<Runnable> work) {
    session
        .background()
        .execute(
            () -> {
              Runnable then;
              try {
                then = work.get();
              } catch (Throwable t) {
                then = () -> fail(t);
              }
              Runnable last = then;
              session.loop().execute(() -> step(last));
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

  /** Whoever hears that tables have changed, by the answer or otherwise, meets no former plan. */
  private void changesTables() {
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

  /** What was made for a statement that failed is not there. */
  private void definedDatabase(int errno) {
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
    session.deployment().relay().tablesChanged();
    if (!on.database().isPassThrough()) {
      session.deployment().planner().invalidate();
      on.catalog().refresh(null);
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

  @Override
  public void failed(int errno) {
    finish(errno);
  }

  private void finish(int errno) {
    own.ended();
    admission.ended();
    rules.ended();
    changedTables();
    definedDatabase(errno);
    relayLane.dropCommand();
    long now = statement.times().end();
    report(errno, now);
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
    end.run();
  }

  private void report(int errno, long now) {
    long planEnd = statement.times().planned() == 0 ? now : statement.times().planned();
    long leaseEnd = statement.times().leased() == 0 ? planEnd : statement.times().leased();
    listener.done(
        statement.prepares() ? StatementKind.PREPARE : statement.scan().kind(),
        statement.target().lane(),
        planEnd - statement.times().started(),
        leaseEnd - planEnd,
        now - leaseEnd,
        errno);
    if (statement.isExecution()) {
      ExecutedStatement executed = statement.executed();
      Backend on = statement.target().backend();
      executed.ended(
          statement.scan(),
          statement.target().lane(),
          on == null ? session.database().name() : on.database().name(),
          planEnd - statement.times().started(),
          leaseEnd - planEnd,
          now - leaseEnd,
          now,
          errno);
      listener.executed(executed);
    }
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
      default -> statement.target().access() == Access.WRITE && !session.transaction().isBegun();
    };
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
