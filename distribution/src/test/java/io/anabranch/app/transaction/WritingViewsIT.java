package io.anabranch.app.transaction;

import static io.anabranch.app.fixture.table.XaFixture.one;
import static io.anabranch.app.fixture.table.XaFixture.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A query over a view does what the view's query does: what calls a stored function may write. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class WritingViewsIT {

  private static final String GROUP = "it_views_group";
  private static final String SHARDS = "it_views_shards";
  private static final String BESIDE = "it_views_beside";
  private static final String LOGICAL = "it_views_logical";

  private static final String PREPARES =
      DatabaseServers.areMySql()
          ? "SELECT count_star FROM performance_schema.events_statements_summary_global_by_event_name"
              + " WHERE event_name = 'statement/sql/xa_prepare'"
          : "SELECT variable_value FROM information_schema.global_status"
              + " WHERE variable_name = 'Com_xa_prepare'";

  /** Servers tell many functions by other names than theirs. */
  private static final String RICH =
      """
      CREATE VIEW #.rich AS
      WITH w (place, n) AS (SELECT place, COUNT(*) FROM #.t GROUP BY place)
      SELECT w.place, LCASE(w.place) c1, MID(w.place, 2) c2, CEIL(1.5) c3, NOW() c4, CURDATE() c5,
        ADDDATE('2024-01-01', 1) c6, TIMESTAMP('2024-01-01') c7, BINARY 'a' c8, POSITION('a' IN 'b') c9,
        DATE_SUB(NOW(6), INTERVAL 1 HOUR) d1, EXTRACT(DAY FROM NOW()) d2, TRIM(LEADING 'x' FROM 'xy') d3,
        IFNULL(NULL, 1) d4, CAST('1' AS SIGNED) d5, CONVERT('a' USING utf8mb4) d6, WEEK(NOW()) d7,
        ROW_NUMBER() OVER (PARTITION BY w.place ORDER BY w.n) d8, UTC_TIMESTAMP d9, CHAR(65) e1,
        JSON_EXTRACT('{}', '$.a') e2, CASE WHEN w.n IN (1, 2) THEN 1 ELSE 2 END e3, ISNULL(w.n) e4,
        TIMESTAMPDIFF(DAY, NOW(), NOW()) e5, w.n DIV 2 e6, w.place RLIKE 'a' e7, SUBSTRING('a' FROM 1) e8,
        (SELECT STD(n) + VARIANCE(n) + BIT_XOR(n) FROM w x) e9, DATE_FORMAT(NOW(), '%Y') f1,
        w.place LIKE 'a%' ESCAPE '!' f2, w.n BETWEEN 1 AND 2 f3, DATABASE() f4, INTERVAL(1, 2) f5
      FROM w JOIN (#.t AS u) ON (w.place = u.place) WHERE EXISTS (SELECT 1) AND NOT (w.n = 9)""";

  private static DatabaseServer a;
  private static DatabaseServer b;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    a = servers.primaryA();
    b = servers.primaryB();
    for (DatabaseServer server : List.of(a, b)) {
      for (String schema : List.of(GROUP, SHARDS, BESIDE)) {
        server.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
      }
      String place = server.equals(a) ? "primary" : "replica";
      for (String schema : List.of(GROUP, BESIDE)) {
        server.execute(
            "CREATE TABLE %s.t (place VARCHAR(9))".formatted(schema),
            "INSERT INTO %s.t VALUES ('%s')".formatted(schema, place),
            "CREATE TABLE %s.log (v INT)".formatted(schema),
            """
            CREATE FUNCTION %1$s.wf() RETURNS INT DETERMINISTIC MODIFIES SQL DATA
            BEGIN INSERT INTO %1$s.log VALUES (1); RETURN 1; END"""
                .formatted(schema),
            "CREATE VIEW %1$s.plain AS SELECT place, UPPER(place) u, COUNT(*) n FROM %1$s.t GROUP BY 1"
                .formatted(schema),
            "CREATE VIEW %1$s.calls AS SELECT place, %1$s.wf() w FROM %1$s.t".formatted(schema),
            "CREATE VIEW %1$s.locks AS SELECT place, GET_LOCK('it_views', 0) w FROM %1$s.t"
                .formatted(schema));
      }
      server.execute(
          "CREATE VIEW %1$s.below AS SELECT c.place FROM %1$s.t x JOIN %1$s.calls c"
              .formatted(GROUP),
          "CREATE VIEW %1$s.inside AS SELECT place FROM %1$s.t WHERE EXISTS (SELECT 1 FROM %1$s.below)"
              .formatted(GROUP),
          "CREATE VIEW %1$s.beside AS SELECT place FROM %2$s.calls".formatted(GROUP, BESIDE),
          "CREATE VIEW %1$s.plainly AS SELECT place FROM %2$s.plain".formatted(GROUP, BESIDE));
      server.execute(RICH.replace("#", GROUP));
      if (!DatabaseServers.areMySql()) {
        server.execute(
            "CREATE SEQUENCE %s.s".formatted(GROUP),
            "CREATE VIEW %1$s.draws AS SELECT place, NEXTVAL(%1$s.s) w FROM %1$s.t"
                .formatted(GROUP));
      }
    }
    b.execute(
        "CREATE TABLE %s.sing (v INT)".formatted(SHARDS),
        "INSERT INTO %s.sing VALUES (1)".formatted(SHARDS),
        "CREATE TABLE %s.wlog (v INT)".formatted(SHARDS),
        """
        CREATE FUNCTION %1$s.wf() RETURNS INT DETERMINISTIC MODIFIES SQL DATA
        BEGIN INSERT INTO %1$s.wlog VALUES (1); RETURN 1; END"""
            .formatted(SHARDS),
        "CREATE VIEW %1$s.vw AS SELECT v, %1$s.wf() w FROM %1$s.sing".formatted(SHARDS));
    a.execute(
        "CREATE TABLE %s.pub (u INT PRIMARY KEY, v INT)".formatted(SHARDS),
        "INSERT INTO %s.pub VALUES (2, 0)".formatted(SHARDS));
    proxy =
        RunningProxy.startWith(
            """
            transaction:
              defaultType: XA
              props: { cluster: views, node: one, log-data-source: it_views_logical.ds_0 }
            """,
            List.of(),
            "databaseName: "
                + GROUP
                + "\ndataSources:\n"
                + RunningProxy.source("w", a, GROUP)
                + RunningProxy.source("r", b, GROUP)
                + """
                  rules:
                  - !READWRITE_SPLITTING
                    dataSourceGroups:
                      g:
                        writeDataSourceName: w
                        readDataSourceNames: [r]
                  """,
            "databaseName: "
                + LOGICAL
                + "\ndataSources:\n"
                + RunningProxy.source("ds_0", a, SHARDS)
                + RunningProxy.source("ds_1", b, SHARDS)
                + """
                  rules:
                  - !SINGLE
                    tables: ["*.*"]
                  """);
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT place FROM calls",
        "SELECT place FROM locks",
        "SELECT place FROM below",
        "SELECT t.place FROM t LEFT JOIN (SELECT * FROM inside) d ON TRUE",
        "SELECT place FROM t WHERE place IN (SELECT place FROM beside)",
        "SELECT place FROM it_views_group.calls",
        "WITH c AS (SELECT place FROM `calls`) SELECT * FROM c",
        "(SELECT place FROM calls) UNION SELECT place FROM calls"
      })
  void aViewThatMayWriteIsThePrimarys(String query) throws SQLException {
    try (Connection client = proxy.connect(GROUP)) {
      assertThat(one(client, query)).isEqualTo("primary");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT place FROM plain",
        "SELECT place FROM plainly",
        "SELECT place FROM rich",
        "SELECT t.place FROM t JOIN plain USING (place)"
      })
  void aViewThatReadsIsAReplicas(String query) throws SQLException {
    try (Connection client = proxy.connect(GROUP)) {
      assertThat(one(client, query)).isEqualTo("replica");
    }
  }

  @Test
  void aViewThatDrawsFromASequenceIsThePrimarys() throws SQLException {
    if (!DatabaseServers.areMySql()) {
      try (Connection client = proxy.connect(GROUP)) {
        assertThat(one(client, "SELECT place FROM draws")).isEqualTo("primary");
      }
    }
  }

  /** A view that is made otherwise through the proxy is looked at again. */
  @Test
  void aViewThatWritesFromNowOn() throws SQLException {
    for (DatabaseServer server : List.of(a, b)) {
      server.execute(
          "CREATE OR REPLACE VIEW %1$s.changing AS SELECT place FROM %1$s.t".formatted(GROUP));
    }
    try (Connection client = proxy.connect(GROUP)) {
      assertThat(one(client, "SELECT place FROM changing")).isEqualTo("replica");
      String writes = "CREATE OR REPLACE VIEW %schanging AS SELECT place, %swf() w FROM %1$st";
      // which replication would do
      b.execute(writes.formatted(GROUP + ".", GROUP + "."));
      run(client, writes.formatted("", ""));
      assertThat(one(client, "SELECT place FROM changing")).isEqualTo("primary");
    }
  }

  @Test
  void whatAViewWritesIsABranchOfItsOwn() throws SQLException {
    long before = prepares();
    try (Connection client = proxy.connect(LOGICAL)) {
      run(client, "BEGIN");
      assertThat(one(client, "SELECT w FROM vw")).isEqualTo("1");
      run(client, "UPDATE pub SET v = 1 WHERE u = 2", "COMMIT");
    }
    assertThat(prepares() - before).as("both are prepared").isEqualTo(2);
  }

  private static long prepares() {
    long sum = 0;
    for (DatabaseServer server : List.of(a, b)) {
      sum += Long.parseLong(server.queryOne(PREPARES));
    }
    return sum;
  }
}
