package io.anabranch.backend.health;

import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.backend.topology.MemberReport;
import io.anabranch.backend.topology.MemberReport.Membership;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * <a href="https://mariadb.com/kb/en/galera-cluster-status-variables/">Galera</a>: synchronised
 * members of the primary component serve, and each of them could take writes. Nodes number the same
 * transactions differently, and none can wait for another's number: no positions.
 */
final class GaleraInquiry implements Inquiry {

  private static final String SELF =
      "SELECT @@version AS version, @@server_id AS identity, @@global.read_only AS read_only";
  private static final String STATUS =
      "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_cluster_status',"
          + " 'wsrep_local_state', 'wsrep_local_state_comment')";

  private static final String SYNCED = "4";

  private final Heartbeat heartbeat;

  GaleraInquiry(String heartbeatTable) {
    this.heartbeat = new Heartbeat(heartbeatTable);
  }

  @Override
  public MemberReport ask(Asker asker) throws AskException {
    long asked = System.nanoTime();
    Map<String, @Nullable String> self = Inquiry.first(asker.ask(SELF));
    Map<String, @Nullable String> status = new HashMap<>();
    for (Map<String, @Nullable String> row : asker.ask(STATUS)) {
      status.put(Inquiry.text(row, "variable_name"), row.get("value"));
    }
    return new MemberReport(
        asked,
        Inquiry.text(self, "version"),
        Inquiry.text(self, "identity"),
        Inquiry.isOn(self, "read_only"),
        null,
        heartbeat.lag(asker),
        membership(status),
        false);
  }

  private static Membership membership(Map<String, @Nullable String> status) {
    if (status.isEmpty()) {
      return new Membership(false, false, "no Galera");
    }
    String component = Inquiry.text(status, "wsrep_cluster_status");
    String state = Inquiry.text(status, "wsrep_local_state_comment");
    if (!component.equals("Primary")) {
      return new Membership(false, false, "component " + component);
    }
    boolean serves =
        Inquiry.text(status, "wsrep_ready").equals("ON")
            && Inquiry.text(status, "wsrep_local_state").equals(SYNCED);
    return new Membership(serves, serves, state);
  }
}
