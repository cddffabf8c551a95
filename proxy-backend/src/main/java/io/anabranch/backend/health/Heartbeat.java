package io.anabranch.backend.health;

import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.backend.topology.MemberReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table with a column {@code ts} that somebody keeps at the present time: how old it is on a
 * replica is how far the replica is behind. Used on one thread.
 */
final class Heartbeat {

  private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);

  private final String table;
  private String failure = "";

  /**
   * @param table {@code schema.table}; empty: there is none
   */
  Heartbeat(String table) {
    this.table = table;
  }

  /** How far behind the server is, in milliseconds; unknown without the table. */
  long lag(Asker asker) throws AskException {
    if (table.isEmpty()) {
      return MemberReport.UNKNOWN_LAG;
    }
    String question =
        "SELECT TIMESTAMPDIFF(MICROSECOND, MAX(ts), UTC_TIMESTAMP(6)) DIV 1000 AS behind FROM "
            + table;
    try {
      String lag = Inquiry.first(asker.ask(question)).get("behind");
      failure = "";
      return lag == null ? MemberReport.UNKNOWN_LAG : Math.max(0, Long.parseLong(lag));
    } catch (AskException refused) {
      if (!refused.isAnswer()) {
        throw refused;
      }
      if (failure.isEmpty()) {
        log.warn("the heartbeat table {} cannot be read: {}", table, refused.getMessage());
      }
      failure = "its heartbeat cannot be read: " + refused.getMessage();
      return MemberReport.UNKNOWN_LAG;
    }
  }

  /** Whether there is a table, and it can be read. */
  boolean isThere() {
    return !table.isEmpty() && failure.isEmpty();
  }

  /** Why the table could not be read; empty if it could, or there is none. */
  String failure() {
    return failure;
  }
}
