package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No path shows a masked value to a user for whom it is masked: in a database whose statements pass
 * through and in a sharded one, in both protocols.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class MaskIT {

  private static final String PLAIN = "it_mask";
  private static final String SHARDED = "it_mask_sharded";
  private static final String BESIDE = "it_mask_beside";

  /** What nobody may see but the auditor: in all rows, and in nothing else. */
  private static final String SECRET = "5550";

  private static final List<String> SHOWN =
      List.of(
          "SELECT * FROM t_user ORDER BY id",
          "SELECT phone FROM t_user WHERE id = 1",
          "SELECT id, phone, pin FROM t_user ORDER BY id",
          "SELECT u.*, u.id + 1 AS n FROM t_user u ORDER BY id",
          "SELECT phone AS p, name FROM t_user ORDER BY id LIMIT 3",
          "SELECT t_user.phone 'name of a column' FROM t_user WHERE id IN (1, 2)",
          "SELECT DISTINCT phone FROM t_user WHERE id < 3",
          "SELECT * FROM (SELECT id, phone AS p FROM t_user) d ORDER BY id",
          "SELECT phone p FROM t_user ORDER BY id",
          "SELECT `phone` p, u.phone q, phone AS r FROM t_user u WHERE id = 1",
          "SELECT phone `p` FROM t_user WHERE id = 1",
          "SELECT d.p q FROM (SELECT phone p, id FROM t_user) d WHERE p = '55503' OR id = 1",
          "WITH d AS (SELECT phone p FROM t_user) SELECT p q FROM d",
          "SELECT d.p FROM (SELECT phone AS p FROM t_user LIMIT 2) AS d",
          "SELECT u.pin FROM t_user u JOIN t_key k ON k.id = u.id",
          "SELECT d.\u043f FROM (SELECT phone AS \u043f FROM t_user LIMIT 2) d",
          "SELECT x.phone, o.item FROM t_order o JOIN t_user x ON o.id = x.id ORDER BY o.id",
          "SELECT * FROM t_order o JOIN t_user u ON o.id = u.id ORDER BY o.id",
          "SELECT `phone`, COUNT(*) OVER () FROM t_user WHERE id = 2",
          "SELECT * FROM t_user WHERE EXISTS (SELECT * FROM t_order o WHERE o.id = t_user.id)",
          "SELECT phone FROM t_user WHERE id = 1 FOR UPDATE",
          "SELECT id, phone FROM t_user WHERE phone = '55502'",
          "SELECT * FROM t_user WHERE (id > 0 AND (t_user.phone IN ('55501', '55503'))) ORDER BY id",
          "SELECT phone FROM t_user u WHERE u.phone <> '55501' AND phone IS NOT NULL ORDER BY id LIMIT 2",
          "SELECT d.p FROM (SELECT id, phone AS p FROM t_user) d WHERE d.p = '55504' OR d.id = 1",
          "WITH d AS (SELECT id, phone FROM t_user) SELECT * FROM d ORDER BY id",
          "WITH d (x, y) AS (SELECT id, phone FROM t_user) SELECT y FROM d ORDER BY x",
          "WITH a AS (SELECT phone AS p FROM t_user), b AS (SELECT p AS q FROM a) SELECT q FROM b",
          "SELECT * FROM (WITH a AS (SELECT id, phone FROM t_user) SELECT phone AS z, id FROM a) d ORDER BY id",
          "(SELECT phone FROM t_user WHERE id = 1)",
          "SELECT phone FROM t_user WHERE id = 1 UNION ALL SELECT phone FROM t_user WHERE id = 2",
          "SELECT id, phone AS p FROM t_user WHERE id = 1 UNION SELECT u.id, u.phone FROM t_user u WHERE id = 3",
          "(SELECT phone FROM t_user WHERE id = 1) UNION ALL (SELECT phone FROM t_user WHERE phone = '55503' LIMIT 1)",
          "SELECT NULL AS x, 1 AS y UNION ALL SELECT phone, 2 FROM t_user WHERE id = 1",
          "SELECT d.p FROM (SELECT phone AS p FROM t_user UNION ALL SELECT NULL) d WHERE d.p IS NOT NULL",
          "SELECT * FROM v_user ORDER BY id",
          "SELECT v.* FROM v_user v JOIN t_order o ON o.id = v.id ORDER BY v.id",
          "WITH d AS (SELECT * FROM v_of_view) SELECT * FROM d");

  private static final List<String> REFUSED =
      List.of(
          "SELECT UPPER(phone) FROM t_user",
          "SELECT UPPER(p\u0130n) FROM t_user",
          "CREATE UNIQUE INDEX told ON t_user (phone)",
          "SELECT CONCAT(phone, '') FROM t_user",
          "SELECT phone + 0 FROM t_user",
          "SELECT -phone FROM t_user",
          "SELECT (phone) FROM t_user",
          "SELECT id, (SELECT phone FROM t_user LIMIT 1) FROM t_order",
          "SELECT MAX(phone) FROM t_user",
          "SELECT GROUP_CONCAT(phone) FROM t_user",
          "SELECT JSON_ARRAYAGG(phone) FROM t_user",
          "SELECT id FROM t_user WHERE phone LIKE '5%'",
          "SELECT id FROM t_user WHERE pin = 55501",
          "SELECT id FROM t_user WHERE id BETWEEN 0 AND phone = '1'",
          "SELECT id FROM t_user WHERE NOT phone = '1'",
          "SELECT id FROM t_user WHERE phone = '1' COLLATE utf8mb4_bin",
          "SELECT id FROM t_user WHERE phone = 'a' + 0",
          "SELECT id FROM t_user WHERE phone IN ('1', 2)",
          "SELECT id FROM t_user WHERE phone IN (name)",
          "SELECT id FROM t_user WHERE phone > '5'",
          "SELECT id FROM t_user WHERE IF(id = 1 AND phone = '1', 1, phone)",
          "SELECT id FROM t_user WHERE 1 = -(phone = '1')",
          "SELECT id FROM t_user HAVING phone = '1' > 0",
          "SELECT id FROM t_user ORDER BY phone",
          "SELECT id, phone FROM t_user ORDER BY 2",
          "SELECT phone AS p FROM t_user ORDER BY p",
          "SELECT phone FROM t_user GROUP BY phone",
          "SELECT phone p, COUNT(*) FROM t_user GROUP BY p",
          "SELECT id FROM t_user HAVING phone > '5'",
          "SELECT UPPER(d.p) FROM (SELECT phone AS p FROM t_user) d",
          "SELECT UPPER(d.p) FROM (SELECT phone p FROM t_user) d",
          "SELECT BINARY p FROM (SELECT phone p FROM t_user) d",
          "SELECT phone p, UPPER(p) FROM t_user",
          "SELECT phone pin FROM t_user",
          "SELECT * FROM (SELECT phone AS p FROM t_user) d WHERE p LIKE '5%'",
          "SELECT * FROM (SELECT p AS q FROM (SELECT phone p FROM t_user) a) b ORDER BY q",
          "SELECT name FROM t_user UNION SELECT phone FROM t_user",
          "SELECT id FROM t_user a NATURAL JOIN t_user b",
          "SELECT a.id FROM t_user a JOIN t_user b USING (phone)",
          "SELECT o.id FROM t_order o JOIN t_user u ON o.item = u.phone",
          "SELECT id FROM t_order WHERE item IN (SELECT phone FROM t_user)",
          "SELECT id FROM t_order WHERE (SELECT * FROM (SELECT phone FROM t_user) x LIMIT 1) = '1'",
          "SELECT @a := phone FROM t_user",
          "SELECT phone INTO @a FROM t_user WHERE id = 1",
          "SELECT phone FROM t_user WHERE id = 1 INTO @a",
          "SELECT phone INTO OUTFILE '/tmp/it_mask' FROM t_user",
          "SELECT phone FROM t_user PROCEDURE ANALYSE()",
          "SELECT item FROM t_order UNION ALL SELECT phone FROM t_user",
          "SELECT phone FROM t_user UNION ALL SELECT item FROM t_order",
          "SELECT phone FROM t_user UNION ALL SELECT phone FROM t_guess",
          "SELECT phone FROM t_user UNION ALL SELECT pin FROM t_user",
          "SELECT phone FROM t_user UNION ALL SELECT CONCAT('5', id) AS phone FROM t_user",
          "SELECT phone FROM t_user u JOIN t_guess g ON g.id = u.id UNION ALL SELECT phone FROM t_user",
          "SELECT * FROM t_user UNION ALL SELECT * FROM t_user",
          "SELECT NOT id FROM t_user UNION ALL SELECT phone FROM t_user",
          "SELECT INTERVAL(1) id UNION ALL SELECT phone FROM t_user",
          "SELECT phone FROM t_user INTERSECT SELECT item FROM t_order",
          "SELECT id FROM t_user UNION ALL SELECT id FROM t_user ORDER BY 1",
          "VALUES ROW('a') UNION ALL SELECT phone FROM t_user",
          "WITH t_user AS (SELECT 1 AS phone) SELECT phone FROM t_user UNION ALL SELECT phone FROM t_key",
          "WITH RECURSIVE d AS (SELECT 1 AS p UNION ALL SELECT phone FROM t_user) SELECT p FROM d",
          "WITH d AS (SELECT phone AS p FROM t_user) SELECT UPPER(p) FROM d",
          "WITH d (x) AS (SELECT phone FROM t_user) SELECT UPPER(x) FROM d",
          "WITH d (x) AS (SELECT phone FROM t_user) SELECT id FROM t_order WHERE item IN (SELECT x FROM d)",
          "WITH d AS (SELECT phone FROM t_user) SELECT id FROM t_order WHERE (1) < (SELECT * FROM d LIMIT 1)",
          "WITH d (phone, pin) AS (SELECT pin, phone FROM t_user) SELECT phone FROM d",
          "SELECT CONCAT(v.p, v.phone) FROM v_user v",
          "SELECT * FROM v_telling",
          "UPDATE v_user SET id = 9 WHERE id = 1",
          "INSERT INTO t_order SELECT * FROM v_user",
          "EXPLAIN SELECT * FROM v_user",
          "CREATE TABLE t_copy AS SELECT * FROM v_user",
          "SELECT it_mask_f()",
          "SELECT `it_mask_f`()",
          "SELECT id FROM t_order WHERE item = it_mask_f()",
          "SELECT * FROM v_other",
          "SELECT * FROM it_mask_beside.v_farther",
          "SET @a = (SELECT phone FROM t_user WHERE id = 1)",
          "SET @a = 1, @b = CONCAT('x', (SELECT p FROM v_user LIMIT 1))",
          "SET sql_mode = (SELECT phone FROM t_user WHERE id = 1)",
          "SET @a = it_mask_f()",
          "KILL (SELECT pin FROM t_user WHERE id = 1)",
          "DO (SELECT phone FROM t_user WHERE id = 1)",
          "CALL it_mask_p()",
          "HANDLER t_user OPEN",
          "INSERT INTO t_order SELECT id + 90, phone FROM t_user",
          "INSERT INTO t_order VALUES (91, (SELECT phone FROM t_user WHERE id = 1))",
          "INSERT INTO t_user (id, name) VALUES (1, 'x') ON DUPLICATE KEY UPDATE name = phone",
          "REPLACE INTO t_order SELECT id, phone FROM t_user",
          "UPDATE t_user SET name = phone",
          "UPDATE t_user SET name = CONCAT(phone, 'x') WHERE id = 1",
          "UPDATE t_user SET name = 'x' WHERE phone LIKE '5%'",
          "UPDATE t_order o JOIN t_user u ON o.id = u.id SET o.item = u.phone",
          "UPDATE t_order SET item = (SELECT phone FROM t_user WHERE id = 1)",
          "UPDATE t_user SET name = 'x' WHERE phone = 5",
          "DELETE FROM t_user WHERE phone = 5 AND id = 0",
          "DELETE FROM t_user ORDER BY pin LIMIT 0",
          "CREATE TABLE t_copy AS SELECT * FROM t_user",
          "CREATE TABLE t_copy SELECT phone AS p FROM t_user",
          "CREATE TEMPORARY TABLE t_copy SELECT * FROM t_user",
          "CREATE VIEW v_mine AS SELECT * FROM t_user",
          "ALTER TABLE t_user RENAME COLUMN phone TO p",
          "ALTER TABLE t_user ADD c VARCHAR(20) AS (phone)",
          "RENAME TABLE t_user TO t_other",
          "EXPLAIN SELECT phone FROM t_user WHERE id = 1",
          "EXPLAIN FORMAT=JSON SELECT * FROM t_user WHERE id = 1",
          "CHECKSUM TABLE t_user",
          "SELECT id FROM t_order WHERE (1, 'name 1', '6', 1) > (SELECT /*+ NO_X() */ * FROM t_user LIMIT 1)",
          "SELECT id, phone FROM t_user ORDER BY /*+ x */ 2",
          "SELECT id, phone FROM t_user ORDER BY (2)",
          "SELECT it_mask_f /*+ x */ ()",
          "SET @a = (/*+ x */ SELECT phone FROM t_user WHERE id = 1)",
          "SET @a = (/*!50000 */ SELECT phone FROM t_user WHERE id = 1)",
          "SELECT 1 /*!999999 ' */, UPPER(phone) FROM t_user -- '",
          "SELECT id FROM t_order WHERE (1, 'name 1', '6', 1) > (TABLE t_user LIMIT 1)",
          "UPDATE t_order SET item = (SELECT a FROM (SELECT 1 i, 2 n, 3 a, 4 p UNION ALL TABLE t_user LIMIT 1) d)",
          "UPDATE t_order SET item = (SELECT a FROM (SELECT 1 i, 2 n, 3 a, 4 p UNION ALL SELECT * /*+ x */ FROM t_user LIMIT 1) d)",
          "SELECT UPPER(d.OFFSET) FROM (SELECT phone OFFSET FROM t_user) d",
          "SELECT UPPER(ph\u00f6ne) FROM t_user",
          "SELECT UPPER(`phone `) FROM t_user",
          "SELECT UPPER(phone) FROM `#mysql50#t_user`",
          "SELECT UPPER(phone) FROM t_user\u00a0x",
          "CREATE TABLE t_copy (id INT, z INT) ENGINE = 'MRG_MYISAM' UNION = (t_user)",
          "CREATE INDEX told ON t_user (phone)",
          "SELECT id FROM t_user FORCE INDEX (PRIMARY)",
          "SELECT /*+ INDEX(t_user PRIMARY) */ id, phone FROM t_user",
          "SELECT /*+ ORDER_INDEX(t_user PRIMARY) */ id, phone FROM t_user",
          "SELECT /*+ NO_RANGE_OPTIMIZATION(t_user) */ id, phone FROM t_user",
          "EXPLAIN FOR CONNECTION 1",
          "CREATE TABLE t_child (p VARCHAR(30), FOREIGN KEY (p) REFERENCES t_user (phone) ON UPDATE CASCADE)",
          "UPDATE t_key SET tenant = 2 WHERE id = 1",
          "UPDATE t_key SET tenant := 2 WHERE id = 1",
          "INSERT INTO t_key (id) VALUES (1) ON DUPLICATE KEY UPDATE tenant := 2",
          "UPDATE t_key SET tenant = 2, pin = 8 WHERE id = 1",
          "INSERT INTO t_key (id) VALUES (1) ON DUPLICATE KEY UPDATE tenant = 2",
          "INSERT IGNORE INTO t_key (id) VALUES (1) ON DUPLICATE KEY UPDATE T_Key.`Tenant` = 2",
          "SHOW ENGINE INNODB STATUS",
          "SELECT * FROM information_schema.optimizer_trace",
          "SELECT lock_data FROM performance_schema.data_locks",
          "SELECT info FROM information_schema.processlist",
          "SELECT * FROM performance_schema . `threads`",
          "SELECT * FROM sys.session",
          "CREATE TABLE t_copy TABLE t_user",
          "CREATE TABLE IF NOT EXISTS t_copy (TABLE t_user)",
          "EXPLAIN INTO @a SELECT * FROM t_user WHERE id = 1",
          "EXPLAIN TABLE t_user",
          "DESC t_user phone, phone",
          "SHOW COLUMNS FROM t_user WHERE (SELECT phone FROM t_user LIMIT 1) = '1'",
          "SHOW TABLES WHERE (SELECT phone LIKE '5%' FROM t_user LIMIT 1)",
          "SHOW TABLES WHERE 1 = 0 UNION SELECT phone, '' FROM t_user_0",
          "SHOW FULL TABLES WHERE 1 = 0 UNION ALL SELECT phone, '', '' FROM (t_user_0)",
          "SHOW TABLE STATUS WHERE 0 UNION VALUES (1), (2)",
          "SHOW INDEX FROM t_user WHERE 0 UNION TABLE t_user_0",
          "SHOW TABLES WHERE (WITH p AS (TABLE t_user_0) SELECT COUNT(*) FROM p) > 0",
          "UPDATE t_guess NATURAL JOIN t_user SET t_guess.hit = t_user.id",
          "DELETE t_guess FROM t_guess NATURAL JOIN t_user",
          "UPDATE t_guess SET hit = 1 WHERE EXISTS (SELECT 1 FROM t_user NATURAL JOIN t_order)",
          "SELECT id FROM t_order WHERE (1, 1, 'name 1', '6', 1) > (SELECT NEXT VALUE FOR s, u.* FROM t_user u LIMIT 1)",
          "SELECT NEXT VALUE FOR s, UPPER(phone) FROM t_user",
          "SELECT id FROM t_user PARTITION (p0)",
          "DELETE FROM t_user PARTITION (p0) WHERE id = 0",
          "SELECT phone, id FROM t_user ORDER BY TRUE",
          "SELECT phone, id FROM t_user ORDER BY 0x02",
          "SELECT * FROM (SELECT pin AS phone FROM t_user LIMIT 9) d",
          "SELECT pin phone FROM t_user",
          "SELECT u.phone FROM t_user u JOIN t_key k ON k.id = u.id",
          "SELECT * FROM t_user u JOIN t_key k ON k.id = u.id",
          "SELECT UPPER(d.phone2) FROM (SELECT phone AS ph\u00f6ne2 FROM t_user) d",
          "SELECT d.\ud835\udc9c FROM (SELECT phone AS \ud835\udc9c FROM t_user LIMIT 9) d",
          "CREATE TABLE t_copy (id INT) ENGINE = OQGRAPH",
          "CREATE TABLE t_copy (id INT) ENGINE SPIDER");

  /** The statements, and whether they are allowed. */
  private static final List<String> WRITTEN =
      List.of(
          "INSERT INTO t_user (id, name, phone, pin) VALUES (50, 'n', 'p', 1)",
          "INSERT INTO t_user (id, phone) VALUES (50, 'q') ON DUPLICATE KEY UPDATE phone = VALUES(phone)",
          "UPDATE t_user SET phone = 'r', t_user.pin = 7 WHERE id = 50",
          "UPDATE t_user SET name = 's' WHERE phone = 'r' AND id = 50",
          "DELETE FROM t_user WHERE id = 50",
          "UPDATE t_key SET tenant = 3, phone = 'known' WHERE id = 1",
          "UPDATE t_key SET note = 'moved in no key' WHERE id = 1",
          "INSERT INTO t_key (id, tenant, phone) VALUES (7, 1, '1') ON DUPLICATE KEY UPDATE note = 'n'");

  @TempDir static Path temporary;
  private static DatabaseServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) throws IOException {
    server = servers.primaryA();
    String columns =
        " (id INT PRIMARY KEY, name VARCHAR(30), phone VARCHAR(30), pin INT) CHARACTER SET utf8mb4";
    String orders = " (id INT PRIMARY KEY, item VARCHAR(30)) CHARACTER SET utf8mb4";
    for (String schema : List.of(PLAIN, SHARDED)) {
      server.execute(
          "DROP DATABASE IF EXISTS " + schema,
          "CREATE DATABASE " + schema,
          "CREATE FUNCTION " + schema + ".it_mask_f() RETURNS INT DETERMINISTIC RETURN 1",
          "CREATE PROCEDURE " + schema + ".it_mask_p() SELECT 1");
    }
    server.execute(
        "DROP DATABASE IF EXISTS " + BESIDE,
        "CREATE DATABASE " + BESIDE,
        "CREATE TABLE it_mask.t_user" + columns,
        "CREATE TABLE it_mask.t_order" + orders,
        "CREATE TABLE it_mask_sharded.t_user_0" + columns,
        "CREATE TABLE it_mask_sharded.t_user_1" + columns,
        "CREATE TABLE it_mask_sharded.t_order_0" + orders,
        "CREATE TABLE it_mask_sharded.t_order_1" + orders,
        "CREATE VIEW it_mask.v_user AS SELECT id, phone AS p FROM it_mask.t_user",
        "CREATE VIEW it_mask.v_of_view AS SELECT p FROM it_mask.v_user",
        "CREATE VIEW it_mask.v_telling AS SELECT UPPER(phone) AS p FROM it_mask.t_user",
        "CREATE VIEW it_mask_sharded.v_telling AS SELECT id FROM it_mask_sharded.t_user_0 ORDER BY phone",
        "CREATE VIEW it_mask_sharded.v_user AS SELECT id, phone FROM it_mask_sharded.t_user_0",
        "CREATE VIEW it_mask_sharded.v_of_view AS SELECT phone FROM it_mask_sharded.v_user");
    String keys =
        " (id INT PRIMARY KEY, tenant INT, phone VARCHAR(30), pin INT, note VARCHAR(30),"
            + " UNIQUE KEY told (tenant, phone)) CHARACTER SET utf8mb4";
    server.execute(
        "CREATE TABLE it_mask.t_key" + keys,
        "CREATE TABLE it_mask_sharded.t_key_0" + keys,
        "CREATE TABLE it_mask_sharded.t_key_1" + keys,
        "INSERT INTO it_mask.t_key VALUES (1, 1, '55501', 1, ''), (3, 2, '55501', 1, '')",
        "CREATE TABLE it_mask.t_guess (id INT PRIMARY KEY, phone VARCHAR(30), hit INT)",
        "CREATE TABLE it_mask_sharded.t_guess (id INT PRIMARY KEY, phone VARCHAR(30), hit INT)",
        "INSERT INTO it_mask_sharded.t_key_1 VALUES (1, 1, '55501', 1, ''), (3, 2, '55501', 1, '')",
        "CREATE VIEW it_mask_beside.v_far AS SELECT phone FROM it_mask.t_user",
        "CREATE VIEW it_mask_beside.v_farther AS SELECT phone FROM it_mask_beside.v_far",
        "CREATE VIEW it_mask_sharded.v_other AS SELECT phone FROM it_mask_beside.v_farther",
        "CREATE VIEW it_mask.v_other AS SELECT phone FROM it_mask_beside.v_farther");
    for (int id = 1; id <= 4; id++) {
      String user = " VALUES (%d, 'name %d', '5550%d', 5550%d)".formatted(id, id, id, id);
      String order = " VALUES (%d, 'item %d')".formatted(id, id);
      server.execute(
          "INSERT INTO it_mask.t_user" + user,
          "INSERT INTO it_mask.t_order" + order,
          "INSERT INTO it_mask_sharded.t_user_" + id % 2 + user,
          "INSERT INTO it_mask_sharded.t_order_" + id % 2 + order);
    }
    var folder = new ReloadFolder(temporary);
    folder.write(
        "global.yaml",
        """
        authority:
          users:
          - { user: "%s@%%", password: %s, admin: true }
          - { user: clerk, password: clerk }
          - { user: auditor, password: auditor }
          privilege: { type: ALL_PERMITTED }
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2 }
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD));
    String mask =
        """
        - !MASK
          tables:
            t_user:
              columns:
                phone: { maskAlgorithm: stars }
                pin: { maskAlgorithm: digest }
            t_key:
              columns:
                phone: { maskAlgorithm: digest }
          maskAlgorithms:
            stars: { type: KEEP_FIRST_N_LAST_M, props: { first-n: 1, last-m: 1, replace-char: '*' } }
            digest: { type: MD5 }
          users: [auditor]
        """;
    folder.write(
        "database-0.yaml",
        "databaseName: it_mask\ndataSources:\n"
            + ReloadFolder.source("ds_0", server, PLAIN, 10)
            + "rules:\n"
            + mask);
    folder.write(
        "database-1.yaml",
        "databaseName: it_mask_sharded\ndataSources:\n"
            + ReloadFolder.source("ds_0", server, SHARDED, 10)
            + """
            rules:
            - !SHARDING
              tables:
                t_user:
                  actualDataNodes: ds_0.t_user_${0..1}
                  tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
                t_key:
                  actualDataNodes: ds_0.t_key_${0..1}
                  tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
                t_order:
                  actualDataNodes: ds_0.t_order_${0..1}
                  tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
              bindingTables: ["t_user,t_order"]
              shardingAlgorithms: { two: { type: MOD, props: { sharding-count: 2 } } }
            """
            + mask);
    folder.write("database-2.yaml", RunningProxy.passThrough(BESIDE, server));
    proxy = RunningProxy.startFrom(temporary);
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static Connection connect(String user, String schema, boolean binary)
      throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mariadb://127.0.0.1:%d/%s?useServerPrepStmts=%s"
            .formatted(proxy.port(), schema, binary),
        user,
        user);
  }

  /** Each with both databases and protocols. */
  static Stream<Arguments> shown() {
    return SHOWN.stream()
        .flatMap(
            sql ->
                Stream.of(PLAIN, SHARDED)
                    .flatMap(
                        schema ->
                            Stream.of(false, true)
                                .map(binary -> Arguments.of(schema, binary, sql))));
  }

  private static List<List<String>> rows(Connection client, String sql, int... values)
      throws SQLException {
    try (PreparedStatement statement = client.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setInt(i + 1, values[i]);
      }
      return rows(statement);
    }
  }

  private static List<List<String>> rows(PreparedStatement statement) throws SQLException {
    var rows = new ArrayList<List<String>>();
    try (ResultSet result = statement.executeQuery()) {
      int width = result.getMetaData().getColumnCount();
      while (result.next()) {
        var row = new ArrayList<String>();
        for (int column = 1; column <= width; column++) {
          row.add(String.valueOf(result.getString(column)));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  /** What is masked for the one is plain for the other, and all else is alike. */
  @ParameterizedTest
  @MethodSource("shown")
  void masksWhatIsShown(String schema, boolean binary, String sql) throws SQLException {
    List<List<String>> masked;
    List<List<String>> plain;
    try (Connection clerk = connect("clerk", schema, binary);
        Connection auditor = connect("auditor", schema, binary)) {
      masked = rows(clerk, sql);
      plain = rows(auditor, sql);
    }
    assertThat(plain.toString()).contains(SECRET);
    assertThat(masked.toString()).doesNotContain(SECRET);
    assertThat(masked).hasSameSizeAs(plain);
    for (int row = 0; row < plain.size(); row++) {
      for (int column = 0; column < plain.get(row).size(); column++) {
        String value = plain.get(row).get(column);
        String seen = masked.get(row).get(column);
        if (value.startsWith(SECRET)) {
          assertThat(seen).matches("5\\*{3}\\d|[0-9a-f]{32}");
        } else {
          assertThat(seen).isEqualTo(value);
        }
      }
    }
  }

  /** Also where one part of a table answers, and where values tell that it does. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tellsTablesByTheirNames(boolean binary) throws SQLException {
    try (Connection clerk = connect("clerk", SHARDED, binary);
        Connection auditor = connect("auditor", SHARDED, binary)) {
      for (String sql :
          List.of(
              "SELECT * FROM t_user WHERE id IN (?, ?)",
              "SELECT u.phone, u.name FROM t_user u WHERE u.id = ? AND ? = u.id",
              "SELECT DISTINCT phone, id + 1 AS n FROM t_user WHERE id = ? AND ? = id ORDER BY n",
              "SELECT o.item, u.phone FROM t_user u JOIN t_order o ON o.id = u.id AND u.id IN (?, ?)")) {
        for (int other : new int[] {1, 2}) {
          List<String> told = told(clerk, sql, 1, other);
          assertThat(told).as(sql).isEqualTo(told(auditor, sql, 1, other));
          assertThat(told.toString()).contains("t_user").doesNotContain("t_user_");
        }
      }
    }
  }

  /** One plan serves all literals, whichever it was made for. */
  @Test
  void preparesWhatWasPlannedForOthers() throws SQLException {
    try (Connection clerk = connect("clerk", SHARDED, true)) {
      for (String keys : List.of("1, 2", "1, 1", "2, 3", "2, 2")) {
        String sql = "SELECT phone, name FROM t_user WHERE id IN (" + keys + ") ORDER BY id + 1";
        try (PreparedStatement statement = clerk.prepareStatement(sql)) {
          ResultSetMetaData columns = statement.getMetaData();
          assertThat(columns.getColumnCount()).as(sql).isEqualTo(2);
          assertThat(columns.getTableName(1)).isEqualTo("t_user");
        }
      }
    }
  }

  private static List<String> told(Connection client, String sql, int... values)
      throws SQLException {
    var told = new ArrayList<String>();
    try (PreparedStatement statement = client.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setInt(i + 1, values[i]);
      }
      try (ResultSet result = statement.executeQuery()) {
        ResultSetMetaData columns = result.getMetaData();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          told.add(columns.getColumnLabel(i) + " of " + columns.getTableName(i));
        }
      }
    }
    return told;
  }

  /** A view is made anew by somebody who sees all, through another proxy. */
  @Test
  void masksWhatAViewShowsNow() throws SQLException {
    String view = "CREATE OR REPLACE VIEW it_mask.v_anew AS SELECT id, ";
    server.execute(view + "id AS x FROM it_mask.t_user WHERE id = 1");
    try (Connection clerk = connect("clerk", PLAIN, false);
        Connection auditor = connect("auditor", PLAIN, false)) {
      assertThat(EncryptIT.rows(clerk, "SELECT x FROM v_anew")).containsExactly(List.of("1"));
      server.execute(view + "phone AS x FROM it_mask.t_user WHERE id = 1");
      assertThat(EncryptIT.rows(clerk, "SELECT x FROM v_anew"))
          .isEqualTo(EncryptIT.rows(clerk, "SELECT phone FROM t_user WHERE id = 1"))
          .isNotEqualTo(EncryptIT.rows(auditor, "SELECT phone FROM t_user WHERE id = 1"));
    } finally {
      server.execute("DROP VIEW it_mask.v_anew");
    }
  }

  /** MariaDB knows no such lists. */
  @Test
  void masksWhatAListNamesAnew() throws SQLException {
    if (server instanceof MariaDbServer) {
      return;
    }
    masksWhatIsShown(PLAIN, true, "SELECT a FROM (SELECT id, phone FROM t_user) AS d (b, a)");
    masksWhatIsShown(
        PLAIN, false, "SELECT d.x FROM t_order o JOIN (SELECT id, phone FROM t_user) d (y, x)");
  }

  /** In a sharded database nobody may. */
  @Test
  void refusesFilesOfServers() throws SQLException {
    try (Connection clerk = connect("clerk", PLAIN, false)) {
      String sql = "LOAD DATA INFILE '/tmp/it_mask' INTO TABLE t_order";
      SQLException refusal =
          catchThrowableOfType(SQLException.class, () -> clerk.createStatement().execute(sql));
      assertThat(refusal.getMessage()).contains("AB2016");
    }
  }

  /** A table with a list of columns is no function. */
  @Test
  void loadsWhatIsNotMasked() throws SQLException, IOException {
    Path file = Files.writeString(temporary.resolve("orders"), "901\ta b\n902\tc\n");
    String load = "LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE t_order ";
    for (String schema : List.of(PLAIN, SHARDED)) {
      try (Connection clerk = connect("clerk", schema, false);
          Statement statement = clerk.createStatement()) {
        statement.execute(load + "(id, @item) SET item = UPPER(@item)");
        try (ResultSet rows = statement.executeQuery("SELECT item FROM t_order WHERE id = 901")) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getString(1)).isEqualTo("A B");
        }
        statement.execute("DELETE FROM t_order WHERE id > 900");
        SQLException refusal =
            catchThrowableOfType(
                SQLException.class,
                () -> statement.execute(load + "(id, @item) SET item = it_mask_f()"));
        assertThat(refusal.getMessage()).contains("AB2016: the stored function 'it_mask_f'");
      }
    }
  }

  static Stream<Arguments> refused() {
    Stream<String> ofMariaDb =
        server instanceof MariaDbServer
            ? Stream.of("SET STATEMENT max_statement_time = 10 FOR SELECT UPPER(phone) FROM t_user")
            : Stream.of();
    return Stream.concat(REFUSED.stream(), ofMariaDb)
        .flatMap(sql -> Stream.of(PLAIN, SHARDED).map(schema -> Arguments.of(schema, sql)));
  }

  /** Servers would read a comment and a query where the proxy reads a text. */
  @ParameterizedTest
  @FieldSource("SCHEMAS")
  void refusesWhatServersReadOtherwise(String schema) throws SQLException {
    String sql = "SELECT 1 --\u007f '\n, UPPER(phone) FROM t_user -- '";
    try (Connection clerk = connect("clerk", schema, false);
        Statement statement = clerk.createStatement()) {
      SQLException refusal = catchThrowableOfType(SQLException.class, () -> statement.execute(sql));
      assertThat(refusal.getErrorCode()).isEqualTo(1064);
    }
  }

  @ParameterizedTest
  @MethodSource("refused")
  void refusesWhatMightShowMore(String schema, String sql) throws SQLException {
    for (boolean binary : List.of(false, true)) {
      try (Connection clerk = connect("clerk", schema, binary)) {
        SQLException refusal =
            catchThrowableOfType(
                SQLException.class,
                () -> {
                  try (PreparedStatement statement = clerk.prepareStatement(sql)) {
                    statement.execute();
                  }
                });
        assertThat(refusal == null).as(sql).isFalse();
        assertThat(refusal.getMessage()).contains("AB2016");
      }
    }
  }

  @ParameterizedTest
  @FieldSource("SCHEMAS")
  void writesMaskedColumns(String schema) throws SQLException {
    try (Connection clerk = connect("clerk", schema, false);
        Statement statement = clerk.createStatement()) {
      for (String sql : WRITTEN) {
        assertThat(statement.executeUpdate(sql)).as(sql).isPositive();
      }
      statement.execute("PREPARE named FROM 'SELECT phone FROM t_user WHERE id = 1'");
      assertThat(rows(clerk, "EXECUTE named").toString()).doesNotContain(SECRET);
    }
  }

  /** A number makes a server turn texts into numbers, and warn of those that are none. */
  @ParameterizedTest
  @FieldSource("SCHEMAS")
  void comparesWithTextsAlone(String schema) throws SQLException {
    for (String sql :
        List.of(
            "SELECT id, phone FROM t_user WHERE phone = ?",
            "SELECT id FROM t_user WHERE phone IN ('x', ?)",
            "UPDATE t_user SET name = name WHERE phone = ? AND id = 2",
            "DELETE FROM t_user WHERE id = 99 OR phone = ?")) {
      for (boolean binary : List.of(false, true)) {
        try (Connection clerk = connect("clerk", schema, binary);
            PreparedStatement statement = clerk.prepareStatement(sql)) {
          statement.setString(1, "no such phone");
          statement.execute();
          statement.setInt(1, 5);
          SQLException refusal = catchThrowableOfType(SQLException.class, statement::execute);
          assertThat(refusal.getMessage()).as(sql).contains("AB2016");
        }
      }
    }
  }

  /** MariaDB takes a parameter for a position. */
  @ParameterizedTest
  @FieldSource("SCHEMAS")
  void refusesAParameterAsAPosition(String schema) throws SQLException {
    try (Connection clerk = connect("clerk", schema, false)) {
      for (String order : List.of("?", "(?)", "id, ?")) {
        SQLException refusal =
            catchThrowableOfType(
                SQLException.class,
                () -> rows(clerk, "SELECT id, phone FROM t_user ORDER BY " + order, 2));
        assertThat(refusal.getMessage()).as(order).contains("AB2016");
      }
    }
  }

  /** Another user on the same connection sees what that one may. */
  @ParameterizedTest
  @FieldSource("SCHEMAS")
  void followsAChangeOfUser(String schema) throws IOException {
    String sql = "SELECT phone FROM t_user WHERE id = 1";
    try (var client = new CommandProbe(proxy.port(), "auditor", "auditor", schema)) {
      assertThat(packets(client, sql)).contains(SECRET);
      assertThat(client.changeUser("clerk", "clerk", schema)).isEqualTo("OK");
      assertThat(packets(client, sql)).contains("5***").doesNotContain(SECRET);
      assertThat(client.changeUser("auditor", "auditor", schema)).isEqualTo("OK");
      assertThat(packets(client, sql)).contains(SECRET);
    }
  }

  /** Names of result columns may come in letters that are not the statement's. */
  @ParameterizedTest
  @FieldSource("SCHEMAS")
  void masksUnderAllCharacterSetsOfResults(String schema) throws IOException {
    try (var client = new CommandProbe(proxy.port(), "clerk", "clerk", schema)) {
      for (String set : List.of("latin1", "ascii", "sjis", "utf16", "utf32", "NULL", "swe7")) {
        packets(client, "SET character_set_results = " + set);
        for (String column : List.of("phone", "\u043f", "\u624b\u673a")) {
          String told =
              packets(
                  client,
                  "SELECT d.%1$s FROM (SELECT phone AS %1$s FROM t_user LIMIT 2) d"
                      .formatted(column));
          assertThat(told.replace("\0", "")).as(set).doesNotContain(SECRET);
        }
      }
    }
  }

  /**
   * Sessions whose last statements have a query for whoever reads them under another character set,
   * or another mode, than the proxy. The letter ends in half a quote, or in a backslash, in GBK.
   */
  static final List<List<String>> READ_OTHERWISE =
      List.of(
          List.of(
              "SET @@session.character_set_client = 'gbk',"
                  + " @`,1,1,'',(select phone from t_user limit 1),'ascii_bin'#\u4f60` = 1, @b = 1",
              "SET NAMES utf8mb4",
              "SELECT @b"),
          List.of(
              "SET NAMES gbk",
              "SET character_set_client = DEFAULT",
              "SELECT '\u4f60\\' , ' , (SELECT phone FROM t_user LIMIT 1) -- '"),
          List.of(
              "SET NAMES gbk",
              "SET character_set_client = dec8",
              "SELECT '\u4f60\\' , ' , (SELECT phone FROM t_user LIMIT 1) -- '"),
          List.of(
              "SET NAMES gbk",
              "SET character_set_client = utf8mb4",
              "SET @`!\u4f60` = 1, @`=1,@c=(select phone from t_user limit 1)#` = 1",
              "SELECT COUNT(*) FROM t_order",
              "SELECT @c"),
          List.of(
              "SET @`!\u4f60` = 1, @`=1,@c=(select phone from t_user limit 1)#` = 1",
              "SET NAMES gbk",
              "SELECT COUNT(*) FROM t_order",
              "SELECT @c"),
          List.of("SET autocommit = phone) FROM t_user WHERE (id = 1"),
          List.of("SET autocommit = 1 /*!999999 ( */ * phone) FROM t_user WHERE (id = 1"),
          List.of(
              "SET sql_mode = 'MSSQL'",
              "SELECT 1 AS [ ' ], (SELECT phone FROM t_user LIMIT 1), ' ']"),
          List.of(
              "SET sql_mode = 'MSSQL'",
              "SELECT 1 AS [ ' ], (SELECT phone FROM t_user LIMIT 1), ' '"),
          List.of(
              "SET sql_mode = 'ANSI_QUOTES'",
              "SELECT @\"a\\\", (SELECT phone FROM t_user LIMIT 1) -- \""),
          List.of(
              "SET sql_mode = 'ANSI_QUOTES'",
              "SELECT 1 AS \"a\\\", (SELECT phone FROM t_user LIMIT 1) -- \""));

  @ParameterizedTest
  @FieldSource("SCHEMAS")
  void readsWhatServersRead(String schema) throws IOException {
    for (List<String> session : READ_OTHERWISE) {
      try (var client = new CommandProbe(proxy.port(), "clerk", "clerk", schema)) {
        for (String sql : session) {
          assertThat(packets(client, sql)).as("%s", session).doesNotContain(SECRET);
        }
      }
    }
  }

  /** What quotes are follows from a value that only a server computes. */
  @ParameterizedTest
  @FieldSource("SCHEMAS")
  void seesWhatQuotesAre(String schema) throws IOException {
    try (var client = new CommandProbe(proxy.port(), "clerk", "clerk", schema)) {
      packets(client, "SET @m = 'ANSI_QUOTES'");
      packets(client, "SET sql_mode = @m");
      packets(client, "SET sql_mode = CONCAT('ANSI', '_QUOTES')");
      assertThat(packets(client, "SELECT UPPER(\"phone\") FROM t_user")).doesNotContain(SECRET);
    }
  }

  private static String packets(CommandProbe client, String sql) throws IOException {
    client.send(("\u0003" + sql).getBytes(StandardCharsets.UTF_8));
    var text = new StringBuilder();
    for (int ends = 0; ends < 2; ) {
      byte[] packet = client.receive();
      boolean isEnd = (packet[0] & 0xFF) == 0xFE && packet.length < 9;
      boolean isAlone = packet[0] == 0 || (packet[0] & 0xFF) == 0xFF;
      ends += isEnd ? 1 : isAlone && text.isEmpty() ? 2 : 0;
      text.append(new String(packet, StandardCharsets.UTF_8));
    }
    return text.toString();
  }

  static final List<String> SCHEMAS = List.of(PLAIN, SHARDED);

  @ParameterizedTest
  @FieldSource("ELSEWHERE")
  void refusesItsTablesFromOtherDatabases(String sql) throws SQLException {
    try (Connection clerk = connect("clerk", BESIDE, false);
        Statement statement = clerk.createStatement()) {
      SQLException refusal = catchThrowableOfType(SQLException.class, () -> statement.execute(sql));
      assertThat(refusal.getMessage()).contains("AB2016");
      assertThat(rows(clerk, "SELECT COUNT(*) FROM it_mask.t_order").toString()).contains("4");
    }
  }

  static final List<String> ELSEWHERE =
      List.of(
          "SELECT * FROM it_mask.t_user",
          "SELECT UPPER(phone) FROM `it_mask`.`t_user`",
          "SELECT * FROM it_mask_sharded.t_user_0",
          "CREATE TABLE x SELECT * FROM it_mask.t_user",
          "SELECT * FROM it_mask /*+ x */ . t_user",
          "SELECT * FROM v_far",
          "SELECT * FROM it_mask_beside.v_farther",
          "SELECT it_mask.it_mask_f()",
          "CALL it_mask.it_mask_p()",
          "CREATE PROCEDURE p (a TEXT) EXECUTE IMMEDIATE a",
          "SELECT * FROM information_schema.optimizer_trace");
}
