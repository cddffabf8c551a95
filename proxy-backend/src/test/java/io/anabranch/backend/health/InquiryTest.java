package io.anabranch.backend.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.backend.topology.MemberReport;
import io.anabranch.backend.topology.MemberReport.Membership;
import io.anabranch.backend.topology.MemberReport.Source;
import io.anabranch.rules.model.Discovery.Kind;
import io.anabranch.rules.model.HealthCheck;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What inquiries make of answers as servers give them. */
class InquiryTest {

  private static final HealthCheck WITH_TABLE =
      new HealthCheck(1000, 500, 2, 2, 0, "ops.heartbeat");

  /** Answers by the beginning of the question; what is not there is refused with 1227. */
  private static final class Recorded implements Asker {
    private final Map<String, List<Map<String, @Nullable String>>> answers = new LinkedHashMap<>();

    Recorded with(String question, List<Map<String, @Nullable String>> rows) {
      answers.put(question, rows);
      return this;
    }

    @Override
    public List<Map<String, @Nullable String>> ask(String sql) throws AskException {
      for (Map.Entry<String, List<Map<String, @Nullable String>>> each : answers.entrySet()) {
        if (sql.startsWith(each.getKey())) {
          return each.getValue();
        }
      }
      throw new AskException(1227, "Access denied for " + sql, new SQLException());
    }

    @Override
    public void close() {}
  }

  private static Recorded mariaDb(String readOnly) {
    return new Recorded()
        .with(
            "SELECT @@version AS version, @@global.read_only",
            List.of(
                Map.of(
                    "version",
                    "10.11.6-MariaDB-log",
                    "read_only",
                    readOnly,
                    "identity",
                    "3412",
                    "positions",
                    "1")))
        .with("SELECT @@version", List.of(Map.of("version", "10.11.6-MariaDB-log")));
  }

  private static Map<String, @Nullable String> slave(String io, String sql, @Nullable String lag) {
    var row = new LinkedHashMap<String, @Nullable String>();
    row.put("slave_io_running", io);
    row.put("slave_sql_running", sql);
    row.put("seconds_behind_master", lag);
    row.put("master_server_id", "3411");
    row.put("last_sql_error", sql.equals("Yes") ? "" : "Error 'Duplicate entry'");
    row.put("last_io_error", "");
    return row;
  }

  private static MemberReport ask(Kind kind, HealthCheck check, Recorded answers)
      throws AskException {
    return Inquiry.of(kind, check).ask(answers);
  }

  @Test
  void aMariaDbReplica() throws AskException {
    MemberReport report =
        ask(
            Kind.REPLICATION,
            HealthCheck.DEFAULT,
            mariaDb("1").with("SHOW ALL SLAVES STATUS", List.of(slave("Yes", "Yes", "3"))));
    assertThat(report.isReadOnly()).isTrue();
    assertThat(report.identity()).isEqualTo("3412");
    assertThat(report.lagMilliseconds()).isEqualTo(3000);
    assertThat(report.hasPositions()).isTrue();
    assertThat(report.source())
        .isEqualTo(new Source("3411", true, true, "SQL thread Yes, IO thread Yes"));
  }

  @Test
  void aReplicaThatBroke() throws AskException {
    MemberReport report =
        ask(
            Kind.STATIC,
            HealthCheck.DEFAULT,
            mariaDb("0").with("SHOW ALL SLAVES STATUS", List.of(slave("Connecting", "No", null))));
    assertThat(report.isReadOnly()).isFalse();
    assertThat(report.lagMilliseconds()).isEqualTo(MemberReport.UNKNOWN_LAG);
    assertThat(report.source())
        .isEqualTo(
            new Source("3411", false, false, "replication stands still: Error 'Duplicate entry'"));
  }

  /** Error 1236, STOP SLAVE IO_THREAD: nobody tries to connect any more. */
  @Test
  void aReplicaThatHasGivenUpGettingAnythingStandsStill() throws AskException {
    assertThat(sourceWith("No").isApplying()).isFalse();
    assertThat(sourceWith("No").state()).startsWith("replication stands still");
    assertThat(sourceWith("Connecting"))
        .as("its source is away: nobody is newer")
        .isEqualTo(new Source("3411", true, false, "SQL thread Yes, IO thread Connecting"));
  }

  private static Source sourceWith(String io) throws AskException {
    MemberReport report =
        ask(
            Kind.REPLICATION,
            HealthCheck.DEFAULT,
            mariaDb("1").with("SHOW ALL SLAVES STATUS", List.of(slave(io, "Yes", null))));
    return Objects.requireNonNull(report.source(), "it follows somebody");
  }

  @Test
  void aWrongHeartbeatTableTakesNobodyDown() throws AskException {
    var replica = mariaDb("1").with("SHOW ALL SLAVES STATUS", List.of(slave("Yes", "Yes", "3")));
    assertThat(ask(Kind.REPLICATION, WITH_TABLE, replica).lagMilliseconds())
        .as("the status tells it")
        .isEqualTo(3000);
    assertThat(ask(Kind.REPLICATION, WITH_TABLE, mariaDb("1")).source())
        .as("nobody knows how far it is behind")
        .isNotNull()
        .satisfies(
            source -> {
              assertThat(source.isApplying()).isFalse();
              assertThat(source.state()).contains("heartbeat cannot be read");
            });
    assertThat(ask(Kind.REPLICATION, WITH_TABLE, mariaDb("0")).source())
        .as("a primary needs no lag")
        .isEqualTo(new Source("", true, true, ""));
  }

  @Test
  void ofSeveralSourcesTheWorstCounts() throws AskException {
    MemberReport report =
        ask(
            Kind.STATIC,
            HealthCheck.DEFAULT,
            mariaDb("1")
                .with(
                    "SHOW ALL SLAVES STATUS",
                    List.of(slave("Yes", "Yes", "0"), slave("Yes", "No", null))));
    assertThat(report.source()).isNotNull().extracting(Source::isApplying).isEqualTo(false);
  }

  @Test
  void aPrimaryFollowsNobody() throws AskException {
    MemberReport report =
        ask(
            Kind.REPLICATION,
            HealthCheck.DEFAULT,
            mariaDb("0").with("SHOW ALL SLAVES STATUS", List.of()));
    assertThat(report.source()).isNull();
    assertThat(report.isReadOnly()).isFalse();
  }

  @Test
  void withoutRightsTheHeartbeatTableTellsTheLag() throws AskException {
    var answers = mariaDb("1").with("SELECT TIMESTAMPDIFF", List.of(Map.of("behind", "1234")));
    MemberReport report = ask(Kind.STATIC, WITH_TABLE, answers);
    assertThat(report.lagMilliseconds()).isEqualTo(1234);
    assertThat(report.source())
        .as("it may follow anybody")
        .isEqualTo(new Source("", true, true, ""));
    assertThat(ask(Kind.STATIC, HealthCheck.DEFAULT, answers).lagMilliseconds())
        .isEqualTo(MemberReport.UNKNOWN_LAG);
  }

  @Test
  void aMySqlReplicaSpeaksOfSources() throws AskException {
    var row = new LinkedHashMap<String, @Nullable String>();
    row.put("replica_io_running", "Yes");
    row.put("replica_sql_running", "Yes");
    row.put("seconds_behind_source", "0");
    row.put("source_uuid", "3e11fa47-71ca-11e1-9e33-c80aa9429562");
    var answers =
        new Recorded()
            .with(
                "SELECT @@version AS version, @@global.read_only",
                List.of(
                    Map.of(
                        "version",
                        "9.1.0",
                        "read_only",
                        "1",
                        "identity",
                        "u-2",
                        "positions",
                        "ON")))
            .with("SELECT @@version", List.of(Map.of("version", "9.1.0")))
            .with("SHOW REPLICA STATUS", List.of(row));
    MemberReport report = ask(Kind.REPLICATION, HealthCheck.DEFAULT, answers);
    assertThat(report.source())
        .isNotNull()
        .extracting(Source::identity)
        .isEqualTo("3e11fa47-71ca-11e1-9e33-c80aa9429562");
    assertThat(report.lagMilliseconds()).isZero();
    assertThat(report.hasPositions()).isTrue();
  }

  // ---------------------------------------------------------------- Group Replication

  private static Map<String, @Nullable String> member(String id, String state, String role) {
    return Map.of("member_id", id, "member_state", state, "member_role", role);
  }

  private static @Nullable Membership inGroup(List<Map<String, @Nullable String>> members)
      throws AskException {
    MemberReport report =
        ask(
            Kind.GROUP_REPLICATION,
            HealthCheck.DEFAULT,
            new Recorded()
                .with(
                    "SELECT @@version",
                    List.of(
                        Map.of(
                            "version",
                            "8.4.3",
                            "identity",
                            "a",
                            "read_only",
                            "0",
                            "positions",
                            "ON")))
                .with("SELECT MEMBER_ID", members));
    return report.membership();
  }

  @Test
  void thePrimaryOfAGroup() throws AskException {
    assertThat(
            inGroup(
                List.of(
                    member("a", "ONLINE", "PRIMARY"),
                    member("b", "ONLINE", "SECONDARY"),
                    member("c", "RECOVERING", "SECONDARY"))))
        .isEqualTo(new Membership(true, true, "ONLINE"));
  }

  @Test
  void aMinorityServesNobody() throws AskException {
    assertThat(
            inGroup(
                List.of(
                    member("a", "ONLINE", "PRIMARY"),
                    member("b", "UNREACHABLE", "SECONDARY"),
                    member("c", "UNREACHABLE", "SECONDARY"))))
        .isEqualTo(new Membership(false, false, "sees 1 of 3 members"));
  }

  @Test
  void outOfTheGroup() throws AskException {
    assertThat(inGroup(List.of())).isEqualTo(new Membership(false, false, "not in a group"));
    assertThat(inGroup(List.of(member("a", "OFFLINE", ""))))
        .isEqualTo(new Membership(false, false, "OFFLINE"));
    assertThat(inGroup(List.of(member("a", "RECOVERING", "SECONDARY"))))
        .isEqualTo(new Membership(false, false, "RECOVERING"));
  }

  // ---------------------------------------------------------------- Galera

  private static Map<String, @Nullable String> status(String name, String value) {
    return Map.of("variable_name", name, "value", value);
  }

  private static @Nullable Membership inGalera(String ready, String component, String state)
      throws AskException {
    return ask(
            Kind.GALERA,
            HealthCheck.DEFAULT,
            mariaDb("0")
                .with(
                    "SHOW GLOBAL STATUS",
                    List.of(
                        status("wsrep_ready", ready),
                        status("wsrep_cluster_status", component),
                        status("wsrep_local_state", state),
                        status("wsrep_local_state_comment", "state " + state))))
        .membership();
  }

  @Test
  void galera() throws AskException {
    assertThat(inGalera("ON", "Primary", "4")).isEqualTo(new Membership(true, true, "state 4"));
    assertThat(inGalera("ON", "Primary", "2")).isEqualTo(new Membership(false, false, "state 2"));
    assertThat(inGalera("OFF", "Primary", "4")).isEqualTo(new Membership(false, false, "state 4"));
    assertThat(inGalera("ON", "non-Primary", "4"))
        .isEqualTo(new Membership(false, false, "component non-Primary"));
  }
}
