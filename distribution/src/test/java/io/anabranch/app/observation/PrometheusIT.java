package io.anabranch.app.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.FreePorts;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Prometheus of its own scrapes a proxy: its linter takes what the proxy says, and it evaluates
 * each query of the dashboard and each alert. Debian has it as {@code prometheus}.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class PrometheusIT {

  private static final Path MONITORING = Path.of("..", "monitoring").toAbsolutePath();
  private static final Pattern QUERY = Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern ALERT =
      Pattern.compile("\"health\":\"(\\w+)\"[^{}]*\"type\":\"alerting\"");

  @TempDir Path temporary;
  private String shop = "";

  @BeforeEach
  void prepare(MariaDbServers servers) throws SQLException {
    Assumptions.assumeTrue(!program("prometheus").isEmpty(), "Prometheus is not installed");
    MariaDbServer server = servers.primaryA();
    for (String schema : List.of("it_prometheus", "it_prometheus_r")) {
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema,
          "CREATE TABLE " + schema + ".t (id INT PRIMARY KEY)");
    }
    shop =
        "databaseName: shop\ndataSources:\n"
            + RunningProxy.source("p", server, "it_prometheus")
            + RunningProxy.source("r", server, "it_prometheus_r")
            + """
              rules:
              - !READWRITE_SPLITTING
                dataSourceGroups:
                  g: { writeDataSourceName: p, readDataSourceNames: [r] }
              """;
  }

  private RunningProxy proxy(int adminPort) {
    return RunningProxy.startWith(
        """
        authority:
          users:
          - { user: app, password: app-secret, admin: true }
        transaction:
          defaultType: XA
          props: { cluster: it_prometheus, node: one }
        props: { proxy-admin-port: %d, proxy-slow-log-file: "%s" }
        queryRules:
        - { name: seen, match: { kinds: [SELECT] }, tag: seen, next: true }
        limits:
          all: { statementsAtATime: 100 }
        """
            .formatted(adminPort, temporary.resolve("slow.log")),
        shop);
  }

  private static String program(String name) {
    String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
    return Pattern.compile(File.pathSeparator)
        .splitAsStream(path)
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Path::toString)
        .orElse("");
  }

  private static void work(RunningProxy proxy) throws SQLException {
    try (Connection client = proxy.connect("shop");
        Statement statement = client.createStatement()) {
      for (int i = 0; i < 20; i++) {
        statement.execute("SELECT * FROM t WHERE id = " + i);
        statement.execute("REPLACE INTO t VALUES (" + i + ")");
      }
    }
  }

  private static String get(HttpClient http, int port, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  private String promtool(byte[] input, String... command) throws IOException {
    Path in = Files.write(temporary.resolve("input"), input);
    var words = new ArrayList<String>();
    words.add(program("promtool"));
    words.addAll(List.of(command));
    Process linter =
        new ProcessBuilder(words).redirectInput(in.toFile()).redirectErrorStream(true).start();
    String said = new String(linter.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return linter.onExit().join().exitValue() + ": " + said;
  }

  @Test
  void itsLinterTakesWhatTheProxySays() throws Exception {
    int port = FreePorts.one();
    try (RunningProxy proxy = proxy(port);
        HttpClient http = HttpClient.newHttpClient()) {
      work(proxy);
      byte[] metrics = get(http, port, "/metrics").getBytes(StandardCharsets.UTF_8);
      assertThat(promtool(metrics, "check", "metrics")).isEqualTo("0: ");
    }
    String rules = MONITORING.resolve("alerts.yaml").toString();
    assertThat(promtool(new byte[0], "check", "rules", rules)).startsWith("0: ");
  }

  @Test
  void itEvaluatesAllQueriesAndAlerts() throws Exception {
    int adminPort = FreePorts.one();
    int port = FreePorts.one();
    Path configuration =
        Files.writeString(
            temporary.resolve("prometheus.yml"),
            """
            global: { scrape_interval: 1s, evaluation_interval: 1s }
            rule_files: [ "%s" ]
            scrape_configs:
            - job_name: anabranch
              static_configs: [ { targets: [ "127.0.0.1:%d" ] } ]
            """
                .formatted(MONITORING.resolve("alerts.yaml"), adminPort));
    Process prometheus =
        new ProcessBuilder(
                program("prometheus"),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + temporary.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(temporary.resolve("prometheus.log").toFile())
            .start();
    try (RunningProxy proxy = proxy(adminPort);
        HttpClient http = HttpClient.newHttpClient()) {
      Eventually.holds(
          "it has scraped the proxy a few times",
          () -> {
            try {
              work(proxy);
              return query(http, port, "count_over_time(anabranch_clients[1h]) > 3")
                  .contains("\"value\"");
            } catch (ConnectException notYet) {
              return false;
            } catch (IOException | InterruptedException | SQLException e) {
              throw new AssertionError(e);
            }
          });
      dashboard(http, port);
      Eventually.holds("all alerts are evaluated", () -> !alerts(http, port).contains("unknown"));
      assertThat(alerts(http, port)).hasSizeGreaterThan(10).containsOnly("ok");
    } finally {
      prometheus.destroy();
      var _ = prometheus.onExit().join();
    }
  }

  private static void dashboard(HttpClient http, int port)
      throws IOException, InterruptedException {
    String board = Files.readString(MONITORING.resolve("grafana-dashboard.json"));
    List<String> queries = QUERY.matcher(board).results().map(each -> each.group(1)).toList();
    assertThat(queries).hasSizeGreaterThan(15);
    var empty = new ArrayList<String>();
    for (String each : queries) {
      String query =
          each.replace("\\\"", "\"").replace("$instance", ".*").replace("$__rate_interval", "1m");
      String answer = query(http, port, query);
      assertThat(answer).as(query).contains("\"status\":\"success\"").doesNotContain("warnings");
      if (!answer.contains("\"value\"")) {
        empty.add(query);
      }
    }
    // nothing has failed here
    assertThat(empty).hasSizeLessThanOrEqualTo(1).allMatch(query -> query.contains("errors_total"));
  }

  private static String query(HttpClient http, int port, String query)
      throws IOException, InterruptedException {
    String encoded = URLEncoder.encode(query, StandardCharsets.UTF_8);
    return get(http, port, "/api/v1/query?query=" + encoded);
  }

  /** How each of them fares. */
  private static List<String> alerts(HttpClient http, int port) {
    try {
      String rules = get(http, port, "/api/v1/rules?type=alert");
      return ALERT.matcher(rules).results().map(each -> each.group(1)).toList();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
