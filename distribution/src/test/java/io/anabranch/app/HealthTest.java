package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.backend.topology.MemberReport;
import io.anabranch.backend.topology.Topology;
import io.anabranch.backend.topology.TopologyListener;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HealthTest {

  private final Topology topology = Topology.of(database(), TopologyListener.NONE, new Random());
  private final Health health = new Health(() -> Map.of("shop", topology));

  @Test
  void aDataSourceIsDownUntilItAnswersAndOnceItFails() {
    health.up();
    topology.answered("ds_0", answer());
    assertThat(health.report().dataSources())
        .containsExactlyInAnyOrderEntriesOf(Map.of("shop.ds_0", true, "shop.ds_1", false));
    assertThat(health.report().isHealthy()).isFalse();
    topology.answered("ds_1", answer());
    assertThat(health.report().isHealthy()).isTrue();
    topology.failed("ds_0", "it hangs");
    assertThat(health.report().isHealthy()).as("one question may get lost").isTrue();
    topology.failed("ds_0", "it hangs");
    assertThat(health.report().isHealthy()).isFalse();
  }

  @Test
  void greetsAsTheServerWould() {
    assertThat(Health.asGreeted("10.11.19-MariaDB-log")).isEqualTo("5.5.5-10.11.19-MariaDB-log");
    assertThat(Health.asGreeted("11.4.5-MariaDB")).isEqualTo("11.4.5-MariaDB");
    assertThat(Health.asGreeted("8.4.0")).isEqualTo("8.4.0");
  }

  private static MemberReport answer() {
    return new MemberReport(0, "10.11", "1", false, null, -1, null, true);
  }

  private static LogicalDatabase database() {
    var sources = new HashMap<String, DataSourceDefinition>();
    for (String name : new String[] {"ds_0", "ds_1"}) {
      sources.put(
          name,
          new DataSourceDefinition(
              name, "jdbc:mysql://127.0.0.1:1/x", "u", "p", 1, 1, 1, 1, 1, false, Map.of()));
    }
    return new LogicalDatabase(
        "shop",
        sources,
        Map.of(),
        Map.of(),
        Map.of(),
        new LogicalDatabase.SingleTables(List.of(), null));
  }
}
