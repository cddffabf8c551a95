package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Encrypted columns answer as plain ones do to whatever the grammar makes up, or it is refused; and
 * what is stored has no plain value. {@code -Dencrypt.seeds=1,100} draws from the first to the last
 * of these.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class EncryptGrammarIT {

  private static final String WHOLE = "it_encrypted_one";
  private static final String SHARDED = "it_encrypted_two";
  private static final String PLAIN = "it_encrypted_none";
  private static final int STATEMENTS = 250;
  private static final int ANSWERED_AT_LEAST = STATEMENTS / 10;

  private static final String RULE =
      """
      - !ENCRYPT
        tables:
          t_user:
            columns:
              phone:
                cipher: { name: phone_cipher, encryptorName: gcm }
                assistedQuery: { name: phone_hash, encryptorName: hash }
                likeQuery: { name: phone_like, encryptorName: like }
              pin:
                cipher: { name: pin, encryptorName: aes }
        encryptors:
          aes: { type: AES, props: { aes-key-value: secret } }
          gcm: { type: AES_GCM, props: { key-id: a, key-value-a: secret } }
          hash: { type: HMAC_SHA256, props: { hmac-key-value: pepper } }
          like: { type: CHAR_DIGEST_LIKE, props: { mask: 65535 } }
      """;

  private static RunningProxy proxy;
  private static DatabaseServer server;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    server = servers.primaryA();
    for (String schema : List.of(WHOLE, SHARDED, PLAIN)) {
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema + " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
          "CREATE TABLE " + schema + ".t_own (id INT, phone VARCHAR(30), hit INT)");
    }
    String head = "databaseName: %s\ndataSources:\n%srules:\n%s";
    proxy =
        RunningProxy.start(
            List.of(),
            head.formatted(WHOLE, RunningProxy.source("ds_0", server, WHOLE), RULE),
            head.formatted(SHARDED, RunningProxy.source("ds_0", server, SHARDED), "")
                + """
                - !SHARDING
                  tables:
                    t_user:
                      actualDataNodes: ds_0.t_user_${0..1}
                      tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
                  shardingAlgorithms: { two: { type: MOD, props: { sharding-count: 2 } } }
                - !SINGLE
                  tables: ["*.*"]
                  defaultDataSource: ds_0
                """
                + RULE);
    for (String schema : List.of(WHOLE, SHARDED, PLAIN)) {
      try (Connection client = connect(schema, false)) {
        run(
            client,
            "CREATE TABLE t_user (id INT PRIMARY KEY, name VARCHAR(30), phone VARCHAR(30),"
                + " pin VARCHAR(30))",
            false);
      }
    }
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static Connection connect(String schema, boolean isBinary) throws SQLException {
    String[] protocol = isBinary ? new String[] {"useServerPrepStmts=true"} : new String[0];
    return schema.equals(PLAIN)
        ? RunningProxy.Driver.MARIADB.connect(
            server.port(), schema, MariaDbServer.USER, MariaDbServer.PASSWORD, protocol)
        : proxy.connect(schema, protocol);
  }

  private static Transcript run(Connection client, String sql, boolean isBinary) {
    return isBinary ? Transcript.prepared(client, sql) : Transcript.of(client, sql);
  }

  /** Names of columns and rows; of rows that LIMIT chooses their number. */
  private static String told(Transcript answer, String sql) {
    if (answer.isError()) {
      return answer.withoutMessage().head();
    }
    String names =
        answer.head().lines().map(line -> line.split("\\|", 2)[0]).collect(Collectors.joining("|"));
    List<String> rows = answer.rows().stream().sorted().toList();
    boolean isChosen = sql.contains("LIMIT") || sql.contains("OVER (");
    return names + (isChosen ? rows.size() : rows);
  }

  private static String left(Connection client) {
    return told(Transcript.of(client, "SELECT * FROM t_user"), "")
        + told(Transcript.of(client, "SELECT * FROM t_own"), "");
  }

  private static void fill(Connection client) {
    for (String sql :
        List.of(
            "DROP TABLE IF EXISTS t_copy",
            "DELETE FROM t_own",
            "DELETE FROM t_user",
            "INSERT INTO t_own VALUES (1, '70001', 0), (2, 'x', 0), (3, '7', 0)",
            "INSERT INTO t_user (id, name, phone, pin) VALUES (1, 'name 1', '70001', '70001'),"
                + " (2, 'x', '70002', '7'), (3, 'name 3', '70003', 'x'), (4, '5', NULL, NULL),"
                + " (5, 'name 5', '70001', '70005')")) {
      assertThat(Transcript.of(client, sql).isError()).as(sql).isFalse();
    }
  }

  /** Whether something that only encrypted columns have is stored as it is. */
  private static boolean showsPlain(String schema) throws SQLException {
    String tables = schema.equals(WHOLE) ? "t_user" : "t_user_0 t_user_1";
    try (Connection client = server.connect(schema)) {
      for (String table : tables.split(" ", -1)) {
        String rows = Transcript.of(client, "SELECT * FROM " + table).rows().toString();
        if (rows.contains("'7000")) {
          return true;
        }
      }
    }
    return false;
  }

  @ParameterizedTest
  @CsvSource({WHOLE + ",false", WHOLE + ",true", SHARDED + ",false", SHARDED + ",true"})
  void answersAsPlainValuesDo(String schema, boolean isBinary) throws SQLException {
    String[] seeds = System.getProperty("encrypt.seeds", "1,2").split(",", -1);
    var different = new ArrayList<String>();
    for (long seed = Long.parseLong(seeds[0]); seed <= Long.parseLong(seeds[1]); seed++) {
      var grammar = new ProtectedGrammar(new Random(seed));
      int answered = 0;
      try (Connection encrypted = connect(schema, isBinary);
          Connection plain = connect(PLAIN, isBinary)) {
        fill(encrypted);
        fill(plain);
        for (int i = 0; i < STATEMENTS; i++) {
          String sql = grammar.statement();
          // plans and checksums are of what is stored
          if (sql.matches("(EXPLAIN|ANALYZE|DESC|CHECKSUM|SHOW) .*")) {
            continue;
          }
          boolean isRead = sql.startsWith("SELECT") || sql.startsWith("WITH");
          Transcript got = run(encrypted, sql, isBinary);
          if (got.head().contains("internal error")) {
            different.add(seed + ": " + sql + "\n" + got);
          }
          if (got.isError() && isRead) {
            continue;
          }
          answered += got.isError() ? 0 : 1;
          Transcript wanted = got.isError() ? got : run(plain, sql, isBinary);
          boolean isSame = told(got, sql).equals(told(wanted, sql));
          if (!isRead) {
            isSame &= left(encrypted).equals(left(plain)) && !showsPlain(schema);
            fill(encrypted);
            fill(plain);
          }
          if (!isSame) {
            different.add(seed + ": " + sql + "\n" + got + "\n" + wanted);
          }
        }
      }
      assertThat(answered).as("of seed " + seed).isGreaterThan(ANSWERED_AT_LEAST);
    }
    assertThat(different).isEmpty();
  }
}
