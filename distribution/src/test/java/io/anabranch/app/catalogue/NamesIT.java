package io.anabranch.app.catalogue;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that its server calls otherwise: MariaDB. */
@ExtendWith(MariaDbServers.Resolver.class)
class NamesIT {

  private static MariaDbServer server;
  private static RunningProxy proxy;
  private static AliasedSchema schema;

  @BeforeAll
  static void start(MariaDbServers servers) {
    server = servers.primaryA();
    server.execute("CREATE DATABASE IF NOT EXISTS nm_truth");
    proxy =
        RunningProxy.start(
            List.of(),
            "databaseName: nm_alias\ndataSources:\n"
                + RunningProxy.source("ds_0", server, AliasedSchema.ACTUAL)
                + "rules: []\n");
    schema =
        new AliasedSchema(
            server::execute,
            proxy::connect,
            (database, options) ->
                Driver.MARIADB.connect(
                    server.port(), database, MariaDbServer.USER, MariaDbServer.PASSWORD, options));
    schema.make();
  }

  @AfterAll
  static void stop() {
    proxy.close();
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
        (by, database) ->
            by.connect(server.port(), database, MariaDbServer.USER, MariaDbServer.PASSWORD));
  }

  @Test
  void preparedStatements() throws SQLException {
    schema.same(true, AliasedSchema.STATEMENTS);
  }

  /** By a driver that prepares before it executes: the error is the preparation's. */
  @Test
  void errorsOfPreparationAlone() throws SQLException {
    schema.make();
    try (Connection connection =
        Driver.MYSQL.connect(
            proxy.port(),
            AliasedSchema.LOGICAL,
            RunningProxy.USER,
            RunningProxy.PASSWORD,
            "useServerPrepStmts=true",
            "emulateUnsupportedPstmts=false")) {
      for (String sql :
          List.of(
              "SELECT * FROM nosuch WHERE a = ?",
              "INSERT INTO nosuch VALUES (?)",
              "UPDATE t JOIN nosuch USING (id) SET v = ?",
              "SELECT nosuch(?)",
              "DROP TABLE nosuch")) {
        assertThatThrownBy(() -> connection.prepareStatement(sql).execute())
            .as(sql)
            .hasMessageContaining(AliasedSchema.LOGICAL + ".nosuch")
            .hasMessageNotContaining(AliasedSchema.ACTUAL);
      }
    }
  }

  @Test
  void statementsOfMariaDb() throws SQLException {
    schema.same(
        false,
        List.of(
            "CREATE SEQUENCE @.s; SELECT NEXTVAL(@.s), NEXT VALUE FOR @.s, LASTVAL(@.s); SELECT"
                + " PREVIOUS VALUE FOR @.s, SETVAL(@.s, 50); ALTER SEQUENCE @.s RESTART 7; SELECT"
                + " NEXTVAL(s); DROP SEQUENCE IF EXISTS @.s, @.s2",
            "DELETE FROM @.t WHERE @.t.id = 1 RETURNING id, v; INSERT INTO @.t VALUES (9, 'r')"
                + " RETURNING @.t.id; REPLACE INTO @.t VALUES (9, 's') RETURNING v",
            "BEGIN NOT ATOMIC DECLARE r ROW TYPE OF @.t; TRUNCATE @.t; INSERT INTO @.u VALUES (5,"
                + " @.f()); END",
            "SELECT * FROM u ORDER BY id",
            "EXECUTE IMMEDIATE 'SELECT * FROM @.t'; SET @q = 'DELETE FROM @.u'; EXECUTE IMMEDIATE @q;"
                + " SELECT * FROM u",
            "SET STATEMENT max_statement_time = 5 FOR SELECT * FROM @.t; SET STATEMENT sort_buffer_size"
                + " = 100000 FOR TRUNCATE @.t; SELECT * FROM t",
            "ANALYZE SELECT * FROM @.nosuch; ALTER TABLE IF EXISTS @.t ADD COLUMN IF NOT EXISTS z INT;"
                + " CREATE OR REPLACE TABLE @.u (a INT); SELECT * FROM u; RENAME TABLE IF EXISTS @.t"
                + " WAIT 1 TO @.t7; SELECT * FROM t7",
            "CREATE INDEX IF NOT EXISTS i ON @.t (v); DROP INDEX IF EXISTS i ON @.t",
            "HANDLER @.t OPEN; HANDLER t READ FIRST; HANDLER t CLOSE",
            "CREATE TABLE m1 (a INT) ENGINE=MyISAM; CREATE TABLE @.m2 (a INT) ENGINE=MyISAM; INSERT"
                + " INTO m1 VALUES (1); CREATE TABLE mm (a INT) ENGINE=MERGE UNION=(@.m1, @.m2);"
                + " SELECT * FROM @.mm; DROP TABLE mm, m1, m2"));
  }

  @Test
  void whatMayBeSomethingElseIsRefused() throws SQLException {
    schema.refused(
        List.of(
            "SELECT ¤.v FROM t AS ¤ /*!50000 , @.u */",
            "CREATE PROCEDURE x() EXECUTE IMMEDIATE 'TRUNCATE @.t'",
            "CREATE PROCEDURE x() BEGIN PREPARE s FROM 'TRUNCATE @.t'; EXECUTE s; END"));
  }
}
