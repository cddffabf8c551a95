package io.anabranch.frontend.effect;

import io.anabranch.backend.execute.source.UntoldState;
import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.relay.command.RelayCommand;
import io.anabranch.backend.relay.command.ResponseForm;
import io.anabranch.backend.transaction.ConnectionPins;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.program.KnownPrograms;
import io.anabranch.frontend.session.program.StoredPrograms;
import io.anabranch.frontend.statement.FunctionCalls;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.PlanPrinter;
import io.anabranch.rules.plan.ShardQuery;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the current statement may leave in its connection by programs that it does not show: stored
 * functions, procedures, triggers, views over them, and the statements of a block.
 *
 * <p>Servers tell behind a statement that succeeded that state was changed, though not what; they
 * tell nothing behind one that failed, and never anything of locks. What they do not tell is taken
 * from the texts of the programs: see {@link StoredPrograms}.
 */
public final class ProgramEffects {

  private static final int SIGNALED = 1644;

  private static final Set<String> BLOCKS =
      Set.of("BEGIN", "IF", "CASE", "LOOP", "REPEAT", "WHILE", "FOR", "EXECUTE", "CALL");

  private final Session session;
  private final CurrentStatement statement;
  private final StatementCourse course;

  private KnownPrograms programs = KnownPrograms.NONE;

  /** Whose text decides what may be left; null: the current statement's own. */
  private byte @Nullable [] sent;

  private boolean changesLocks;
  private @Nullable Set<String> locks = Set.of();

  public ProgramEffects(Session session, CurrentStatement statement, StatementCourse course) {
    this.session = session;
    this.statement = statement;
    this.course = course;
  }

  /** Whether it is known that the endpoint has no programs with locks. */
  public boolean areKnown(String endpoint, RelayCommand command) {
    changesLocks = false;
    KnownPrograms found =
        statement
            .target()
            .chosen()
            .programs()
            .known(endpoint, statement.times().planned(), session.background());
    programs = found == null ? KnownPrograms.NONE : found;
    sent = sql(command);
    return found != null && !found.lock();
  }

  /** Runs {@code then} here, at once where the endpoint's programs are known. */
  public void know(String endpoint, Runnable then) {
    if (programs.lock()) {
      mention();
      then.run();
      return;
    }
    course.blocking(
        () -> {
          KnownPrograms asked = statement.target().chosen().programs().knownOrAsked(endpoint);
          return () -> {
            programs = asked;
            mention();
            then.run();
          };
        });
  }

  private void mention() {
    if (programs.lock() && UserLocks.runs(statement.scan())) {
      byte[] sql = sentOrOwn();
      changesLocks = programs.mayChangeLocks(sql);
      locks = programs.locks(sql);
    }
  }

  private byte[] sentOrOwn() {
    byte[] sql = sent;
    return sql == null ? statement.text().sql() : sql;
  }

  private static byte @Nullable [] sql(RelayCommand command) {
    return switch (command) {
      case RelayCommand.Query(byte[] sql, ResponseForm _) -> sql;
      case RelayCommand.Execute execute -> execute.query().sql();
      case RelayCommand.Bulk bulk -> bulk.query().sql();
      case RelayCommand.Open open -> open.query().sql();
      case RelayCommand.Packet _, RelayCommand.Fetch _ -> null;
    };
  }

  /** The next command has no part in this, or there is none. */
  public void clear() {
    changesLocks = false;
    programs = KnownPrograms.NONE;
    sent = null;
  }

  /** Whether the statement may have taken or released locks. */
  public boolean mayChangeLocks() {
    return changesLocks;
  }

  /** Whether the statement may run a program that asks for LAST_INSERT_ID(). */
  public boolean mayAskInsertId() {
    return !programs.isEmpty() && programs.mayAskInsertId(sentOrOwn());
  }

  /** Whether the statement may run a program that needs, or leaves, something of the session's. */
  public boolean mayMatter() {
    return !programs.isEmpty()
        && (changesLocks
            || programs.mayChangeLocks(sentOrOwn())
            || programs.mayLeaveState(sentOrOwn())
            || programs.mayAskInsertId(sentOrOwn()));
  }

  /** The statement has run: notes which locks it may have taken. */
  public void taken(ConnectionPins pins, Lease lease) {
    if (changesLocks) {
      pins.locked(lease, locks);
    }
  }

  /**
   * Whether the statement has changed the connection's state in a way that its text does not tell.
   * Asked once, behind its answer.
   */
  public boolean haveLeftState(Lease lease) {
    if (!isChangeTold(lease)) {
      return false;
    }
    Scan scan = statement.scan();
    if (setsForItself(scan)) {
      return callStored();
    }
    return switch (scan.kind()) {
      case DROP, DEALLOCATE -> false;
      case CREATE ->
          !Pins.isOfTemporaryTable(scan)
              || FunctionCalls.areStoredBehindSelect(statement.source().tokens())
              || programs.mayLeaveState(sentOrOwn());
      case SET -> callStored();
      // opening a view of another schema is told as a change
      case SELECT, QUERY_EXPRESSION, SHOW, DESCRIBE -> !readsSystemViews(scan) || callStored();
      default -> true;
    };
  }

  /** Whether it has the hint SET_VAR: its end is told as a change, though all is as it was. */
  private boolean setsForItself(Scan scan) {
    if (scan.assigns() || !Pins.contains(scan, "set_var")) {
      return false;
    }
    SqlTokens tokens = statement.source().tokens();
    return tokens.all().hasKind(TokenKind.OPTIMIZER_HINT);
  }

  /** Whether the server has told a change of state since it was last asked. */
  static boolean isChangeTold(Lease lease) {
    BackendConnection connection = lease.connection();
    return connection != null && connection.takeStateChange();
  }

  private boolean callStored() {
    return FunctionCalls.areStored(statement.source().tokens())
        || programs.mayLeaveState(sentOrOwn());
  }

  /**
   * Whether a statement that has failed may have changed the connection's state before: an error
   * tells neither that nor whether a transaction is open.
   */
  public boolean mayHaveLeftState(int errno) {
    Scan scan = statement.scan();
    return switch (scan.kind()) {
      case CALL, EXECUTE -> true;
      case OTHER -> isBlock(scan) || programs.mayLeaveState(sentOrOwn());
      case SELECT, QUERY_EXPRESSION, DO, INSERT, REPLACE, UPDATE, DELETE ->
          errno == SIGNALED || scan.assigns() || callStored();
      default -> errno == SIGNALED || programs.mayLeaveState(sentOrOwn());
    };
  }

  /** Whether the statement has others inside, by its first word or a label in front of that. */
  private boolean isBlock(Scan scan) {
    if (!Pins.contains(scan, "end") && !Pins.contains(scan, "immediate")) {
      return false;
    }
    SqlTokens tokens = statement.source().tokens();
    boolean isLabelled = tokens.size() > 1 && tokens.text(1).equals(":");
    String first = tokens.text(isLabelled ? 2 : 0).toUpperCase(Locale.ROOT);
    return BLOCKS.contains(first);
  }

  private static boolean readsSystemViews(Scan scan) {
    return Pins.contains(scan, "information_schema")
        || Pins.contains(scan, "performance_schema")
        || Pins.contains(scan, "mysql.")
        || Pins.contains(scan, "mysql`")
        || Pins.contains(scan, "sys.");
  }

  /**
   * Whether a statement may have changed what programs there are, and do: locks, variables,
   * temporary tables.
   */
  public static boolean mayDefine(Scan scan) {
    boolean isProgram =
        Pins.contains(scan, "trigger")
            || Pins.contains(scan, "function")
            || Pins.contains(scan, "procedure")
            || Pins.contains(scan, "package");
    boolean asks = Pins.contains(scan, "last_insert_id") || Pins.contains(scan, "identity");
    return Pins.contains(scan, "_lock") || asks || isProgram;
  }

  /**
   * How a statement of the proxy's own may bind its connection by parts that the client wrote;
   * null: not at all. Blocks.
   */
  public static @Nullable Pin pin(
      String sql, Session session, StoredPrograms stored, String endpoint) {
    if (sql.indexOf('(') < 0) {
      return null;
    }
    KnownPrograms known = stored.knownOrAsked(endpoint);
    byte[] text = sql.getBytes(session.charset());
    if (sql.toLowerCase(Locale.ROOT).contains("get_lock") || known.mayChangeLocks(text)) {
      return Pin.USER_LOCK;
    }
    return FunctionCalls.areStored(SqlTokens.of(sql)) || known.mayLeaveState(text)
        ? Pin.OTHER
        : null;
  }

  /** The same of queries of a plan. */
  public static UntoldState untold(StoredPrograms stored) {
    return (failed, errno) ->
        errno == SIGNALED || stored.knownOrAsked(failed.dataSource()).mayLeaveState(failed.sql());
  }

  /**
   * Whether it is known already that no query of a plan runs programs with locks, or those that ask
   * for LAST_INSERT_ID(). Does not block.
   */
  public static boolean areHarmless(PlanNode plan, CurrentStatement statement, Session session) {
    StoredPrograms stored = statement.target().chosen().programs();
    for (ShardQuery query : PlanPrinter.queries(plan)) {
      KnownPrograms known =
          stored.known(query.dataSource(), statement.times().planned(), session.background());
      if (known == null || known.lock() || known.askInsertId()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a plan may run a program that asks for LAST_INSERT_ID(): by its queries, by the
   * client's statement where that runs over copies, by triggers where rows are written whose
   * statements are not made yet. Blocks.
   */
  public static boolean mayAskInsertId(PlanNode plan, CurrentStatement statement) {
    Backend backend = statement.target().chosen();
    if (plan instanceof PlanNode.Change && !(plan instanceof PlanNode.Write)) {
      return backend.database().endpoints().stream()
          .anyMatch(each -> backend.programs().knownOrAsked(each).askInsertId());
    }
    for (ShardQuery query : PlanPrinter.queries(plan)) {
      KnownPrograms known = backend.programs().knownOrAsked(query.dataSource());
      if (known.mayAskInsertId(query.sql()) || known.mayAskInsertId(statement.text().sql())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Refuses a plan that runs programs with locks on connections that do not stay. Blocks.
   *
   * @throws RefusedException AB2001
   */
  public static void refuseLocks(PlanNode plan, StoredPrograms stored) {
    for (ShardQuery query : PlanPrinter.queries(plan)) {
      if (stored.knownOrAsked(query.dataSource()).mayChangeLocks(query.sql())) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "a function, trigger or view that calls GET_LOCK",
            "restrict the statement to one shard by conditions on the sharding columns");
      }
    }
  }
}
