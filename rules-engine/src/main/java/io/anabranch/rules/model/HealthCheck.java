package io.anabranch.rules.model;

/**
 * How a data source is asked for its health, on a connection of its own.
 *
 * @param intervalMilliseconds from one question to the next
 * @param timeoutMilliseconds a question without answer for so long has failed
 * @param rise answers in a row that bring a member back
 * @param fall failures in a row that make it down; repeated at once, not after an interval
 * @param maxLagMilliseconds replicas further behind take no reads; 0: no limit
 * @param heartbeatTable {@code schema.table} with a column {@code ts} that the primary keeps at the
 *     present time, UTC; empty: the replication status is asked
 */
public record HealthCheck(
    long intervalMilliseconds,
    long timeoutMilliseconds,
    int rise,
    int fall,
    long maxLagMilliseconds,
    String heartbeatTable) {

  /** What holds where nothing is configured. */
  public static final HealthCheck DEFAULT = new HealthCheck(2000, 1000, 2, 2, 0, "");
}
