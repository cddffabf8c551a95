package io.anabranch.backend.execute.source;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.KnownInsertId;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.backend.row.RowBudget;
import io.anabranch.backend.shard.DatabaseWait;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.backend.shard.ShardReply;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The queries of one statement on one data source, one after the other on one connection. Used by
 * one thread at a time.
 */
public final class SourceRun {

  private static final byte[] COMMIT = "COMMIT".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NOTHING = "DO 0".getBytes(StandardCharsets.US_ASCII);
  private static final List<byte[]> SNAPSHOT =
      List.of(
          "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ".getBytes(StandardCharsets.US_ASCII),
          "START TRANSACTION WITH CONSISTENT SNAPSHOT".getBytes(StandardCharsets.US_ASCII));

  private static final byte[] INSERT_ID =
      "SELECT LAST_INSERT_ID() LIMIT 1".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] NUMBERING =
      "SELECT @@auto_increment_increment * 65536 + @@auto_increment_offset LIMIT 1"
          .getBytes(StandardCharsets.US_ASCII);

  private static final byte[] KEY_TO_GIVE =
      "SELECT @@insert_id LIMIT 1".getBytes(StandardCharsets.US_ASCII);

  private static final int[] NO_NUMBERS = {};

  /** The data source or read/write group that the connection was asked for. */
  public final String endpoint;

  public final Lease lease;
  public List<ShardQuery> queries;
  private final MergeRequest request;
  private @Nullable ShardCursor cursor;

  /** A query that was sent ahead and that nobody has opened yet. */
  private @Nullable Supplier<ShardCursor> begun;

  /** Writes that are not at their end. */
  private @Nullable CompletableFuture<List<ShardReply>> chain;

  /** What was sent last; null: nothing. */
  private @Nullable ShardQuery sent;

  private long sentAt;

  private @Nullable RuntimeException failure;
  private int statusFlags;
  private final boolean stays;
  private final List<List<String>> warningRows = new ArrayList<>();
  private int warnings;
  private boolean hasRun;
  private boolean leftState;
  private boolean awaitsKey;

  /** What the database is told to give the next query's first row without a key; 0: nothing. */
  private long keyToGive;

  /** Whether it may not have given it: the connection would give it to anybody's row. */
  private boolean mayKeepKey;

  private boolean inSnapshot;

  /** The database was told to end what ran here. */
  private boolean isTold;

  SourceRun(String endpoint, Lease lease, List<ShardQuery> queries, MergeRequest request) {
    this.endpoint = endpoint;
    this.lease = lease;
    this.queries = queries;
    this.request = request;
    this.stays = request.leases().keeps(lease);
    lease.shard().memory(request.memory());
    lease.shard().waits(request.times());
  }

  /** Whether a transaction or a pin hangs on the connection, which goes on after the statement. */
  boolean stays() {
    return stays;
  }

  /** Other queries on the same connection; those before must be at their end. */
  SourceRun again(List<ShardQuery> others) {
    queries = others;
    return this;
  }

  /** What the queries from here on read is of one moment, whatever the session's isolation is. */
  void beginSnapshot() {
    lease.shard().prologue(SNAPSHOT);
    inSnapshot = true;
  }

  /** Ends the snapshot's transaction; a failure is remembered, not thrown. */
  void endSnapshot() {
    if (!inSnapshot || !isUsable()) {
      return;
    }
    try (ShardCursor commit = lease.shard().query(ShardQuery.text(lease.dataSource(), COMMIT))) {
      statusFlags = commit.outcome().statusFlags();
      inSnapshot = false;
    } catch (RuntimeException problem) {
      remember(problem);
    }
  }

  private void sends(ShardQuery query) {
    changedState();
    giveInsertId();
    sent = query;
    sentAt = System.nanoTime();
  }

  /** What ran here before may have changed it: each query of the statement gets the session's. */
  private void giveInsertId() {
    BackendConnection connection = lease.connection();
    if (connection != null && (awaitsKey || request.insertId() != null)) {
      lease.shard().prologue(connection.insertId().become(idBefore()));
    }
    awaitsKey = false;
    if (keyToGive != 0) {
      lease.shard().prologue(List.of(KnownInsertId.next(keyToGive)));
      mayKeepKey = true;
    }
  }

  /**
   * The connection gets an insert id in front of the next query, behind which {@link #madeKey}
   * tells another.
   */
  public void awaitKey() {
    awaitsKey = true;
  }

  /**
   * The first row of the next query for which the database would make a key gets this one, and
   * those behind it the ones that follow.
   *
   * @param key unsigned, that another data source has made for the same row
   */
  public void giveKey(long key) {
    keyToGive = key;
  }

  /** By which steps, and from where, the database numbers rows; nothing is open. */
  public long numbering() {
    return number(ShardQuery.text(lease.dataSource(), NUMBERING));
  }

  /** The first key that the database has made since {@link #awaitKey}, unsigned; 0: none. */
  public long madeKey() {
    long now = lastInsertId();
    return now == idBefore() ? 0 : now;
  }

  /** The session's where programs ask for that. */
  private long idBefore() {
    Long wanted = request.insertId();
    return wanted == null ? 0 : wanted;
  }

  /** A query has ended; of those that follow each other unasked the next one begins. */
  private void tell(int errno) {
    long now = System.nanoTime();
    request.times().ran(lease.dataSource(), sentAt, now, errno);
    sentAt = now;
  }

  /**
   * Sends a query and does not wait; {@link #open} will. On the event loop.
   *
   * @return whether it was sent
   */
  public boolean begin(ShardQuery query, Runnable answered) {
    sends(query);
    QueryTimes times = request.times();
    times.begins();
    begun =
        lease
            .shard()
            .begin(
                query,
                request.parameters(),
                request.binary(),
                () -> {
                  times.ends();
                  answered.run();
                });
    if (begun == null) {
      times.ends();
    }
    return hasBegun();
  }

  /** Whether the query that is to be opened has been sent. */
  public boolean hasBegun() {
    return begun != null;
  }

  /**
   * Sends a query, unless it has been sent, and waits for its answer to begin; the one before must
   * be at its end.
   */
  public ShardCursor open(ShardQuery query) {
    Supplier<ShardCursor> ahead = begun;
    begun = null;
    if (ahead == null) {
      sends(query);
    }
    try {
      ShardCursor opened =
          ahead == null
              ? lease.shard().query(query, request.parameters(), request.binary())
              : ahead.get();
      cursor = opened;
      return opened;
    } catch (RuntimeException problem) {
      throw remember(problem);
    }
  }

  /** What makes rows of an answer those of the result; null where nothing changes. */
  @Nullable
  public IntegerWidths widths(List<ResultColumn> answered, List<ResultColumn> result) {
    return request.binary() ? IntegerWidths.of(answered, result) : null;
  }

  /** The next row of the open query; null at its end. */
  public byte @Nullable [] next() {
    ShardCursor open = cursor;
    if (open == null) {
      return null;
    }
    try {
      byte[] row = open.next();
      if (row == null) {
        ended(open);
      }
      return row;
    } catch (RuntimeException problem) {
      throw remember(problem);
    }
  }

  /**
   * Runs a write and waits for its end.
   *
   * @throws ShardException as the connection does
   */
  public Answered execute(ShardQuery query) {
    return execute(query, RowReturn.NONE);
  }

  /**
   * The same for one that answers with rows.
   *
   * @throws ShardException as the connection does
   */
  public Answered execute(ShardQuery query, RowReturn rows) {
    rows.begin(this);
    sends(query);
    ShardCursor opened = lease.shard().query(query, request.parameters(), request.binary());
    cursor = opened;
    var payloads = new ArrayList<byte[]>();
    for (byte[] row = next(); row != null; row = next()) {
      rows.row(row);
      payloads.add(row);
    }
    List<List<String>> told = List.copyOf(warningRows);
    warningRows.clear();
    return new Answered(
        rows.outcome(this, opened.outcome()),
        told,
        new ReturnedRows(lease.dataSource(), opened.columns(), payloads, NO_NUMBERS));
  }

  /** What a question for one number answers, unsigned, 0 for NULL; nothing is open. */
  public long number(ShardQuery question) {
    var reader = new TextRowReader(1);
    long number = 0;
    try (ShardCursor open = lease.shard().query(question)) {
      for (byte[] row = open.next(); row != null; row = open.next()) {
        reader.read(row);
        if (reader.length(0) > 0) {
          number =
              Long.parseUnsignedLong(
                  new String(row, reader.offset(0), reader.length(0), StandardCharsets.US_ASCII));
        }
      }
    }
    return number;
  }

  /** LAST_INSERT_ID() of the connection, unsigned; nothing is open on it. */
  public long lastInsertId() {
    long id = number(ShardQuery.text(lease.dataSource(), INSERT_ID));
    BackendConnection connection = lease.connection();
    if (connection != null) {
      connection.insertId().set(id);
    }
    return id;
  }

  /** Runs a question of the proxy's own, whose warnings count for nothing, to its end. */
  public List<byte[]> ask(ShardQuery question) {
    open(question);
    var answer = new ArrayList<byte[]>();
    for (byte[] row = next(); row != null; row = next()) {
      answer.add(row);
    }
    warningRows.clear();
    return answer;
  }

  /** Whether writes that answer OK may follow each other without a thread in between. */
  public boolean canChain() {
    return !request.binary() && request.insertId() == null && lease.connection() != null;
  }

  /** Begins writes that follow each other; {@link #replies} waits for them. */
  public void begin(List<ShardQuery> writes) {
    changedState();
    giveInsertId();
    sentAt = System.nanoTime();
    chain = WriteChain.begin(lease.shard(), writes, request.cancellation());
  }

  /**
   * Waits for the end of what has begun: for the replies to those that ran.
   *
   * @throws java.util.concurrent.CompletionException by a mistake of the proxy; the connection then
   *     counts as busy
   */
  public List<ShardReply> replies() {
    CompletableFuture<List<ShardReply>> begun = Objects.requireNonNull(chain);
    request.times().waiting(begun::join);
    chain = null;
    return begun.join();
  }

  /**
   * Takes the reply to one of them.
   *
   * @throws ShardException that is in it, or why its warnings could not be read
   */
  public Answered answered(ShardQuery query, ShardReply reply) {
    sent = query;
    ShardOutcome outcome = reply.outcome();
    if (outcome == null) {
      ShardException refused = reply.failure();
      throw refused == null ? new ShardException.Lost("no answer", true) : refused;
    }
    ended(outcome);
    List<List<String>> told = List.copyOf(warningRows);
    warningRows.clear();
    return new Answered(
        outcome, told, new ReturnedRows(lease.dataSource(), List.of(), List.of(), NO_NUMBERS));
  }

  private List<List<String>> warned() {
    return Warnings.read(lease, request);
  }

  /** Whether another query may follow. */
  public boolean isUsable() {
    return !isBusy() && !(failure instanceof ShardException.Lost);
  }

  /** Reads all that is left of the open query. */
  public List<byte[]> rest(RowBudget budget) {
    var rows = new ArrayList<byte[]>();
    for (byte[] row = next(); row != null; row = next()) {
      budget.hold("merging several queries of data source '" + lease.dataSource() + "'", row);
      rows.add(row);
    }
    return rows;
  }

  /** Reads away what is left; a failure is remembered, not thrown. */
  void drain() {
    try {
      if (begun != null) {
        open(Objects.requireNonNull(sent));
      }
      while (next() != null) {
        // the rows are of no use any more
      }
    } catch (RefusedException tooLong) {
      readAway();
      remember(tooLong);
    } catch (RuntimeException problem) {
      remember(problem);
    }
  }

  /** Nothing runs here any more that cancelling could end. */
  void leave() {
    isTold |= request.cancellation().leave(lease);
  }

  /** An answer of which nothing is kept any more comes to its end. */
  private void readAway() {
    ShardCursor open = cursor;
    if (open != null) {
      open.close();
      cursor = null;
    }
  }

  boolean isBusy() {
    return cursor != null || chain != null || begun != null;
  }

  int warnings() {
    return warnings;
  }

  /** Level, code and message of those of the queries that gave rows. */
  List<List<String>> warningRows() {
    return warningRows;
  }

  @Nullable
  public RuntimeException failure() {
    return failure;
  }

  /** What a database refused is tried again. */
  public void forgive() {
    if (failure instanceof ShardException.Database) {
      failure = null;
    }
  }

  /** Keeps the first failure for the end; gives it back as the client is to see it. */
  @SuppressWarnings("ReferenceEquality") // the same may come back to be remembered
  public RuntimeException remember(RuntimeException problem) {
    if (problem == failure) {
      return problem;
    }
    if (problem instanceof ShardException) {
      cursor = null;
      tell(
          problem instanceof ShardException.Database refused
              ? refused.errno()
              : ErrorCatalogue.BACKEND_LOST.errno());
    }
    RuntimeException told =
        problem instanceof ShardException.Database refused ? amongWarnings(refused) : problem;
    if (failure == null) {
      failure = told;
    }
    if (problem instanceof ShardException.Database refused) {
      leftState |= mayHaveLeftState(refused.errno());
    }
    return told;
  }

  /** The next statement here would end what the failed one has warned of. */
  private ShardException amongWarnings(ShardException.Database refused) {
    ShardException.Database told = refused.withSchemaOf(request.names(), lease.shard().database());
    if (ShardException.Database.endsConnection(refused.errno())) {
      return told;
    }
    try {
      return told.among(warned());
    } catch (ShardException.Lost lost) {
      return lost;
    } catch (ShardException.Database | RefusedException _) {
      return told;
    }
  }

  /**
   * Ends the use of the lease: nothing runs on it, or it has been discarded. Those that went well
   * end before those that did not, because these may end the session's transaction.
   *
   * @return what to tell if the connection was lost
   */
  @Nullable RuntimeException end() {
    leave();
    forgetInsertId();
    lease.shard().memory(StatementMemory.UNLIMITED);
    lease.shard().waits(DatabaseWait.NONE);
    if (failure instanceof ShardException.Lost lost) {
      return request.leases().lost(lease, "lost: " + lost.getMessage());
    }
    if (isTold && (isBusy() || !takesKill())) {
      return request.leases().lost(lease, "statement cancelled");
    }
    if (mayKeepKey && (isBusy() || keepsKey())) {
      return request.leases().lost(lease, "left with a key for the next row");
    }
    if (failure instanceof ShardException.Database refused && !inSnapshot) {
      pinIfLeft();
      request.leases().failed(lease, refused.errno());
      return null;
    }
    return endUnharmed();
  }

  /** Views may give one, too. */
  private void forgetInsertId() {
    BackendConnection connection = lease.connection();
    if (request.insertId() != null && connection != null) {
      connection.insertId().forget();
    }
  }

  private boolean keepsKey() {
    try {
      return number(ShardQuery.text(lease.dataSource(), KEY_TO_GIVE)) != 0;
    } catch (ShardException _) {
      return true;
    }
  }

  /**
   * The database was told to end what had ended: nothing else is to be hit by that.
   *
   * @return whether that is certain
   */
  private boolean takesKill() {
    if (failure instanceof ShardException.Database hit
        && ErrorCatalogue.QUERY_INTERRUPTED.errno() == hit.errno()) {
      return true;
    }
    try {
      lease.shard().query(ShardQuery.text(lease.dataSource(), NOTHING)).close();
      return true;
    } catch (ShardException.Database struck) {
      return ErrorCatalogue.QUERY_INTERRUPTED.errno() == struck.errno();
    } catch (ShardException.Lost _) {
      return false;
    }
  }

  private @Nullable RuntimeException endUnharmed() {
    if (isBusy() || inSnapshot) {
      return request.leases().lost(lease, "left in the middle of an answer");
    }
    if (hasRun) {
      pinIfLeft();
      request.leases().completed(lease, statusFlags);
    } else {
      request.leases().failed(lease, 0);
    }
    return null;
  }

  private void pinIfLeft() {
    if (leftState) {
      // by a trigger or a function: nobody knows what it is
      request.leases().pin(lease, Pin.OTHER);
    }
  }

  private boolean mayHaveLeftState(int errno) {
    ShardQuery failed = sent;
    return failed != null && request.untold().mayBeLeft(failed, errno);
  }

  private boolean changedState() {
    BackendConnection connection = lease.connection();
    return connection != null && connection.takeStateChange();
  }

  private void ended(ShardCursor open) {
    ShardOutcome outcome = open.outcome();
    cursor = null;
    open.close();
    int first = warningRows.size();
    ended(outcome);
    if (request.ofText() && open.textWarnings() > 0) {
      List<List<String>> told = Warnings.ofText(lease, Objects.requireNonNull(sent), request);
      warnings += told.size();
      warningRows.addAll(first, told);
    }
  }

  /** A query is at its end; its warnings are read. */
  private void ended(ShardOutcome outcome) {
    tell(0);
    statusFlags = outcome.statusFlags();
    hasRun = true;
    if (keyToGive != 0 && outcome.lastInsertId() == keyToGive) {
      mayKeepKey = false;
    }
    keyToGive = 0;
    leftState |= changedState();
    if (outcome.warnings() > 0) {
      List<List<String>> all = warned();
      ShardQuery last = sent;
      Set<String> dates = last == null ? null : last.unitedDates();
      List<List<String>> told =
          dates == null
              ? all
              : Warnings.ofUnion(all, outcome.warnings(), dates, lease.dataSource());
      warnings += outcome.warnings() + told.size() - all.size();
      warningRows.addAll(told);
    }
  }
}
