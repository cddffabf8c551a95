package io.anabranch.frontend.command;

import io.anabranch.backend.execute.Cancellation;
import io.anabranch.backend.execute.MergeOutcome;
import io.anabranch.backend.execute.MergeRequest;
import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.pool.LeaseDesk;
import io.anabranch.backend.relay.PreparedShape;
import io.anabranch.backend.relay.RelayCallback;
import io.anabranch.backend.relay.RelayCommand;
import io.anabranch.backend.relay.RelayOutcome;
import io.anabranch.backend.relay.RelayRequest;
import io.anabranch.backend.relay.ResponseForm;
import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.frontend.response.Failures;
import io.anabranch.frontend.response.MergedRows;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.PreparedStatement;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionListener;
import io.anabranch.frontend.session.SessionListener.Lane;
import io.anabranch.protocol.command.StatementParameter;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.PreparedSlotValues;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.SlotValues;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.plan.TextSlotValues;
import io.anabranch.rules.planner.PlanScope;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of a statement: scan, plan, bind, lease, run, answer. One per session, used again for
 * each statement; on the session's event loop but where it says otherwise.
 */
final class StatementRun implements Answer, LeaseDesk.Callback, RelayCallback {

  private static final Logger sqlLog = LoggerFactory.getLogger("io.anabranch.sql");
  private static final int INTERRUPTED = ErrorCatalogue.QUERY_INTERRUPTED.errno();
  private static final int MOST_INTERRUPT_SECONDS = 10;
  private static final NameMapping NO_NAMES = NameMapping.ofSchema("");

  private final Session session;
  private final SessionListener listener;
  private final LocalStatements local;
  private final SqlScanner scanner = new SqlScanner();
  private final Scan scan = new Scan();
  private final TextSlotValues textSlots = new TextSlotValues();

  // the command
  private Runnable done = () -> {};
  private @Nullable ByteBuf packet;
  private byte[] text = {};
  private int textEnd;
  private @Nullable PreparedStatement prepared;
  private List<StatementParameter> parameters = List.of();
  private @Nullable PrepareReply prepareReply;
  private boolean closeAfterwards;
  private boolean keepDiagnostics;

  // its current statement
  private boolean whole;
  private boolean replaced;
  private @Nullable Backend backend;
  private @Nullable StatementPlan plan;
  private NameMapping names = NO_NAMES;
  private @Nullable RelayCommand command;
  private @Nullable ShardQuery query;
  private long generatedKey;
  private Aftermath aftermath = Aftermath.NONE;
  private String endpoint = "";
  private Access access = Access.WRITE;
  private @Nullable Lease lease;
  private @Nullable Cancellation cancellation;
  private @Nullable Interruption interruption;
  private boolean retried;
  private Lane lane = Lane.LOCAL;
  private long started;
  private long planned;
  private long leased;

  StatementRun(Session session, SessionListener listener, LocalStatements local) {
    this.session = session;
    this.listener = listener;
    this.local = local;
  }

  /** What becomes of the answer to COM_STMT_PREPARE. */
  interface PrepareReply {
    void prepared(List<ResultColumn> columns, int parameterCount, int warnings);
  }

  // ---------------------------------------------------------------- commands

  /**
   * COM_QUERY.
   *
   * @param payload the command byte and the text; the caller keeps its reference
   * @param whenDone runs when the answer has been given
   */
  void query(ByteBuf payload, Runnable whenDone) {
    int length = payload.readableBytes() - 1;
    byte[] bytes = new byte[length];
    payload.getBytes(payload.readerIndex() + 1, bytes);
    packet = payload.retain();
    begin(bytes, List.of(), whenDone);
    session.started("Query", bytes);
    statement(0);
  }

  /** COM_STMT_EXECUTE. */
  void execute(PreparedStatement statement, List<StatementParameter> values, Runnable whenDone) {
    begin(statement.sql(), values, whenDone);
    prepared = statement;
    session.started("Execute", statement.sql());
    statement(0);
  }

  /** COM_STMT_PREPARE; errors go to the client as for a query. */
  void prepare(byte[] sql, PrepareReply reply, Runnable whenDone) {
    begin(sql, List.of(), whenDone);
    prepareReply = reply;
    session.started("Prepare", sql);
    statement(0);
  }

  private void begin(byte[] sql, List<StatementParameter> values, Runnable whenDone) {
    done = whenDone;
    text = sql;
    textEnd = sql.length;
    parameters = values;
    closeAfterwards = false;
  }

  private void statement(int from) {
    started = System.nanoTime();
    lane = Lane.LOCAL;
    keepDiagnostics = false;
    retried = false;
    interruption = null;
    replaced = false;
    leased = 0;
    planned = 0;
    names = NO_NAMES;
    try {
      scanner.scan(text, from, textEnd, session.lexerMode(), scan);
      boolean more = scan.next() >= 0;
      if (more && (isPrepared() || !session.has(Capability.MULTI_STATEMENTS))) {
        throw secondStatement();
      }
      session.moreResults(more);
      whole = from == 0 && !more && !isPrepared();
      if (local.takes(scan.kind())) {
        ofSession();
      } else {
        plan();
      }
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  private boolean isPrepared() {
    return prepared != null || prepareReply != null;
  }

  private void ofSession() {
    if (prepareReply != null && local.isWithoutResult(scan.kind())) {
      answerPrepare(List.of(), 0);
    } else {
      SourceText statement = source();
      Backend current = session.backend();
      String own = current == null ? "" : current.database().name();
      Privileges.check(statement, session, own::equalsIgnoreCase);
      local.run(scan.kind(), statement, this);
    }
  }

  private RefusedException secondStatement() {
    String all = new String(text, 0, textEnd, session.charset());
    String first = new String(text, 0, scan.next(), session.charset());
    return Syntax.near(all, first.length());
  }

  /** The statement's text for those who read tokens. */
  private SourceText source() {
    return SourceText.of(scan, session.charset(), session.lexerMode());
  }

  // ---------------------------------------------------------------- plan

  @Override
  public void plan() {
    PlanScope wanted = session.scope();
    Backend on = session.backend();
    if (wanted == null || on == null) {
      on = UnscopedStatement.backend(source(), scan.kind(), session);
      wanted = session.scopeOf(on);
    }
    backend = on;
    StatementPlan cached = session.deployment().planner().cached(scan, wanted);
    if (cached != null) {
      bind(cached);
    } else {
      planMiss(wanted);
    }
  }

  private void planMiss(PlanScope wanted) {
    String literal = SessionFunctions.replace(source(), session);
    if (literal != null) {
      replaceStatement(literal);
      StatementPlan cached = session.deployment().planner().cached(scan, wanted);
      if (cached != null) {
        bind(cached);
        return;
      }
    }
    Backend on = targetBackend();
    blocking(
        () -> {
          Privileges.check(source(), session, name -> isOwn(on, name));
          StatementPlan fresh = session.deployment().planner().plan(scan, wanted);
          return () -> bind(fresh);
        });
  }

  /** The logical database's name, or what the server calls it. Blocks. */
  static boolean isOwn(Backend on, String name) {
    return on.database().name().equalsIgnoreCase(name)
        || on.database().endpoints().stream()
            .anyMatch(endpoint -> on.catalog().defaultSchema(endpoint).equalsIgnoreCase(name));
  }

  /** Goes on with another text, of which the rest of the packet stays a part. */
  private void replaceStatement(String by) {
    replaced = true;
    byte[] statement = by.getBytes(session.charset());
    int next = scan.next();
    if (next < 0) {
      text = statement;
    } else {
      byte[] joined = Arrays.copyOf(statement, statement.length + 1 + textEnd - next);
      joined[statement.length] = ';';
      System.arraycopy(text, next, joined, statement.length + 1, textEnd - next);
      text = joined;
    }
    textEnd = text.length;
    whole = false;
    scanner.scan(text, 0, textEnd, session.lexerMode(), scan);
  }

  private void bind(StatementPlan found) {
    plan = found;
    names = found.names();
    access = found.access();
    BoundPlan bound = found.bind(slots());
    planned = System.nanoTime();
    SessionTransaction transaction = session.transaction();
    if (prepareReply != null) {
      describe(bound);
    } else if (!ImplicitCommit.precedes(scan, transaction)) {
      run(bound);
    } else if (transaction.hasOpened()) {
      blocking(
          () -> {
            transaction.commitBeforeDdl();
            return () -> run(bound);
          });
    } else {
      transaction.commitBeforeDdl();
      run(bound);
    }
  }

  private void run(BoundPlan bound) {
    switch (bound) {
      case BoundPlan.AsIs asIs -> relay(asIs.dataSource(), asIsCommand(asIs));
      case BoundPlan.Single single -> {
        query = single.query();
        generatedKey = single.generatedKey();
        relay(
            single.query().dataSource(),
            prepared == null
                ? new RelayCommand.Query(single.query().sql())
                : new RelayCommand.Execute(single.query(), parameters));
      }
      case BoundPlan.Merged merged -> {
        generatedKey = merged.generatedKey();
        merge(merged.root());
      }
    }
  }

  private SlotValues slots() {
    if (!isPrepared()) {
      return textSlots.over(scan, session.charset(), session.lexerMode());
    }
    var slots = new PreparedSlotValues(scan, session.charset(), session.lexerMode());
    for (int i = 0; i < parameters.size(); i++) {
      StatementParameter parameter = parameters.get(i);
      slots.bind(i, parameter.type(), parameter.value());
    }
    return slots;
  }

  private RelayCommand asIsCommand(BoundPlan.AsIs asIs) {
    ByteBuf own = packet;
    if (whole && own != null) {
      return new RelayCommand.Packet(own.retainedDuplicate(), ResponseForm.TEXT_RESULT);
    }
    PreparedStatement statement = prepared;
    if (statement != null && !replaced) {
      return new RelayCommand.Execute(statement.unchanged(asIs.dataSource()), parameters);
    }
    byte[] sql = Arrays.copyOfRange(text, scan.start(), scan.end());
    return statement == null
        ? new RelayCommand.Query(sql)
        : new RelayCommand.Execute(
            new PreparedStatement(0, sql, scan.parameterCount()).unchanged(asIs.dataSource()),
            parameters);
  }

  // ---------------------------------------------------------------- relay lane

  private void relay(String target, RelayCommand what) {
    lane = Lane.RELAY;
    aftermath = Aftermath.of(scan, this::source);
    endpoint = target;
    command = what;
    takeLease();
  }

  private void takeLease() {
    String member = session.member(targetBackend(), endpoint, access);
    if (showsSql()) {
      sqlLog.info("{}: {} <- {}", session, member, sqlForLog());
    }
    session.target(targetBackend());
    session.transaction().lease(member, this);
  }

  private boolean showsSql() {
    return session.deployment().rules().properties().sqlShow();
  }

  private String sqlForLog() {
    ShardQuery of = query;
    return of != null ? of.sqlText() : source().text();
  }

  private Backend targetBackend() {
    Backend on = backend;
    return on == null ? session.anyBackend() : on;
  }

  @Override
  public void leased(@Nullable Lease given, @Nullable RuntimeException refusal) {
    leased = System.nanoTime();
    if (given == null) {
      dropCommand();
      fail(refusal == null ? ErrorCatalogue.BACKEND_LOST.refuse(endpoint) : refusal);
      return;
    }
    Interruption begun = interruption;
    if (begun != null) {
      dropCommand();
      session.transaction().failed(given, INTERRUPTED);
      fail(begun.reason);
      return;
    }
    lease = given;
    try {
      exchange(given);
    } catch (RuntimeException e) {
      session.transaction().lost(given, "relay failed: " + e);
      lease = null;
      fail(e);
    }
  }

  private void exchange(Lease given) {
    RelayCommand what = command;
    command = null;
    if (what == null) {
      throw new IllegalStateException("nothing to send");
    }
    if (isRead(given)) {
      read(given, what);
      return;
    }
    List<byte[]> prologue = aftermath.after(prologue(given), session);
    session
        .deployment()
        .relay()
        .exchange(
            given, new RelayRequest(prologue, what, names, generatedKey), session.sink(), this);
  }

  /** What must run in front; the connection is taken for having the settings from then on. */
  private List<byte[]> prologue(Lease given) {
    List<byte[]> prologue = session.transaction().prologue(given, session.settings());
    given.applied(session.settings());
    return prologue;
  }

  /** Whether the merge lane's reader has to do what the relay does. */
  private boolean isRead(Lease given) {
    boolean relays = session.deployment().rules().properties().relayEnabled();
    return given.connection() == null || (!relays && scan.kind() != StatementKind.CALL);
  }

  private void read(Lease given, RelayCommand what) {
    ShardQuery wanted =
        switch (what) {
          case RelayCommand.Query(byte[] sql) -> ShardQuery.text(endpoint, sql);
          case RelayCommand.Execute(ShardQuery statement, List<StatementParameter> _) -> statement;
          case RelayCommand.Packet(ByteBuf payload, ResponseForm _) -> {
            byte[] sql = new byte[payload.readableBytes() - 1];
            payload.getBytes(payload.readerIndex() + 1, sql);
            payload.release();
            yield ShardQuery.text(endpoint, sql);
          }
        };
    if (scan.kind() == StatementKind.CALL) {
      lease = null;
      session.transaction().failed(given, 0);
      fail(
          ErrorCatalogue.NOT_SUPPORTED.refuse(
              "CALL on data source " + endpoint, "connect it without TLS in the driver"));
      return;
    }
    lane = Lane.MERGE;
    boolean binary = what instanceof RelayCommand.Execute;
    var run =
        new LeasedQuery(
            given, aftermath.after(prologue(given), session), wanted, parameters, binary, names);
    var rows = new MergedRows(session.sink(), session.charset(), session.status());
    session.background().execute(() -> read(run, rows));
  }

  /** On a virtual thread. */
  private void read(LeasedQuery run, MergedRows rows) {
    Runnable end;
    try {
      LeasedQuery.Ending ending = run.run(rows, session.status());
      end = () -> read(ending);
    } catch (Throwable t) {
      end =
          () -> {
            lease = null;
            session.transaction().lost(run.lease(), String.valueOf(t));
            fail(t);
          };
    } finally {
      rows.close();
    }
    Runnable last = end;
    session
        .loop()
        .execute(
            () -> {
              session.sink().sequence(rows.sequence());
              onLoop(last);
            });
  }

  /** The relay has told OK and errors by the time it calls; so here first. */
  private void read(LeasedQuery.Ending ending) {
    RelayOutcome outcome = withGeneratedKey(ending.outcome());
    switch (outcome) {
      case RelayOutcome.Done answer -> {
        if (answer.affectedRows() >= 0) {
          session
              .replies()
              .ok(
                  answer.affectedRows(),
                  answer.lastInsertId(),
                  session.status(),
                  answer.warnings(),
                  ending.info());
        }
      }
      case RelayOutcome.Failed(int errno, String state, String message, boolean _) ->
          session.replies().error(new ErrPacket(errno, state, message), session.charset());
      case RelayOutcome.Lost _ -> {}
    }
    completed(outcome);
  }

  /** As the relay does it. */
  private RelayOutcome withGeneratedKey(RelayOutcome outcome) {
    return generatedKey != 0
            && outcome
                instanceof RelayOutcome.Done(int status, long rows, _, int warnings, long sent)
            && rows > 0
        ? new RelayOutcome.Done(status, rows, generatedKey, warnings, sent)
        : outcome;
  }

  @Override
  public void relay(Lease held, byte[] sql) {
    lane = Lane.RELAY;
    lease = held;
    leased = System.nanoTime();
    List<byte[]> prologue = prologue(held);
    session
        .deployment()
        .relay()
        .exchange(
            held,
            new RelayRequest(prologue, new RelayCommand.Query(sql), NO_NAMES),
            session.sink(),
            this);
  }

  @Override
  public void completed(RelayOutcome outcome) {
    Interruption begun = interruption;
    if (begun != null && begun.asking) {
      begun.outcome = outcome;
      return;
    }
    Lease used = lease;
    lease = null;
    if (used == null) {
      throw new IllegalStateException("no lease for " + outcome);
    }
    switch (outcome) {
      case RelayOutcome.Done answer -> {
        session.transaction().prologueSent(used, session.settings());
        Pins.after(scan, session.transaction(), used);
        remember(answer);
        if (answer.warnings() > 0 || !aftermath.isEmpty()) {
          readBack(used, answer);
        } else {
          session.transaction().completed(used, answer.statusFlags());
          succeeded();
        }
      }
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
        finish(answer.errno());
      }
      case RelayOutcome.Lost lost -> lost(used, lost);
    }
  }

  /** Before the connection goes: questions may come when another session has it. */
  private void readBack(Lease used, RelayOutcome.Done answer) {
    NameMapping mapping = names;
    Aftermath left = aftermath;
    blocking(
        () -> {
          try {
            // first, because SHOW WARNINGS counts as rows found, and this keeps the warnings
            Runnable keep = left.read(used, session);
            List<List<String>> rows =
                answer.warnings() > 0
                    ? WarningRows.read(used, mapping, session.charset())
                    : List.of();
            return () -> {
              keep.run();
              session.diagnostics().warningRows(rows);
              session.transaction().completed(used, answer.statusFlags());
              succeeded();
            };
          } catch (RuntimeException e) {
            return () -> {
              // without what the statement left, later answers would be wrong
              closeAfterwards |= !left.isEmpty();
              session
                  .transaction()
                  .lost(used, "reading what the statement left failed: " + e.getMessage());
              succeeded();
            };
          }
        });
  }

  private void remember(RelayOutcome.Done answer) {
    if (answer.affectedRows() < 0) {
      session.diagnostics().rows(answer.rows(), answer.warnings());
      session.diagnostics().inserted(answer.rows() > 0 ? generatedKey : 0);
    } else {
      session.diagnostics().done(answer.affectedRows(), answer.lastInsertId(), answer.warnings());
    }
  }

  private void lost(Lease used, RelayOutcome.Lost lost) {
    boolean free = !session.transaction().hasOpened();
    RefusedException refusal = session.transaction().lost(used, lost.reason());
    StatementPlan again = plan;
    if (lost.responseStarted()) {
      closeAfterwards = true;
      finish(refusal.errno());
    } else if (free && !lost.mayHaveRun() && !retried && interruption == null && again != null) {
      retried = true;
      run(again.bind(slots()));
    } else {
      fail(refusal);
    }
  }

  private void dropCommand() {
    if (command instanceof RelayCommand.Packet own) {
      own.payload().release();
    }
    command = null;
  }

  // ---------------------------------------------------------------- merge lane

  private void merge(PlanNode root) {
    lane = Lane.MERGE;
    if (showsSql()) {
      PlanPrinter.queries(root)
          .forEach(each -> sqlLog.info("{}: {} <- {}", session, each.dataSource(), each.sqlText()));
    }
    Backend on = targetBackend();
    session.target(on);
    var ending = new Cancellation();
    cancellation = ending;
    Interruption begun = interruption;
    if (begun != null) {
      ending.cancel(begun.reason);
    }
    var rows = new MergedRows(session.sink(), session.charset(), session.status());
    var request =
        new MergeRequest(
            root,
            parameters,
            prepared != null,
            names,
            session
                .transaction()
                .leases(name -> session.member(on, name, access), session.settings()),
            ending);
    session.background().execute(() -> walk(request, rows));
  }

  /** On a virtual thread. */
  private void walk(MergeRequest request, MergedRows rows) {
    Runnable end;
    try {
      MergeOutcome outcome = session.deployment().walker().run(request, rows);
      if (outcome instanceof MergeOutcome.Rows counted) {
        rows.end(session.status(), counted.warnings());
      }
      end =
          () -> {
            session.sink().sequence(rows.sequence());
            merged(outcome);
          };
    } catch (Throwable t) {
      end =
          () -> {
            session.sink().sequence(rows.sequence());
            fail(t);
          };
    } finally {
      rows.close();
    }
    Runnable last = end;
    session.loop().execute(() -> onLoop(last));
  }

  private void merged(MergeOutcome outcome) {
    switch (outcome) {
      case MergeOutcome.Rows rows -> session.diagnostics().rows(rows.rows(), rows.warnings());
      case MergeOutcome.Done answer -> {
        boolean keepsId = generatedKey == 0 || answer.affectedRows() == 0;
        long insertId = keepsId ? answer.lastInsertId() : generatedKey;
        session.diagnostics().done(answer.affectedRows(), insertId, answer.warnings());
        session
            .replies()
            .ok(
                answer.affectedRows(),
                insertId,
                session.status(),
                answer.warnings(),
                answer.info());
      }
    }
    succeeded();
  }

  // ---------------------------------------------------------------- prepare

  private void describe(BoundPlan bound) {
    switch (bound) {
      case BoundPlan.AsIs asIs -> {
        byte[] sql = Arrays.copyOfRange(text, scan.start(), scan.end());
        describe(new PreparedStatement(0, sql, scan.parameterCount()).unchanged(asIs.dataSource()));
      }
      case BoundPlan.Single single -> describe(single.query());
      case BoundPlan.Merged merged -> answerPrepare(ResultShape.columns(merged.root()), 0);
    }
  }

  private void describe(ShardQuery of) {
    endpoint = of.dataSource();
    String member = session.member(targetBackend(), endpoint, access);
    session.target(targetBackend());
    session
        .transaction()
        .lease(
            member,
            (given, refusal) -> {
              if (given == null) {
                fail(refusal == null ? ErrorCatalogue.BACKEND_LOST.refuse(endpoint) : refusal);
              } else {
                describe(given, of);
              }
            });
  }

  private void describe(Lease given, ShardQuery of) {
    List<byte[]> prologue = prologue(given);
    if (isRead(given)) {
      var run = new LeasedQuery(given, prologue, of, List.of(), false, NO_NAMES);
      blocking(
          () -> {
            LeasedQuery.Description answer = run.describe();
            var shape = new PreparedShape(List.of(), answer.columns(), 0);
            boolean isGood = answer.failure() == null;
            return () -> described(given, isGood ? shape : null, answer.failure());
          });
      return;
    }
    session
        .deployment()
        .relay()
        .prepare(given, prologue, of, (shape, failure) -> described(given, shape, failure));
  }

  private void described(
      Lease given, @Nullable PreparedShape shape, @Nullable RelayOutcome failure) {
    if (shape != null) {
      session.transaction().prologueSent(given, session.settings());
      boolean inTransaction = session.transaction().isOpen();
      session.transaction().completed(given, inTransaction ? session.status() : 0);
      answerPrepare(ResultShape.logical(shape.columns(), names), shape.warnings());
    } else if (failure instanceof RelayOutcome.Failed refused && !refused.inPrologue()) {
      session.transaction().prologueSent(given, session.settings());
      session.transaction().failed(given, refused.errno());
      fail(new ErrPacket(refused.errno(), refused.sqlState(), refused.message()));
    } else {
      fail(session.transaction().lost(given, String.valueOf(failure)));
    }
  }

  private void answerPrepare(List<ResultColumn> columns, int warnings) {
    PrepareReply reply = prepareReply;
    if (reply != null) {
      reply.prepared(columns, scan.parameterCount(), warnings);
    }
    finish(0);
  }

  // ---------------------------------------------------------------- answers

  @Override
  public Session session() {
    return session;
  }

  @Override
  public void ok() {
    session.diagnostics().done(0, 0, 0);
    session.replies().ok(session.status());
    finish(0);
  }

  @Override
  public void rows(List<ResultColumn> columns, List<? extends List<@Nullable String>> rows) {
    if (prepareReply != null) {
      answerPrepare(columns, 0);
      return;
    }
    session.replies().rows(columns, rows, prepared != null, session.charset(), session.status(), 0);
    if (!keepDiagnostics) {
      session.diagnostics().rows(rows.size(), 0);
    }
    finish(0);
  }

  @Override
  public void keepDiagnostics() {
    keepDiagnostics = true;
  }

  @Override
  public void fail(Throwable failure) {
    fail(Failures.packet(failure, session.toString()));
  }

  private void fail(ErrPacket error) {
    session.diagnostics().failed(error);
    session.replies().error(error, session.charset());
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
              session.loop().execute(() -> onLoop(last));
            });
  }

  private void onLoop(Runnable step) {
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

  private void succeeded() {
    StatementPlan of = plan;
    Backend on = backend;
    if (of != null
        && on != null
        && !on.database().isPassThrough()
        && ImplicitCommit.changesTables(scan.kind())) {
      session.deployment().planner().invalidate();
      on.catalog().refresh(null);
    }
    finish(0);
  }

  private void finish(int errno) {
    long now = System.nanoTime();
    long planEnd = planned == 0 ? now : planned;
    long leaseEnd = leased == 0 ? planEnd : leased;
    listener.done(scan.kind(), lane, planEnd - started, leaseEnd - planEnd, now - leaseEnd, errno);
    plan = null;
    query = null;
    generatedKey = 0;
    aftermath = Aftermath.NONE;
    backend = null;
    cancellation = null;
    session.target(null);
    int next = scan.next();
    if (errno == 0 && next >= 0 && !isPrepared() && !closeAfterwards) {
      session.loop().execute(() -> statement(next));
      return;
    }
    ByteBuf own = packet;
    packet = null;
    if (own != null) {
      own.release();
    }
    prepared = null;
    prepareReply = null;
    parameters = List.of();
    session.moreResults(false);
    session.finished();
    if (closeAfterwards) {
      session.channel().close();
    }
    Runnable end = done;
    done = () -> {};
    end.run();
  }

  /**
   * Ends what runs, for KILL and for clients that went away.
   *
   * @param reason what the client is told
   */
  void interrupt(RuntimeException reason) {
    if (interruption != null) {
      return;
    }
    var begun = new Interruption(reason);
    interruption = begun;
    Cancellation running = cancellation;
    Lease used = lease;
    if (running != null) {
      running.cancel(reason);
    } else if (used != null) {
      endOnDatabase(used, begun);
    }
  }

  /**
   * The outcome waits until the database has answered the KILL: nobody else gets the connection
   * while it may still hit it. Where that fails or takes long, the connection is closed.
   */
  private void endOnDatabase(Lease used, Interruption begun) {
    begun.asking = true;
    var timeout =
        session
            .loop()
            .schedule(
                () -> interrupted(used, begun, "KILL was not answered"),
                MOST_INTERRUPT_SECONDS,
                TimeUnit.SECONDS);
    session
        .background()
        .execute(
            () -> {
              String failure = null;
              try {
                used.interrupt();
              } catch (RuntimeException e) {
                failure = "KILL failed: " + e.getMessage();
              }
              String told = failure;
              session
                  .loop()
                  .execute(
                      () -> {
                        timeout.cancel(false);
                        interrupted(used, begun, told);
                      });
            });
  }

  private void interrupted(Lease used, Interruption begun, @Nullable String failure) {
    if (!begun.asking) {
      return;
    }
    begun.asking = false;
    RelayOutcome outcome = begun.outcome;
    if (failure != null) {
      used.discard(failure);
    } else if (outcome != null && !begun.wasHit() && !session.transaction().isHolding()) {
      used.discard("KILL came when the statement had ended");
    }
    if (outcome != null) {
      begun.outcome = null;
      onLoop(() -> completed(outcome));
    }
  }

  /** That the current statement is to end. */
  private static final class Interruption {
    final RuntimeException reason;

    /** Whether the database is being told. */
    boolean asking;

    /** What the statement came to while the database was being told. */
    @Nullable RelayOutcome outcome;

    Interruption(RuntimeException reason) {
      this.reason = reason;
    }

    boolean wasHit() {
      return outcome instanceof RelayOutcome.Failed failed && failed.errno() == INTERRUPTED;
    }
  }

  StatementKind kind() {
    return scan.kind();
  }
}
