package io.anabranch.app.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.app.fixture.client.TypedProbe;
import io.anabranch.app.fixture.client.TypedProbe.Bound;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * MySQL compares a parameter by the type that former executions have given it, whatever is bound
 * later: rows that equal it so are found on all nodes. Each type behind each other one, over
 * sharding columns of integers, texts and times, in both protocols.
 */
@Tag("both")
@Tag("long")
@ExtendWith(MariaDbServers.Resolver.class)
class SettledTypesIT {

  private static final String RULES =
      """
      rules:
      - !SHARDING
        tables:
          whole:
            actualDataNodes: ds_${0..1}.whole
            databaseStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: halves } }
          word:
            actualDataNodes: ds_${0..1}.word
            databaseStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: hashes } }
          moment:
            actualDataNodes: ds_0.moment_2024,ds_1.moment_2025
            tableStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: years } }
            databaseStrategy: { none: }
        shardingAlgorithms:
          halves: { type: MOD, props: { sharding-count: 2 } }
          hashes: { type: HASH_MOD, props: { sharding-count: 2 } }
          years:
            type: INTERVAL
            props:
              datetime-pattern: "yyyy-MM-dd HH:mm:ss"
              datetime-lower: "2024-01-01 00:00:00"
              datetime-upper: "2025-12-31 23:59:59"
              sharding-suffix-pattern: "yyyy"
              datetime-interval-amount: 1
              datetime-interval-unit: YEARS
      - !SINGLE
        tables: ["*.*"]
        defaultDataSource: ds_0
      """;

  /** As EXECUTE … USING has them, and as COM_STMT_EXECUTE has. */
  private record Value(String text, Bound bound) {
    @Override
    public String toString() {
      return text;
    }
  }

  private static final List<Value> VALUES =
      List.of(
          new Value("0", Bound.number("0", 0x0008, 0)),
          new Value("7", Bound.number("7", 0x0008, 7)),
          new Value("20240201", Bound.number("20240201", 0x0008, 20240201)),
          new Value("7e0", Bound.number("7e0", 0x0005, Double.doubleToLongBits(7))),
          new Value("7.5", Bound.text("7.5", 0x00F6, "7.5")),
          new Value("'7'", Bound.text("'7'", 0x00FD, "7")),
          new Value("'abc'", Bound.text("'abc'", 0x00FD, "abc")),
          new Value("'7abc'", Bound.text("'7abc'", 0x00FD, "7abc")),
          new Value("'2024-02-01'", Bound.text("'2024-02-01'", 0x00FD, "2024-02-01")),
          new Value("'2025'", Bound.text("'2025'", 0x00FD, "2025")),
          new Value("x'616263'", Bound.text("x'616263'", 0x00FC, "abc")),
          new Value(
              "TIMESTAMP'2025-02-01 00:00:00'",
              new Bound("datetime", 0x000C, new byte[] {4, (byte) 0xE9, 7, 2, 1})),
          new Value(
              "TIME'10:00:00'", new Bound("time", 0x000B, new byte[] {8, 0, 0, 0, 0, 0, 10, 0, 0})),
          new Value("NULL", new Bound("null", 0x0006, null)));

  /** Behind a second marker, that is no column's, the types of all are settled anew. */
  private static final List<String> CONDITIONS =
      List.of("k = ?", "k IN (5, ?)", "k >= ?", "k = ? AND id + 0 > ?");

  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    sharded = ShardedFixture.start(servers, "it_settled", RULES, List.of());
    for (Connection each : List.of(sharded.onPlain(), sharded.throughProxy())) {
      try (each;
          var statement = each.createStatement()) {
        statement.execute("CREATE TABLE whole (k BIGINT, id INT, n INT)");
        statement.execute("CREATE TABLE word (k VARCHAR(40) COLLATE utf8mb4_bin, id INT, n INT)");
        statement.execute("CREATE TABLE moment (k DATETIME, id INT, n INT)");
        statement.execute(
            "INSERT INTO whole VALUES (0, 1, 0), (7, 2, 0), (8, 3, 0), (5, 4, 0), (2024, 5, 0),"
                + " (2025, 6, 0), (20240201, 7, 0), (20240201000000, 8, 0), (20250201000000, 9, 0),"
                + " (100000, 10, 0)");
        statement.execute(
            "INSERT INTO word VALUES ('0', 1, 0), ('7', 2, 0), ('07', 3, 0), ('abc', 4, 0), ('abd', 5,"
                + " 0), ('7abc', 6, 0), ('2024-02-01', 7, 0), ('2024-2-1', 8, 0), ('20240201', 9, 0),"
                + " ('b', 10, 0), ('7.5', 11, 0), ('2025-02-01', 12, 0), ('2025-02-01 00:00:00', 13, 0),"
                + " ('2025', 14, 0), ('10:00:00', 15, 0), ('', 16, 0)");
        statement.execute(
            "INSERT INTO moment VALUES ('2024-02-01 00:00:00', 1, 0), ('2024-02-01 10:00:00', 2, 0),"
                + " ('2025-02-01 00:00:00', 3, 0), ('2025-06-01 00:00:00', 4, 0)");
      }
    }
  }

  @AfterAll
  static void stop() {
    sharded.close();
  }

  private static TypedProbe proxied() throws IOException {
    return new TypedProbe(
        new CommandProbe(
            sharded.proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, sharded.schema()));
  }

  private static TypedProbe direct() throws IOException {
    return new TypedProbe(
        new CommandProbe(
            sharded.home().port(),
            MariaDbServer.USER,
            MariaDbServer.PASSWORD,
            sharded.plainSchema()));
  }

  /** Two executions of one handle, with a number for another column in each. */
  private interface Handle {
    String execute(TypedProbe client, String sql, List<Value> first, List<Value> second)
        throws IOException;
  }

  private static String prepared(
      TypedProbe client, String sql, List<Value> first, List<Value> second) throws IOException {
    int statement = client.prepare(sql);
    client.execute(statement, first.stream().map(Value::bound).toList());
    String answer = client.execute(statement, second.stream().map(Value::bound).toList());
    client.close(statement);
    return answer;
  }

  private static String named(TypedProbe client, String sql, List<Value> first, List<Value> second)
      throws IOException {
    client.query("PREPARE s FROM \"" + sql + "\"");
    using(client, first);
    return using(client, second);
  }

  private static String using(TypedProbe client, List<Value> values) throws IOException {
    var set = new ArrayList<String>();
    var names = new ArrayList<String>();
    for (Value value : values) {
      set.add("@p" + set.size() + " = " + value);
      names.add("@p" + names.size());
    }
    client.query("SET " + String.join(", ", set));
    return client.query("EXECUTE s USING " + String.join(", ", names));
  }

  @ParameterizedTest
  @ValueSource(strings = {"whole", "word", "moment"})
  void preparedQueries(String table) throws IOException {
    compare("SELECT id FROM " + table + " WHERE ", " ORDER BY id", SettledTypesIT::prepared);
  }

  @ParameterizedTest
  @ValueSource(strings = {"whole", "word", "moment"})
  void namedQueries(String table) throws IOException {
    compare("SELECT id FROM " + table + " WHERE ", " ORDER BY id", SettledTypesIT::named);
  }

  @ParameterizedTest
  @ValueSource(strings = {"whole", "word", "moment"})
  void preparedChanges(String table) throws IOException {
    compare("UPDATE " + table + " SET n = n + 1 WHERE ", "", SettledTypesIT::prepared);
  }

  private static void compare(String head, String tail, Handle handle) throws IOException {
    var softly = new SoftAssertions();
    int answered = 0;
    int all = 0;
    boolean isChange = tail.isEmpty();
    try (TypedProbe proxied = proxied();
        TypedProbe direct = direct()) {
      for (String condition : CONDITIONS) {
        String sql = head + condition + tail;
        for (Value first : VALUES) {
          for (Value second : VALUES) {
            String answer = answer(handle, proxied, sql, isChange, first, second);
            all++;
            if (!answer.contains("AB2041")) {
              String expected = answer(handle, direct, sql, isChange, first, second);
              answered++;
              softly.assertThat(answer).as("%s: %s, %s", sql, first, second).isEqualTo(expected);
            }
          }
        }
      }
    }
    softly.assertAll();
    assertThat(answered).as("of %d", all).isGreaterThan(all / 2);
  }

  private static String answer(
      Handle handle, TypedProbe client, String sql, boolean isChange, Value first, Value second)
      throws IOException {
    int markers = (int) sql.chars().filter(each -> each == '?').count();
    if (isChange) {
      client.query("BEGIN");
    }
    String answer =
        handle.execute(client, sql, values(sql, first, markers), values(sql, second, markers));
    if (!isChange) {
      return answer.replaceAll("warnings \\d+", "").replaceAll("(error \\d+).*", "$1");
    }
    String rows =
        client.query("SELECT id FROM " + sql.split(" ", 3)[1] + " WHERE n > 1 ORDER BY id");
    client.query("ROLLBACK");
    return answer.contains("AB2041")
        ? answer
        : answer.replaceAll("(error \\d+).*", "$1").replaceAll("OK .*", "OK")
            + rows.replaceAll("warnings \\d+", "");
  }

  private static List<Value> values(String sql, Value key, int markers) {
    var values = new ArrayList<Value>();
    boolean hasNumber = sql.contains("id + 0 > ?");
    for (int i = 0; i < markers; i++) {
      values.add(hasNumber && i == markers - 1 ? VALUES.getFirst() : key);
    }
    return values;
  }
}
