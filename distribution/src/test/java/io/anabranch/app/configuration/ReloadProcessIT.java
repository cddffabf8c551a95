package io.anabranch.app.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ProxyProcess;
import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.FreePorts;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The signal, and the admin port. */
@ExtendWith(MariaDbServers.Resolver.class)
class ReloadProcessIT {

  @TempDir Path folder;

  private static String database(MariaDbServer server, int most) {
    return "databaseName: it_hup\ndataSources:\n"
        + ReloadFolder.source("ds_0", server, "it_hup", most)
        + "rules: []\n";
  }

  @Test
  void signalsAndRequestsReload(MariaDbServers servers) throws Exception {
    MariaDbServer server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS it_hup", "CREATE DATABASE it_hup");
    try (ProxyProcess proxy = ProxyProcess.start("hup", folder, "", database(server, 5))) {
      Path file = folder.resolve("database-0.yaml");
      Files.writeString(file, database(server, 6));
      hangUp(proxy);
      Eventually.holds(
          "the signal reloads", () -> proxy.output().contains("configuration 2 is in force"));
      Files.writeString(file, "databaseName: it_hup\n");
      hangUp(proxy);
      Eventually.holds(
          "a bad file is told",
          () -> proxy.output().contains("SIGHUP: the configuration stays as it is"));
      assertThat(proxy.isAlive()).isTrue();
      proxy.connect("it_hup").close();
    }
  }

  private static void hangUp(ProxyProcess proxy) throws IOException, InterruptedException {
    int exit = new ProcessBuilder("kill", "-HUP", "" + proxy.pid()).start().waitFor();
    assertThat(exit).isZero();
  }

  @Test
  void requestsReload(MariaDbServers servers) throws Exception {
    MariaDbServer server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS it_hup", "CREATE DATABASE it_hup");
    int port = FreePorts.one();
    var reload = new ReloadFolder(folder);
    reload.global("");
    Path global = folder.resolve("global.yaml");
    Files.writeString(
        global, Files.readString(global).replace("admin-port: 0", "admin-port: " + port));
    reload.write("database-0.yaml", database(server, 5));
    try (RunningProxy proxy = RunningProxy.startFrom(folder)) {
      String path = "http://127.0.0.1:" + port + "/configuration/reload";
      reload.write("database-0.yaml", database(server, 6));
      String change = "{\"changes\":[\"database it_hup: dataSources.ds_0.maxPoolSize: 5 -> 6\"]}\n";
      assertThat(ask("GET", path)).isEqualTo("200 " + change);
      assertThat(ask("POST", path)).isEqualTo("200 " + change);
      assertThat(ask("POST", path)).isEqualTo("200 {\"changes\":[]}\n");
      reload.write("database-0.yaml", "databaseName: it_hup\n");
      assertThat(ask("POST", path))
          .startsWith("409 {\"problems\":[\"database-0.yaml:1:1: dataSources: there is no data");
      proxy.connect("it_hup").close();
    }
  }

  @Test
  void whatChangesOrTellsMoreNeedsTheToken(MariaDbServers servers) throws Exception {
    MariaDbServer server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS it_hup", "CREATE DATABASE it_hup");
    int port = FreePorts.one();
    var reload = new ReloadFolder(folder);
    reload.global("");
    Files.writeString(folder.resolve("token"), "the-first-of-two-tokens\n");
    Path global = folder.resolve("global.yaml");
    Files.writeString(
        global,
        Files.readString(global)
            .replace(
                "admin-port: 0", "admin-port: " + port + ", proxy-admin-token: '${file:token}'"));
    reload.write("database-0.yaml", database(server, 5));
    try (RunningProxy proxy = RunningProxy.startFrom(folder)) {
      String at = "http://127.0.0.1:" + port;
      assertThat(ask("GET", at + "/"))
          .isEqualTo(
              "200 /metrics, /health, /ready, /cluster, /configuration/reload, /drain, /replicas, /status, /xa\n");
      assertThat(ask("GET", at + "/metrics")).startsWith("200 # HELP ");
      for (String path :
          List.of("/cluster", "/configuration/reload", "/drain", "/replicas", "/status", "/xa")) {
        assertThat(ask("GET", at + path)).startsWith("401 {\"error\":\"say Authorization: Bearer");
        assertThat(ask("GET", at + path, "the-first-of-two-tokens")).startsWith("200 {");
      }
      assertThat(ask("GET", at + "/xa", "the-first-of-two-tokens"))
          .isEqualTo("200 {\"configured\":false,\"ready\":false,\"unfit\":{},\"branches\":[]}\n");
      assertThat(ask("GET", at + "/status", "the-first-of-two-tokens"))
          .contains("\"clients\":0", "\"configuration\":{\"number\":1,", "\"port\":");

      Files.writeString(folder.resolve("token"), "the-second-of-two-tokens\n");
      assertThat(ask("POST", at + "/configuration/reload", "the-first-of-two-tokens"))
          .isEqualTo(
              "200 {\"changes\":[\"global: props.proxy-admin-token: what a reference stands for has changed\"]}\n");
      assertThat(ask("GET", at + "/drain", "the-first-of-two-tokens")).startsWith("401");

      assertThat(ask("POST", at + "/drain", "the-second-of-two-tokens"))
          .isEqualTo("200 {\"draining\":true,\"sessions\":false,\"clients\":0}\n");
      assertThat(ask("GET", at + "/ready")).startsWith("503 {\"state\":\"draining\"");
      proxy.connect("it_hup").close();
      assertThat(ask("POST", at + "/drain?end=true", "the-second-of-two-tokens"))
          .startsWith("200 {\"draining\":false");
      assertThat(ask("GET", at + "/ready")).startsWith("200 ");
    }
  }

  private static String ask(String method, String url, String... token)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url)).method(method, HttpRequest.BodyPublishers.noBody());
    for (String each : token) {
      request.header("Authorization", "Bearer " + each);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    }
  }
}
