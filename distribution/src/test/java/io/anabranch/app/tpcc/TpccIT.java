package io.anabranch.app.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.table.XaCluster;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * TPC-C's transactions through the proxy: no connection is lost, no error but deadlocks and lock
 * waits, and the standard's consistency conditions hold in the end. {@code -Dtpcc.seconds=20
 * -Dtpcc.terminals=100 -Dtpcc.warehouses=8} for a long run.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class TpccIT {

  private static final int TERMINALS = Integer.getInteger("tpcc.terminals", 6);
  private static final int SECONDS = Integer.getInteger("tpcc.seconds", 0);
  private static final long SEED = Long.getLong("tpcc.seed", 1);
  private static final Scale SCALE =
      new Scale(
          Integer.getInteger("tpcc.warehouses", 4),
          Integer.getInteger("tpcc.customers", 20),
          Integer.getInteger("tpcc.items", 100),
          Integer.getInteger("tpcc.remote.lines", 30),
          Integer.getInteger("tpcc.remote.payments", 15));

  enum Layout {
    PASS_THROUGH,
    LOCAL,
    XA;

    String schema() {
      return "it_tpcc_" + name().toLowerCase(Locale.ROOT);
    }

    String transactions() {
      return """
      transaction:
        defaultType: %s
        props: { cluster: tpcc, node: one, log-data-source: %s.ds_0 }
      """
          .formatted(this == XA ? "XA" : "LOCAL", schema());
    }

    String database(MariaDbServer... servers) {
      var file = new StringBuilder("databaseName: ").append(schema()).append("\ndataSources:\n");
      for (int i = 0; i < servers.length; i++) {
        file.append(
            "  ds_%d: { url: \"%s\", username: %s, password: %s, maxPoolSize: %d, minPoolSize: 1 }\n"
                .formatted(
                    i,
                    servers[i].url(schema()),
                    MariaDbServer.USER,
                    MariaDbServer.PASSWORD,
                    TERMINALS + 4));
      }
      return file + (this == PASS_THROUGH ? "rules: []\n" : Schema.rules());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theConditionsHoldInTheEnd(Layout layout, MariaDbServers servers) throws Exception {
    MariaDbServer[] used =
        layout == Layout.PASS_THROUGH
            ? new MariaDbServer[] {servers.primaryA()}
            : new MariaDbServer[] {servers.primaryA(), servers.primaryB()};
    String schema = layout.schema();
    for (MariaDbServer server : used) {
      server.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
    }
    try (var proxy =
        RunningProxy.startWith(layout.transactions(), List.of(), layout.database(used))) {
      Eventually.holds("the proxy reaches the databases", () -> XaFixture.reaches(proxy, schema));
      Eventually.holds("the proxy is registered", () -> isRegistered(used[0], schema));
      try (Connection connection = proxy.connect(schema)) {
        Population.make(connection, SCALE, SEED);
        assertThat(Conditions.broken(connection)).as("fresh data").isEmpty();
      }

      Tally tally = run(proxy, schema);

      System.out.println("tpcc: " + layout + ", " + TERMINALS + " terminals: " + tally);
      assertThat(tally.failures()).isEmpty();
      assertThat(tally.committed()).isGreaterThan(TERMINALS * 20);
      for (MariaDbServer server : used) {
        Eventually.holds("nothing stays prepared", () -> XaCluster.prepared(server).isEmpty());
      }
      try (Connection connection = proxy.connect(schema)) {
        assertThat(Conditions.broken(connection)).as("in the end").isEmpty();
      }
    }
  }

  /** One deck of 23 transactions for each terminal, or as many as the seconds allow. */
  private static Tally run(RunningProxy proxy, String schema) throws InterruptedException {
    long start = System.nanoTime();
    long limit = Duration.ofSeconds(SECONDS).toNanos();
    return new Terminals(SCALE)
        .run(
            TERMINALS,
            SEED,
            () -> proxy.connect(schema),
            decks -> SECONDS == 0 ? decks > 0 : System.nanoTime() - start >= limit);
  }

  private static boolean isRegistered(MariaDbServer log, String schema) {
    return log.queryOne(
                "SELECT COUNT(*) FROM information_schema.tables WHERE table_name ="
                    + " 'anabranch_xa_node' AND table_schema = '"
                    + schema
                    + "'")
            .equals("1")
        && log.queryOne("SELECT COUNT(*) FROM " + schema + ".anabranch_xa_node").equals("1");
  }
}
