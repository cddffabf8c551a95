package io.anabranch.rules.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A temporary table of a {@link PlanNode.Stage} and the rows that are copied into it.
 *
 * @param name ASCII, needs no quotes, unique within the stage
 * @param definition what follows {@code CREATE TEMPORARY TABLE name}: columns and keys in
 *     parentheses
 * @param rows any plan that yields rows; its first columns are the table's, in the same order
 * @param cells how each column of the table travels
 * @param reduction which of the rows may be left out; null: none
 */
public record StagedTable(
    String name,
    String definition,
    PlanNode rows,
    List<Cell> cells,
    @Nullable Reduction reduction) {

  /** What names of copies of a client's tables begin with. */
  public static final String COPY = "ab_stage_";

  /** What stands for the list of keys in {@link Reduction#condition}. */
  public static final String KEYS = ":keys";

  /**
   * Rows whose key is none of those of a table that was copied before are of no use.
   *
   * @param of name of that table
   * @param column position of the keys there; numbers
   * @param condition as it stands in the queries of the rows: {@code `i`.`order_id` IN (:keys)};
   *     the keys are put in, or TRUE in its place where there are too many
   */
  public record Reduction(String of, int column, byte[] condition) {}

  /**
   * Name of the only table of a stage that computes with merged groups: its answer is described by
   * the plan, because the columns of the table are not the client's.
   */
  public static final String GROUPS = "ab_groups";

  public StagedTable {
    cells = List.copyOf(cells);
  }

  /**
   * What stands in the statement in front of the name of a table that it gives no alias: the table
   * keeps its name.
   */
  public String unaliased() {
    return unaliased(name);
  }

  /** The same for the copy of that name. */
  public static String unaliased(String name) {
    return "`" + name + "` AS ";
  }

  /** How the cells of a column are written into the INSERT that copies them. */
  public enum Cell {
    /** Digits as they come: integers, decimals, doubles, numbers of BIT. */
    NUMBER,
    /** UTF-8 label of an ENUM; empty for the value that stands for one that was refused. */
    ENUM,
    /** Number of an ENUM that has an empty label of its own; 0 for what was refused. */
    CHOICE,
    /** ASCII in quotes: dates and times. */
    QUOTED,
    /** UTF-8: JSON, and types that the server reads from text only. */
    TEXT,
    /** Bytes as they are stored: strings of any character set, geometries. */
    BYTES,
    /**
     * Seconds since 1970 UTC, with fraction: TIMESTAMP, whatever the session's time zone; 0 is the
     * zero date.
     */
    INSTANT
  }
}
