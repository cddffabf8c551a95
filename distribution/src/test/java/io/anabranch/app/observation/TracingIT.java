package io.anabranch.app.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a collector gets of statements. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class TracingIT {

  private static final String SCHEMA = "it_tracing";
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String OTHER = "1bf7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";
  private static final String TOKEN = "Bearer for-the-collector";

  private static final List<ResourceSpans> received = new CopyOnWriteArrayList<>();
  private static final Set<String> authorizations = ConcurrentHashMap.newKeySet();
  private static HttpServer collector;
  private static ShardedFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws IOException, SQLException {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext("/v1/traces", TracingIT::receive);
    collector.start();
    fixture =
        ShardedFixture.start(servers, SCHEMA, ShardedFixture.HALVES, List.of(), properties(100));
    try (Connection client = connect()) {
      run(client, "CREATE TABLE f (id INT PRIMARY KEY, name VARCHAR(20))");
    }
  }

  private static String[] properties(int percent) {
    return new String[] {
      "proxy-tracing-endpoint: http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/traces",
      "proxy-tracing-authorization: " + TOKEN,
      "proxy-tracing-service-name: shop-proxy",
      "proxy-tracing-sample-percent: " + percent
    };
  }

  @AfterAll
  static void stop() {
    fixture.close();
    collector.stop(0);
  }

  private static void receive(HttpExchange exchange) throws IOException {
    authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    try (InputStream body = exchange.getRequestBody()) {
      received.addAll(ExportTraceServiceRequest.parseFrom(body).getResourceSpansList());
    }
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  private static List<Span> all() {
    var spans = new ArrayList<Span>();
    for (ResourceSpans each : received) {
      each.getScopeSpansList().forEach(scope -> spans.addAll(scope.getSpansList()));
    }
    return spans;
  }

  private static String text(Span span, String key) {
    return span.getAttributesList().stream()
        .filter(each -> each.getKey().equals(key))
        .map(KeyValue::getValue)
        .map(value -> value.hasStringValue() ? value.getStringValue() : "" + value.getIntValue())
        .findAny()
        .orElse("");
  }

  /** The statement that has this in its text. */
  private static Span statement(String mark) {
    Eventually.holds("a span of " + mark, () -> !find(mark).isEmpty());
    return find(mark).getFirst();
  }

  private static List<Span> find(String mark) {
    return all().stream().filter(each -> text(each, "db.query.text").contains(mark)).toList();
  }

  private static List<Span> parts(Span of) {
    return all().stream().filter(each -> each.getParentSpanId().equals(of.getSpanId())).toList();
  }

  private static String hex(ByteString id) {
    return HexFormat.of().formatHex(id.toByteArray());
  }

  private static Connection connect(String... options) throws SQLException {
    return fixture.proxy.connect(SCHEMA, options);
  }

  private static void run(Connection client, String sql) throws SQLException {
    try (Statement statement = client.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void aStatementOfOneDataSourceIsPlannedAndQueried() throws SQLException {
    try (Connection client = connect()) {
      run(client, "SELECT name AS one_source FROM f WHERE id = 4711");
    }
    Span span = statement("one_source");
    assertThat(span.getName()).isEqualTo("SELECT " + SCHEMA);
    assertThat(span.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
    assertThat(span.getParentSpanId().isEmpty()).isTrue();
    assertThat(text(span, "db.system.name")).isEqualTo("mysql");
    assertThat(text(span, "db.namespace")).isEqualTo(SCHEMA);
    assertThat(text(span, "db.operation.name")).isEqualTo("SELECT");
    assertThat(text(span, "user.name")).isEqualTo(RunningProxy.USER);
    assertThat(text(span, "client.address")).startsWith("127.0.0.1:");
    assertThat(text(span, "anabranch.way")).isEqualTo("relay");
    assertThat(text(span, "db.query.text")).contains("id = ?").doesNotContain("4711");
    Map<String, Span> parts =
        parts(span).stream()
            .filter(each -> !each.getName().equals("lease"))
            .collect(Collectors.toMap(Span::getName, each -> each));
    assertThat(parts).containsOnlyKeys("plan", "query ds_1");
    Span query = Objects.requireNonNull(parts.get("query ds_1"));
    assertThat(query.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
    assertThat(text(query, "anabranch.data_source")).isEqualTo("ds_1");
    assertWithin(span);
  }

  /** Parts begin and end within their whole, and have its trace. */
  private static void assertWithin(Span whole) {
    for (Span part : parts(whole)) {
      assertThat(part.getTraceId()).isEqualTo(whole.getTraceId());
      assertThat(part.getStartTimeUnixNano()).isGreaterThanOrEqualTo(whole.getStartTimeUnixNano());
      assertThat(part.getEndTimeUnixNano())
          .isGreaterThanOrEqualTo(part.getStartTimeUnixNano())
          .isLessThanOrEqualTo(whole.getEndTimeUnixNano());
    }
  }

  @Test
  void eachShardHasASpan() throws SQLException {
    try (Connection client = connect()) {
      run(client, "INSERT INTO f VALUES (1, 'a'), (2, 'b'), (3, 'c') /* both_shards */");
      run(client, "SELECT COUNT(*) AS of_all FROM f");
      try (PreparedStatement statement =
          client.prepareStatement("SELECT id AS sorted_ones FROM f WHERE id < ? ORDER BY id")) {
        statement.setInt(1, 3);
        try (ResultSet rows = statement.executeQuery()) {
          assertThat(rows.next()).isTrue();
        }
      }
    }
    for (String mark : List.of("of_all", "sorted_ones")) {
      Span span = statement(mark);
      assertThat(text(span, "anabranch.way")).isEqualTo("merge");
      assertThat(parts(span).stream().map(Span::getName).filter(name -> !name.equals("lease")))
          .containsExactlyInAnyOrder("plan", "query ds_0", "query ds_1");
      assertWithin(span);
    }
  }

  @Test
  void failuresAreErrors() throws SQLException {
    try (Connection client = connect()) {
      for (String sql :
          List.of(
              "SELECT nothing AS failed_one FROM f WHERE id = 1",
              "SELECT nothing AS failed_all FROM f ORDER BY id")) {
        assertThatThrownBy(() -> run(client, sql)).isInstanceOf(SQLException.class);
      }
    }
    for (String mark : List.of("failed_one", "failed_all")) {
      Span span = statement(mark);
      assertThat(span.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
      assertThat(text(span, "db.response.status_code")).isEqualTo("1054");
    }
    assertThat(parts(statement("failed_one")))
        .filteredOn(each -> each.getName().startsWith("query"))
        .allMatch(each -> text(each, "db.response.status_code").equals("1054"));
  }

  @Test
  void aStatementBelongsToItsClientsTrace() throws SQLException {
    String ofConnection = "00-" + TRACE + "-" + PARENT + "-01";
    String ofComment = "00-" + OTHER + "-" + PARENT + "-01";
    try (Connection client = connect("connectionAttributes=traceparent:" + ofConnection)) {
      run(client, "SELECT name AS by_connection FROM f WHERE id = 1");
      run(
          client,
          "SELECT name AS by_comment FROM f WHERE id = 1 /*traceparent='" + ofComment + "'*/");
      run(
          client,
          "/*traceparent='" + ofComment + "'*/ SELECT name AS in_front FROM f WHERE id = 1");
    }
    assertThat(hex(statement("by_connection").getTraceId())).isEqualTo(TRACE);
    assertThat(hex(statement("by_connection").getParentSpanId())).isEqualTo(PARENT);
    assertThat(hex(statement("by_comment").getTraceId())).isEqualTo(OTHER);
    assertThat(hex(statement("by_comment").getParentSpanId())).isEqualTo(PARENT);
    assertThat(hex(statement("in_front").getTraceId())).isEqualTo(OTHER);
    assertWithin(statement("by_comment"));
  }

  @Test
  void whatTheClientDoesNotSampleHasNone() throws SQLException {
    try (Connection client =
        connect("connectionAttributes=traceparent:00-" + TRACE + "-" + PARENT + "-00")) {
      run(client, "SELECT name AS not_sampled FROM f WHERE id = 1");
    }
    try (Connection client = connect()) {
      run(client, "SELECT name AS behind_it FROM f WHERE id = 1");
    }
    statement("behind_it");
    assertThat(find("not_sampled")).isEmpty();
  }

  @Test
  void withNoneSampledTracesOfClientsAreStillMade() throws SQLException {
    try (RunningProxy few = RunningProxy.start(List.of(properties(0)), fixture.database())) {
      try (Connection client = few.connect(SCHEMA)) {
        run(client, "SELECT name AS of_nobody FROM f WHERE id = 1");
        run(
            client,
            "SELECT name AS of_a_client FROM f WHERE id = 1 /*traceparent='00-%s-%s-01'*/"
                .formatted(OTHER, PARENT));
      }
    }
    statement("of_a_client");
    assertThat(find("of_nobody")).as("what was left was sent when the proxy ended").isEmpty();
  }

  @Test
  void theCollectorKnowsWhoSends() throws SQLException {
    try (Connection client = connect()) {
      run(client, "SELECT name AS who_sends FROM f WHERE id = 1");
    }
    statement("who_sends");
    assertThat(authorizations).containsExactly(TOKEN);
    assertThat(received)
        .allMatch(
            each ->
                each.getResource().getAttributesList().stream()
                    .anyMatch(
                        key ->
                            key.getKey().equals("service.name")
                                && key.getValue().getStringValue().equals("shop-proxy")));
  }
}
