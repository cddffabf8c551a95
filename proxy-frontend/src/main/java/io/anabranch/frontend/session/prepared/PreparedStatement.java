package io.anabranch.frontend.session.prepared;

import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.memory.SessionMemory;
import io.anabranch.backend.relay.column.ClientColumns;
import io.anabranch.frontend.response.KeptRows;
import io.anabranch.protocol.parameter.TypeHistory;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.slot.PreparedSlotValues;
import org.jspecify.annotations.Nullable;

/**
 * A statement that the client prepared. Planned anew with each execution, so that DDL between
 * executions does no harm; the plan cache makes that cheap.
 */
public final class PreparedStatement {

  private static final int FIXED_WEIGHT = 512;

  private static final int PARAMETER_WEIGHT = 24;

  /** Where a literal or a marker stands, its kind, and its number among the parameters. */
  private static final int SLOT_WEIGHT = 16;

  private final int id;
  private final byte[] sql;
  private final int parameterCount;
  private final Scan.Size size;
  private final @Nullable String database;
  private final @Nullable Reading reading;
  private final ClientColumns columns = new ClientColumns();
  private final TypeHistory history = new TypeHistory();
  private int @Nullable [] types;
  private @Nullable LongData longData;
  private @Nullable Scan scan;
  private @Nullable PreparedSlotValues slots;
  private @Nullable ShardQuery unchanged;
  private @Nullable OpenCursor cursor;

  /**
   * @param sql in the client's character set; not modified
   */
  public PreparedStatement(int id, byte[] sql, int parameterCount) {
    this(id, sql, parameterCount, new Scan.Size(parameterCount, sql.length), null, null);
  }

  /**
   * @param sql in the client's character set; not modified
   * @param size of what a scan of its text finds
   * @param database the logical database that was selected; null: none
   * @param reading how its text is read; null: as any other of the session
   */
  public PreparedStatement(
      int id,
      byte[] sql,
      int parameterCount,
      Scan.Size size,
      @Nullable String database,
      @Nullable Reading reading) {
    this.id = id;
    this.sql = sql;
    this.parameterCount = parameterCount;
    this.size = size;
    this.database = database;
    this.reading = reading;
  }

  public int id() {
    return id;
  }

  public byte[] sql() {
    return sql;
  }

  /** The logical database that was selected when it was prepared; null: none. */
  public @Nullable String database() {
    return database;
  }

  /**
   * How its text is read, which does not change.
   *
   * @param current that of the session
   */
  public Reading reading(Reading current) {
    return reading == null ? current : reading;
  }

  public int parameterCount() {
    return parameterCount;
  }

  /**
   * What its text says, read once for all executions.
   *
   * @param end where the text ends that counts
   * @param mode of its reading
   */
  public Scan scan(SqlScanner scanner, int end, LexerMode mode) {
    Scan known = scan;
    if (known == null) {
      known = scanner.scan(sql, 0, end, mode, Scan.sizedAs(size));
      scan = known;
    }
    return known;
  }

  /**
   * Its slots, to be bound anew for each execution.
   *
   * @param read what {@link #scan} gave
   */
  public PreparedSlotValues slots(Scan read, Reading with) {
    PreparedSlotValues known = slots;
    if (known == null) {
      known = new PreparedSlotValues(read, with.charset(), with.mode());
      slots = known;
    }
    return known;
  }

  /** What the client knows of its results' columns. */
  public ClientColumns columns() {
    return columns;
  }

  /** What its executions have left of its parameters' types. */
  public TypeHistory history() {
    return history;
  }

  /** Parameter types of the latest execution that sent them; null before the first. */
  public int @Nullable [] types() {
    return types;
  }

  public void types(int[] sent) {
    types = sent;
  }

  /** Values that came ahead of the execution; null when there are none. */
  public @Nullable LongData longData() {
    return longData;
  }

  /**
   * Appends to a parameter's value; what is wrong with that shows on execution.
   *
   * @param kept what the session keeps
   */
  public void append(int parameter, byte[] piece, KeptBytes kept, SessionMemory memory) {
    ahead(kept, memory).append(parameter, piece);
  }

  /** A piece of a value was not kept. */
  public void spoil(RuntimeException why, KeptBytes kept, SessionMemory memory) {
    ahead(kept, memory).spoil(why);
  }

  private LongData ahead(KeptBytes kept, SessionMemory memory) {
    LongData ahead = longData;
    if (ahead == null) {
      ahead = new LongData(parameterCount, kept, memory.charge(MemoryKind.HEAP, "long data"));
      longData = ahead;
    }
    return ahead;
  }

  /** The values that came ahead are an execution's, which releases them at its end. */
  public @Nullable LongData takeLongData() {
    LongData ahead = longData;
    longData = null;
    return ahead;
  }

  /** Forgets long data: on COM_STMT_RESET, and when the statement goes. */
  public void reset() {
    LongData ahead = longData;
    if (ahead != null) {
      ahead.release();
      longData = null;
    }
  }

  /** About what it costs to keep, in bytes. */
  long weight() {
    return FIXED_WEIGHT
        + sql.length
        + size.normalLength()
        + PARAMETER_WEIGHT * (long) parameterCount
        + SLOT_WEIGHT * (long) size.slots();
  }

  /** What the client may fetch from; null: nothing. */
  public @Nullable OpenCursor cursor() {
    return cursor;
  }

  /** Whoever replaces a cursor has closed it. */
  public void cursor(@Nullable OpenCursor opened) {
    cursor = opened;
  }

  /** The session is over, and its connections with it: rows that the proxy keeps go. */
  void close() {
    if (cursor instanceof OpenCursor.InProxy(KeptRows rows)) {
      rows.discard();
    }
    cursor = null;
    reset();
  }

  /**
   * The statement unchanged for {@code dataSource}: one instance as long as the data source stays
   * the same, because backends keep statements by identity.
   */
  public ShardQuery unchanged(String dataSource) {
    ShardQuery query = unchanged;
    if (query == null || !query.dataSource().equals(dataSource)) {
      query = ShardQuery.taking(parameterCount, dataSource, sql);
      unchanged = query;
    }
    return query;
  }
}
