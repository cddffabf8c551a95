package io.anabranch.app.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bytes that are no characters reach the databases as they are, also in statements whose text the
 * proxy puts together anew. Connector/J writes them into the text: {@code _binary'…'}.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class RawBytesIT {

  private static final String NAME = "it_raw_bytes";
  private static final byte[] BYTES = everyByte();

  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    DatabaseServer a = servers.primaryA();
    DatabaseServer b = servers.primaryB();
    for (DatabaseServer server : List.of(a, b)) {
      server.execute("DROP DATABASE IF EXISTS " + NAME, "CREATE DATABASE " + NAME);
    }
    String sharded =
        "databaseName: raw_shards\ndataSources:\n"
            + RunningProxy.source("ds_0", a, NAME)
            + RunningProxy.source("ds_1", b, NAME)
            + """
              rules:
              - !SHARDING
                tables:
                  t_blob:
                    actualDataNodes: ds_${0..1}.t_blob
                    databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: half } }
                shardingAlgorithms:
                  half: { type: MOD, props: { sharding-count: 2 } }
              """;
    proxy = RunningProxy.start(List.of(), RunningProxy.passThrough(NAME, a), sharded);
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {NAME, "raw_shards"})
  void areStoredAsTheyAre(String database) throws SQLException {
    try (Connection connection =
            Driver.MYSQL.connect(proxy.port(), database, RunningProxy.USER, RunningProxy.PASSWORD);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS t_blob");
      statement.execute("CREATE TABLE t_blob (id INT PRIMARY KEY, name VARCHAR(30), b BLOB)");
      statement.execute("DO LAST_INSERT_ID(7)");

      with(connection, "INSERT INTO t_blob VALUES (LAST_INSERT_ID(), '', ?)", BYTES);
      with(connection, "INSERT INTO t_blob VALUES (8, USER(), ?)", BYTES);
      with(connection, "INSERT INTO t_blob VALUES (9, DATABASE(), 'x'), (10, NULL, 'x')", BYTES);
      with(connection, "SET @raw = ?", BYTES);
      with(connection, "UPDATE t_blob SET b = @raw WHERE id = 9", BYTES);
      with(connection, "/*!40100 UPDATE t_blob SET b = ? WHERE id = 10 */", BYTES);
      if (!DatabaseServers.areMySql()) {
        with(connection, "SET STATEMENT max_statement_time = 60 FOR SELECT LENGTH(?)", BYTES);
      }

      for (int id = 7; id <= 10; id++) {
        assertThat(stored(statement, id)).as("row %d", id).isEqualTo(BYTES);
      }
      try (PreparedStatement select =
          connection.prepareStatement(
              "SELECT ?, LAST_INSERT_ID() FROM t_blob WHERE b = ? ORDER BY id")) {
        select.setBytes(1, BYTES);
        select.setBytes(2, BYTES);
        try (ResultSet rows = select.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getBytes(1)).isEqualTo(BYTES);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {NAME, "raw_shards"})
  void arePartOfTextsThatArePrepared(String database) throws SQLException {
    try (Connection connection =
            Driver.MYSQL.connect(proxy.port(), database, RunningProxy.USER, RunningProxy.PASSWORD);
        Statement statement = connection.createStatement()) {
      statement.execute("SET @text = CONCAT('SELECT HEX(_binary''', x'FF81C3', ''')')");
      statement.execute("PREPARE q FROM @text");
      try (ResultSet row = statement.executeQuery("EXECUTE q")) {
        row.next();
        assertThat(row.getString(1)).isEqualTo("FF81C3");
      }
    }
  }

  private static Connection inLatin1(String database) throws SQLException {
    return Driver.MYSQL.connect(
        proxy.port(),
        database,
        RunningProxy.USER,
        RunningProxy.PASSWORD,
        "characterEncoding=windows-1252",
        "characterSetResults=windows-1252");
  }

  /** Another connection could not be told them: no literal of such bytes is one to a server. */
  @ParameterizedTest
  @ValueSource(strings = {NAME, "raw_shards"})
  void areNoTextOfUserVariables(String database) throws SQLException {
    try (Connection connection = inLatin1(database);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "SET character_set_client = utf8mb4, character_set_connection = utf8mb4, @a = 1");
      assertThatThrownBy(() -> statement.execute("SET @a = '\u00e9'"))
          .hasMessageContaining("AB2079: the user variable @a");
      statement.execute("SET @b = _binary'\u00e9'");
      try (ResultSet row = statement.executeQuery("SELECT @a, HEX(@b)")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getInt(1)).isEqualTo(1);
        assertThat(row.getString(2)).isEqualTo("E9");
      }
    }
  }

  /** Java has no letter for them, or no such letters at all. */
  @ParameterizedTest
  @ValueSource(strings = {NAME, "raw_shards"})
  void areTextsWhereServersHaveLettersForThem(String database) throws SQLException {
    try (Connection connection = inLatin1(database);
        Statement statement = connection.createStatement()) {
      for (String each : List.of("_sjis x'8740'", "_ascii x'80'", "_ucs2 x'D800'")) {
        statement.execute("SET @a = " + each);
        try (ResultSet row = statement.executeQuery("SELECT HEX(@a)")) {
          assertThat(row.next()).isTrue();
          assertThat(each).endsWith("x'" + row.getString(1) + "'");
        }
      }
    }
  }

  /** Names and errors come in the character set that the client has asked for. */
  @ParameterizedTest
  @ValueSource(strings = {NAME, "raw_shards"})
  void namesAreInTheClientsCharacterSet(String database) throws SQLException {
    try (Connection connection = inLatin1(database);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS t_blob");
      statement.execute("CREATE TABLE t_blob (id INT PRIMARY KEY, name VARCHAR(30), b BLOB)");
      statement.execute("INSERT INTO t_blob VALUES (1, 'é', ''), (2, 'ü', '')");
      try (ResultSet rows = statement.executeQuery("SELECT name AS `é` FROM t_blob ORDER BY id")) {
        assertThat(rows.getMetaData().getColumnLabel(1)).isEqualTo("é");
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(1)).isEqualTo("é");
      }
      assertThatThrownBy(() -> statement.execute("SELECT ü FROM t_blob ORDER BY id"))
          .hasMessageContaining("'ü'");
    }
  }

  private static void with(Connection connection, String sql, byte[] bytes) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 1; i <= statement.getParameterMetaData().getParameterCount(); i++) {
        statement.setBytes(i, bytes);
      }
      statement.execute();
    }
  }

  private static byte[] stored(Statement statement, int id) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT b FROM t_blob WHERE id = " + id)) {
      assertThat(row.next()).isTrue();
      return row.getBytes(1);
    }
  }

  private static byte[] everyByte() {
    byte[] bytes = new byte[256];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }
}
