package io.anabranch.frontend.session;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.memory.MemoryCharge;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.memory.SessionMemory;
import io.anabranch.backend.transaction.SessionConnections;
import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.frontend.answer.SessionWrites;
import io.anabranch.frontend.auth.Identity;
import io.anabranch.frontend.limit.LimitKind;
import io.anabranch.frontend.limit.SessionLimits;
import io.anabranch.frontend.limit.SubjectLimits;
import io.anabranch.frontend.response.ClientSink;
import io.anabranch.frontend.response.Replies;
import io.anabranch.frontend.session.prepared.PreparedStatements;
import io.anabranch.frontend.statement.Origin;
import io.anabranch.protocol.command.QueryAttributes;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.digest.DigestText;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.TransactionSettings;
import io.anabranch.rules.model.TransactionType;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the proxy knows of one authenticated client. Belongs to the client's event loop; while a
 * command runs on a virtual thread that thread may use it instead, and the loop leaves it alone.
 */
public final class Session {

  /** What the session knows better than a connection. */
  private static final int OWN_STATUS =
      ServerStatus.AUTOCOMMIT | ServerStatus.NO_BACKSLASH_ESCAPES | ServerStatus.ANSI_QUOTES;

  private static final int SHORT_ATTRIBUTES = 2048;

  /** What a pair of them takes besides its characters. */
  private static final int WEIGHT_OF_ATTRIBUTE = 128;

  private final int id;
  private final Channel channel;
  private final RulesInForce rules;
  private final Executor background;
  private final ClientSink sink;
  private final Replies replies;

  private final SessionMembers members = new SessionMembers(this);
  private final Reads reads = new Reads(this);
  private final CurrentDatabase database = new CurrentDatabase(this);
  private final SessionLanguage language = new SessionLanguage(this);
  private final PreparedStatements statements;
  private final SessionMemory memory;
  private final SessionLimits limits;
  private final MemoryCharge variables;
  private final MemoryCharge described;
  private final RunningCommand command = new RunningCommand();
  private final Diagnostics diagnostics;
  private final StateChanges changes = new StateChanges(this);
  private final SessionWrites writes = new SessionWrites();
  private final long began = System.nanoTime();

  private Authority.User user;
  private String userName;
  private String clientHost;
  private final int clientPort;
  private Map<String, String> attributes;
  private QueryAttributes queryAttributes = QueryAttributes.NONE;
  private int initialCollation;
  private long capabilities;
  private SessionTransaction transaction;
  private boolean moreResults;
  private TransactionType transactionType = TransactionType.LOCAL;
  private boolean consistentReads;

  /** What is done when others wait for connections that the session has. */
  private volatile Runnable awaited = () -> {};

  /**
   * @param deployments the rule set in force
   * @param background runs what blocks, a virtual thread each
   * @param memory what it may make the proxy keep; ends with the session
   * @param limits of what clients may take
   */
  public Session(
      int id,
      Channel channel,
      Identity identity,
      Supplier<Deployment> deployments,
      Executor background,
      SessionMemory memory,
      SessionLimits limits) {
    this.id = id;
    this.limits = limits;
    this.memory = memory;
    this.statements = new PreparedStatements(memory);
    this.variables = memory.charge(MemoryKind.HEAP, "user variables and settings");
    this.described = memory.charge(MemoryKind.HEAP, "connection attributes");
    this.channel = channel;
    this.rules = new RulesInForce(this, deployments);
    this.diagnostics =
        new Diagnostics(
            rules.deployment().isMariaDb(),
            memory.charge(MemoryKind.HEAP, "warnings"),
            this::mostWarnings);
    this.background = background;
    this.sink = new ClientSink(channel, this::clientStatus, this::status);
    this.replies = new Replies(sink, changes);
    this.user = identity.user();
    this.userName = identity.name();
    this.initialCollation = identity.collation();
    this.clientHost = identity.host();
    this.clientPort = identity.port();
    this.attributes = Map.of();
    this.capabilities = identity.capabilities();
    sink.capabilities(capabilities);
    this.transaction = newTransaction();
    describe(identity.attributes());
    language.collation(identity.collation());
    ignoreSpace();
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

  /** The client's address and port. */
  public String clientPlace() {
    return clientPort == 0 ? clientHost : clientHost + ":" + clientPort;
  }

  /** What the client says of itself: {@code program_name}, {@code _client_version}, … */
  public Map<String, String> attributes() {
    return attributes;
  }

  /** What the client has sent along with the running command. */
  public QueryAttributes queryAttributes() {
    return queryAttributes;
  }

  /** A command begins. */
  public void queryAttributes(QueryAttributes ofCommand) {
    queryAttributes = ofCommand;
  }

  /** A comment for databases that says who has asked; null: they are not told. */
  byte @Nullable [] origin() {
    return deployment().rules().properties().statistics().tellsOrigin()
        ? Origin.comment(user.name(), clientPlace(), queryAttributes, charset(), attributes)
        : null;
  }

  /** As the client wrote it. */
  String userName() {
    return userName;
  }

  /** {@code user@host} of the client, as USER() says. */
  public String clientAccount() {
    return userName + "@" + clientHost;
  }

  /** By which name it has logged in: of a user, or of an account of a store. */
  public String loginName() {
    return user.name().equalsIgnoreCase(userName) ? user.name() : userName;
  }

  /** Whose it is: alike for sessions that may see and end each other. */
  public String owner() {
    String login = loginName();
    return login.equals(user.name()) ? user.toString() : login + " as " + user;
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

  /** What the client makes the proxy keep. Thread-safe. */
  public SessionMemory memory() {
    return memory;
  }

  // ---------------------------------------------------------------- database, rules, variables

  /** The rules that the running statement, or the open transaction, works with. */
  public Deployment deployment() {
    return rules.deployment();
  }

  /** Which rules those are. */
  public RulesInForce rules() {
    return rules;
  }

  /**
   * @param run on any thread, when others wait for connections that the session has
   */
  public void whenAwaited(Runnable run) {
    awaited = run;
  }

  /** Others wait for connections that the session has. On any thread. */
  void giveWay() {
    awaited.run();
  }

  /** The account is as the rules say now. */
  void account(Authority.User present) {
    user = present;
  }

  /** The database that statements are for. */
  public CurrentDatabase database() {
    return database;
  }

  /** The current logical database; null when none is selected, or it has no data source yet. */
  public @Nullable Backend backend() {
    return database.backend();
  }

  /** Where statements go that need any database: the current, or the first permitted. */
  public Backend anyBackend() {
    return database.any();
  }

  /** How statements are read and results are written. */
  public SessionLanguage language() {
    return language;
  }

  public SessionSettings settings() {
    return language.settings();
  }

  /** Rows that {@code max_error_count} lets SHOW WARNINGS have; of what nobody set, any number. */
  private int mostWarnings() {
    String most = settings().variables().get("max_error_count");
    return most == null ? Integer.MAX_VALUE : Integer.parseInt(most);
  }

  /**
   * Takes room for other settings, before the session has them.
   *
   * @throws io.anabranch.rules.error.RefusedException MEMORY_SHARE
   */
  public void makeRoomFor(SessionSettings others) {
    variables.to(Math.max(variables.bytes(), others.weight()));
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException MEMORY_SHARE, unless there was {@link
   *     #makeRoomFor}; then they are as before
   */
  public void settings(SessionSettings changed) {
    variables.to(changed.weight());
    language.settings(changed);
  }

  public Charset charset() {
    return language.charset();
  }

  public LexerMode lexerMode() {
    return language.lexerMode();
  }

  /** What the client is told of changes to them. */
  public StateChanges changes() {
    return changes;
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

  /** Which tables it is changing. */
  public SessionWrites writes() {
    return writes;
  }

  /** When it began, {@link System#nanoTime}. */
  public long began() {
    return began;
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

  /** What {@code @@in_transaction} says: not for a transaction that is gone. */
  public boolean isInTransaction() {
    return (status() & ServerStatus.IN_TRANS) != 0 && !transaction.isGone();
  }

  private int clientStatus(int backendStatus) {
    int status = backendStatus & ~OWN_STATUS;
    if (transaction.isPassedBy()) {
      status |= ServerStatus.IN_TRANS;
    }
    if (transaction.isAutocommit() || transaction.isAutocommitOfProgram()) {
      // a procedure or a block may have switched it off or on just now
      status |= backendStatus & ServerStatus.AUTOCOMMIT;
    }
    if (language.lexerMode().noBackslashEscapes()) {
      status |= ServerStatus.NO_BACKSLASH_ESCAPES;
    }
    if (language.lexerMode().ansiQuotes() && deployment().isMariaDb()) {
      status |= ServerStatus.ANSI_QUOTES;
    }
    return moreResults ? status | ServerStatus.MORE_RESULTS_EXISTS : status;
  }

  private SessionTransaction newTransaction() {
    transactionType = deployment().coordinators().defaultType();
    consistentReads = false;
    return new SessionTransaction(
        database::desk,
        Capability.has(capabilities, Capability.FOUND_ROWS),
        channel.eventLoop(),
        deployment().coordinators().byDefault(),
        background,
        reads,
        new WaitingStatement(this));
  }

  public Executor background() {
    return background;
  }

  /** What the client says of itself is kept as far as there is room. */
  private void describe(Map<String, String> ofClient) {
    long length = (long) WEIGHT_OF_ATTRIBUTE * ofClient.size();
    for (Map.Entry<String, String> each : ofClient.entrySet()) {
      length += each.getKey().length() + (long) each.getValue().length();
    }
    described.close();
    attributes = length <= SHORT_ATTRIBUTES || described.tryGrow(length) ? ofClient : Map.of();
  }

  // ---------------------------------------------------------------- statements

  /** What the client has prepared. */
  public PreparedStatements statements() {
    return statements;
  }

  /** What the last statement left behind. */
  public Diagnostics diagnostics() {
    return diagnostics;
  }

  /** What the session is at. */
  public RunningCommand command() {
    return command;
  }

  // ---------------------------------------------------------------- life

  /**
   * Gives up a transaction that has outlived its limits, between two commands; the next statement
   * is told. On the session's event loop; {@link #settle} is due.
   */
  public void limitTransaction() {
    if (!command.isIdle() || !transaction.hasOpened()) {
      return;
    }
    TransactionSettings ofAll = deployment().rules().transactions();
    List<SubjectLimits> own = ownLimits();
    long idle = SessionLimits.milliseconds(own, LimitKind.TRANSACTION_IDLE, ofAll.idleLimit());
    long whole = SessionLimits.milliseconds(own, LimitKind.TRANSACTION_AGE, ofAll.longLimit());
    if (idle > 0 && command.idleNanos() >= TimeUnit.MILLISECONDS.toNanos(idle)) {
      transaction.expire(ErrorCatalogue.TRANSACTION_IDLE.refuse(idle));
      SessionLimits.ended(own, LimitKind.TRANSACTION_IDLE, idle);
    } else if (whole > 0 && transaction.isOpenFor(TimeUnit.MILLISECONDS.toNanos(whole))) {
      transaction.expire(ErrorCatalogue.TRANSACTION_LONG.refuse(whole));
      SessionLimits.ended(own, LimitKind.TRANSACTION_AGE, whole);
    }
  }

  /**
   * Rolls back what was given up on connections that the session keeps, before anything else runs
   * there. On the session's event loop.
   *
   * @param then runs there when that is done: at once where there is nothing
   */
  public void settle(Runnable then) {
    if (!connections().haveGivenUp()) {
      then.run();
      return;
    }
    background()
        .execute(
            () -> {
              try {
                connections().rollBackGivenUp();
              } finally {
                loop().execute(then);
              }
            });
  }

  /** Limits of what the user may take in the current database. On the session's event loop. */
  public List<SubjectLimits> ownLimits() {
    Backend current = database.backend();
    return limits.of(user.name(), current == null ? null : current.database().name());
  }

  /** Those that concern a statement. On the session's event loop. */
  public List<SubjectLimits> limitsOf(Scan statement) {
    Backend current = database.backend();
    return limits.of(
        user.name(),
        current == null ? null : current.database().name(),
        statement.fingerprint(),
        () ->
            DigestText.hash(
                DigestText.digest(
                    statement.copyNormalForm(ExecutedStatement.WrittenForm.MOST_BYTES),
                    charset(),
                    lexerMode().ansiQuotes())));
  }

  /** Limits of what clients may take. */
  public SessionLimits limits() {
    return limits;
  }

  /** Whether nothing runs and nothing is open: the client loses nothing when it is sent away. */
  public boolean isDone() {
    return command.isIdle() && !transaction.isBegun() && !transaction.connections().areHeld();
  }

  /** For SHOW PROCESSLIST. */
  public Activity activity() {
    return new Activity(
        id,
        loginName(),
        clientPlace(),
        database.name(),
        command.name(),
        command.seconds(),
        command.nanos(),
        command.text(charset()),
        attributes);
  }

  /**
   * COM_RESET_CONNECTION: as after the handshake, but for the database. What was open is rolled
   * back, in the background.
   */
  public void reset() {
    transaction.close();
    writes.ended(false);
    rules.renewFreely();
    transaction = newTransaction();
    members.clear();
    reads.reset();
    statements.forget();
    diagnostics.clear();
    database.forgetConnections();
    changes.clear();
    language.reset(initialCollation);
    variables.to(settings().weight());
  }

  /** COM_CHANGE_USER: another client on the same connection. */
  public void become(Identity identity) {
    user = identity.user();
    userName = identity.name();
    initialCollation = identity.collation();
    clientHost = identity.host();
    describe(identity.attributes());
    database.leave();
    reset();
    ignoreSpace();
  }

  /** What a login says of {@code sql_mode}. */
  private void ignoreSpace() {
    if (has(Capability.IGNORE_SPACE)) {
      language.ignoreSpace();
      variables.to(settings().weight());
    }
  }

  /** The client is gone. */
  public void close() {
    transaction.close();
    writes.close(!command.isIdle());
    statements.forget();
    variables.close();
    described.close();
    diagnostics.clear();
    memory.close();
  }
}
