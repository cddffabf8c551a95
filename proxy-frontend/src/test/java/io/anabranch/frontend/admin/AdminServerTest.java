package io.anabranch.frontend.admin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonPrimitive;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdminServerTest {

  private final AtomicReference<HealthReport> health =
      new AtomicReference<>(
          new HealthReport(HealthReport.State.UP, Map.of("shop.ds_0", true, "shop.ds_1", true)));
  private final AtomicReference<String> token = new AtomicReference<>("");
  private AdminServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeEach
  void start() {
    server =
        AdminServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new AdminContent(
                () -> "connections 3\n", health::get, List.of(new EchoPage()), token::get));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  /** Tells what it was asked; fails when told to. */
  private static final class EchoPage implements AdminPage {
    @Override
    public String path() {
      return "/echo";
    }

    @Override
    public Answer answer(boolean changes, Map<String, String> parameters) {
      if (parameters.containsKey("fail")) {
        throw new IllegalStateException("as wanted");
      }
      return new Answer(changes ? 202 : 200, new JsonPrimitive(parameters.toString()));
    }
  }

  private HttpResponse<String> post(String path, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.address().getPort() + path))
            .POST(HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void furtherPagesTakeGetAndPost() throws Exception {
    assertThat(get("/echo?a=1&a=2").body()).isEqualTo("\"{a=1}\"\n");
    assertThat(post("/echo?b=x%20y").statusCode()).isEqualTo(202);
    assertThat(post("/echo?b=x%20y").body()).isEqualTo("\"{b=x y}\"\n");
    assertThat(post("/echo", "Origin", "http://elsewhere").statusCode()).isEqualTo(403);
    assertThat(get("/echo?fail=1").statusCode()).isEqualTo(500);
    assertThat(get("/echo?fail=1").body()).contains("as wanted");
  }

  /** The first is answered by another thread, the second at once. */
  @Test
  void whatIsSentAheadIsAnsweredInItsOrder() throws Exception {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      String requests =
          """
          GET /echo?n=1 HTTP/1.1
          Host: localhost

          GET /metrics HTTP/1.1
          Host: localhost

          GET /echo?n=3 HTTP/1.1
          Host: localhost

          GET /nowhere HTTP/1.1
          Host: localhost
          Connection: close

          """
              .replace("\n", "\r\n");
      socket.getOutputStream().write(requests.getBytes(US_ASCII));
      String answers = new String(socket.getInputStream().readAllBytes(), US_ASCII);
      assertThat(answers).containsSubsequence("{n=1}", "connections 3", "{n=3}", "404 Not Found");
    }
  }

  /** Twice as many as it takes at a time, none of which comes whole. */
  @Test
  void requestsThatDoNotComeKeepNobodyOut() throws Exception {
    var halves = new ArrayList<Socket>();
    try {
      for (int i = 0; i < 200; i++) {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        halves.add(socket);
        socket.getOutputStream().write("GET /metrics HTTP/1.1\r\n".getBytes(US_ASCII));
      }
      assertThat(get("/metrics").statusCode()).isEqualTo(200);
      assertThat(halves.getFirst().getInputStream().read()).isEqualTo(-1);
      Socket last = halves.getLast();
      last.getOutputStream().write("Host: localhost\r\n\r\n".getBytes(US_ASCII));
      assertThat(last.getInputStream().read()).isEqualTo('H');
    } finally {
      for (Socket each : halves) {
        each.close();
      }
    }
  }

  @Test
  void metricsAreTheSuppliedText() throws Exception {
    HttpResponse<String> response = get("/metrics?name=x");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
    assertThat(response.body()).isEqualTo("connections 3\n");
  }

  @Test
  void healthNamesTheDataSourceThatIsDown() throws Exception {
    health.set(
        new HealthReport(HealthReport.State.UP, Map.of("shop.ds_0", true, "shop.ds_1", false)));

    HttpResponse<String> response = get("/health");

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.body())
        .isEqualTo(
            "{\"state\":\"degraded\",\"dataSources\":{\"shop.ds_0\":\"up\",\"shop.ds_1\":\"down\"}}\n");
    assertThat(get("/ready").statusCode()).isEqualTo(200);
  }

  @Test
  void aDrainingProxyIsNotReady() throws Exception {
    health.set(new HealthReport(HealthReport.State.DRAINING, Map.of()));

    assertThat(get("/ready").statusCode()).isEqualTo(503);
  }

  @Test
  void pathsAreListed() throws Exception {
    assertThat(get("/").body()).isEqualTo("/metrics, /health, /ready, /echo\n");
    assertThat(get("/nowhere").statusCode()).isEqualTo(404);
    assertThat(get("/nowhere").body())
        .isEqualTo("{\"error\":\"here are /metrics, /health, /ready, /echo\"}\n");
  }

  @Test
  void pagesNeedTheToken() throws Exception {
    token.set("correct horse battery staple");
    HttpResponse<String> without = get("/echo");
    assertThat(without.statusCode()).isEqualTo(401);
    assertThat(without.headers().firstValue("www-authenticate")).hasValue("Bearer");
    assertThat(post("/echo", "Authorization", "Bearer wrong").statusCode()).isEqualTo(401);
    assertThat(post("/echo", "Authorization", "Basic " + token.get()).statusCode()).isEqualTo(401);
    assertThat(post("/echo", "Authorization", "bearer " + token.get()).statusCode()).isEqualTo(202);
    assertThat(get("/metrics").statusCode()).isEqualTo(200);
    assertThat(get("/health").statusCode()).isEqualTo(200);

    token.set("another one");
    assertThat(post("/echo", "Authorization", "Bearer another one").statusCode()).isEqualTo(202);
  }

  private HttpResponse<String> get(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }
}
