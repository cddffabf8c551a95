package io.anabranch.app.wire;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import io.anabranch.testkit.MySqlServer;
import io.anabranch.testkit.ServerCertificate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All ways to a database give what the database itself gives: values, types, column metadata,
 * counts, keys, errors. Every case runs through the proxy and directly on an equal database, with
 * two drivers, in the text and the binary protocol, and the whole answers are compared. No JSON
 * column: its name travels in MariaDB's extended metadata only, which the proxy does not offer to
 * clients.
 *
 * <p>Three ways: relayed; read by the merge lane from the wire; read by the merge lane through a
 * driver that speaks TLS. No difference between them is accepted.
 */
@Tag("quick")
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class LaneContractIT {

  private static final String SCHEMA = "it_contract";

  private static final String NOTHING_LEFT =
      "DROP TABLE IF EXISTS " + SCHEMA + ".types, " + SCHEMA + ".people";

  private static final String[] SCHEMA_STATEMENTS = {
    "DROP TABLE IF EXISTS types, people",
    """
    CREATE TABLE types (
      id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, a_tiny TINYINT, a_small SMALLINT UNSIGNED, a_medium MEDIUMINT,
      a_big BIGINT, a_huge BIGINT UNSIGNED, a_decimal DECIMAL(30,10), a_float FLOAT, a_double DOUBLE, a_bit BIT(12),
      a_bool BOOL, a_char CHAR(10), a_varchar VARCHAR(200), a_latin VARCHAR(20) CHARACTER SET latin1, a_text TEXT,
      a_binary BINARY(4), a_varbinary VARBINARY(100), a_blob BLOB, a_date DATE, a_time TIME(3), a_datetime DATETIME(6),
      a_timestamp TIMESTAMP NULL, a_year YEAR, an_enum ENUM('x','y','z'), a_set SET('p','q','r'), a_long LONGTEXT)
    """,
    """
    INSERT INTO types VALUES
      (1, -128, 65535, -8388608, -9223372036854775808, 18446744073709551615, 12345678901234567890.0123456789, 1.5,
       -2.25e100, b'101010101010', TRUE, 'ab  ', 'Grüße, 世界 🌍', 'café', 'text', 'abcd', x'00ff10', x'deadbeef',
       '2024-02-29', '-12:34:56.789', '2024-02-29 23:59:59.123456', '2024-03-31 01:02:03', 1999, 'y', 'p,r', '{"k": [1, 2]}'),
      (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL, NULL, NULL, NULL, NULL),
      (3, 0, 0, 0, 0, 0, 0, 0, 0, b'0', FALSE, '', '', '', '', '', '', '', '1000-01-01', '00:00:00', '1000-01-01 00:00:00',
       '2000-01-01 00:00:00', 2000, 'x', '', 'null')
    """,
    "CREATE TABLE people (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20) NOT NULL UNIQUE, age INT)",
    "INSERT INTO people VALUES (1, 'ada', 36), (2, 'bob', 41), (3, 'cyd', NULL)"
  };

  private static DatabaseServer plain;
  private static DatabaseServer behind;
  private static RunningProxy relay;
  private static RunningProxy merge;
  private static DatabaseServer encrypted;
  private static RunningProxy tls;

  @BeforeAll
  static void start(DatabaseServers servers) {
    plain = servers.primaryA();
    behind = servers.primaryB();
    plain.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    behind.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    String database = RunningProxy.passThrough(SCHEMA, behind);
    relay = RunningProxy.start(List.of(), database);
    merge = RunningProxy.start(List.of("proxy-relay-enabled: false"), database);
    ServerCertificate certificate = ServerCertificate.create(Path.of("target", "contract-tls"));
    encrypted =
        DatabaseServers.areMySql()
            ? MySqlServer.start("contract-tls", certificate.options())
            : MariaDbServer.start("contract-tls", certificate.options());
    encrypted.execute(
        "CREATE DATABASE " + SCHEMA, "ALTER USER '" + MariaDbServer.USER + "'@'%' REQUIRE SSL");
    tls =
        RunningProxy.start(
            List.of(),
            "databaseName: "
                + SCHEMA
                + "\ndataSources:\n"
                + RunningProxy.source("ds_0", encrypted, SCHEMA)
                    .replaceFirst("/" + SCHEMA + "[^\"]*", "/" + SCHEMA + "?sslMode=REQUIRED")
                + "rules: []\n");
  }

  @AfterAll
  static void stop() {
    relay.close();
    merge.close();
    tls.close();
    encrypted.close();
  }

  static Stream<Arguments> waysOfClients() {
    var ways = new ArrayList<Arguments>();
    for (String lane : List.of("relay", "merge", "tls")) {
      for (Driver driver : Driver.values()) {
        ways.add(Arguments.of(lane, driver, false));
        ways.add(Arguments.of(lane, driver, true));
      }
    }
    return ways.stream();
  }

  @ParameterizedTest(name = "{0}, {1}, server-side prepared: {2}")
  @MethodSource("waysOfClients")
  void answersAreTheDatabasesOwn(String lane, Driver driver, boolean binary) throws SQLException {
    String[] options = binary ? driver.serverPrepare() : new String[0];
    int port =
        switch (lane) {
          case "relay" -> relay.port();
          case "merge" -> merge.port();
          default -> tls.port();
        };
    try (Connection direct =
            driver.connect(
                plain.port(), SCHEMA, MariaDbServer.USER, MariaDbServer.PASSWORD, options);
        Connection proxied =
            driver.connect(port, SCHEMA, RunningProxy.USER, RunningProxy.PASSWORD, options)) {
      plain.execute(NOTHING_LEFT);
      try (Statement statement = proxied.createStatement()) {
        statement.execute(NOTHING_LEFT);
      }
      var softly = new SoftAssertions();
      for (String sql : SCHEMA_STATEMENTS) {
        compare(softly, direct, proxied, sql);
      }
      for (Object[] call : calls()) {
        String sql = (String) call[0];
        Object[] parameters = new Object[call.length - 1];
        System.arraycopy(call, 1, parameters, 0, parameters.length);
        compare(softly, direct, proxied, sql, parameters);
      }
      softly.assertAll();
    }
  }

  private static void compare(
      SoftAssertions softly,
      Connection direct,
      Connection proxied,
      String sql,
      Object... parameters) {
    Transcript expected = Transcript.of(direct, sql, parameters);
    softly.assertThat(Transcript.of(proxied, sql, parameters)).as(sql).isEqualTo(expected);
  }

  private static List<Object[]> calls() {
    return List.of(
        call("SELECT * FROM types ORDER BY id"),
        call("SELECT * FROM types WHERE id = ?", 1),
        call("SELECT a_varchar, a_latin, a_blob FROM types t WHERE a_varchar = ?", "Grüße, 世界 🌍"),
        call(
            "SELECT COUNT(*), SUM(a_tiny), AVG(a_decimal), MAX(a_datetime) FROM types WHERE id > ?",
            0),
        call("SELECT ? + 1, ?, ?", 41, "text", new BigDecimal("1.50")),
        call("SELECT ?", new BigInteger("18446744073709551615")),
        call("SELECT NULL, 1 = 1, 'a' 'b', x'41', 1.10, 1e3, DATE '2024-01-01'"),
        call("SELECT 1 FROM types WHERE 1 = 0"),
        call("INSERT INTO people (name, age) VALUES ('dan', 20), ('eve', 21)"),
        call("INSERT INTO people (name, age) VALUES (?, ?)", "fay", 22),
        call("INSERT INTO people (name, age) VALUES ('ada', 1)"),
        call(
            "INSERT INTO people (name, age) VALUES ('ada', 1) ON DUPLICATE KEY UPDATE age = age + 1"),
        call("REPLACE INTO people (id, name, age) VALUES (2, 'bob', 42)"),
        call("UPDATE people SET age = age + 1 WHERE age > ?", 30),
        call("UPDATE people SET age = age WHERE id = 1"),
        call("UPDATE people SET age = 'no number' WHERE id = 1"),
        call("INSERT IGNORE INTO people (name) VALUES ('ada')"),
        call("DELETE FROM people WHERE name = ?", "eve"),
        call("SELECT * FROM people ORDER BY id"),
        call(
            "SELECT name, COUNT(*) FROM people GROUP BY name HAVING COUNT(*) > 0 ORDER BY name DESC LIMIT 2"),
        call("SELECT * FROM nowhere"),
        call("SELECT nothing FROM people"),
        call("SELEC 1"),
        call("SELECT * FROM people WHERE name = 'open"),
        call("SELECT 1/0"),
        call("SELECT REPEAT('x', 100000) AS long_text"),
        call("SHOW COLUMNS FROM people"),
        call("SHOW CREATE TABLE people"),
        call("DROP TABLE people"),
        call("SELECT 1 FROM people"));
  }

  private static Object[] call(String sql, Object... parameters) {
    var call = new Object[parameters.length + 1];
    call[0] = sql;
    System.arraycopy(parameters, 0, call, 1, parameters.length);
    return call;
  }
}
