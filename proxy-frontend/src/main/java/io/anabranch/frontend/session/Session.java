package io.anabranch.frontend.session;

import io.anabranch.backend.pool.LeaseDesk;
import io.anabranch.backend.pool.SessionSettings;
import io.anabranch.backend.transaction.SessionConnections;
import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.frontend.auth.AuthenticationRealm;
import io.anabranch.frontend.response.ClientSink;
import io.anabranch.frontend.response.Replies;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.Collation;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.TransactionSettings;
import io.anabranch.rules.model.TransactionType;
import io.anabranch.rules.plan.LockedTables;
import io.anabranch.rules.planner.PlanScope;
import io.anabranch.rules.planner.TemporaryTables;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the proxy knows of one authenticated client. Belongs to the client's event loop; while a
 * command runs on a virtual thread that thread may use it instead, and the loop leaves it alone.
 */
public final class Session {

  private static final String IDLE = "Sleep";
  private static final Set<String> SYSTEM_SCHEMAS =
      Set.of("information_schema", "mysql", "performance_schema", "sys");

  /** What the session knows better than a connection. */
  private static final int OWN_STATUS =
      ServerStatus.AUTOCOMMIT | ServerStatus.NO_BACKSLASH_ESCAPES | ServerStatus.ANSI_QUOTES;

  private final int id;
  private final Channel channel;
  private final Supplier<Deployment> deployments;
  private final Executor background;
  private final ClientSink sink;
  private final Replies replies;

  private final SessionMembers members = new SessionMembers(this);
  private final Reads reads = new Reads(this);
  private final Map<Integer, PreparedStatement> statements = new HashMap<>();
  private final Map<String, String> namedStatements = new HashMap<>();
  private final Diagnostics diagnostics;
  private final StateChanges changes = new StateChanges(this);

  private Authority.User user;
  private String userName;
  private String clientHost;
  private Map<String, String> attributes;
  private int initialCollation;
  private int resultCollation;
  private long capabilities;
  private SessionTransaction transaction;
  private @Nullable Backend backend;
  private @Nullable String systemSchema;
  private @Nullable Backend target;
  private @Nullable PlanScope scope;
  private TemporaryTables temporaries = TemporaryTables.NONE;
  private LockedTables locks = LockedTables.NONE;
  private LexerMode lexerMode = LexerMode.DEFAULT;
  private Charset charset = StandardCharsets.UTF_8;
  private SessionSettings settings = SessionSettings.INITIAL;
  private boolean moreResults;
  private TransactionType transactionType = TransactionType.LOCAL;
  private boolean consistentReads;
  private int lastStatementId;
  private Consumer<RuntimeException> interrupter = _ -> {};
  private String command = IDLE;
  private byte @Nullable [] running;
  private long commandStarted = System.nanoTime();

  /**
   * @param deployments the rule set in force
   * @param background runs what blocks, a virtual thread each
   */
  public Session(
      int id,
      Channel channel,
      Identity identity,
      Supplier<Deployment> deployments,
      Executor background) {
    this.id = id;
    this.channel = channel;
    this.deployments = deployments;
    this.diagnostics = new Diagnostics(deployments.get().isMariaDb());
    this.background = background;
    this.sink = new ClientSink(channel, this::clientStatus, this::status);
    this.replies = new Replies(sink, changes);
    this.user = identity.user();
    this.userName = identity.name();
    this.initialCollation = identity.collation();
    this.clientHost = identity.host();
    this.attributes = identity.attributes();
    this.capabilities = identity.capabilities();
    sink.capabilities(capabilities);
    this.transaction = newTransaction();
    collation(identity.collation());
  }

  // ---------------------------------------------------------------- the client

  public int id() {
    return id;
  }

  public Channel channel() {
    return channel;
  }

  public EventLoop loop() {
    return channel.eventLoop();
  }

  public ClientSink sink() {
    return sink;
  }

  public Replies replies() {
    return replies;
  }

  public Authority.User user() {
    return user;
  }

  public String clientHost() {
    return clientHost;
  }

  /** What the client says of itself: {@code program_name}, {@code _client_version}, … */
  public Map<String, String> attributes() {
    return attributes;
  }

  /** {@code user@host} of the client, as USER() says. */
  public String clientAccount() {
    return userName + "@" + clientHost;
  }

  public long capabilities() {
    return capabilities;
  }

  public boolean has(long capability) {
    return Capability.has(capabilities, capability);
  }

  /** COM_SET_OPTION. */
  public void allowMultiStatements(boolean allowed) {
    capabilities =
        allowed
            ? capabilities | Capability.MULTI_STATEMENTS
            : capabilities & ~Capability.MULTI_STATEMENTS;
    sink.capabilities(capabilities);
  }

  /** For log lines. */
  @Override
  public String toString() {
    return "session " + id + " (" + clientAccount() + ")";
  }

  // ---------------------------------------------------------------- database and rules

  public Deployment deployment() {
    return deployments.get();
  }

  /** The current logical database; null when none is selected. */
  public @Nullable Backend backend() {
    return backend;
  }

  /** What plans are made for; null when no database is selected. */
  public @Nullable PlanScope scope() {
    return scope;
  }

  /** Scope and lexer of a statement on another database than the current. */
  public PlanScope scopeOf(Backend other) {
    return new PlanScope(
        other.database(),
        charset,
        lexerMode.ansiQuotes(),
        lexerMode.noBackslashEscapes(),
        deployment().realm().permitted(user),
        deciding(settings),
        settings.collation(),
        temporaries,
        locks);
  }

  /** Tables that only this session sees, in its current database. */
  public TemporaryTables temporaries() {
    return temporaries;
  }

  /** They are others from now on. */
  public void temporaries(TemporaryTables changed) {
    if (!temporaries.equals(changed)) {
      temporaries = changed;
      rescope();
    }
  }

  /** Tables of a sharded database that it has locked. */
  public LockedTables locks() {
    return locks;
  }

  /** It has locked others, or none. */
  public void locks(LockedTables changed) {
    if (!locks.equals(changed)) {
      locks = changed;
      rescope();
    }
  }

  /** Whether the user is kept to its databases, see {@link AuthenticationRealm#restricts}. */
  public boolean isRestricted() {
    return deployment().realm().restricts(user);
  }

  /** Where statements go that need any database: the current, or the first permitted. */
  public Backend anyBackend() {
    Backend current = backend;
    if (current != null) {
      return current;
    }
    for (Backend candidate : deployment().backends().values()) {
      if (isPermitted(candidate.database().name())) {
        return candidate;
      }
    }
    throw ErrorCatalogue.NO_DATABASE_SELECTED.refuse();
  }

  /**
   * Selects a logical database.
   *
   * @throws io.anabranch.rules.error.RefusedException 1049, 1044; also when connections of another
   *     database are held
   */
  public void use(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (SYSTEM_SCHEMAS.contains(lower) && deployment().backend(name) == null) {
      if (!isPermitted(lower)) {
        throw ErrorCatalogue.DATABASE_ACCESS_DENIED.refuse(userName, clientHost, name);
      }
      systemSchema = lower;
      changes.schema(lower);
      return;
    }
    Backend wanted = permitted(name);
    Backend current = backend;
    if (current != null
        && !current.database().equals(wanted.database())
        && transaction.connections().areBound()
        && !moves(current, wanted)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "changing the database while a transaction, a lock or a temporary table is open",
          "end it first");
    }
    backend = wanted;
    systemSchema = null;
    changes.schema(wanted.database().name());
    rescope();
  }

  /** Connections that the session holds go with it to another database of their server. */
  private boolean moves(Backend from, Backend to) {
    LogicalDatabase database = to.database();
    return from.database().isBeside(database)
        && transaction
            .connections()
            .move(to.desk(), database.endpoints().getFirst(), database.name());
  }

  /**
   * The server's own schema that the session uses instead of its database, in lower case; null:
   * none. Statements then name it, see {@code frontend.command}.
   */
  public @Nullable String systemSchema() {
    return systemSchema;
  }

  /** What DATABASE() says; null: none is selected. */
  public @Nullable String databaseName() {
    Backend current = backend;
    if (systemSchema != null) {
      return systemSchema;
    }
    return current == null ? null : current.database().name();
  }

  /** The logical database of that name, if this user may see it. */
  public Backend permitted(String name) {
    Deployment current = deployment();
    current.realm().checkDatabase(user, userName, clientHost, name);
    Backend wanted = current.backend(name);
    if (wanted == null) {
      throw ErrorCatalogue.UNKNOWN_DATABASE.refuse(name);
    }
    return wanted;
  }

  public boolean isPermitted(String database) {
    return deployment().realm().permits(user, database);
  }

  // ---------------------------------------------------------------- settings

  public SessionSettings settings() {
    return settings;
  }

  public void settings(SessionSettings changed) {
    boolean decides = !deciding(settings).equals(deciding(changed));
    settings = changed;
    if (decides) {
      rescope();
    }
  }

  private static Map<String, String> deciding(SessionSettings of) {
    var deciding = new HashMap<String, String>();
    for (String variable : PlanScope.DECIDING) {
      String value = of.variables().get(variable);
      if (value != null) {
        deciding.put(variable, value);
      }
    }
    return deciding;
  }

  /** What the client is told of them, and of the database. */
  public StateChanges changes() {
    return changes;
  }

  public Charset charset() {
    return charset;
  }

  public LexerMode lexerMode() {
    return lexerMode;
  }

  /** Id of the collation that strings of the proxy's own results are in. */
  public int resultCollation() {
    String set = settings.variables().get("character_set_results");
    Collation ofResults = set == null ? null : Collation.defaultOf(set.replace("'", ""));
    return ofResults == null ? resultCollation : ofResults.id();
  }

  /**
   * SET NAMES: results are in the character set's own collation.
   *
   * @param isNamed whether the collation was said; the databases' own is taken if it was not
   */
  public void names(Collation collation, boolean isNamed) {
    settings = settings.withCollation(isNamed ? collation.id() : -collation.id());
    Charset known = collation.charset();
    clientCharset(known == null ? StandardCharsets.ISO_8859_1 : known);
    Collation ofResults = Collation.defaultOf(collation.characterSet());
    resultCollation = ofResults == null ? collation.id() : ofResults.id();
  }

  /** The handshake's: what the client sends and gets is in this collation's character set. */
  public void collation(int collationId) {
    Collation collation = Collation.byId(collationId);
    Charset known = collation == null ? null : collation.charset();
    if (collation == null || known == null) {
      settings = settings.withCollation(Collation.UTF8MB4_GENERAL_CI);
      resultCollation = Collation.UTF8MB4_GENERAL_CI;
      clientCharset(StandardCharsets.UTF_8);
    } else {
      settings = settings.withCollation(collationId);
      resultCollation = collationId;
      clientCharset(known);
    }
  }

  /** The character set of statements alone. */
  public void clientCharset(Charset changed) {
    charset = changed;
    mode(lexerMode.ansiQuotes(), lexerMode.noBackslashEscapes());
  }

  /** What {@code sql_mode} means for the lexer. */
  public void mode(boolean ansiQuotes, boolean noBackslashEscapes) {
    lexerMode = LexerMode.of(charset, ansiQuotes, noBackslashEscapes);
    rescope();
  }

  private void rescope() {
    Backend current = backend;
    scope = current == null ? null : deployment().planner().known(scopeOf(current));
  }

  // ---------------------------------------------------------------- transaction

  public SessionTransaction transaction() {
    return transaction;
  }

  /** What statements run on. */
  public SessionConnections connections() {
    return transaction.connections();
  }

  /** What this session's reads must see. */
  public Reads reads() {
    return reads;
  }

  /** Which members of groups this session's statements go to. */
  public SessionMembers members() {
    return members;
  }

  /** How the transactions that begin from now on are committed. */
  public void transactionType(TransactionType type) {
    transaction.coordinator(deployment().coordinators().of(type));
    transactionType = type;
  }

  public TransactionType transactionType() {
    return transactionType;
  }

  /** Whether transactions read one state of all data sources. */
  public void consistentReads(boolean on) {
    consistentReads = on;
  }

  public boolean consistentReads() {
    return consistentReads;
  }

  /** Whether the command's answer is one of several and not the last. */
  public void moreResults(boolean more) {
    moreResults = more;
  }

  /** Status flags of an answer that the proxy gives itself. */
  public int status() {
    return clientStatus(transaction.statusFlags());
  }

  private int clientStatus(int backendStatus) {
    int status = backendStatus & ~OWN_STATUS;
    if (transaction.isAutocommit()) {
      status |= ServerStatus.AUTOCOMMIT;
    }
    if (lexerMode.noBackslashEscapes()) {
      status |= ServerStatus.NO_BACKSLASH_ESCAPES;
    }
    if (lexerMode.ansiQuotes()) {
      status |= ServerStatus.ANSI_QUOTES;
    }
    return moreResults ? status | ServerStatus.MORE_RESULTS_EXISTS : status;
  }

  private SessionTransaction newTransaction() {
    transactionType = deployment().coordinators().defaultType();
    consistentReads = false;
    return new SessionTransaction(
        this::desk,
        Capability.has(capabilities, Capability.FOUND_ROWS),
        channel.eventLoop(),
        deployment().coordinators().byDefault(),
        background,
        reads,
        new WaitingStatement(this));
  }

  private LeaseDesk desk() {
    Backend wanted = target;
    return wanted == null ? anyBackend().desk() : wanted.desk();
  }

  /** Whose data sources the running statement uses; null: those of the current database. */
  public void target(@Nullable Backend ofStatement) {
    boolean elsewhere =
        ofStatement != null
            && backend != null
            && !ofStatement.database().equals(backend.database());
    if (elsewhere && (transaction.isOpen() || transaction.connections().areBound())) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a statement on another database while a transaction is open", "end it first");
    }
    target = ofStatement;
  }

  public Executor background() {
    return background;
  }

  // ---------------------------------------------------------------- statements

  public Map<Integer, PreparedStatement> statements() {
    return statements;
  }

  /** Texts of PREPARE by lower-case name; a part of the session where databases are sharded. */
  public Map<String, String> namedStatements() {
    return namedStatements;
  }

  /** Ids are the proxy's own and not used again in the session. */
  public int nextStatementId() {
    return ++lastStatementId;
  }

  public int lastStatementId() {
    return lastStatementId;
  }

  public Diagnostics diagnostics() {
    return diagnostics;
  }

  // ---------------------------------------------------------------- life

  /** Who can end what runs in this session. */
  public void interruptedBy(Consumer<RuntimeException> whoCan) {
    interrupter = whoCan;
  }

  /**
   * Ends the running statement, if there is one; on the session's event loop.
   *
   * @param reason what the client is told
   */
  public void interrupt(RuntimeException reason) {
    interrupter.accept(reason);
  }

  /**
   * A command starts.
   *
   * @return when, {@link System#nanoTime}
   */
  public long started(String name, byte @Nullable [] sql) {
    command = name;
    running = sql;
    commandStarted = System.nanoTime();
    return commandStarted;
  }

  /** The command has been answered. */
  public void finished() {
    finished(System.nanoTime());
  }

  /**
   * The same.
   *
   * @param now {@link System#nanoTime}
   */
  public void finished(long now) {
    command = IDLE;
    running = null;
    commandStarted = now;
  }

  /** How long the client has been silent; −1 while a command runs. */
  public long idleNanos() {
    return command.equals(IDLE) ? System.nanoTime() - commandStarted : -1;
  }

  /**
   * Rolls back a transaction that has outlived its limits, between two commands; the next statement
   * is told. On the session's event loop.
   */
  public void limitTransaction() {
    TransactionSettings limits = deployment().rules().transactions();
    long idle = limits.idleLimit();
    long whole = limits.longLimit();
    if (!command.equals(IDLE) || !transaction.hasOpened()) {
      return;
    }
    if (idle > 0 && idleNanos() >= TimeUnit.MILLISECONDS.toNanos(idle)) {
      transaction.expire(ErrorCatalogue.TRANSACTION_IDLE.refuse(idle));
    } else if (whole > 0 && transaction.isOpenFor(TimeUnit.MILLISECONDS.toNanos(whole))) {
      transaction.expire(ErrorCatalogue.TRANSACTION_LONG.refuse(whole));
    }
  }

  /** Whether nothing runs and nothing is open: the client loses nothing when it is sent away. */
  public boolean isDone() {
    return command.equals(IDLE) && !transaction.connections().areHeld();
  }

  public Activity activity() {
    byte[] sql = running;
    return new Activity(
        id,
        user.name(),
        clientHost,
        databaseName(),
        command,
        (System.nanoTime() - commandStarted) / 1_000_000_000L,
        sql == null ? null : new String(sql, charset),
        attributes);
  }

  /**
   * COM_RESET_CONNECTION: as after the handshake, but for the database. What was open is rolled
   * back, in the background.
   */
  public void reset() {
    transaction.close();
    transaction = newTransaction();
    members.clear();
    reads.reset();
    forgetStatements();
    namedStatements.clear();
    diagnostics.clear();
    temporaries = TemporaryTables.NONE;
    locks = LockedTables.NONE;
    changes.clear();
    settings = SessionSettings.INITIAL;
    lexerMode = LexerMode.DEFAULT;
    collation(initialCollation);
  }

  private void forgetStatements() {
    statements.values().forEach(PreparedStatement::close);
    statements.clear();
  }

  /** COM_CHANGE_USER: another client on the same connection. */
  public void become(Identity identity) {
    user = identity.user();
    userName = identity.name();
    initialCollation = identity.collation();
    clientHost = identity.host();
    attributes = identity.attributes();
    backend = null;
    systemSchema = null;
    reset();
  }

  /** The client is gone. */
  public void close() {
    transaction.close();
    forgetStatements();
  }
}
