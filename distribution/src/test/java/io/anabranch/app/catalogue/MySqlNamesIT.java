package io.anabranch.app.catalogue;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.MySqlServer;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that its server calls otherwise: MySQL. */
@Tag("long")
class MySqlNamesIT {

  private static MySqlServer server;
  private static RunningProxy proxy;
  private static AliasedSchema schema;

  @BeforeAll
  static void start() {
    MySqlServer.assumeInstalled();
    server = MySqlServer.start("names");
    server.execute(
        "CREATE DATABASE nm_truth",
        "CREATE USER proxy@'%' IDENTIFIED BY 'proxy'",
        "GRANT ALL ON *.* TO proxy@'%'");
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: nm_alias\ndataSources:\n"
                + server.dataSource("ds_0", AliasedSchema.ACTUAL)
                + "rules: []\n");
    schema =
        new AliasedSchema(
            server::execute,
            proxy::connect,
            (database, options) ->
                Driver.MARIADB.connect(server.port(), database, "proxy", "proxy", options));
    schema.make();
    Eventually.holds("the proxy reaches the database", () -> XaFixture.reaches(proxy, "nm_alias"));
  }

  @AfterAll
  static void stop() {
    if (proxy != null) {
      proxy.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @Test
  void statements() throws SQLException {
    schema.same(false, AliasedSchema.STATEMENTS);
  }

  @Test
  void metadata() throws SQLException {
    schema.sameNames(AliasedSchema.METADATA);
  }

  @ParameterizedTest
  @EnumSource
  void metadataByDrivers(Driver driver) throws SQLException {
    schema.sameMetadata(
        driver,
        (by, database) ->
            by.connect(proxy.port(), database, RunningProxy.USER, RunningProxy.PASSWORD),
        (by, database) -> by.connect(server.port(), database, "proxy", "proxy"));
  }

  @Test
  void preparedStatements() throws SQLException {
    schema.same(true, AliasedSchema.STATEMENTS);
  }

  @Test
  void statementsOfMySql() throws SQLException {
    schema.same(
        false,
        List.of(
            "SELECT * FROM @.t AS a, @.u AS b FOR UPDATE OF a SKIP LOCKED; SELECT * FROM @.t FOR SHARE"
                + " OF t",
            "TABLE @.t; EXPLAIN FORMAT=TREE SELECT id FROM @.t WHERE" + " id = 1",
            "INSERT INTO @.t VALUES (9, 'r') AS new ON DUPLICATE KEY UPDATE @.t.v = new.v; SELECT *"
                + " FROM t ORDER BY id",
            "SELECT * FROM @.t, LATERAL (SELECT @.u.v FROM @.u WHERE u.id = t.id) AS l ORDER BY 1",
            "SELECT * FROM t, JSON_TABLE(JSON_ARRAY(1), '$[*]' COLUMNS (a INT PATH '$')) AS j, @.u"
                + " ORDER BY 1, 4"));
  }

  @Test
  void whatMayBeSomethingElseIsRefused() throws SQLException {
    schema.refused(
        List.of(
            "SELECT ¤.v FROM t AS ¤ /*!50000 , @.u */",
            "CALL sys.table_exists('@.', 't', @a)",
            "CHANGE REPLICATION FILTER REPLICATE_DO_DB = (`@`)"));
  }
}
