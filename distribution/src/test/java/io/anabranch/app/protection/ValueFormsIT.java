package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A value is one value in whatever form it comes: as a literal, or in the binary protocol, it is
 * stored in one place and as one ciphertext; and a masked one is shown as one text.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class ValueFormsIT {

  private static final String SCHEMA = "it_value_forms";
  private static final int VALUES = 40;

  /** Types of sharding columns. */
  private static final List<String> KEYS =
      List.of(
          "TINYINT",
          "INT",
          "INT UNSIGNED",
          "BIGINT",
          "BIGINT UNSIGNED",
          "DECIMAL(20,0)",
          "CHAR(20)",
          "VARCHAR(20)",
          "DATE",
          "DATETIME");

  /** Of masked columns, each with a literal of its. */
  private static final List<List<String>> SHOWN =
      List.of(
          List.of("TINYINT", "-117"),
          List.of("BIGINT UNSIGNED", "18446744073709551615"),
          List.of("DECIMAL(20,5)", "-1234.50000"),
          List.of("INT(8) ZEROFILL", "42"),
          List.of("FLOAT", "1.25e10"),
          List.of("DOUBLE", "-3.0000000001"),
          List.of("BIT(16)", "b'0100000101000010'"),
          List.of("DATE", "'2024-02-29'"),
          List.of("DATETIME(3)", "'2024-02-29 10:11:12.120'"),
          List.of("DATETIME(6)", "'2024-02-29 00:00:00'"),
          List.of("TIME(2)", "'-101:02:03.40'"),
          List.of("YEAR", "2024"),
          List.of("CHAR(10)", "'a b'"),
          List.of("VARCHAR(20) CHARACTER SET latin1", "'caf\u00e9'"),
          List.of("VARCHAR(20) CHARACTER SET utf8mb4", "'\u6c49\ud83d\ude00z'"),
          List.of("VARCHAR(20) CHARACTER SET utf16", "'z\u00e4'"),
          List.of("TEXT", "''"),
          List.of("VARBINARY(10)", "x'00ff41'"),
          List.of("BLOB", "'blob'"),
          List.of("ENUM('one','two')", "'two'"),
          List.of("SET('a','b','c')", "'a,c'"),
          List.of("JSON", "'{\"a\": [1, 2.5]}'"));

  private static RunningProxy proxy;
  private static DatabaseServer server;

  @BeforeAll
  static void start(DatabaseServers servers) {
    server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS " + SCHEMA,
        "CREATE DATABASE " + SCHEMA + " CHARACTER SET utf8mb4");
    var tables = new StringBuilder();
    for (int i = 0; i < KEYS.size(); i++) {
      for (int part = 0; part < 3; part++) {
        server.execute(
            "CREATE TABLE %s.k%d_%d (k %s, n INT)".formatted(SCHEMA, i, part, KEYS.get(i)));
      }
      tables.append(
          "      k%1$d: { actualDataNodes: \"ds_0.k%1$d_${0..2}\", tableStrategy: { standard: { shardingColumn: k, shardingAlgorithmName: three } } }\n"
              .formatted(i));
    }
    var columns = new StringBuilder();
    var masked = new StringBuilder();
    var values = new StringBuilder();
    for (int i = 0; i < SHOWN.size(); i++) {
      columns.append(", c%d %s".formatted(i, SHOWN.get(i).getFirst()));
      masked.append(
          "          c%d: { maskAlgorithm: %s }\n".formatted(i, i % 2 == 0 ? "stars" : "digest"));
      values.append(", ").append(SHOWN.get(i).getLast());
    }
    server.execute(
        "CREATE TABLE " + SCHEMA + ".shown (id INT PRIMARY KEY" + columns + ")",
        "INSERT INTO " + SCHEMA + ".shown VALUES (1" + values + ")",
        "CREATE TABLE " + SCHEMA + ".secret (id INT PRIMARY KEY, c VARCHAR(200), h CHAR(64))");
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: "
                + SCHEMA
                + "\ndataSources:\n"
                + RunningProxy.source("ds_0", server, SCHEMA)
                + "rules:\n- !SHARDING\n    tables:\n"
                + tables
                + """
                    shardingAlgorithms: { three: { type: HASH_MOD, props: { sharding-count: 3 } } }
                - !SINGLE
                  tables: ["*.*"]
                  defaultDataSource: ds_0
                - !MASK
                  tables:
                    shown:
                      columns:
                """
                + masked
                + """
                  maskAlgorithms:
                    stars: { type: KEEP_FIRST_N_LAST_M, props: { first-n: 2, last-m: 1, replace-char: '*' } }
                    digest: { type: MD5 }
                - !ENCRYPT
                  tables:
                    secret:
                      columns:
                        v: { cipher: { name: c, encryptorName: aes }, assistedQuery: { name: h, encryptorName: hash } }
                  encryptors:
                    aes: { type: AES, props: { aes-key-value: secret } }
                    hash: { type: HMAC_SHA256, props: { hmac-key-value: pepper } }
                """);
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static List<String> row(Connection client, String sql) throws SQLException {
    var cells = new ArrayList<String>();
    try (PreparedStatement statement = client.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          cells.add(String.valueOf(rows.getString(i)));
        }
      }
    }
    return cells;
  }

  @Test
  void masksOneTextInBothProtocols() throws SQLException {
    try (Connection text = proxy.connect(SCHEMA);
        Connection binary = proxy.connect(SCHEMA, "useServerPrepStmts=true");
        Connection plain = server.connect(SCHEMA)) {
      List<String> shown = row(text, "SELECT * FROM shown");
      assertThat(row(binary, "SELECT * FROM shown")).isEqualTo(shown);
      assertThat(shown).hasSize(SHOWN.size() + 1);
      assertThat(shown.subList(1, 4))
          .doesNotContainAnyElementsOf(row(plain, "SELECT * FROM shown"));
    }
  }

  /** A value, and the literal that is the same. */
  private record Form(Object value, String literal) {}

  private static Form key(String type, Random random) {
    if (type.startsWith("DATE")) {
      String day = "2024-0%d-1%d".formatted(1 + random.nextInt(9), random.nextInt(10));
      return type.equals("DATE")
          ? new Form(java.sql.Date.valueOf(day), "'" + day + "'")
          : new Form(java.sql.Timestamp.valueOf(day + " 00:00:00"), "'" + day + " 00:00:00'");
    }
    if (type.contains("CHAR")) {
      String word =
          Integer.toString(random.nextInt(1 << 20), 36) + (random.nextBoolean() ? "\u00e9" : "");
      return new Form(word, "'" + word + "'");
    }
    BigInteger number =
        switch (type) {
          case "TINYINT" -> BigInteger.valueOf(random.nextInt(256) - 128);
          case "INT" -> BigInteger.valueOf(random.nextInt());
          case "INT UNSIGNED" -> new BigInteger(32, random);
          case "BIGINT UNSIGNED" -> new BigInteger(64, random);
          default -> BigInteger.valueOf(random.nextLong());
        };
    boolean isLong = number.bitLength() < 64;
    Object value =
        type.startsWith("DECIMAL")
            ? new BigDecimal(number)
            : isLong ? (Object) number.longValue() : number;
    return new Form(value, number.toString());
  }

  /** Rows of a literal and of a parameter have to be in one table. */
  @Test
  void placesAValueOnceWhateverItsForm() throws SQLException {
    var random = new Random(1);
    try (Connection text = proxy.connect(SCHEMA);
        Connection binary = proxy.connect(SCHEMA, "useServerPrepStmts=true");
        Connection plain = server.connect(SCHEMA);
        Statement statement = text.createStatement()) {
      for (int i = 0; i < KEYS.size(); i++) {
        try (PreparedStatement insert =
            binary.prepareStatement("INSERT INTO k" + i + " VALUES (?, ?)")) {
          for (int n = 0; n < VALUES; n++) {
            Form form = key(KEYS.get(i), random);
            statement.execute("INSERT INTO k" + i + " VALUES (" + form.literal() + ", " + n + ")");
            insert.setObject(1, form.value());
            insert.setInt(2, n);
            insert.execute();
            assertThat(row(text, "SELECT COUNT(*) FROM k" + i + " WHERE k = " + form.literal()))
                .as(KEYS.get(i) + " " + form.literal())
                .doesNotContain("0", "1");
          }
        }
        for (int part = 0; part < 3; part++) {
          assertThat(
                  row(
                      plain,
                      "SELECT n FROM k%d_%d GROUP BY n HAVING COUNT(*) %% 2 = 1"
                          .formatted(i, part)))
              .as(KEYS.get(i))
              .isEmpty();
        }
      }
    }
  }

  /** Stored alike, or refused in both. */
  @Test
  void encryptsAValueOnceWhateverItsForm() throws SQLException {
    List<Form> forms =
        List.of(
            new Form("abc", "'abc'"),
            new Form("it's \\ \u6c49\ud83d\ude00", "'it''s \\\\ \u6c49\ud83d\ude00'"),
            new Form("", "''"),
            new Form(" b ", "' b '"),
            new Form(5, "5"),
            new Form(-7L, "-7"),
            new Form(0, "-0"),
            new Form(Long.MIN_VALUE, "-9223372036854775808"),
            new Form(new BigInteger("18446744073709551615"), "18446744073709551615"),
            new Form(new BigDecimal("1.50"), "1.50"),
            new Form(new BigDecimal("-0.001"), "-0.001"),
            new Form(1.5e3, "1.5e3"),
            new Form(1.5f, "1.5e0"),
            new Form(java.sql.Date.valueOf("2024-02-29"), "DATE '2024-02-29'"),
            new Form("AB".getBytes(StandardCharsets.US_ASCII), "x'4142'"));
    try (Connection text = proxy.connect(SCHEMA);
        Connection binary = proxy.connect(SCHEMA, "useServerPrepStmts=true");
        Connection plain = server.connect(SCHEMA);
        Statement statement = text.createStatement();
        PreparedStatement insert =
            binary.prepareStatement("INSERT INTO secret (id, v) VALUES (?, ?)")) {
      int id = 0;
      for (Form form : forms) {
        id += 2;
        String written = "";
        String sent = "";
        try {
          statement.execute(
              "INSERT INTO secret (id, v) VALUES (" + id + ", " + form.literal() + ")");
          written = row(plain, "SELECT c, h FROM secret WHERE id = " + id).toString();
        } catch (SQLException e) {
          assertThat(e.getMessage()).as(form.literal()).contains("AB2070");
        }
        try {
          insert.setInt(1, id + 1);
          insert.setObject(2, form.value());
          insert.execute();
          sent = row(plain, "SELECT c, h FROM secret WHERE id = " + (id + 1)).toString();
        } catch (SQLException e) {
          assertThat(e.getMessage()).as(form.literal()).contains("AB2070");
        }
        assertThat(sent).as(form.literal()).isEqualTo(written);
      }
    }
  }
}
