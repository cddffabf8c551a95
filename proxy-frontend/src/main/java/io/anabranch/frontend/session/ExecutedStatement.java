package io.anabranch.frontend.session;

import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.StatementKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The record of a statement that was run and has been answered. One per session, written again for
 * each statement: whoever is told of it takes what it wants during the call, on the session's event
 * loop.
 */
public final class ExecutedStatement {

  private static final int MOST_QUERIES = 128;

  private final Session session;
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
  private boolean wantsQueries;
  private final List<RanQuery> queries = new ArrayList<>(0);

  public ExecutedStatement(Session session) {
    this.session = session;
  }

  /** Whether each of its queries in the merge lane is noted. */
  public void wantsQueries(boolean isWanted) {
    wantsQueries = isWanted;
  }

  public boolean wantsQueries() {
    return wantsQueries;
  }

  /** Another statement begins. */
  public void begin() {
    if (wantsQueries) {
      synchronized (queries) {
        queries.clear();
      }
    }
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

  /** One of its queries in the merge lane has ended. On any thread. */
  public void ran(String source, long began, long endedAt, int failure) {
    synchronized (queries) {
      if (queries.size() < MOST_QUERIES) {
        queries.add(new RanQuery(source, began, endedAt, failure));
      }
    }
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
      long endedAt,
      int failure) {
    scan = text;
    lane = way;
    database = ofDatabase;
    planNanos = plan;
    leaseNanos = lease;
    runNanos = run;
    ended = endedAt;
    errno = failure;
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
    return dataSources;
  }

  /** Scan, plan and bind. */
  public long planNanos() {
    return planNanos;
  }

  /** Waiting for a connection; 0 in the merge lane, which waits while it runs. */
  public long leaseNanos() {
    return leaseNanos;
  }

  /** From the command to the end of the answer. */
  public long runNanos() {
    return runNanos;
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

  /** 0 when it succeeded. */
  public int errno() {
    return errno;
  }

  /** The first queries that ended, in that order; none of the relay lane's, which is one. */
  public List<RanQuery> queries() {
    synchronized (queries) {
      return List.copyOf(queries);
    }
  }

  /**
   * A query of the merge lane.
   *
   * @param began {@link System#nanoTime}
   * @param errno 0: it succeeded
   */
  public record RanQuery(String dataSource, long began, long ended, int errno) {}

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
