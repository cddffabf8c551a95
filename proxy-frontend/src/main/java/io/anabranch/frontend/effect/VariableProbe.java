package io.anabranch.frontend.effect;

import io.anabranch.backend.lease.KnownInsertId;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.SettingsReplay;
import io.anabranch.backend.lease.ShownWarnings;
import io.anabranch.backend.lease.StartValues;
import io.anabranch.backend.lease.VariableValue;
import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.backend.row.VariableLiterals;
import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.topology.Member;
import io.anabranch.backend.topology.Topology;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.backend.transaction.StatementLeases;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionLanguage;
import io.anabranch.frontend.session.program.KnownPrograms;
import io.anabranch.frontend.statement.FunctionCalls;
import io.anabranch.frontend.statement.SetStatement.Assignment;
import io.anabranch.frontend.statement.SetStatement.Scope;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.protocol.type.Collation;
import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.function.Subqueries;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.value.SqlLiterals;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sets variables on a database connection and reads back what became of them, so that names, types,
 * rights and expressions are checked and computed by the database itself. Blocks.
 */
public final class VariableProbe {

  private static final int UNKNOWN_SYSTEM_VARIABLE = 1193;
  private static final int INVALID_TEXT = 1300;

  /** Servers let everybody set it, and only administrators set it back: for the next session. */
  private static final String ONE_WAY = "require_row_format";

  /** Good for one statement, or for the server's own threads: not to be replayed later. */
  private static final Set<String> NOT_REPLAYABLE =
      Set.of(
          "insert_id",
          "last_insert_id",
          "identity",
          "rand_seed1",
          "rand_seed2",
          "pseudo_thread_id",
          "gtid_next",
          "gtid_seq_no");

  private static final String TIMESTAMP = "timestamp";

  private static final long MOMENT_NANOS = 50_000_000;

  private static final NameMapping NO_NAMES = NameMapping.ofSchema("");

  /** What becomes of a row while variables are read: cells, bytes and texts. */
  private static final int FORMS = 3;

  /** No server takes less in a packet than this, or nothing works at all. */
  private static final int SURELY_FITS = 512 * 1024;

  private static final int SET_BYTES = 64;

  private static final int COLUMNS_OF_USER_VARIABLE = 3;

  private VariableProbe() {}

  /** Whether the value lives in the connection alone: see {@link Pins}. */
  public static boolean isOfConnection(Assignment assignment) {
    return assignment instanceof Assignment.Variable(Scope scope, String name, String _)
        && scope == Scope.SESSION
        && NOT_REPLAYABLE.contains(name);
  }

  /**
   * Leaves the session's settings with the new values, or throws the database's error.
   *
   * @return what the database warned of: level, code, message each
   */
  public static List<List<String>> apply(Session session, List<Assignment> assignments) {
    List<List<String>> warned = applied(session, assignments);
    session.transaction().setForSession(names(assignments));
    return warned;
  }

  private static List<List<String>> applied(Session session, List<Assignment> assignments) {
    for (Assignment assignment : assignments) {
      if (assignment instanceof Assignment.Variable variable
          && NOT_REPLAYABLE.contains(variable.name())) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "SET " + variable.name(), "give the value in the statement itself");
      }
      if (assignment instanceof Assignment.Variable variable
          && variable.name().equals(ONE_WAY)
          && !variable.value().equalsIgnoreCase("default")) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "SET " + ONE_WAY, "use a connection of your own to the data source");
      }
    }
    if (!session.database().hasServer()) {
      InitialVariables.set(session, assignments);
      return List.of();
    }
    Backend backend = session.anyBackend();
    String endpoint = backend.anyEndpoint();
    String sql = setStatement(assignments);
    boolean readsNoTable = readsNoTable(session, sql);
    StatementLeases leases =
        session
            .connections()
            .leases(
                name -> member(session, backend, name, readsNoTable).name(), session.settings());
    if (readsNoTable && assignments.stream().noneMatch(VariableProbe::calls)) {
      session.connections().usesNoTables();
    }
    refuseHidden(session, sql);
    byte[] text = sql.getBytes(session.charset());
    boolean calls = sql.indexOf('(') >= 0;
    KnownPrograms programs = calls ? backend.programs().knownOrAsked(endpoint) : KnownPrograms.NONE;
    boolean mayLock =
        calls
            && (sql.toLowerCase(Locale.ROOT).contains("get_lock") || programs.mayChangeLocks(text));
    SqlTokens tokens = calls ? tokens(session, sql) : null;
    boolean mayLeaveState =
        tokens != null && (FunctionCalls.areStored(tokens) || programs.mayLeaveState(text));
    boolean givesInsertId =
        tokens != null
            && (SessionWords.giveInsertId(tokens, tokens.all()) || programs.mayAskInsertId(text));
    Sequences sequences = Sequences.of(session, sql);
    Lease lease = ready(session, backend, leases, endpoint);
    RefusedException unknown = sequences.refusal(session, lease.dataSource());
    if (unknown != null) {
      leases.failed(lease, 0);
      throw unknown;
    }
    boolean areAssigned = false;
    try {
      if (givesInsertId) {
        Aftermath.forgetInsertId(lease);
        byte[] assignment = KnownInsertId.assignment(session.diagnostics().lastInsertId());
        lease.shard().prologue(List.of(assignment));
      }
      int count = run(lease, sql, session.charset());
      areAssigned = true;
      if (ProgramEffects.isChangeTold(lease) && mayLeaveState) {
        leases.pin(lease, Pin.OTHER);
      }
      List<List<String>> warned = count == 0 ? List.of() : ShownWarnings.read(lease, NO_NAMES);
      ReadBack read = readBack(session, lease, assignments);
      SessionSettings changed = read.settings();
      SessionLanguage.requireRead(changed);
      if (givesInsertId) {
        session.diagnostics().lastInsertId(Aftermath.insertId(lease));
      }
      keepTracking(session, lease, assignments, changed);
      lease.applied(read.applied());
      if (mayLock) {
        leases.pin(lease, Pin.USER_LOCK);
      }
      if (!sequences.drawn().isEmpty()) {
        session.connections().pins().drew(lease, sequences.drawnForSure());
      }
      Map<String, String> tracked = TrackedVariables.values(session, lease, assignments, changed);
      leases.completed(lease, read.statusFlags());
      session.settings(changed);
      session.changes().state();
      tracked.forEach(session.changes()::variable);
      return warned;
    } catch (RefusedException tooMuch) {
      // the connection has values that the session does not get
      lease.applied(lease.applied().unknown(names(assignments)));
      leases.failed(lease, 0);
      throw tooMuch;
    } catch (ShardException.Database refused) {
      if (givesInsertId) {
        session.diagnostics().lastInsertId(Aftermath.insertId(lease));
      }
      if (mayLock || mayLeaveState) {
        leases.pin(lease, mayLock ? Pin.USER_LOCK : Pin.OTHER);
      }
      if (areAssigned) {
        // the session does not get them
        lease.applied(lease.applied().unknown(names(assignments)));
      }
      leases.failed(lease, refused.errno());
      throw refused;
    } catch (RuntimeException broken) {
      throw lost(leases, lease, broken);
    }
  }

  /**
   * Only what the list assigns is read back, and told to other connections.
   *
   * @throws RefusedException for what nobody would hear of
   */
  private static void refuseHidden(Session session, String sql) {
    SqlTokens tokens = sql.contains(":=") ? tokens(session, sql) : SqlTokens.of("");
    if (tokens.all().has(token -> tokens.isOperator(token, ":="))) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          ":= within a value of SET", "assign each variable in the list");
    }
  }

  private static SqlTokens tokens(Session session, String sql) {
    byte[] text = sql.getBytes(session.charset());
    Scan scan = new SqlScanner().scan(text, 0, text.length, session.lexerMode(), new Scan());
    return SourceText.of(scan, session.charset(), session.lexerMode()).tokens();
  }

  /** What tells the proxy of writes goes on, though the session has said what it wants to know. */
  private static void keepTracking(
      Session session, Lease lease, List<Assignment> assignments, SessionSettings changed) {
    for (Assignment assignment : assignments) {
      if (assignment instanceof Assignment.Variable variable
          && variable.name().startsWith("session_track_")) {
        SessionSettings other = changed.with(variable.name(), "");
        for (byte[] statement : SettingsReplay.difference(other, changed)) {
          run(lease, new String(statement, StandardCharsets.UTF_8), session.charset());
        }
      }
    }
  }

  /** While no primary answers, what reads no table is computed by a replica as well. */
  private static Member member(
      Session session, Backend backend, String endpoint, boolean readsNoTable) {
    Member primary = session.members().find(backend, endpoint, Access.WRITE, 0);
    boolean isThere = primary != null && primary.condition().isReachable();
    if (!isThere && !session.members().areBound() && readsNoTable) {
      Member replica = session.members().find(backend, endpoint, Access.READ, 0);
      primary = replica == null ? primary : replica;
    }
    return primary == null
        ? session.members().findBlocking(backend, endpoint, Access.WRITE)
        : primary;
  }

  /** Whether a function is called, which may be a stored one that changes tables. */
  private static boolean calls(Assignment assignment) {
    return assignment instanceof Assignment.UserVariable variable && variable.value().contains("(");
  }

  private static boolean readsNoTable(Session session, String sql) {
    if (sql.indexOf('(') < 0) {
      return true;
    }
    SqlTokens tokens = tokens(session, sql);
    return !Subqueries.are(tokens, tokens.size());
  }

  /**
   * The first list if its variables exist, otherwise the second: MariaDB knew only {@code tx_…} up
   * to 11.0, MySQL only {@code transaction_…} from 8.0 on.
   */
  public static void applyOneOf(Session session, List<Assignment> first, List<Assignment> second) {
    try {
      apply(session, first);
    } catch (ShardException.Database refused) {
      if (refused.errno() != UNKNOWN_SYSTEM_VARIABLE) {
        throw refused;
      }
      apply(session, second);
    }
  }

  private static RuntimeException lost(StatementLeases leases, Lease lease, RuntimeException why) {
    leases.lost(lease, String.valueOf(why.getMessage()));
    return why;
  }

  private static String setStatement(List<Assignment> assignments) {
    var sql = new StringBuilder("SET ");
    for (Assignment assignment : assignments) {
      sql.append(sql.length() > 4 ? ", " : "");
      switch (assignment) {
        case Assignment.Variable variable ->
            sql.append("@@session.").append(variable.name()).append(" = ").append(variable.value());
        case Assignment.UserVariable variable ->
            sql.append(userName(variable)).append(" = ").append(variable.value());
        case Assignment.Names _, Assignment.CharacterSet _ ->
            throw new IllegalArgumentException("not a variable: " + assignment);
      }
    }
    return sql.toString();
  }

  private static List<String> names(List<Assignment> assignments) {
    var names = new ArrayList<String>(assignments.size());
    for (Assignment assignment : assignments) {
      switch (assignment) {
        case Assignment.UserVariable user -> names.add(userName(user));
        case Assignment.Variable variable -> names.add(variable.name());
        case Assignment.Names _, Assignment.CharacterSet _ -> {}
      }
    }
    return names;
  }

  private static String userName(Assignment.UserVariable variable) {
    return UserVariables.key(variable.name());
  }

  /**
   * @param settings of the session
   * @param applied what the connection has: other character sets, where it was asked in UTF-8
   */
  record ReadBack(SessionSettings settings, SessionSettings applied, int statusFlags) {}

  /**
   * The session's settings with what user variables are on a connection.
   *
   * @param names without {@code @} and quotes
   */
  static ReadBack read(Session session, Lease lease, Collection<String> names) {
    return readBack(
        session,
        lease,
        names.stream().<Assignment>map(name -> new Assignment.UserVariable(name, "")).toList());
  }

  /**
   * What is assigned may be the character set that the connection reads questions in. Hence those
   * that are not all ASCII are asked in another one, behind those that are.
   */
  private static ReadBack readBack(Session session, Lease lease, List<Assignment> assignments) {
    var ascii = new ArrayList<Assignment>(assignments.size());
    var others = new ArrayList<Assignment>();
    for (Assignment assignment : assignments) {
      boolean isAscii =
          !(assignment instanceof Assignment.UserVariable user)
              || SettingsReplay.isAscii(user.name());
      (isAscii ? ascii : others).add(assignment);
    }
    SessionSettings changed = session.settings();
    int statusFlags = 0;
    if (!ascii.isEmpty()) {
      ReadBack read = readBack(session, lease, ascii, changed);
      changed = read.settings();
      statusFlags = read.statusFlags();
    }
    if (others.isEmpty()) {
      return new ReadBack(changed, changed, statusFlags);
    }
    SettingsReplay.speakUtf8(lease);
    ReadBack read = readBack(session, lease, others, changed);
    return new ReadBack(
        read.settings(), SettingsReplay.speakingUtf8(read.settings()), read.statusFlags());
  }

  /**
   * Three columns for a user variable (value, bytes, collation), one for a system variable.
   *
   * @param before what they change
   */
  private static ReadBack readBack(
      Session session, Lease lease, List<Assignment> assignments, SessionSettings before) {
    var sql = new StringBuilder("SELECT ");
    int columns = 0;
    for (Assignment assignment : assignments) {
      sql.append(sql.length() > 7 ? ", " : "");
      if (assignment instanceof Assignment.UserVariable user) {
        String name = userName(user);
        sql.append(name).append(", HEX(").append(name).append("), COLLATION(");
        sql.append(name).append(')');
        columns += COLUMNS_OF_USER_VARIABLE;
      } else if (assignment instanceof Assignment.Variable variable) {
        sql.append("@@session.").append(variable.name());
        columns++;
      }
    }
    // the connection may have a sql_select_limit of 0
    sql.append(" LIMIT 1");
    byte[] text = sql.toString().getBytes(StandardCharsets.UTF_8);
    SessionSettings changed;
    int statusFlags;
    try (var memory = StatementMemory.of(session.memory());
        ShardCursor cursor =
            counted(lease.shard(), memory).query(ShardQuery.text(lease.dataSource(), text))) {
      byte[] row = cursor.next();
      if (row == null || cursor.columns().size() != columns) {
        throw new IllegalStateException("another answer than expected for " + sql);
      }
      memory.hold(row.length > StatementMemory.LONG_ROW ? (long) FORMS * row.length : 0);
      List<@Nullable String> cells = cells(row, cursor.columns());
      changed = settings(before, lease, assignments, cursor.columns(), cells);
      session.makeRoomFor(changed);
      if (cursor.next() != null) {
        throw new IllegalStateException("more than one row for " + sql);
      }
      statusFlags = cursor.outcome().statusFlags();
    } finally {
      lease.shard().memory(StatementMemory.UNLIMITED);
    }
    if (changed.variables().containsKey(TIMESTAMP)
        && assigns(assignments, TIMESTAMP)
        && isRunning(lease, changed)) {
      changed = changed.without(TIMESTAMP);
    }
    refuseUntold(lease, assignments, changed);
    return new ReadBack(changed, changed, statusFlags);
  }

  private static boolean assigns(List<Assignment> assignments, String name) {
    return names(assignments).contains(name);
  }

  /** {@code SET timestamp = 0} is the time of day, which goes on: it is no value to tell others. */
  private static boolean isRunning(Lease lease, SessionSettings read) {
    String now = value(lease, "SELECT @@session.timestamp LIMIT 1");
    return !now.equals(read.variables().get(TIMESTAMP));
  }

  private static ShardConnection counted(ShardConnection shard, StatementMemory memory) {
    shard.memory(memory);
    return shard;
  }

  /**
   * Connections are told values in a statement, which must fit into a packet and be one that
   * servers take.
   *
   * @throws RefusedException VARIABLE_TOO_LONG, VARIABLE_WITHOUT_TEXT
   */
  private static void refuseUntold(
      Lease lease, List<Assignment> assignments, SessionSettings changed) {
    for (Assignment assignment : assignments) {
      if (assignment instanceof Assignment.UserVariable user) {
        VariableValue value =
            changed.userVariables().getOrDefault(userName(user), new VariableValue.Forgotten());
        if (value instanceof VariableValue.Forgotten) {
          long most = maxAllowedPacket(lease);
          throw ErrorCatalogue.VARIABLE_TOO_LONG.refuse(user.name(), most + 1, most);
        }
        if (value.length() > SURELY_FITS) {
          long most = maxAllowedPacket(lease) - userName(user).length() - SET_BYTES;
          if (value.length() > most) {
            throw ErrorCatalogue.VARIABLE_TOO_LONG.refuse(
                user.name(), value.length(), maxAllowedPacket(lease));
          }
        }
        if (value instanceof VariableValue.Text text
            && !text.isWellFormed()
            && !isTaken(lease, text)) {
          throw ErrorCatalogue.VARIABLE_WITHOUT_TEXT.refuse(user.name());
        }
      }
    }
  }

  /** Whether the server has a letter for what Java has none, as it is told to others. */
  private static boolean isTaken(Lease lease, VariableValue.Text text) {
    try {
      var _ = value(lease, "SELECT " + text.sql() + " IS NULL LIMIT 1");
      return true;
    } catch (ShardException.Database refused) {
      if (refused.errno() != INVALID_TEXT) {
        throw refused;
      }
      return false;
    }
  }

  private static long maxAllowedPacket(Lease lease) {
    return Long.parseLong(value(lease, "SELECT @@max_allowed_packet LIMIT 1"));
  }

  /** The one value of a question, which is a number. */
  private static String value(Lease lease, String question) {
    byte[] sql = question.getBytes(StandardCharsets.US_ASCII);
    var reader = new TextRowReader(1);
    String value = "0";
    try (ShardCursor cursor = lease.shard().query(ShardQuery.text(lease.dataSource(), sql))) {
      for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
        reader.read(row);
        value = VariableLiterals.number(row, reader.offset(0), reader.length(0));
      }
    }
    return value;
  }

  /** Texts are in the character set of results, which the statement may have changed to UTF-16. */
  private static List<@Nullable String> cells(byte[] row, List<ResultColumn> columns) {
    var reader = new TextRowReader(columns.size());
    reader.read(row);
    var cells = new ArrayList<@Nullable String>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      cells.add(
          reader.isNull(i) ? null : cell(row, reader.offset(i), reader.length(i), columns.get(i)));
    }
    return cells;
  }

  private static String cell(byte[] row, int offset, int length, ResultColumn column) {
    if (isNumber(column)) {
      return VariableLiterals.number(row, offset, length);
    }
    Collation told = Collation.byId(column.collation());
    Charset known = told == null || told.id() == Collation.BINARY ? null : told.charset();
    // bytes, of which HEX() tells
    return new String(row, offset, length, known == null ? StandardCharsets.ISO_8859_1 : known);
  }

  private static SessionSettings settings(
      SessionSettings before,
      Lease lease,
      List<Assignment> assignments,
      List<ResultColumn> columns,
      List<@Nullable String> cells) {
    var variables = new TreeMap<>(before.variables());
    var userVariables = new HashMap<String, VariableValue>();
    int column = 0;
    for (Assignment assignment : assignments) {
      if (assignment instanceof Assignment.UserVariable user) {
        userVariables.put(
            userName(user),
            value(
                columns.get(column),
                cells.get(column),
                cells.get(column + 1),
                cells.get(column + 2)));
        column += COLUMNS_OF_USER_VARIABLE;
      } else if (assignment instanceof Assignment.Variable variable) {
        String value = literal(variable.name(), columns.get(column), cells.get(column));
        boolean isAlone =
            SessionSettings.partner(variable.name()) == null
                && !SettingsReplay.isCharacterSet(variable.name());
        if (isAlone
            && variable.value().equalsIgnoreCase("default")
            && isStart(variable, value, lease)) {
          SessionSettings.forget(variables, variable.name());
        } else {
          SessionSettings.assign(variables, variable.name(), value);
        }
        column++;
      }
    }
    return before.with(variables).assigned(userVariables);
  }

  /** DEFAULT is what is global now, which may have changed since the session began. */
  private static boolean isStart(Assignment.Variable variable, String value, Lease lease) {
    String start = lease.wantedStart().literal(variable.name());
    if (start == null) {
      // how texts are read is never left to be what is global
      return !variable.name().equals("sql_mode");
    }
    return start.equals(value)
        || (start.equals("'ON'") && value.equals("1"))
        || (start.equals("'OFF'") && value.equals("0"));
  }

  private static String literal(String name, ResultColumn column, @Nullable String value) {
    if (value == null) {
      return "NULL";
    }
    String keyword = StartValues.keyword(name, value);
    return keyword != null ? keyword : isNumber(column) ? value : SqlLiterals.text(value);
  }

  /**
   * @param hex null, though there is a value: it is longer than a packet, of which MariaDB says
   *     NULL
   */
  private static VariableValue value(
      ResultColumn column,
      @Nullable String value,
      @Nullable String hex,
      @Nullable String collation) {
    if (value == null) {
      // as it would be told if it were 0, or the empty text
      return new VariableValue.Null(value(column, isNumber(column) ? "0" : "", "", collation));
    }
    return hex == null
        ? new VariableValue.Forgotten()
        : switch (ColumnType.of(column.type())) {
          case FLOAT, DOUBLE ->
              new VariableValue.Floating(value.indexOf('e') < 0 ? value + "e0" : value);
          case DECIMAL, NEWDECIMAL -> new VariableValue.Decimal(value);
          case LONGLONG ->
              (column.flags() & ColumnFlag.UNSIGNED) != 0
                  ? new VariableValue.Unsigned(value)
                  : new VariableValue.Whole(value);
          case TINY, SHORT, INT24, LONG, YEAR, BOOL -> new VariableValue.Whole(value);
          default -> string(hex, collation);
        };
  }

  private static VariableValue string(String hex, @Nullable String collation) {
    Collation known = collation == null ? null : Collation.byName(collation);
    return known == null || known.id() == Collation.BINARY
        ? new VariableValue.Bytes(hex)
        : new VariableValue.Text(known, hex);
  }

  private static boolean isNumber(ResultColumn column) {
    return switch (ColumnType.of(column.type())) {
      case TINY, SHORT, INT24, LONG, LONGLONG, FLOAT, DOUBLE, DECIMAL, NEWDECIMAL, YEAR, BOOL ->
          true;
      default -> false;
    };
  }

  /** Those variables have the values again that they had in earlier settings. */
  public static void restore(Session session, List<Assignment> assigned, SessionSettings earlier) {
    var variables = new HashMap<>(session.settings().variables());
    for (Assignment assignment : assigned) {
      if (assignment instanceof Assignment.Variable variable) {
        earlier.giveBack(variables, variable.name());
      }
    }
    session.settings(session.settings().with(variables));
  }

  /** Waits for another primary while the present one cannot be reached; blocks. */
  private static Lease ready(
      Session session, Backend backend, StatementLeases leases, String endpoint) {
    Topology topology = backend.topology();
    while (true) {
      try {
        return leases.ready(endpoint);
      } catch (RefusedException refusal) {
        if (!refusal.isUnreachable()
            || topology.reads(endpoint) == null
            || session.transaction().hasOpened()
            || !topology.mayHold(endpoint, session.members().waiting().since())) {
          throw refusal;
        }
        topology.contradicted(endpoint);
        session.members().forget(endpoint);
        LockSupport.parkNanos(MOMENT_NANOS);
      }
    }
  }

  private static int run(Lease lease, String sql, Charset charset) {
    ShardQuery query = ShardQuery.text(lease.dataSource(), sql.getBytes(charset));
    try (ShardCursor cursor = lease.shard().query(query)) {
      return cursor.outcome().warnings();
    }
  }
}
