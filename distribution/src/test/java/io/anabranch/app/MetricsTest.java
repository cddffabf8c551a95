package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.live.PasswordExpiry;
import io.anabranch.backend.breaker.CircuitBreaker;
import io.anabranch.backend.lease.PoolGauges;
import io.anabranch.backend.relay.pipe.PipeListener;
import io.anabranch.backend.relay.pipe.Repeat;
import io.anabranch.frontend.session.StatementListener;
import io.anabranch.frontend.session.StatementListener.Lane;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.Password;
import io.anabranch.rules.right.Grants;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MetricsTest {

  private final EventLoop first = new DefaultEventLoop();
  private final EventLoop second = new DefaultEventLoop();

  @Test
  void showsLeasesAndWaitsPerDataSource() {
    try (var metrics = new Metrics("1.2")) {
      PoolMetrics pools = metrics.pools("shop", List.of("ds_0", "ds_1"));
      pools.observe(
          List.of("ds_0", "ds_1"),
          source -> new PoolGauges(3, 2, 1, 50, 40, 6),
          source ->
              source.equals("ds_0")
                  ? null
                  : new CircuitBreaker.Status(CircuitBreaker.State.OPEN, "it fails", 3, 7));
      pools.leased("ds_0", 0);
      pools.leased("ds_0", 2_000_000);
      pools.refused("ds_1", 30_000_000_000L);
      assertThat(metrics.text())
          .contains("anabranch_leases_total{data_source=\"ds_0\",database=\"shop\"} 2.0")
          .contains("anabranch_lease_wait_seconds_count{data_source=\"ds_0\",database=\"shop\"} 1")
          .contains(
              "anabranch_lease_wait_seconds_bucket{data_source=\"ds_0\",database=\"shop\",le=\"0.0025\"} 1")
          .contains("anabranch_leases_refused_total{data_source=\"ds_1\",database=\"shop\"} 1.0")
          .contains(
              "anabranch_pool_connections{data_source=\"ds_1\",database=\"shop\",state=\"waiting\"} 1.0")
          .contains("anabranch_breaker_state{data_source=\"ds_0\",database=\"shop\"} 0.0")
          .contains("anabranch_breaker_state{data_source=\"ds_1\",database=\"shop\"} 2.0")
          .contains("anabranch_breaker_opened_total{data_source=\"ds_1\",database=\"shop\"} 3.0")
          .contains("anabranch_breaker_refused_total{data_source=\"ds_1\",database=\"shop\"} 7.0")
          .contains("anabranch_build_info{version=\"1.2\"} 1")
          .contains("jvm_memory_used_bytes");
    }
  }

  @Test
  void showsHowDeepConnectionsAreShared() {
    try (var metrics = new Metrics("1.2")) {
      metrics.pools("shop", List.of("ds_0"));
      PipeListener.Source source = metrics.pipes("shop", "ds_0");
      source.sent(1);
      source.sent(2);
      source.sent(3);
      source.repeated(Repeat.WARNED);
      metrics.pipes("shop", "ds_1").sent(1);
      metrics.pipes("market", "ds_0").sent(1);
      String of = "{data_source=\"ds_0\",database=\"shop\"";
      assertThat(metrics.text())
          .contains("anabranch_pipelined_statements_total" + of + "} 2.0")
          .contains("anabranch_pipelined_depth_count" + of + "} 3")
          .contains("anabranch_pipelined_depth_sum" + of + "} 6.0")
          .contains("anabranch_pipelined_depth_max" + of + "} 3.0")
          .contains("anabranch_pipelined_repeated_total" + of + ",reason=\"warned\"} 1.0")
          .contains("anabranch_pipelined_repeated_total" + of + ",reason=\"lost\"} 0.0")
          .doesNotContain("ds_1", "market");
    }
  }

  @Test
  void showsTheStagesOfStatements() {
    try (var metrics = new Metrics("1.2")) {
      of(metrics, 1).done(StatementKind.SELECT, Lane.RELAY, 60_000, 0, 20_000_000_000L, 0);
      of(metrics, 2).done(StatementKind.SELECT, Lane.RELAY, 40_000, 1, 1, 1213);
      of(metrics, 2).done(StatementKind.INSERT, Lane.MERGE, 1, 0, 1, 0);
      assertThat(metrics.text())
          .contains("# TYPE anabranch_statement_stage_seconds histogram")
          .contains(stage("plan", "bucket", ",le=\"5.0E-5\"") + " 1\n")
          .contains(stage("plan", "bucket", ",le=\"1.0E-4\"") + " 2\n")
          .contains(stage("plan", "count", "") + " 2\n")
          .contains(stage("plan", "sum", "") + " 1.0E-4\n")
          .contains(stage("lease", "count", "") + " 2\n")
          .contains(stage("run", "bucket", ",le=\"10.0\"") + " 1\n")
          .contains(stage("run", "bucket", ",le=\"+Inf\"") + " 2\n")
          .contains("anabranch_statements_total{kind=\"select\",lane=\"relay\"} 2.0")
          .contains("anabranch_statements_total{kind=\"insert\",lane=\"merge\"} 1.0")
          .contains("anabranch_errors_total{errno=\"1213\"} 1.0");
      assertThat(metrics.sessions().statements()).isEqualTo(3);
    }
  }

  private StatementListener of(Metrics metrics, int loop) {
    return metrics.sessions().of(loop == 1 ? first : second);
  }

  private static String stage(String stage, String kind, String more) {
    return "anabranch_statement_stage_seconds_%s{lane=\"relay\",stage=\"%s\"%s}"
        .formatted(kind, stage, more);
  }

  @Test
  void addsUpRowsThatWereCopied() {
    try (var metrics = new Metrics("1.2")) {
      metrics.copied(40);
      metrics.copied(2);
      assertThat(metrics.text()).contains("anabranch_staged_rows_total 42.0");
    }
  }

  @Test
  void aDataSourceThatIsNotConfiguredChangesNothing() {
    try (var metrics = new Metrics("1.2")) {
      metrics.pools("shop", List.of("ds_0")).leased("ds_9", 1);
      assertThat(metrics.text()).doesNotContain("ds_9");
    }
  }

  @Test
  void showsThePasswordsOfTheUsersThatThereAre() {
    var users = new AtomicReference<List<Authority.User>>(List.of());
    try (var metrics = new Metrics("1.2")) {
      metrics.passwords(
          new PasswordExpiry(users::get, () -> Instant.parse("2027-01-01T00:00:00Z")));
      assertThat(metrics.text()).doesNotContain("anabranch_password");
      users.set(List.of(user("web", "2027-01-02"), user("old", "2026-12-31")));
      assertThat(metrics.text())
          .contains("anabranch_password_remaining_seconds{user=\"web@%\"} 86400.0")
          .contains("anabranch_password_remaining_seconds{user=\"old@%\"} -86400.0");
      users.set(List.of(user("web", "2027-01-03")));
      assertThat(metrics.text())
          .contains("anabranch_password_remaining_seconds{user=\"web@%\"} 172800.0")
          .doesNotContain("old@%");
    }
  }

  private static Authority.User user(String name, String passwordExpires) {
    return new Authority.User(
        name,
        "%",
        new Password.Plain("hidden"),
        false,
        Authority.AuthenticationMethod.MYSQL_NATIVE_PASSWORD,
        Authority.Requirement.NONE,
        0,
        Grants.UNLIMITED,
        Set.of(),
        null,
        LocalDate.parse(passwordExpires));
  }
}
