package io.anabranch.frontend.session;

import io.anabranch.backend.background.BackgroundQuery;
import io.anabranch.backend.execute.source.QueryTimes;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.StatementKind;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The record of a statement that was run and has been answered. One per session, written again for
 * each statement: whoever is told of it takes what it wants during the call, on the session's event
 * loop.
 */
public final class ExecutedStatement {

  private final Session session;
  private Supplier<@Nullable BackgroundQuery> explanation = () -> null;
  private final Scan none = new Scan();
  private Scan scan = none;
  private @Nullable WrittenForm written;
  private StatementListener.Lane lane = StatementListener.Lane.LOCAL;
  private @Nullable String database;
  private @Nullable String dataSource;
  private Set<String> dataSources = Set.of();
  private long planNanos;
  private long leaseNanos;
  private long runNanos;
  private long ended;
  private long rows;
  private long affectedRows;
  private int warnings;
  private int errno;
  private @Nullable String tag;
  private long mergeNanos;
  private long writeNanos;
  private @Nullable QueryTimes queries;
  private String strategy = "";

  public ExecutedStatement(Session session) {
    this.session = session;
  }

  /** Whom {@link #explanation} is asked of, for all statements of the session. */
  public void explainedBy(Supplier<@Nullable BackgroundQuery> explaining) {
    explanation = explaining;
  }

  /** Another statement begins. */
  public void begin() {
    queries = null;
    strategy = "";
    written = null;
    tag = null;
    dataSource = null;
    dataSources = Set.of();
    rows = 0;
    affectedRows = 0;
    warnings = -1;
  }

  /** The proxy puts another text in the place of the client's; the first one counts. */
  public void replaces(Scan original) {
    if (written == null) {
      written = WrittenForm.of(original);
    }
  }

  /** It runs on this data source, on whatever others it has run before. */
  public void on(String only) {
    dataSource = only;
  }

  /** It runs on these. */
  public void on(Set<String> all) {
    dataSources = all;
  }

  /**
   * It runs in the merge lane.
   *
   * @param times where its queries are noted
   * @param how {@link io.anabranch.rules.plan.PlanPrinter#strategy}
   */
  public void merges(QueryTimes times, String how) {
    queries = times;
    strategy = how;
  }

  /** What the merge lane does with its rows; empty: it took another way. */
  public String strategy() {
    return strategy;
  }

  /** Of the merge lane; null: it took another way. */
  public @Nullable QueryTimes queries() {
    return queries;
  }

  /** Rules call it so; the first one counts. */
  public void tag(String name) {
    if (tag == null) {
      tag = name;
    }
  }

  /** So many rows were sent. */
  public void sent(long count) {
    rows = count;
  }

  /** The answer with rows has told of so many warnings. */
  public void warned(int count) {
    warnings = count;
  }

  /** Of its answer with rows; negative: it had none. */
  public int warnings() {
    return warnings;
  }

  /** So many rows were changed. */
  public void changed(long count) {
    affectedRows = count;
  }

  /**
   * It has been answered.
   *
   * @param text as it was run
   * @param ofDatabase null: none was selected
   * @param run all behind that
   * @param write of it, waiting for the client to read
   * @param endedAt {@link System#nanoTime}
   * @param failure errno; 0 when it succeeded
   */
  public void ended(
      Scan text,
      StatementListener.Lane way,
      @Nullable String ofDatabase,
      long plan,
      long lease,
      long run,
      long write,
      long endedAt,
      int failure) {
    scan = text;
    lane = way;
    database = ofDatabase;
    planNanos = plan;
    leaseNanos = lease;
    runNanos = run;
    writeNanos = write;
    mergeNanos = merging(run - write);
    ended = endedAt;
    errno = failure;
  }

  private long merging(long worked) {
    QueryTimes own = queries;
    if (own != null) {
      return Math.max(0, worked - own.databaseNanos());
    }
    return lane == StatementListener.Lane.LOCAL ? worked : 0;
  }

  /** Whoever wants to has taken what it is about. */
  public void letGo() {
    scan = none;
  }

  public Session session() {
    return session;
  }

  public StatementKind kind() {
    return scan.kind();
  }

  /** Of the text that was run, see {@link #written}. */
  public Scan scan() {
    return scan;
  }

  /** The client's text, where the proxy has run another one in its place; else null. */
  public @Nullable WrittenForm written() {
    return written;
  }

  /** Of the client's text: equal for texts that differ in their literals alone. */
  public long fingerprint() {
    WrittenForm own = written;
    return own == null ? scan.fingerprint() : own.fingerprint();
  }

  /** The client's text without its literals, the first bytes of it. */
  public byte[] normalForm() {
    WrittenForm own = written;
    return own == null ? scan.copyNormalForm(WrittenForm.MOST_BYTES) : own.normalForm();
  }

  public StatementListener.Lane lane() {
    return lane;
  }

  /** The logical database; null: none was selected. */
  public @Nullable String database() {
    return database;
  }

  /** The one data source that answered; null: none or several. */
  public @Nullable String dataSource() {
    return dataSource;
  }

  /** Where it ran if that was more than one; empty otherwise. */
  public Set<String> dataSources() {
    QueryTimes own = queries;
    Set<String> asked = own == null ? Set.of() : own.sources().keySet();
    if (dataSources.containsAll(asked)) {
      return dataSources;
    }
    // what is written row by row, or from a file, is planned for no data source
    var all = new LinkedHashSet<>(dataSources);
    all.addAll(asked);
    return all;
  }

  /** Scan, plan and bind. */
  public long planNanos() {
    return planNanos;
  }

  /** Waiting for connections. */
  public long leaseNanos() {
    return leaseNanos;
  }

  /** From the command to the end of the answer: databases, merging and writing. */
  public long runNanos() {
    return runNanos;
  }

  /** Of that, waiting for databases. */
  public long databaseNanos() {
    return runNanos - mergeNanos - writeNanos;
  }

  /** Of that, what the proxy did itself while neither a database nor the client was waited for. */
  public long mergeNanos() {
    return mergeNanos;
  }

  /** Of that, waiting for the client to read. */
  public long writeNanos() {
    return writeNanos;
  }

  /** By data source: its queries, from the command to the end of the answer each. */
  public Map<String, Long> sourceNanos() {
    QueryTimes own = queries;
    if (own != null) {
      return own.sources();
    }
    return dataSource == null ? Map.of() : Map.of(dataSource, runNanos - writeNanos);
  }

  public long totalNanos() {
    return planNanos + leaseNanos + runNanos;
  }

  /** {@link System#nanoTime} of the answer's end. */
  public long ended() {
    return ended;
  }

  /** Rows that the client got. */
  public long rows() {
    return rows;
  }

  /** Rows that were changed, as the client was told. */
  public long affectedRows() {
    return affectedRows;
  }

  /** What rules call it; null: nothing. */
  public @Nullable String tag() {
    return tag;
  }

  /**
   * What asks the data source that took longest for its plan of this statement, by EXPLAIN; null:
   * there is nothing to ask.
   */
  public @Nullable BackgroundQuery explanation() {
    return explanation.get();
  }

  /** 0 when it succeeded. */
  public int errno() {
    return errno;
  }

  /**
   * A text's normal form.
   *
   * @param normalForm its first bytes; not to be changed
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record WrittenForm(long fingerprint, byte[] normalForm) {

    /** Of the normal form, what statistics look at. */
    public static final int MOST_BYTES = 4096;

    static WrittenForm of(Scan scan) {
      return new WrittenForm(scan.fingerprint(), scan.copyNormalForm(MOST_BYTES));
    }
  }
}
