package io.anabranch.backend.stage;

/**
 * What statements may copy into temporary tables.
 *
 * @param rows of all tables of one statement; 0 turns staging off
 * @param bytes of the rows of one statement as INSERT writes them
 * @param together bytes that all statements may have there at a time
 */
public record StageLimits(long rows, long bytes, long together) {

  /** Of each statement alone. */
  public StageLimits(long rows, long bytes) {
    this(rows, bytes, Long.MAX_VALUE);
  }
}
