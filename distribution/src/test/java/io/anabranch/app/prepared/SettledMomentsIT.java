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
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A text or a number beside a column of times is a time to MySQL where it can read it as one, and
 * is kept as what it was otherwise: executions behind it find other rows. Sequences of three
 * executions of one handle, of which any may settle the types of all markers anew.
 */
@Tag("both")
@Tag("long")
@ExtendWith(MariaDbServers.Resolver.class)
class SettledMomentsIT {

  private static final String RULES =
      """
      rules:
      - !SHARDING
        tables:
          m:
            actualDataNodes: ds_${0..1}.m
            databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: halves } }
        shardingAlgorithms:
          halves: { type: MOD, props: { sharding-count: 2 } }
      - !SINGLE
        tables: ["*.*"]
        defaultDataSource: ds_0
      """;

  private static final List<String> TEXTS =
      List.of(
          "c1",
          "",
          " ",
          "x",
          "2024-01-05",
          "2024-01-05 00:00:00",
          "2024-01-05 12:30:00.5",
          "2024-1-5",
          "20240105",
          "20240105x",
          "2024-01-05 x",
          "2024-02-30",
          "5",
          "10:00:00",
          "-10:00:00",
          "100000",
          "2.5",
          "0",
          "-1",
          ":",
          "0000-00-00",
          " 2024-01-05");

  private static final List<Long> NUMBERS =
      List.of(
          20240105L,
          20240105120000L,
          5L,
          0L,
          1L,
          100L,
          101L,
          -1L,
          100000L,
          99999999L,
          8385959L,
          9000000L,
          240105L,
          50101L,
          3L);

  private static final List<String> DECIMALS = List.of("2.5", "20240105.0", "3", "0.0", "-2.5");

  /** In text, and as COM_STMT_EXECUTE has it. */
  private record Value(String text, Bound bound) {
    @Override
    public String toString() {
      return text;
    }
  }

  private static final List<Value> VALUES = values();

  private static List<Value> values() {
    var all = new ArrayList<Value>();
    for (String text : TEXTS) {
      String quoted = "'" + text + "'";
      all.add(new Value(quoted, Bound.text(quoted, 0x00FD, text)));
    }
    all.add(new Value("x'323032342d30312d3035'", Bound.text("day", 0x00FC, "2024-01-05")));
    all.add(new Value("x'6331'", Bound.text("bytes", 0x00FC, "c1")));
    for (Long number : NUMBERS) {
      all.add(new Value("" + number, Bound.number("" + number, 0x0008, number)));
      double floating = number;
      all.add(
          new Value(
              number + "e0",
              Bound.number(number + "e0", 0x0005, Double.doubleToLongBits(floating))));
    }
    for (String decimal : DECIMALS) {
      String literal = decimal.indexOf('.') < 0 ? decimal + "." : decimal;
      all.add(new Value(literal, Bound.text(literal, 0x00F6, decimal)));
    }
    all.add(new Value("CAST(20240105 AS UNSIGNED)", Bound.number("unsigned", 0x8008, 20240105L)));
    all.add(
        new Value(
            "TIMESTAMP'2024-01-05 00:00:00'",
            new Bound("datetime", 0x000C, new byte[] {4, (byte) 0xE8, 7, 1, 5})));
    all.add(
        new Value(
            "DATE'2024-01-05'", new Bound("date", 0x000A, new byte[] {4, (byte) 0xE8, 7, 1, 5})));
    all.add(
        new Value(
            "TIME'10:00:00'", new Bound("time", 0x000B, new byte[] {8, 0, 0, 0, 0, 0, 10, 0, 0})));
    all.add(new Value("NULL", new Bound("null", 0x0006, null)));
    return List.copyOf(all);
  }

  private static final List<String> STATEMENTS =
      List.of(
          "SELECT id FROM m WHERE id <> ? AND dt > ? ORDER BY id",
          "SELECT id FROM m WHERE id <> ? AND da > ? ORDER BY id",
          "SELECT id FROM m WHERE id <> ? AND t > ? ORDER BY id",
          "SELECT id FROM m WHERE dt <= ? OR c = ? ORDER BY id",
          "SELECT id FROM m WHERE n <> ? AND (dt BETWEEN ? AND ?) ORDER BY id",
          "SELECT COUNT(*) FROM m WHERE da <> ? AND n < ?",
          "DELETE FROM m WHERE dt > ? AND n <> ?",
          "UPDATE m SET n = n + ? WHERE da >= ?",
          "UPDATE m SET dt = ?, n = n + 1 WHERE t < ? AND n <> ?");

  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    sharded = ShardedFixture.start(servers, "it_moments", RULES, List.of());
    for (Connection each : List.of(sharded.onPlain(), sharded.throughProxy())) {
      try (each;
          var statement = each.createStatement()) {
        statement.execute(
            "CREATE TABLE m (id INT, n INT, dt DATETIME, da DATE, t TIME, c VARCHAR(20))");
        List<String> rows =
            IntStream.range(1, 17)
                .mapToObj(
                    i ->
                        "(%1$d, %1$d, '2024-01-%1$02d', '2024-01-%1$02d', '%1$02d:00:00', 'c%1$d')"
                            .formatted(i))
                .toList();
        statement.execute("INSERT INTO m VALUES " + String.join(", ", rows));
      }
    }
  }

  @AfterAll
  static void stop() {
    sharded.close();
  }

  @ParameterizedTest
  @CsvSource({"true, ''", "false, ''", "true, STRICT_TRANS_TABLES", "false, STRICT_TRANS_TABLES"})
  void sequences(boolean isNamed, String mode) throws IOException {
    var random = new Random(Long.getLong("seed", 31));
    int sequences = Integer.getInteger("sequences", 120);
    int answered = 0;
    int all = 0;
    var softly = new SoftAssertions();
    try (var proxied =
            new TypedProbe(
                new CommandProbe(
                    sharded.proxy.port(),
                    RunningProxy.USER,
                    RunningProxy.PASSWORD,
                    sharded.schema()));
        var direct =
            new TypedProbe(
                new CommandProbe(
                    sharded.home().port(),
                    MariaDbServer.USER,
                    MariaDbServer.PASSWORD,
                    sharded.plainSchema()))) {
      for (TypedProbe each : List.of(proxied, direct)) {
        each.query("SET sql_mode = '" + mode + "'");
      }
      for (int i = 0; i < sequences; i++) {
        String sql = STATEMENTS.get(random.nextInt(STATEMENTS.size()));
        var executions = new ArrayList<List<Value>>();
        for (int execution = 0; execution < 3; execution++) {
          executions.add(
              sql.chars()
                  .filter(each -> each == '?')
                  .mapToObj(_ -> VALUES.get(random.nextInt(VALUES.size())))
                  .toList());
        }
        List<String> through = answers(proxied, isNamed, sql, executions);
        List<String> expected = answers(direct, isNamed, sql, executions);
        all += executions.size();
        for (int execution = 0; execution < through.size(); execution++) {
          if (through.get(execution).contains("AB2041")) {
            break;
          }
          answered++;
          softly
              .assertThat(through.get(execution))
              .as("%s: %s, the last of %s", mode, sql, executions.subList(0, execution + 1))
              .isEqualTo(expected.get(execution));
        }
      }
    }
    softly.assertAll();
    assertThat(answered).as("of %d", all).isGreaterThan(all / 2);
  }

  private static List<String> answers(
      TypedProbe client, boolean isNamed, String sql, List<List<Value>> executions)
      throws IOException {
    int statement = -1;
    if (isNamed) {
      client.query("PREPARE s FROM \"" + sql + "\"");
    } else {
      statement = client.prepare(sql);
    }
    var answers = new ArrayList<String>();
    for (List<Value> values : executions) {
      client.query("BEGIN");
      String answer =
          isNamed
              ? using(client, values)
              : client.execute(statement, values.stream().map(Value::bound).toList());
      String rows =
          sql.startsWith("SELECT") ? "" : client.query("SELECT id, n, dt FROM m ORDER BY id");
      client.query("ROLLBACK");
      answers.add(
          answer.contains("AB2041")
              ? answer
              : answer.replaceAll("(error \\d+).*", "$1").replaceAll("(OK|warnings) .*", "$1")
                  + rows);
    }
    if (!isNamed) {
      client.close(statement);
    }
    return answers;
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
}
