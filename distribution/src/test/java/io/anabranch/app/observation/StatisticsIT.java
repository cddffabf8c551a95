package io.anabranch.app.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The schema {@code anabranch}: what the proxy knows, asked for as tables. */
@ExtendWith(MariaDbServers.Resolver.class)
class StatisticsIT {

  private static final String SCHEMA = "it_statistics";

  private static MariaDbServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) throws SQLException {
    server = servers.primaryA();
    for (int i = 0; i < 2; i++) {
      server.execute(
          "DROP DATABASE IF EXISTS " + SCHEMA + i,
          "CREATE DATABASE " + SCHEMA + i,
          "CREATE TABLE " + SCHEMA + i + ".t_order (id INT PRIMARY KEY, v VARCHAR(20))",
          "CREATE TABLE " + SCHEMA + i + ".t_conf (id INT PRIMARY KEY)");
    }
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: shop\ndataSources:\n"
                + RunningProxy.source("ds_0", server, SCHEMA + 0)
                + RunningProxy.source("ds_1", server, SCHEMA + 1)
                + """
                  rules:
                  - !SINGLE
                    tables: ["ds_0.t_conf"]
                  - !SHARDING
                    tables:
                      t_order:
                        actualDataNodes: ds_${0..1}.t_order
                        databaseStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: m } }
                    shardingAlgorithms:
                      m: { type: MOD, props: { sharding-count: 2 } }
                  """,
            "databaseName: nothing\ndataSources:\n"
                + RunningProxy.source("ds_0", server, SCHEMA + 0));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @BeforeEach
  void clear() throws SQLException {
    try (Connection client = proxy.connect("shop")) {
      run(client, "DELETE FROM t_order");
      run(client, "TRUNCATE anabranch.digests");
    }
  }

  private static void run(Connection client, String sql) throws SQLException {
    try (Statement statement = client.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Rows, cells between bars. */
  private static List<String> rows(Connection client, String sql) throws SQLException {
    try (Statement statement = client.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return read(rows);
    }
  }

  private static List<String> read(ResultSet rows) throws SQLException {
    var lines = new ArrayList<String>();
    int width = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      var cells = new ArrayList<String>();
      for (int i = 1; i <= width; i++) {
        cells.add(rows.getString(i));
      }
      lines.add(String.join("|", cells));
    }
    return lines;
  }

  @Test
  void countsWhatWasSent() throws SQLException {
    try (Connection client = proxy.connect("shop")) {
      run(client, "DELETE FROM t_order");
      for (int id = 0; id < 6; id++) {
        run(client, "INSERT INTO t_order VALUES (" + id + ", 'secret" + id + "')");
      }
      assertThatThrownBy(() -> run(client, "INSERT INTO t_order VALUES (1, 'again')"))
          .isInstanceOf(SQLException.class);
      rows(client, "SELECT v FROM t_order WHERE id IN (1, 2, 3)");
      rows(client, "select v from t_order where id in (4,5)");
      assertThat(
              rows(
                  client,
                  "SELECT digest_text, executions, errors, errors_by_errno, rows_sent,"
                      + " rows_affected, data_sources, relayed, merged, database_name"
                      + " FROM anabranch.digests WHERE digest_text LIKE '%t_order%'"
                      + " AND digest_text NOT LIKE '%digests%' ORDER BY digest_text"))
          .containsExactly(
              "DELETE FROM t_order|1|0||0|0|ds_0,ds_1|0|1|shop",
              "INSERT INTO t_order VALUES (...)|7|1|1062:1|0|6|ds_0,ds_1|7|0|shop",
              "SELECT v FROM t_order WHERE id IN (...)|2|0||5|0|ds_0,ds_1|0|2|shop");
      assertThat(rows(client, "SELECT * FROM anabranch.digests").toString())
          .contains("t_order")
          .doesNotContain("secret");
      assertThat(
              rows(
                  client,
                  "SELECT COUNT(*) FROM anabranch.digests WHERE min_ms > avg_ms OR avg_ms > max_ms"
                      + " OR p50_ms > p95_ms OR p95_ms > p99_ms OR p99_ms > max_ms + 0.001"
                      + " OR first_seen > last_seen OR LENGTH(digest) <> 32"))
          .containsExactly("0");
    }
  }

  @Test
  void rowsOfAllResultsAreCounted() throws SQLException {
    try (Connection client = proxy.connect("shop")) {
      fillConf(client);
      run(
          client,
          "CREATE OR REPLACE PROCEDURE p_rows() BEGIN SELECT id FROM t_conf; SELECT 1; UPDATE"
              + " t_conf SET id = id; SELECT id FROM t_conf WHERE id > 3; END");
      try (Statement call = client.createStatement()) {
        call.execute("CALL p_rows()");
        int rows = 0;
        do {
          try (ResultSet result = call.getResultSet()) {
            rows += result == null ? 0 : read(result).size();
          }
        } while (call.getMoreResults() || call.getUpdateCount() != -1);
        assertThat(rows).isEqualTo(8);
      }
      assertThat(counted(client, "CALL p_rows%")).containsExactly("1|0|8|ds_0");
      run(client, "DROP PROCEDURE p_rows");
    }
  }

  @Test
  void rowsInFrontOfAnErrorAreCounted() throws SQLException {
    try (Connection client = proxy.connect("shop")) {
      fillConf(client);
      run(client, "CREATE QUERY RULE few (MATCH(TABLES(shop.t_conf, shop.t_order)), MAX_ROWS = 2)");
      run(client, "REPLACE INTO t_order VALUES (1, 'x'), (2, 'x'), (3, 'x')");
      refused(client, "SELECT id FROM t_conf", 1104);
      refused(client, "SELECT id FROM t_order WHERE v = 'x'", 1104);
      run(client, "DROP QUERY RULE few");
      assertThat(counted(client, "SELECT id FROM t_conf")).containsExactly("1|1|2|ds_0");
      // what was merged is taken back: it fits into the buffer in front of the client
      assertThat(counted(client, "SELECT id FROM t_order%")).containsExactly("1|1|0|ds_0,ds_1");
    }
  }

  @Test
  void rowsOfCursorsAreCountedWhereTheyAreFetched() throws SQLException {
    try (Connection client =
        Driver.MYSQL.connect(
            proxy.port(),
            "shop",
            RunningProxy.USER,
            RunningProxy.PASSWORD,
            "useServerPrepStmts=true",
            "useCursorFetch=true")) {
      fillConf(client);
      run(client, "DELETE FROM t_order");
      run(client, "INSERT INTO t_order VALUES (1, 'c'), (2, 'c'), (3, 'c'), (4, 'c'), (5, 'c')");
      fetch(client, "SELECT id FROM t_conf WHERE id > ?", 0, Integer.MAX_VALUE);
      fetch(client, "SELECT id FROM t_order WHERE id > ?", 0, Integer.MAX_VALUE);
      // two at a time: the third makes the driver fetch again
      fetch(client, "SELECT id FROM t_conf WHERE id >= ?", 1, 3);
      fetch(client, "SELECT id FROM t_order WHERE id >= ?", 1, 3);
      run(client, "USE nothing");
      run(client, "USE shop");
      assertThat(counted(client, "SELECT id FROM t_conf WHERE id > ?"))
          .containsExactly("1|0|5|ds_0");
      assertThat(counted(client, "SELECT id FROM t_order WHERE id > ?"))
          .containsExactly("1|0|5|ds_0,ds_1");
      assertThat(counted(client, "SELECT id FROM t_conf WHERE id >= ?"))
          .containsExactly("1|0|4|ds_0");
      assertThat(counted(client, "SELECT id FROM t_order WHERE id >= ?"))
          .containsExactly("1|0|4|ds_0,ds_1");
    }
  }

  /** Reads so many rows of a cursor, two of which are fetched at a time, and closes it. */
  private static void fetch(Connection client, String sql, int value, int most)
      throws SQLException {
    try (PreparedStatement statement = client.prepareStatement(sql)) {
      statement.setFetchSize(2);
      statement.setInt(1, value);
      try (ResultSet rows = statement.executeQuery()) {
        int read = 0;
        while (read < most && rows.next()) {
          read++;
        }
      }
    }
  }

  @Test
  void tellsWhereAFileWentTo(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("orders"), "11\tfile\n12\tfile\n13\tfile\n");
    try (Connection client = proxy.connect("shop", "allowLocalInfile=true")) {
      run(client, "DELETE FROM t_order");
      run(client, "LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE t_order (id, v)");
      assertThat(rows(client, "SELECT COUNT(*) FROM t_order")).containsExactly("3");
      assertThat(counted(client, "LOAD DATA%")).containsExactly("1|0|0|ds_0,ds_1");
    }
  }

  private static void fillConf(Connection client) throws SQLException {
    run(client, "DELETE FROM t_conf");
    run(client, "INSERT INTO t_conf VALUES (1), (2), (3), (4), (5)");
  }

  private static List<String> counted(Connection client, String digest) throws SQLException {
    return rows(
        client,
        "SELECT executions, errors, rows_sent, data_sources FROM anabranch.digests WHERE"
            + " digest_text LIKE '"
            + digest
            + "' ORDER BY digest_text");
  }

  @Test
  void tellsWhereTheTimeWent() throws SQLException {
    try (Connection client = proxy.connect("shop")) {
      run(client, "REPLACE INTO t_order VALUES (1, 'x'), (2, 'x'), (3, 'x'), (4, 'x')");
      // whole answers of both: what is merged behind them waits for nobody
      rows(client, "SELECT id, SLEEP(0.1) FROM t_order ORDER BY id");
      rows(client, "SELECT v FROM t_order WHERE id = 1");
      assertThat(
              rows(
                  client,
                  "SELECT COUNT(*) FROM anabranch.data_sources"
                      + " WHERE database_name = 'shop' AND latency_ms > 0"))
          .isNotEqualTo(List.of("0"));
      assertThat(
              rows(
                  client,
                  "SELECT digest_text, merged, merge_ms > 0, lease_ms + 0 >= 0, database_ms > 0,"
                      + " write_ms = 0, strategies, ABS(total_ms - plan_ms - lease_ms - run_ms) < 0.01,"
                      + " ABS(run_ms - database_ms - merge_ms - write_ms) < 0.01"
                      + " FROM anabranch.digests WHERE digest_text LIKE '%t_order%'"
                      + " AND digest_text LIKE 'SELECT%' AND digest_text NOT LIKE '%digests%'"
                      + " ORDER BY merged DESC"))
          .containsExactly(
              "SELECT id, SLEEP(?) FROM t_order ORDER BY id|1|1|1|1|1|ordered-merge|1|1",
              "SELECT v FROM t_order WHERE id = ?|0|0|1|1|1||1|1");
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void preparedStatementsAreCountedWhereTheyRun(Driver driver) throws SQLException {
    try (Connection client =
        driver.connect(
            proxy.port(),
            "shop",
            RunningProxy.USER,
            RunningProxy.PASSWORD,
            driver.serverPrepare())) {
      try (PreparedStatement statement =
          client.prepareStatement("SELECT id FROM t_conf WHERE id = ?")) {
        for (int i = 0; i < 3; i++) {
          statement.setInt(1, i);
          statement.executeQuery().close();
        }
      }
      String asked =
          "SELECT executions FROM anabranch.digests WHERE digest_text LIKE ? AND database_name = ?";
      try (PreparedStatement statement = client.prepareStatement(asked)) {
        statement.setString(1, "SELECT id FROM t_conf%");
        statement.setString(2, "shop");
        for (int i = 0; i < 2; i++) {
          assertThat(read(statement.executeQuery())).containsExactly("3");
        }
      }
    }
  }

  @Test
  void tablesAreJoinedAndReadTwice() throws SQLException {
    try (Connection client = proxy.connect("shop");
        Connection other = proxy.connect("shop")) {
      run(other, "BEGIN");
      rows(other, "SELECT * FROM t_conf");
      String id = rows(other, "SELECT CONNECTION_ID()").getFirst();
      assertThat(
              rows(
                  client,
                  "SELECT s.user, s.data_source, s.state, s.backend_thread_id IS NOT NULL"
                      + " FROM anabranch.sessions s WHERE id = "
                      + id))
          .containsExactly("app|ds_0|Sleep|1");
      assertThat(
              rows(
                  client,
                  "SELECT DISTINCT d.digest_text FROM anabranch.digests d"
                      + " JOIN anabranch.sessions s ON s.database_name = d.database_name"
                      + " JOIN anabranch.digests e USING (digest)"
                      + " WHERE s.id = "
                      + id
                      + " AND d.digest_text LIKE 'SELECT * FROM t_conf%'"))
          .containsExactly("SELECT * FROM t_conf");
      assertThat(
              rows(
                  client,
                  "WITH d AS (SELECT executions n FROM anabranch.digests) SELECT MAX(n) > 0 FROM d"))
          .containsExactly("1");
      assertThat(
              rows(client, "SELECT sql_text FROM anabranch.sessions WHERE sql_text LIKE '%probe%'"))
          .singleElement()
          .asString()
          .contains("LIKE '%probe%'");
    }
  }

  @Test
  void tellsOfConnectionsAndTransactions() throws SQLException {
    try (Connection client = proxy.connect("shop");
        Connection other = proxy.connect("shop")) {
      String id = rows(other, "SELECT CONNECTION_ID()").getFirst();
      run(other, "BEGIN");
      run(other, "REPLACE INTO t_order VALUES (1, 'x'), (2, 'y')");
      assertThat(
              rows(
                  client,
                  "SELECT database_name, data_sources, participants, state, age_ms > 0"
                      + " FROM anabranch.transactions WHERE session_id = "
                      + id))
          .containsExactly("shop|ds_0,ds_1|2|idle|1");
      assertThat(
              rows(
                  client,
                  "SELECT l.data_source, d.state, d.connections_active > 0, d.server,"
                      + " l.backend_thread_id = s.backend_thread_id OR s.backend_thread_id LIKE '%,%'"
                      + " FROM anabranch.leases l"
                      + " JOIN anabranch.data_sources d USING (database_name, data_source)"
                      + " JOIN anabranch.sessions s ON s.id = l.session_id"
                      + " WHERE l.session_id = "
                      + id
                      + " ORDER BY 1"))
          .containsExactly(
              "ds_0|ONLINE|1|127.0.0.1:" + server.port() + "|1",
              "ds_1|ONLINE|1|127.0.0.1:" + server.port() + "|1");
      assertThat(rows(client, "SHOW PROCESSLIST"))
          .anyMatch(
              row -> row.startsWith(id + "|") && row.matches(".*\\|ds_0:\\d+ ds_1:\\d+\\|.*"));
      run(other, "ROLLBACK");
      assertThat(rows(client, "SELECT * FROM anabranch.transactions WHERE session_id = " + id))
          .isEmpty();
    }
  }

  @Test
  void whatAClientSaysOfItselfSpoilsNothing() throws SQLException {
    String program = "p".repeat(300);
    try (Connection client =
        proxy.connect("shop", "connectionAttributes=program_name:" + program)) {
      assertThat(rows(client, "SELECT program FROM anabranch.sessions WHERE id = CONNECTION_ID()"))
          .containsExactly(program.substring(0, 255));
    }
  }

  @Test
  void tellsOfPlansAndVersions() throws SQLException {
    try (Connection client = proxy.connect("shop")) {
      rows(client, "SELECT v FROM t_order WHERE id = 1 AND v <> 'plan'");
      assertThat(
              rows(
                  client,
                  "SELECT database_name, kind, access FROM anabranch.plans"
                      + " WHERE digest_text = 'SELECT v FROM t_order WHERE id = ? AND v <> ?'"))
          .containsExactly("shop|select|read");
      assertThat(rows(client, "SELECT version, is_current FROM anabranch.configuration_versions"))
          .containsExactly("1|1");
    }
  }

  @Test
  void isASchemaLikeOthers() throws SQLException {
    try (Connection client = proxy.connect("")) {
      assertThat(rows(client, "SHOW DATABASES")).doesNotContain("anabranch");
      assertThat(rows(client, "SHOW TABLES FROM anabranch")).contains("digests", "sessions");
      assertThat(rows(client, "DESC anabranch.digests"))
          .contains("executions|bigint(20)|YES||null|");
      assertThat(rows(client, "SHOW COLUMNS FROM digests FROM anabranch LIKE 'digest_t%'"))
          .containsExactly("digest_text|varchar(1024)|YES||null|");
      assertThat(rows(client, "SHOW CREATE TABLE anabranch.leases"))
          .singleElement()
          .asString()
          .startsWith("leases|CREATE TABLE `leases` (`database_name` VARCHAR(64)");
      run(client, "USE anabranch");
      assertThat(rows(client, "SHOW CREATE TABLE leases")).hasSize(1);
      assertThat(rows(client, "SELECT DATABASE()")).containsExactly("anabranch");
      assertThat(rows(client, "SHOW TABLES LIKE 'dig%'")).containsExactly("digests");
      assertThat(rows(client, "SELECT COUNT(*) > 0 FROM digests")).containsExactly("1");
      assertThat(rows(client, "SELECT digests.digest_text FROM digests LIMIT 1")).hasSize(1);
      assertThat(rows(client, "SELECT anabranch.digests.digest FROM anabranch.digests LIMIT 1"))
          .hasSize(1);
      assertThat(
              rows(client, "SELECT`anabranch`.`digests`.digest FROM`anabranch`.`digests`LIMIT 1"))
          .as("quotes end words")
          .hasSize(1);
      run(client, "USE shop");
      assertThat(rows(client, "SELECT 1 AS anabranch")).containsExactly("1");
    }
  }

  @Test
  void isSelectedByWhoConnects() throws SQLException {
    for (Driver driver : Driver.values()) {
      try (Connection client =
          driver.connect(proxy.port(), "anabranch", RunningProxy.USER, RunningProxy.PASSWORD)) {
        assertThat(rows(client, "SELECT DATABASE()")).containsExactly("anabranch");
        assertThat(rows(client, "SELECT COUNT(*) > 0 FROM sessions")).containsExactly("1");
        run(client, "TRUNCATE digests");
        assertThat(rows(client, "SELECT COUNT(*) < 3 FROM digests")).containsExactly("1");
        refused(client, "CREATE TABLE t_new (id INT)", 1142);
      }
      assertThatThrownBy(
              () -> driver.connect(proxy.port(), "anabranch", "narrow", "narrow-secret").close())
          .isInstanceOfSatisfying(
              SQLException.class, denied -> assertThat(denied.getErrorCode()).isEqualTo(1044));
    }
  }

  @Test
  void nothingIsDoneToTheDatabaseThatWasSelectedBefore() throws SQLException {
    try (Connection client = proxy.connect("shop")) {
      fillConf(client);
      for (String schema : List.of("anabranch", "information_schema")) {
        run(client, "USE " + schema);
        for (String sql :
            List.of(
                "INSERT INTO t_conf (id) VALUES (77)",
                "INSERT INTO t_conf VALUES (77)",
                "REPLACE t_conf (id) VALUES (77)",
                "UPDATE t_conf SET id = 77 WHERE id = 1",
                "DELETE FROM t_conf",
                "DELETE t_conf FROM t_conf",
                "TRUNCATE t_conf",
                "TRUNCATE TABLE t_conf",
                "DROP TABLE IF EXISTS t_conf",
                "ALTER TABLE t_conf ADD v INT",
                "RENAME TABLE t_conf TO t_other",
                "CREATE INDEX i ON t_conf (id)",
                "CREATE TABLE t_new (id INT)",
                "CREATE TABLE IF NOT EXISTS t_new (id INT)",
                "CREATE PROCEDURE p_new() SELECT 1",
                "HANDLER t_conf OPEN",
                "LOCK TABLES t_conf READ")) {
          assertThatThrownBy(() -> run(client, sql)).as(sql).isInstanceOf(SQLException.class);
        }
        run(client, "USE shop");
        assertThat(rows(client, "SELECT id FROM t_conf ORDER BY id"))
            .as(schema)
            .containsExactly("1", "2", "3", "4", "5");
        assertThat(rows(client, "SHOW TABLES LIKE 't_new'")).isEmpty();
        assertThat(rows(client, "SHOW INDEX FROM t_conf")).hasSize(1);
      }
    }
  }

  @Test
  void whatWasPreparedStaysWithItsDatabase() throws SQLException {
    try (Connection client =
        Driver.MYSQL.connect(
            proxy.port(),
            "shop",
            RunningProxy.USER,
            RunningProxy.PASSWORD,
            Driver.MYSQL.serverPrepare())) {
      fillConf(client);
      try (PreparedStatement read = client.prepareStatement("SELECT id FROM t_conf WHERE id > ?");
          PreparedStatement write = client.prepareStatement("DELETE FROM t_conf WHERE id = ?")) {
        run(client, "USE information_schema");
        write.setInt(1, 1);
        assertThat(write.executeUpdate()).isEqualTo(1);
        read.setInt(1, 3);
        assertThat(read(read.executeQuery())).containsExactly("4", "5");
      }
    }
  }

  @Test
  void isEmptiedByTruncate() throws SQLException {
    try (Connection client = proxy.connect("shop")) {
      rows(client, "SELECT v FROM t_order WHERE id = 1 AND v <> 'kept plan'");
      String plans = "SELECT COUNT(*) FROM anabranch.plans WHERE digest_text LIKE '%v <> ?'";
      assertThat(rows(client, plans)).isNotEqualTo(List.of("0"));
      run(client, "TRUNCATE anabranch.plans");
      assertThat(rows(client, plans)).containsExactly("0");
      run(client, "TRUNCATE anabranch.limits");
    }
  }

  @Test
  void tellsWhatThereIsNot() throws SQLException {
    try (Connection client = proxy.connect("shop")) {
      refused(client, "SELECT * FROM anabranch.nothing", 1146);
      refused(client, "SELECT nothing FROM anabranch.digests", 1054);
      refused(client, "DELETE FROM anabranch.digests", 1142);
      refused(client, "TRUNCATE anabranch.sessions", 1142);
      refused(client, "SELECT * FROM anabranch.digests d, t_conf", 1235);
    }
  }

  @Test
  void isForAdministrators() throws SQLException {
    try (Connection client =
        Driver.MARIADB.connect(proxy.port(), "nothing", "narrow", "narrow-secret")) {
      assertThat(rows(client, "SHOW DATABASES")).doesNotContain("anabranch");
      refused(client, "SELECT * FROM anabranch.digests", 1142);
      refused(client, "TRUNCATE anabranch.digests", 1142);
      refused(client, "SHOW TABLES FROM anabranch", 1044);
      refused(client, "USE anabranch", 1044);
      refused(client, "DESC anabranch.digests", 1142);
      refused(client, "SHOW CREATE TABLE anabranch.digests", 1142);
    }
  }

  private static void refused(Connection client, String sql, int errno) {
    assertThatThrownBy(() -> run(client, sql))
        .as(sql)
        .isInstanceOfSatisfying(
            SQLException.class, refusal -> assertThat(refusal.getErrorCode()).isEqualTo(errno));
  }
}
