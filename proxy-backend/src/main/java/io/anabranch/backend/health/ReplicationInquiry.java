package io.anabranch.backend.health;

import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.backend.topology.MemberReport;
import io.anabranch.backend.topology.MemberReport.Source;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asynchronous replication of MariaDB and MySQL: whether the server is read-only, whom it follows,
 * and how far behind. What the account may not see is unknown; a heartbeat table then tells the
 * lag.
 *
 * @see <a href="https://mariadb.com/kb/en/show-replica-status/">SHOW REPLICA STATUS</a>
 */
final class ReplicationInquiry implements Inquiry {

  private static final Logger log = LoggerFactory.getLogger(ReplicationInquiry.class);

  private static final String OF_MARIADB =
      "SELECT @@version AS version, @@global.read_only AS read_only, @@server_id AS identity,"
          + " @@log_bin AS positions";
  private static final String OF_MYSQL =
      "SELECT @@version AS version, @@global.read_only AS read_only, @@server_uuid AS identity,"
          + " @@global.gtid_mode AS positions";

  /** Of an account that may not see it: it may follow anybody. */
  private static final Source UNSEEN = new Source("", true, true, "");

  private final Heartbeat heartbeat;
  private @Nullable String version;
  private String statusQuestion = "";

  ReplicationInquiry(String heartbeatTable) {
    this.heartbeat = new Heartbeat(heartbeatTable);
  }

  @Override
  public MemberReport ask(Asker asker) throws AskException {
    long asked = System.nanoTime();
    String known = version;
    if (known == null) {
      known = Inquiry.text(Inquiry.first(asker.ask("SELECT @@version AS version")), "version");
      version = known;
      statusQuestion = statusQuestion(known);
    }
    boolean isMariaDb = known.contains("MariaDB");
    Map<String, @Nullable String> self =
        Inquiry.first(asker.ask(isMariaDb ? OF_MARIADB : OF_MYSQL));
    Map<String, @Nullable String> status = status(asker);
    long lag = heartbeat.lag(asker);
    if (!heartbeat.isThere()) {
      lag = lag(status);
    }
    boolean isReadOnly = Inquiry.isOn(self, "read_only");
    return new MemberReport(
        asked,
        known,
        Inquiry.text(self, "identity"),
        isReadOnly,
        statusQuestion.isEmpty() ? unseen(isReadOnly) : source(status, isMariaDb),
        lag,
        null,
        isMariaDb
            ? Inquiry.isOn(self, "positions")
            : Inquiry.text(self, "positions").equalsIgnoreCase("ON"));
  }

  /** Of an account that sees neither the status nor the heartbeat it should see. */
  private Source unseen(boolean isReadOnly) {
    boolean isInTheDark = isReadOnly && !heartbeat.failure().isEmpty();
    return isInTheDark ? new Source("", false, true, heartbeat.failure()) : UNSEEN;
  }

  /** The word that the version knows: SHOW REPLICA STATUS is MySQL's from 8.0.22 on. */
  private static String statusQuestion(String version) {
    if (version.contains("MariaDB")) {
      return "SHOW ALL SLAVES STATUS";
    }
    String[] numbers = version.split("[.-]", 4);
    boolean isOld =
        version.startsWith("5.")
            || (version.startsWith("8.0.")
                && numbers.length > 2
                && Integer.parseInt(numbers[2]) < 22);
    return isOld ? "SHOW SLAVE STATUS" : "SHOW REPLICA STATUS";
  }

  private Map<String, @Nullable String> status(Asker asker) throws AskException {
    if (statusQuestion.isEmpty()) {
      return Map.of();
    }
    try {
      List<Map<String, @Nullable String>> rows = asker.ask(statusQuestion);
      // Of several sources the one that is worst off speaks for the replica.
      for (Map<String, @Nullable String> row : rows) {
        if (!isApplying(row) || !isConnected(row)) {
          return row;
        }
      }
      return Inquiry.first(rows);
    } catch (AskException refused) {
      if (!refused.isAnswer()) {
        throw refused;
      }
      log.warn(
          "the replication status cannot be seen: {}; grant REPLICA MONITOR (MariaDB) or"
              + " REPLICATION CLIENT, or configure a heartbeatTable",
          refused.getMessage());
      statusQuestion = "";
      return Map.of();
    }
  }

  private static @Nullable String either(
      Map<String, @Nullable String> row, String present, String former) {
    String value = row.get(present);
    return value == null ? row.get(former) : value;
  }

  /** A thread that is connecting, to a source that is away, is not one that has given up. */
  private static boolean isApplying(Map<String, @Nullable String> status) {
    return "Yes".equals(either(status, "replica_sql_running", "slave_sql_running"))
        && !"No".equals(either(status, "replica_io_running", "slave_io_running"));
  }

  private static boolean isConnected(Map<String, @Nullable String> status) {
    return "Yes".equals(either(status, "replica_io_running", "slave_io_running"));
  }

  private static @Nullable Source source(Map<String, @Nullable String> status, boolean isMariaDb) {
    if (status.isEmpty()) {
      return null;
    }
    String identity =
        isMariaDb
            ? either(status, "source_server_id", "master_server_id")
            : either(status, "source_uuid", "master_uuid");
    String state = "";
    for (String column : new String[] {"last_sql_error", "last_io_error"}) {
      String error = Inquiry.text(status, column);
      if (!error.isEmpty()) {
        state = error;
        break;
      }
    }
    if (state.isEmpty()) {
      state =
          "SQL thread "
              + either(status, "replica_sql_running", "slave_sql_running")
              + ", IO thread "
              + either(status, "replica_io_running", "slave_io_running");
    }
    if (!isApplying(status)) {
      state = "replication stands still: " + state;
    }
    String known = identity == null || identity.equals("0") ? "" : identity;
    return new Source(known, isApplying(status), isConnected(status), state);
  }

  private static long lag(Map<String, @Nullable String> status) {
    String seconds = either(status, "seconds_behind_source", "seconds_behind_master");
    return seconds == null ? MemberReport.UNKNOWN_LAG : Long.parseLong(seconds) * 1000;
  }
}
