package io.anabranch.frontend.session;

import io.anabranch.backend.memory.MemoryCharge;
import io.anabranch.protocol.message.ErrPacket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** What the last statement left behind: for ROW_COUNT(), LAST_INSERT_ID(), SHOW WARNINGS. */
public final class Diagnostics {

  private static final long UNKNOWN = -1;

  /** What {@code max_error_count} is where nobody has set it. */
  private static final int FEW = 64;

  /** The same of MySQL. */
  private static final int FEW_OF_MYSQL = 1024;

  private static final int ROW_WEIGHT = 256;

  private final boolean isMariaDb;
  private final MemoryCharge memory;
  private final IntSupplier most;
  private long lastInsertId;
  private long rowCount;
  private long foundRows;
  private int warnings;
  private boolean isReset;
  private @Nullable ErrPacket error;
  private @Nullable List<List<String>> warningRows;

  /**
   * @param isMariaDb warnings stay over statements without tables; MySQL forgets them with each
   *     statement that is not about them
   * @param memory of the session, for nothing else
   * @param most what {@code max_error_count} says: so many rows of warnings are kept
   */
  public Diagnostics(boolean isMariaDb, MemoryCharge memory, IntSupplier most) {
    this.isMariaDb = isMariaDb;
    this.memory = memory;
    this.most = most;
  }

  /** An OK answer. */
  public void done(long affectedRows, long insertId, int warningCount) {
    rowCount = affectedRows;
    inserted(insertId);
    warned(warningCount);
  }

  /**
   * A statement on tables begins: what the one before warned of is forgotten, whatever it tells
   * itself.
   */
  public void forgetWarnings() {
    forget(0);
  }

  /**
   * A key was generated.
   *
   * @param insertId unsigned; 0 for none, which leaves the one before
   */
  public void inserted(long insertId) {
    if (insertId != 0) {
      lastInsertId = insertId;
    }
  }

  /**
   * A write answered with rows, which FOUND_ROWS() does not count.
   *
   * @param insertId as in {@link #inserted}
   */
  public void returned(long insertId, int warningCount) {
    rowCount = -1;
    inserted(insertId);
    warned(warningCount);
  }

  /** A command that is no statement was answered with OK: warnings stay. */
  public void acknowledged() {
    rowCount = 0;
  }

  /** What the answer to a command that is no statement tells: MySQL's count of the last one. */
  public int toldAgain() {
    return isMariaDb || isReset ? 0 : warnings;
  }

  /** A prepared statement was reset: MySQL tells no more of warnings, and shows them still. */
  public void statementReset() {
    isReset = true;
  }

  /** A statement was prepared: MySQL forgets warnings then, and no counts. */
  public void prepared(int warningCount) {
    if (!isMariaDb) {
      forget(warningCount);
    }
  }

  /** What the statement before has left was shown, and stays. */
  public void shown() {
    rowCount = -1;
  }

  /** An answer with rows that FOUND_ROWS() does not count. */
  public void uncounted(int warningCount) {
    returned(0, warningCount);
  }

  /** A result set. */
  public void rows(long count, int warningCount) {
    rowCount = -1;
    foundRows = count;
    warned(warningCount);
  }

  /** Where there are none of its own, MariaDB keeps those of the statement before. */
  private void warned(int count) {
    if (count > 0 || !isMariaDb) {
      forget(count);
    }
  }

  private void forget(int count) {
    warnings = count;
    isReset = false;
    error = null;
    keep(null);
  }

  /** Beyond the few that servers keep of themselves, as many as there is room for. */
  private void keep(@Nullable List<List<String>> all) {
    memory.close();
    int kept = most.getAsInt();
    List<List<String>> rows = all == null || all.size() <= kept ? all : all.subList(0, kept);
    boolean fits = rows == null || rows.size() <= FEW || memory.tryGrow(weight(rows));
    warningRows = fits || rows == null ? rows : List.copyOf(rows.subList(0, FEW));
  }

  private static long weight(List<List<String>> rows) {
    long weight = 0;
    for (List<String> row : rows) {
      weight += ROW_WEIGHT;
      for (String cell : row) {
        weight += cell.length();
      }
    }
    return weight;
  }

  public void failed(ErrPacket answer) {
    rowCount = -1;
    warnings = 1;
    isReset = false;
    error = answer;
    keep(List.of(row(answer)));
  }

  /** A command failed that is no statement: MySQL tells of it behind what is there already. */
  public void failedCommand(ErrPacket answer) {
    List<List<String>> before = warningRows();
    failed(answer);
    if (!isMariaDb && before != null && !before.isEmpty()) {
      var all = new ArrayList<>(before);
      all.add(row(answer));
      problems(all);
    }
  }

  private static List<String> row(ErrPacket error) {
    return List.of("Error", Integer.toString(error.errno()), error.message());
  }

  public void clear() {
    lastInsertId = 0;
    rowCount = 0;
    foundRows = 0;
    forget(0);
  }

  /** Unsigned. */
  public long lastInsertId() {
    return lastInsertId;
  }

  /**
   * LAST_INSERT_ID(expression) was computed.
   *
   * @param insertId unsigned
   */
  public void lastInsertId(long insertId) {
    lastInsertId = insertId;
  }

  /** -1 after a result set or an error. */
  public long rowCount() {
    return rowCount;
  }

  /** The rows of the last query without its LIMIT. */
  public void foundRows(long count) {
    foundRows = count;
  }

  /** Rows were skipped and none was left: how many there are nobody has told. */
  public void foundRowsUnknown() {
    foundRows = UNKNOWN;
  }

  public boolean knowsFoundRows() {
    return foundRows != UNKNOWN;
  }

  public long foundRows() {
    return foundRows;
  }

  public int warnings() {
    return warnings;
  }

  /** How many of the warnings are errors. */
  public long errors() {
    List<List<String>> rows = warningRows();
    return rows == null ? 0 : rows.stream().filter(row -> row.getFirst().equals("Error")).count();
  }

  /**
   * What SHOW WARNINGS shows of a statement that succeeded.
   *
   * @param rows of level, code, message; none leaves those of the statement before
   */
  public void warningRows(List<List<String>> rows) {
    if (!rows.isEmpty()) {
      keep(rows);
    }
  }

  /**
   * The same of what several queries warned of: as many as one server would keep.
   *
   * @param count of all warnings; databases may have kept none of them
   */
  public void warningRowsOfSeveral(int count, List<List<String>> rows) {
    boolean isSaid = most.getAsInt() != Integer.MAX_VALUE;
    int few = isMariaDb ? FEW : FEW_OF_MYSQL;
    if (count > 0) {
      keep(isSaid || rows.size() <= few ? rows : rows.subList(0, few));
    }
  }

  /** What SHOW WARNINGS shows of the statement that failed, its error among them. */
  public void problems(List<List<String>> rows) {
    if (!rows.isEmpty()) {
      warnings = rows.size();
      keep(rows);
    }
  }

  /** Null when there were warnings of which only the number is known. */
  public @Nullable List<List<String>> warningRows() {
    return warnings == 0 ? List.of() : warningRows;
  }

  /** The error that the last statement ended with; null when it succeeded. */
  public @Nullable ErrPacket error() {
    return error;
  }
}
