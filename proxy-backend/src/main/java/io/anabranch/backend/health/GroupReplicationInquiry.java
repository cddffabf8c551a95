package io.anabranch.backend.health;

import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.backend.topology.MemberReport;
import io.anabranch.backend.topology.MemberReport.Membership;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * <a href="https://dev.mysql.com/doc/refman/8.4/en/group-replication.html">MySQL Group
 * Replication</a>: the member's own view of its group. A view in which no majority is reachable is
 * nobody's.
 */
final class GroupReplicationInquiry implements Inquiry {

  private static final String SELF =
      "SELECT @@version AS version, @@server_uuid AS identity,"
          + " @@global.super_read_only AS read_only, @@global.gtid_mode AS positions";
  private static final String MEMBERS =
      "SELECT MEMBER_ID, MEMBER_STATE, MEMBER_ROLE"
          + " FROM performance_schema.replication_group_members";

  /** What the appliers are at work on, by the clock of the member that committed it. */
  private static final String LAG =
      "SELECT MAX(TIMESTAMPDIFF(MICROSECOND, APPLYING_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP,"
          + " NOW(6))) DIV 1000 AS behind"
          + " FROM performance_schema.replication_applier_status_by_worker"
          + " WHERE CHANNEL_NAME = 'group_replication_applier' AND APPLYING_TRANSACTION <> ''";

  private final Heartbeat heartbeat;

  GroupReplicationInquiry(String heartbeatTable) {
    this.heartbeat = new Heartbeat(heartbeatTable);
  }

  @Override
  public MemberReport ask(Asker asker) throws AskException {
    long asked = System.nanoTime();
    Map<String, @Nullable String> self = Inquiry.first(asker.ask(SELF));
    String identity = Inquiry.text(self, "identity");
    return new MemberReport(
        asked,
        Inquiry.text(self, "version"),
        identity,
        Inquiry.isOn(self, "read_only"),
        null,
        lag(asker),
        membership(identity, asker.ask(MEMBERS)),
        Inquiry.text(self, "positions").equalsIgnoreCase("ON"));
  }

  private long lag(Asker asker) throws AskException {
    long behind = heartbeat.lag(asker);
    if (heartbeat.isThere()) {
      return behind;
    }
    try {
      String applying = Inquiry.first(asker.ask(LAG)).get("behind");
      return applying == null ? 0 : Math.max(0, Long.parseLong(applying));
    } catch (AskException refused) {
      if (!refused.isAnswer()) {
        throw refused;
      }
      // The account may see the members of the group and no more.
      return MemberReport.UNKNOWN_LAG;
    }
  }

  private static Membership membership(
      String identity, List<Map<String, @Nullable String>> members) {
    int reachable = 0;
    String state = "";
    String role = "";
    for (Map<String, @Nullable String> member : members) {
      String each = Inquiry.text(member, "member_state");
      if (!each.equals("UNREACHABLE")) {
        reachable++;
      }
      if (Inquiry.text(member, "member_id").equals(identity)) {
        state = each;
        role = Inquiry.text(member, "member_role");
      }
    }
    if (state.isEmpty()) {
      return new Membership(false, false, "not in a group");
    }
    if (reachable * 2 <= members.size()) {
      return new Membership(
          false, false, "sees %d of %d members".formatted(reachable, members.size()));
    }
    return new Membership(state.equals("ONLINE"), role.equals("PRIMARY"), state);
  }
}
