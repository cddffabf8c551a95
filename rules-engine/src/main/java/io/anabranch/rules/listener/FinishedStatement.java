package io.anabranch.rules.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A statement that a client has run, and got the answer to.
 *
 * @param ended when, to the millisecond
 * @param session what {@code CONNECTION_ID()} gives
 * @param user as configured: whose rights it had
 * @param login the name that the client has logged in by: another one for accounts of a store
 * @param client its address and port
 * @param database the logical one; empty: none was selected
 * @param kind {@code SELECT}, {@code UPDATE}, {@code CREATE} and so on
 * @param text the beginning of it, at most 16 KiB; with {@code ?} for each literal unless the
 *     property {@code proxy-statement-log-literals} says otherwise
 * @param isWhole whether that is all of the text
 * @param dataSources where it ran; empty where the proxy answered by itself
 * @param times where its time went
 * @param rows that were sent
 * @param affectedRows that were changed, as the client was told
 * @param errno of the error that it ended with; 0: it succeeded
 * @param tag what a query rule calls it
 */
public record FinishedStatement(
    Instant ended,
    int session,
    String user,
    String login,
    String client,
    Optional<String> database,
    String kind,
    String text,
    boolean isWhole,
    Set<String> dataSources,
    Times times,
    long rows,
    long affectedRows,
    int errno,
    Optional<String> tag) {

  public FinishedStatement {
    dataSources = Set.copyOf(dataSources);
  }

  /**
   * Where its time went; they follow each other.
   *
   * @param plan scan, plan and bind
   * @param lease waiting for connections
   * @param database waiting for databases
   * @param merge what the proxy did itself
   * @param write waiting for the client to read
   */
  public record Times(
      Duration plan, Duration lease, Duration database, Duration merge, Duration write) {

    public Duration total() {
      return plan.plus(lease).plus(database).plus(merge).plus(write);
    }
  }
}
