package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.pool.PoolGauges;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetricsTest {

  @Test
  void showsLeasesAndWaitsPerDataSource() {
    try (var metrics = new Metrics("1.2")) {
      PoolMetrics pools = metrics.pools("shop", List.of("ds_0", "ds_1"));
      pools.observe(source -> new PoolGauges(3, 2, 1, 50));
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
          .contains("anabranch_build_info{version=\"1.2\"} 1")
          .contains("jvm_memory_used_bytes");
    }
  }

  @Test
  void aDataSourceThatIsNotConfiguredChangesNothing() {
    try (var metrics = new Metrics("1.2")) {
      metrics.pools("shop", List.of("ds_0")).leased("ds_9", 1);
      assertThat(metrics.text()).doesNotContain("ds_9");
    }
  }
}
