package io.anabranch.app.connection;

import static io.anabranch.app.fixture.table.XaFixture.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Cutter;
import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How often a transaction makes the proxy wait for a database. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class RoundTripsIT {

  private static final String SCHEMA = "it_trips";

  /** What belongs to the transaction: other sessions of the proxy ask for health and log. */
  private static final Pattern OURS = Pattern.compile("account|COMMIT|BEGIN|XA START|XA END");

  private static Cutter link;
  private static RunningProxy proxy;
  private static DatabaseServer server;

  @BeforeAll
  static void start(DatabaseServers servers) throws Exception {
    server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    link = Cutter.to(server.port());
    proxy =
        RunningProxy.startWith(
            """
            transaction:
              defaultType: XA
              props: { cluster: trips, node: one }
            """,
            List.of(),
            """
            databaseName: %1$s
            dataSources:
              ds_0: { url: "%2$s", username: %3$s, password: %4$s, maxPoolSize: 4 }
            """
                .formatted(
                    SCHEMA,
                    server.url(SCHEMA).replace(":" + server.port(), ":" + link.port()),
                    MariaDbServer.USER,
                    MariaDbServer.PASSWORD));
    Eventually.holds("the proxy reaches the database", () -> XaFixture.reaches(proxy, SCHEMA));
    try (Connection connection = proxy.connect(SCHEMA)) {
      run(
          connection,
          "CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance INT NOT NULL)",
          "INSERT INTO account VALUES (1, 0), (2, 0)");
    }
  }

  @AfterAll
  static void stop() {
    proxy.close();
    link.close();
  }

  private static List<String> trips(String type) throws Exception {
    var trains = new CopyOnWriteArrayList<String>();
    try (Connection connection = proxy.connect(SCHEMA)) {
      run(connection, "SET transaction_type = '" + type + "'", "SELECT balance FROM account");
      link.record(
          train -> {
            // the proxy tries out what the server makes of XA, in its own time
            if (OURS.matcher(train).find() && !train.contains("'try.")) {
              trains.add(train);
            }
          });
      run(
          connection,
          "BEGIN",
          "UPDATE account SET balance = 1 WHERE id = 1",
          "UPDATE account SET balance = 1 WHERE id = 2",
          "COMMIT");
      link.record(train -> {});
    }
    return trains;
  }

  @Test
  void aLocalTransactionOnOneDataSourceNeedsOneLessThanWithoutProxy() throws Exception {
    List<String> trips = trips("LOCAL");
    assertThat(trips).hasSize(3);
    assertThat(trips.getFirst()).contains("START TRANSACTION", "WHERE id = 1");
    assertThat(trips.get(1)).contains("WHERE id = 2");
    assertThat(trips.getLast()).contains("COMMIT");
  }

  @Test
  void soDoesOneOfTheTypeXa() throws Exception {
    List<String> trips = trips("XA");
    assertThat(trips).hasSize(3);
    assertThat(trips.getFirst()).contains("XA START", "WHERE id = 1");
    assertThat(trips.getLast()).contains("XA END", "XA COMMIT", "ONE PHASE");
  }
}
