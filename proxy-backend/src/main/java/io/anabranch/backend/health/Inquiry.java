package io.anabranch.backend.health;

import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.backend.topology.MemberReport;
import io.anabranch.rules.model.Discovery;
import io.anabranch.rules.model.HealthCheck;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one data source is asked on one connection, again and again. Used on one thread. */
interface Inquiry {

  MemberReport ask(Asker asker) throws AskException;

  /** An inquiry for a new connection. */
  static Inquiry of(Discovery.Kind kind, HealthCheck check) {
    return switch (kind) {
      case STATIC, REPLICATION, PLUG_IN -> new ReplicationInquiry(check.heartbeatTable());
      case GROUP_REPLICATION -> new GroupReplicationInquiry(check.heartbeatTable());
      case GALERA -> new GaleraInquiry(check.heartbeatTable());
    };
  }

  /** The first row; empty if there is none. */
  static Map<String, @Nullable String> first(List<Map<String, @Nullable String>> rows) {
    return rows.isEmpty() ? Map.of() : rows.getFirst();
  }

  /** A value that must be there. */
  static String text(Map<String, @Nullable String> row, String column) {
    String value = row.get(column);
    return value == null ? "" : value;
  }

  /** Whether a system variable is on: 1, ON and what later versions add. */
  static boolean isOn(Map<String, @Nullable String> row, String column) {
    String value = text(row, column);
    return !value.isEmpty() && !value.equals("0") && !value.equalsIgnoreCase("OFF");
  }
}
