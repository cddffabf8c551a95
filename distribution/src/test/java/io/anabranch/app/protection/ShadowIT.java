package io.anabranch.app.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Statements of load tests go to the shadows, all others to production: in a database whose
 * statements pass through and in a sharded one, in both protocols.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class ShadowIT {

  private static final String PLAIN = "it_shadow";
  private static final String SHARDED = "it_shadow_sharded";
  static final List<String> LAYOUTS = List.of(PLAIN, SHARDED);
  private static final List<String> PARTS = List.of("_0", "_1");
  private static final String HINT = "/* SHARDINGSPHERE_HINT: SHADOW=true */ ";

  /** Users 900 to 999 are those of load tests. */
  private static final String RULE =
      """
        tables:
          t_order:
            dataSourceNames: [pair_0]
            shadowAlgorithmNames: [by_insert, by_update, by_delete, by_select, by_hint, by_user]
        shadowAlgorithms:
          by_insert: { type: REGEX_MATCH, props: { column: user_id, operation: insert, regex: '9\\d\\d' } }
          by_update: { type: VALUE_MATCH, props: { column: user_id, operation: update, value: 900 } }
          by_delete: { type: VALUE_MATCH, props: { column: user_id, operation: delete, value: 900 } }
          by_select: { type: VALUE_MATCH, props: { column: user_id, operation: select, value: 900 } }
          by_hint: { type: SQL_HINT }
          by_user: { type: USER_MATCH, props: { users: tester } }
      """;

  @TempDir static Path temporary;
  private static DatabaseServer server;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) throws IOException {
    server = servers.primaryA();
    for (String schema :
        List.of(
            "it_shadow_p",
            "it_shadow_s",
            "it_shadow_0",
            "it_shadow_1",
            "it_shadow_s0",
            "it_shadow_s1")) {
      server.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
    }
    var folder = new ReloadFolder(temporary);
    folder.write(
        "global.yaml",
        """
        authority:
          users:
          - { user: "%s@%%", password: %s, admin: true }
          - { user: tester, password: tester }
          privilege: { type: ALL_PERMITTED }
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2 }
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD));
    folder.write(
        "database-0.yaml",
        "databaseName: it_shadow\ndataSources:\n"
            + ReloadFolder.source("ds", server, "it_shadow_p", 10)
            + ReloadFolder.source("ds_shadow", server, "it_shadow_s", 10)
            + "rules:\n- !SHADOW\n  dataSources:\n"
            + "    pair_0: { productionDataSourceName: ds, shadowDataSourceName: ds_shadow }\n"
            + RULE.indent(0));
    folder.write(
        "database-1.yaml",
        "databaseName: it_shadow_sharded\ndataSources:\n"
            + ReloadFolder.source("ds_0", server, "it_shadow_0", 10)
            + ReloadFolder.source("ds_1", server, "it_shadow_1", 10)
            + ReloadFolder.source("test_0", server, "it_shadow_s0", 10)
            + ReloadFolder.source("test_1", server, "it_shadow_s1", 10)
            + """
            rules:
            - !SHARDING
              tables:
                t_order:
                  actualDataNodes: ds_${0..1}.t_order_${0..1}
                  databaseStrategy: { standard: { shardingColumn: user_id, shardingAlgorithmName: source } }
                  tableStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: two } }
              shardingAlgorithms:
                source: { type: INLINE, props: { algorithm-expression: "ds_${user_id % 2}", allow-range-query-with-inline-sharding: true } }
                two: { type: MOD, props: { sharding-count: 2 } }
            - !SHADOW
              dataSources:
                pair_0: { productionDataSourceName: ds_0, shadowDataSourceName: test_0 }
                pair_1: { productionDataSourceName: ds_1, shadowDataSourceName: test_1 }
            """
            + RULE.indent(0));
    proxy = RunningProxy.startFrom(temporary);
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static Connection connect(String user, String password, String schema, boolean binary)
      throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mariadb://127.0.0.1:%d/%s?useServerPrepStmts=%s"
            .formatted(proxy.port(), schema, binary),
        user,
        password);
  }

  private static Connection connect(String schema, boolean binary) throws SQLException {
    return connect(RunningProxy.USER, RunningProxy.PASSWORD, schema, binary);
  }

  @BeforeEach
  void create() throws SQLException {
    for (String schema : LAYOUTS) {
      try (Connection client = connect(schema, false);
          Statement statement = client.createStatement()) {
        statement.execute("DROP TABLE IF EXISTS t_order");
        statement.execute(
            "CREATE TABLE t_order (id INT PRIMARY KEY, user_id INT NOT NULL, note VARCHAR(20))");
      }
    }
  }

  /** The ids of the rows that the servers have, in their order. */
  private static String ids(String schema, boolean shadow) throws SQLException {
    List<String> tables =
        schema.equals(PLAIN)
            ? List.of(shadow ? "it_shadow_s.t_order" : "it_shadow_p.t_order")
            : Stream.of(shadow ? "it_shadow_s" : "it_shadow_")
                .flatMap(
                    prefix ->
                        Stream.of("0", "1")
                            .flatMap(
                                source ->
                                    PARTS.stream()
                                        .map(part -> prefix + source + ".t_order" + part)))
                .toList();
    var union = new StringBuilder();
    for (String table : tables) {
      union.append(union.isEmpty() ? "" : " UNION ALL ").append("SELECT id FROM ").append(table);
    }
    return String.valueOf(
        server.queryOne(
            "SELECT COALESCE(GROUP_CONCAT(id ORDER BY id), 'none') FROM (" + union + ") x"));
  }

  static Stream<Arguments> protocols() {
    return LAYOUTS.stream()
        .flatMap(schema -> Stream.of(false, true).map(binary -> Arguments.of(schema, binary)));
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void valuesDecide(String schema, boolean binary) throws SQLException {
    try (Connection client = connect(schema, binary)) {
      try (PreparedStatement insert =
          client.prepareStatement("INSERT INTO t_order (note, user_id, id) VALUES (?, ?, ?)")) {
        for (int id = 1; id <= 8; id++) {
          insert.setString(1, "note " + id);
          insert.setInt(2, id % 2 == 0 ? 900 : id);
          insert.setInt(3, id);
          assertThat(insert.executeUpdate()).isEqualTo(1);
        }
      }
      assertThat(ids(schema, false)).isEqualTo("1,3,5,7");
      assertThat(ids(schema, true)).isEqualTo("2,4,6,8");
      try (Statement statement = client.createStatement()) {
        statement.execute("INSERT INTO t_order VALUES (10, 901, 'a'), (11, 999, 'b')");
        statement.execute("INSERT INTO t_order VALUES (12, 1, 'a'), (13, 2, 'b')");
        statement.execute("INSERT INTO t_order SET id = 14, user_id = 902");
        SQLException mixed =
            catchThrowableOfType(
                SQLException.class,
                () -> statement.execute("INSERT INTO t_order VALUES (20, 1, ''), (21, 900, '')"));
        assertThat(mixed.getMessage()).contains("AB2002", "send them apart");
        assertThat(ids(schema, false)).isEqualTo("1,3,5,7,12,13");
        assertThat(ids(schema, true)).isEqualTo("2,4,6,8,10,11,14");
        assertThat(statement.executeUpdate("UPDATE t_order o SET note = 'u' WHERE o.user_id = 900"))
            .isEqualTo(4);
        assertThat(statement.executeUpdate("UPDATE t_order SET note = 'v' WHERE user_id < 100"))
            .isEqualTo(6);
      }
      for (String sql :
          List.of(
              "SELECT COUNT(*) FROM t_order WHERE user_id = 900",
              "SELECT COUNT(*) FROM t_order WHERE 900 = user_id AND id > 0",
              "SELECT COUNT(*) FROM t_order o WHERE (o.user_id IN (900, 900)) AND note = 'u'",
              "SELECT COUNT(*) FROM t_order AS o WHERE o.id > 0 AND o.user_id = '900'")) {
        assertThat(number(client, sql)).as(sql).isEqualTo(4);
      }
      for (String sql :
          List.of(
              "SELECT COUNT(*) FROM t_order",
              "SELECT COUNT(*) FROM t_order WHERE user_id <> 900",
              "SELECT COUNT(*) FROM t_order WHERE user_id = 900 OR id > 0",
              "SELECT COUNT(*) FROM t_order WHERE id BETWEEN 1 AND 20")) {
        assertThat(number(client, sql)).as(sql).isEqualTo(6);
      }
      try (PreparedStatement delete =
          client.prepareStatement("DELETE FROM t_order WHERE user_id = ? AND id = ?")) {
        delete.setInt(1, 900);
        delete.setInt(2, 2);
        assertThat(delete.executeUpdate()).isEqualTo(1);
        delete.setInt(1, 3);
        delete.setInt(2, 3);
        assertThat(delete.executeUpdate()).isEqualTo(1);
      }
      assertThat(ids(schema, false)).isEqualTo("1,5,7,12,13");
      assertThat(ids(schema, true)).isEqualTo("4,6,8,10,11,14");
    }
  }

  private static int number(Connection client, String sql) throws SQLException {
    try (Statement statement = client.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getInt(1);
    }
  }

  @ParameterizedTest
  @FieldSource("LAYOUTS")
  void aHintDecides(String schema) throws SQLException {
    try (Connection client = connect(schema, false);
        Statement statement = client.createStatement()) {
      statement.execute(HINT + "INSERT INTO t_order VALUES (1, 1, 'a')");
      statement.execute("INSERT INTO t_order VALUES (2, 1, 'a')");
      assertThat(number(client, HINT + "SELECT id FROM t_order")).isEqualTo(1);
      assertThat(number(client, "SELECT id FROM t_order")).isEqualTo(2);
      statement.execute(HINT + "TRUNCATE TABLE t_order");
      assertThat(ids(schema, false)).isEqualTo("2");
      assertThat(ids(schema, true)).isEqualTo("none");
    }
  }

  @ParameterizedTest
  @FieldSource("LAYOUTS")
  void aUserDecides(String schema) throws SQLException {
    try (Connection tester = connect("tester", "tester", schema, true);
        Connection client = connect(schema, true);
        Statement statement = tester.createStatement();
        Statement other = client.createStatement()) {
      statement.execute("INSERT INTO t_order VALUES (1, 1, 'a')");
      other.execute("INSERT INTO t_order VALUES (2, 1, 'a')");
      assertThat(number(tester, "SELECT id FROM t_order")).isEqualTo(1);
      assertThat(number(client, "SELECT id FROM t_order")).isEqualTo(2);
      assertThat(ids(schema, true)).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @FieldSource("LAYOUTS")
  void aTransactionHasBoth(String schema) throws SQLException {
    try (Connection client = connect(schema, true);
        Statement statement = client.createStatement()) {
      client.setAutoCommit(false);
      statement.execute("INSERT INTO t_order VALUES (1, 1, 'a')");
      statement.execute("INSERT INTO t_order VALUES (2, 900, 'a')");
      client.rollback();
      assertThat(ids(schema, false) + ids(schema, true)).isEqualTo("nonenone");
      statement.execute("INSERT INTO t_order VALUES (1, 1, 'a')");
      statement.execute("INSERT INTO t_order VALUES (2, 900, 'a')");
      client.commit();
      assertThat(ids(schema, false)).isEqualTo("1");
      assertThat(ids(schema, true)).isEqualTo("2");
    }
  }

  @ParameterizedTest
  @FieldSource("LAYOUTS")
  void definitionsAreMadeOnBoth(String schema) throws SQLException {
    try (Connection client = connect(schema, false);
        Statement statement = client.createStatement()) {
      statement.execute("ALTER TABLE t_order ADD more INT DEFAULT 7");
      statement.execute("CREATE INDEX by_more ON t_order (more)");
      statement.execute("INSERT INTO t_order (id, user_id) VALUES (1, 1)");
      statement.execute("INSERT INTO t_order (id, user_id) VALUES (2, 900)");
      for (String user : List.of("1", "900")) {
        assertThat(number(client, "SELECT more FROM t_order WHERE more = 7 AND user_id = " + user))
            .isEqualTo(7);
      }
      statement.execute("TRUNCATE TABLE t_order");
      assertThat(ids(schema, false) + ids(schema, true)).isEqualTo("nonenone");
      statement.execute("DROP INDEX by_more ON t_order");
      assertThat(
              server.queryOne(
                  "SELECT COUNT(*) FROM information_schema.statistics WHERE index_name = 'by_more'"))
          .isEqualTo("0");
    }
  }

  /** Production does not depend on the shadow. */
  @ParameterizedTest
  @FieldSource("LAYOUTS")
  void productionGoesOnWithoutTheShadow(String schema) throws SQLException {
    try (Connection client = connect(schema, true);
        Statement statement = client.createStatement()) {
      statement.execute(HINT + "DROP TABLE t_order");
      statement.execute("INSERT INTO t_order (user_id, id) VALUES (1, 1)");
      SQLException refusal =
          catchThrowableOfType(
              SQLException.class,
              () -> statement.execute("INSERT INTO t_order (user_id, id) VALUES (900, 2)"));
      assertThat(refusal.getErrorCode()).isEqualTo(1146);
      statement.execute(
          HINT + "CREATE TABLE t_order (id INT PRIMARY KEY, user_id INT NOT NULL, note TEXT)");
      statement.execute("INSERT INTO t_order (user_id, id) VALUES (900, 2)");
      assertThat(ids(schema, false)).isEqualTo("1");
      assertThat(ids(schema, true)).isEqualTo("2");
    }
  }

  /** Other tables have no shadow. */
  @Test
  void otherTablesAreProductions() throws SQLException {
    try (Connection client = connect(PLAIN, false);
        Statement statement = client.createStatement()) {
      statement.execute("CREATE TABLE t_other (user_id INT)");
      statement.execute("INSERT INTO t_other VALUES (900)");
      assertThat(server.queryOne("SELECT COUNT(*) FROM it_shadow_p.t_other")).isEqualTo("1");
      SQLException refusal =
          catchThrowableOfType(
              SQLException.class, () -> statement.execute(HINT + "DELETE FROM t_other"));
      assertThat(refusal.getMessage()).contains("AB2002", "SQL_HINT");
      statement.execute("DROP TABLE t_other");
      assertThat(
              number(
                  client,
                  "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 't_order' AND table_schema = DATABASE()"))
          .isEqualTo(1);
    }
  }
}
