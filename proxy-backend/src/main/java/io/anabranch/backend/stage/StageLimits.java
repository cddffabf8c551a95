package io.anabranch.backend.stage;

/**
 * What one statement may copy into temporary tables.
 *
 * @param rows of all its tables together; 0 turns staging off
 * @param bytes of the rows as INSERT writes them, together
 */
public record StageLimits(long rows, long bytes) {}
