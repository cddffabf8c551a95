package io.anabranch.backend.execute.source;

import io.anabranch.backend.shard.ShardOutcome;
import java.util.List;

/**
 * A write that succeeded.
 *
 * @param warnings level, code and message of each warning, as far as the database keeps them
 * @param returned the rows of RETURNING
 */
public record Answered(ShardOutcome outcome, List<List<String>> warnings, ReturnedRows returned) {

  public Answered {
    warnings = List.copyOf(warnings);
  }

  /** How many rows it answered with. */
  public int rows() {
    return returned.payloads().size();
  }

  /** The same with row numbers of the client's statement. */
  public Answered counting(int[] rows) {
    return warnings.isEmpty() && returned.columns().isEmpty()
        ? this
        : new Answered(outcome, RowNumbers.in(warnings, rows), returned.numbered(rows));
  }

  /** The same with more rows that were affected. */
  public Answered adding(long rows) {
    return new Answered(
        new ShardOutcome(
            outcome.affectedRows() + rows,
            outcome.lastInsertId(),
            outcome.statusFlags(),
            outcome.warnings(),
            outcome.info()),
        warnings,
        returned);
  }

  /**
   * The same with fewer warnings.
   *
   * @param kept some of those that it has
   */
  Answered warning(List<List<String>> kept) {
    int fewer = warnings.size() - kept.size();
    return fewer == 0
        ? this
        : new Answered(
            new ShardOutcome(
                outcome.affectedRows(),
                outcome.lastInsertId(),
                outcome.statusFlags(),
                outcome.warnings() - fewer,
                outcome.info()),
            kept,
            returned);
  }
}
