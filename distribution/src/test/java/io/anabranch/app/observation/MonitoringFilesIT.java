package io.anabranch.app.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.FreePorts;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Dashboard and alert rules name metrics, and labels of them, that the proxy has. */
@ExtendWith(MariaDbServers.Resolver.class)
class MonitoringFilesIT {

  private static final String SCHEMA = "it_monitoring";
  private static final Pattern METRIC = Pattern.compile("\\b(?:anabranch|jvm)_[a-z_]+\\b");

  @TempDir Path temporary;

  @Test
  void everyMetricThatTheyNameIsThere(MariaDbServers servers) throws Exception {
    String metrics = metrics(servers.primaryA());
    Set<String> present =
        METRIC.matcher(metrics).results().map(each -> each.group()).collect(Collectors.toSet());
    Set<String> named = new TreeSet<>();
    Path folder = Path.of("..", "monitoring");
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        METRIC.matcher(Files.readString(file)).results().forEach(each -> named.add(each.group()));
      }
    }
    assertThat(named).hasSizeGreaterThan(20);
    assertThat(present).containsAll(named);
    for (String labels :
        Set.of(
            "anabranch_statements_total{kind=\"select\",lane=\"relay\"}",
            "anabranch_pool_connections{data_source=\"p\",database=\"shop\",state=\"waiting\"}",
            "anabranch_group_writes_open{database=\"shop\",group=\"g\"}",
            "anabranch_log_dropped_total{log=\"slow\"}",
            "anabranch_memory_taken_bytes{kind=\"heap\"}",
            "anabranch_deadlocks_total{wait=\"row_lock\"}")) {
      assertThat(metrics).contains(labels);
    }
  }

  /** Of a proxy that has a group, transactions in two phases and logs of statements. */
  private String metrics(MariaDbServer server)
      throws SQLException, IOException, InterruptedException {
    for (String schema : new String[] {SCHEMA, SCHEMA + "_r"}) {
      server.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
    }
    int port = FreePorts.one();
    String global =
        """
        authority:
          users:
          - { user: app, password: app-secret, admin: true }
        transaction:
          defaultType: XA
          props: { cluster: it_monitoring, node: one }
        props: { proxy-admin-port: %d, proxy-slow-log-file: "%s" }
        """
            .formatted(port, temporary.resolve("slow.log"));
    String shop =
        "databaseName: shop\ndataSources:\n"
            + RunningProxy.source("p", server, SCHEMA)
            + RunningProxy.source("r", server, SCHEMA + "_r")
            + """
              rules:
              - !READWRITE_SPLITTING
                dataSourceGroups:
                  g: { writeDataSourceName: p, readDataSourceNames: [r] }
              """;
    try (RunningProxy proxy = RunningProxy.startWith(global, shop);
        HttpClient http = HttpClient.newHttpClient()) {
      proxy.connect("shop").close();
      URI uri = URI.create("http://127.0.0.1:" + port + "/metrics");
      return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    }
  }
}
