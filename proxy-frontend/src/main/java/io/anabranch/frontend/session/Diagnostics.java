package io.anabranch.frontend.session;

import io.anabranch.protocol.message.ErrPacket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the last statement left behind: for ROW_COUNT(), LAST_INSERT_ID(), SHOW WARNINGS. */
public final class Diagnostics {

  private long lastInsertId;
  private long rowCount;
  private long foundRows;
  private int warnings;
  private @Nullable ErrPacket error;
  private @Nullable List<List<String>> warningRows;

  /** An OK answer. */
  public void done(long affectedRows, long insertId, int warningCount) {
    rowCount = affectedRows;
    inserted(insertId);
    warnings = warningCount;
    error = null;
    warningRows = null;
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

  /** A result set. */
  public void rows(long count, int warningCount) {
    rowCount = -1;
    foundRows = count;
    warnings = warningCount;
    error = null;
    warningRows = null;
  }

  public void failed(ErrPacket answer) {
    rowCount = -1;
    warnings = 1;
    error = answer;
    warningRows = null;
  }

  public void clear() {
    lastInsertId = 0;
    rowCount = 0;
    foundRows = 0;
    warnings = 0;
    error = null;
    warningRows = null;
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

  public long foundRows() {
    return foundRows;
  }

  public int warnings() {
    return warnings;
  }

  /** What SHOW WARNINGS shows of a statement that succeeded: level, code, message. */
  public void warningRows(List<List<String>> rows) {
    warningRows = rows;
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
