package io.anabranch.backend.execute.source;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a merge-lane statement ended well. The client's status flags are the transaction's. */
public sealed interface MergeOutcome {

  /**
   * Columns and all rows have been given to the sink.
   *
   * @param found rows without LIMIT, where the statement asks for their number; else -1
   * @param warnings of all shard queries together; what is said of the statement's text counts once
   * @param warningRows level, code and message, with logical names; fewer than {@code warnings}
   *     where databases did not keep them all
   */
  record Rows(long rows, long found, int warnings, List<List<String>> warningRows)
      implements MergeOutcome {

    public Rows {
      warningRows = List.copyOf(warningRows);
    }

    /** The same with a warning in front, of the statement's text: level, code and message. */
    public Rows warnedBefore(List<String> warning) {
      var all = new ArrayList<List<String>>();
      all.add(warning);
      all.addAll(warningRows);
      return new Rows(rows, found, warnings + 1, all);
    }
  }

  /**
   * User variables are due, then an OK packet, or the error of a second row.
   *
   * @param values SQL text of one per variable; empty where there was no row
   * @param isSurplus whether there was more than one row
   * @param warningRows as in {@link Rows}
   */
  record Assigned(
      List<String> values, boolean isSurplus, int warnings, List<List<String>> warningRows)
      implements MergeOutcome {

    public Assigned {
      values = List.copyOf(values);
      warningRows = List.copyOf(warningRows);
    }
  }

  /**
   * The rows of a change have been given to the sink.
   *
   * @param done what else is known of it
   */
  record Returned(long rows, Done done) implements MergeOutcome {}

  /**
   * An OK packet is due.
   *
   * @param lastInsertId the first that was generated, 0 for none
   * @param info human-readable, may be empty
   * @param warningRows level, code and message, with logical names; fewer than {@code warnings}
   *     where databases did not keep them all
   * @param givenId the key of the last row where all rows had theirs, 0 if nobody knows it: the OK
   *     packet tells it, LAST_INSERT_ID() does not, unless the statement gave that a value; null:
   *     {@code lastInsertId} is for both
   */
  record Done(
      long affectedRows,
      long lastInsertId,
      int warnings,
      String info,
      List<List<String>> warningRows,
      @Nullable Long givenId)
      implements MergeOutcome {

    public Done {
      warningRows = List.copyOf(warningRows);
    }

    /** No row was given its key. */
    public Done(
        long affectedRows,
        long lastInsertId,
        int warnings,
        String info,
        List<List<String>> warningRows) {
      this(affectedRows, lastInsertId, warnings, info, warningRows, null);
    }

    /** The same with keys that the rows had. */
    public Done withGivenKeys(long ofLast) {
      return new Done(affectedRows, lastInsertId, warnings, info, warningRows, ofLast);
    }

    /**
     * The same behind a query that found its rows.
     *
     * @param count of its warnings
     * @param rows what they were, as far as the databases kept them
     */
    public Done warnedBefore(int count, List<List<String>> rows) {
      if (count == 0) {
        return this;
      }
      var all = new ArrayList<>(rows);
      all.addAll(warningRows);
      int sum = warnings + count;
      String told = info.replace("Warnings: " + warnings, "Warnings: " + sum);
      return new Done(affectedRows, lastInsertId, sum, told, all, givenId);
    }

    /**
     * The same with what the proxy itself has to say.
     *
     * @param more level, code and message of each
     */
    public Done warnedAlso(List<List<String>> more) {
      if (more.isEmpty()) {
        return this;
      }
      var all = new ArrayList<>(warningRows);
      all.addAll(more);
      int sum = warnings + more.size();
      String told = info.replace("Warnings: " + warnings, "Warnings: " + sum);
      return new Done(affectedRows, lastInsertId, sum, told, all, givenId);
    }

    /**
     * The same with a key that the proxy made.
     *
     * @param key 0 for none
     * @param isOneRow whether it was for one row, whose key the databases' answer may tell: another
     *     one is that of a row that was there
     */
    public Done withGeneratedKey(long key, boolean isOneRow) {
      long ofRow = givenId == null ? lastInsertId : givenId;
      boolean wasThere = isOneRow && ofRow != 0 && ofRow != key;
      return key == 0 || affectedRows == 0 || wasThere
          ? this
          : new Done(affectedRows, key, warnings, info, warningRows);
    }
  }
}
