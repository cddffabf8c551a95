package io.anabranch.app.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What there is to see is the same from wherever it is asked: all logical databases, nothing else.
 */
@ExtendWith(MariaDbServers.Resolver.class)
class OneCatalogueIT {

  /** As the proxy calls them; {@code oc_alias} is the schema {@code oc_other_name}. */
  private static final List<String> DATABASES =
      List.of("oc_alias", "oc_far", "oc_shards", "oc_same");

  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) {
    MariaDbServer near = servers.primaryA();
    MariaDbServer far = servers.primaryB();
    for (String schema : List.of("oc_same", "oc_other_name", "oc_alias", "oc_shard_0")) {
      make(near, schema);
    }
    for (String schema : List.of("oc_far", "oc_shard_1")) {
      make(far, schema);
    }
    proxy =
        RunningProxy.start(
            List.of(),
            RunningProxy.passThrough("oc_same", near),
            "databaseName: oc_alias\ndataSources:\n"
                + RunningProxy.source("ds_alias", near, "oc_other_name")
                + "rules: []\n",
            RunningProxy.passThrough("oc_far", far).replace("ds_0", "ds_far"),
            "databaseName: oc_shards\ndataSources:\n"
                + RunningProxy.source("ds_s0", near, "oc_shard_0")
                + RunningProxy.source("ds_s1", far, "oc_shard_1")
                + """
                  rules:
                  - !SINGLE
                    tables: ["*.*"]
                  - !SHARDING
                    autoTables:
                      o:
                        actualDataSources: ds_s0,ds_s1
                        shardingStrategy: { standard: { shardingColumn: id, shardingAlgorithmName: m } }
                    shardingAlgorithms:
                      m: { type: MOD, props: { sharding-count: 2 } }
                  """);
  }

  private static void make(MariaDbServer server, String schema) {
    server.execute(
        "DROP DATABASE IF EXISTS " + schema,
        "CREATE DATABASE " + schema,
        "CREATE PROCEDURE %s.p_%s() SELECT 1".formatted(schema, schema),
        "CREATE TABLE %s.t_%s (id INT PRIMARY KEY)".formatted(schema, schema),
        "CREATE TRIGGER %1$s.tr BEFORE INSERT ON %1$s.t_%1$s FOR EACH ROW SET @a = 1"
            .formatted(schema),
        "CREATE EVENT %s.e ON SCHEDULE EVERY 1 YEAR STARTS '2037-01-01 00:00:00' DO SET @a = 1"
            .formatted(schema));
    if (schema.startsWith("oc_shard")) {
      server.execute(
          "CREATE TABLE %s.o_%s (id INT PRIMARY KEY)"
              .formatted(schema, schema.substring(schema.length() - 1)));
    }
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static List<String> everywhere(String sql) throws SQLException {
    var answers = new ArrayList<String>();
    var places = new ArrayList<>(DATABASES);
    places.add("");
    places.add("information_schema");
    for (String place : places) {
      for (boolean prepares : List.of(false, true)) {
        String[] options = prepares ? Driver.MARIADB.serverPrepare() : new String[0];
        try (Connection connection = proxy.connect(place, options)) {
          Transcript answer =
              prepares ? Transcript.prepared(connection, sql) : Transcript.of(connection, sql);
          answers.add(
              answer.isError() ? place + ": " + answer.head() : String.join(" ", answer.rows()));
        }
      }
    }
    return answers;
  }

  private static void same(SoftAssertions softly, String sql, String rows) throws SQLException {
    softly.assertThat(everywhere(sql)).as(sql).containsOnly(rows);
  }

  @Test
  void fromEverywhere() throws SQLException {
    var softly = new SoftAssertions();
    same(
        softly,
        "SHOW DATABASES",
        "'information_schema'| 'oc_alias'| 'oc_far'| 'oc_same'| 'oc_shards'|");
    same(
        softly,
        "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA ORDER BY 1",
        "'information_schema'| 'oc_alias'| 'oc_far'| 'oc_same'| 'oc_shards'|");
    same(
        softly,
        "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA <>"
            + " 'information_schema' AND TABLE_NAME LIKE 't\\_%' ORDER BY 1, 2",
        "'oc_alias'|'t_oc_other_name'| 'oc_far'|'t_oc_far'| 'oc_same'|'t_oc_same'|"
            + " 'oc_shards'|'t_oc_shard_0'| 'oc_shards'|'t_oc_shard_1'|");
    same(
        softly,
        "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'oc_shards' ORDER BY 1",
        "'o'| 't_oc_shard_0'| 't_oc_shard_1'|");
    same(
        softly,
        "SELECT a.TABLE_NAME, b.TABLE_NAME FROM information_schema.TABLES a JOIN"
            + " information_schema.TABLES b ON b.TABLE_SCHEMA = 'oc_far' WHERE a.TABLE_SCHEMA = 'oc_same'",
        "'t_oc_same'|'t_oc_far'|");
    same(
        softly,
        "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'oc_same' OR"
            + " TABLE_NAME = 't_oc_far' ORDER BY 1",
        "'t_oc_far'| 't_oc_same'|");
    same(
        softly,
        "SELECT a.TABLE_NAME, b.TABLE_NAME FROM information_schema.TABLES a LEFT JOIN"
            + " information_schema.TABLES b ON b.TABLE_SCHEMA = a.TABLE_SCHEMA AND a.TABLE_SCHEMA = 'oc_far'"
            + " WHERE a.TABLE_NAME LIKE 't\\_oc\\_%' AND a.TABLE_SCHEMA IN ('oc_far', 'oc_same') ORDER BY 1",
        "'t_oc_far'|'t_oc_far'| 't_oc_same'|NULL|");
    same(
        softly,
        "SELECT t.TABLE_NAME FROM information_schema.TABLES t WHERE ((t.TABLE_SCHEMA) ="
            + " 'oc_far') AND EXISTS (SELECT 1 FROM information_schema.COLUMNS c WHERE c.TABLE_SCHEMA ="
            + " t.TABLE_SCHEMA AND c.TABLE_NAME = t.TABLE_NAME)",
        "'t_oc_far'|");
    same(
        softly,
        "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'oc_far' UNION ALL SELECT"
            + " COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA LIKE 'oc_same'",
        "'t_oc_far'| 'id'|");
    for (String other : List.of("oc_alias", "oc_far", "oc_same")) {
      String schema = other.equals("oc_alias") ? "oc_other_name" : other;
      same(softly, "SHOW TABLES FROM " + other, "'t_%s'|".formatted(schema));
      same(
          softly,
          "SHOW FULL TABLES IN `%s`".formatted(other),
          "'t_%s'|'BASE TABLE'|".formatted(schema));
      same(softly, "SHOW TRIGGERS FROM %s WHERE `Trigger` = 'x'".formatted(other), "");
      same(softly, "SHOW TABLE STATUS FROM %s LIKE 'x'".formatted(other), "");
      same(
          softly,
          "SHOW COLUMNS FROM %s.t_%s".formatted(other, schema),
          "'id'|'int(11)'|'NO'|'PRI'|NULL|''|");
      same(
          softly,
          "SHOW COLUMNS FROM t_%s FROM %s".formatted(schema, other),
          "'id'|'int(11)'|'NO'|'PRI'|NULL|''|");
      same(
          softly,
          "DESCRIBE %s.t_%s".formatted(other, schema),
          "'id'|'int(11)'|'NO'|'PRI'|NULL|''|");
    }
    for (String other : List.of("oc_alias", "oc_far", "oc_same")) {
      String schema = other.equals("oc_alias") ? "oc_other_name" : other;
      same(
          softly,
          "SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = '%s'"
              .formatted(other),
          "'id'|");
      same(
          softly,
          "SELECT c.TABLE_NAME, c.COLUMN_NAME FROM information_schema.COLUMNS c WHERE c.TABLE_NAME = 't_%s'"
              .formatted(schema),
          "'t_%s'|'id'|".formatted(schema));
    }
    for (String other : DATABASES) {
      assertThat(everywhere("SHOW CREATE DATABASE " + other))
          .as("SHOW CREATE DATABASE " + other)
          .allMatch(rows -> rows.startsWith("'%1$s'|'CREATE DATABASE `%1$s` ".formatted(other)));
    }
    assertThat(everywhere("SHOW EVENTS FROM oc_alias"))
        .allMatch(rows -> rows.startsWith("'oc_alias'|'e'|"));
    assertThat(everywhere("SHOW PROCEDURE STATUS LIKE 'p_oc%'"))
        .allMatch(
            rows ->
                rows.matches(
                    "(?s)'oc_alias'\\|'p_oc_other_name'.*'oc_far'\\|'p_oc_far'.*'oc_same'\\|'p_oc_same'"
                        + ".*'oc_shards'\\|'p_oc_shard_0'.*"));
    same(softly, "SHOW TABLES FROM oc_shards", "'o'| 't_oc_shard_0'| 't_oc_shard_1'|");
    softly.assertAll();
  }

  @Test
  void whatIsNotThereIsUnknown() throws SQLException {
    try (Connection connection = proxy.connect("")) {
      for (String sql :
          List.of(
              "SHOW TABLES FROM oc_other_name",
              "SHOW CREATE DATABASE nosuch",
              "SHOW TABLE STATUS FROM oc_shard_0")) {
        assertThat(Transcript.of(connection, sql).head()).as(sql).startsWith("error 1049 42000");
      }
      assertThat(Transcript.of(connection, "SHOW TABLES").head()).startsWith("error 1046 3D000");
    }
  }

  @Test
  void loginsAndSchemasOfServersAreRefusedWithTheWayOut() throws SQLException {
    try (Connection connection = proxy.connect("oc_same")) {
      assertThat(Transcript.of(connection, "CREATE OR REPLACE USER oc_x IDENTIFIED BY 'x'").head())
          .contains("AB2002")
          .contains("authority.users");
      // an administrator's is one of the proxy
      assertThat(Transcript.of(connection, "CREATE DATABASE IF NOT EXISTS oc_new").isError())
          .isFalse();
      assertThat(Transcript.of(connection, "DROP DATABASE oc_new").isError()).isFalse();
      assertThat(Transcript.of(connection, "CREATE DATABASE IF NOT EXISTS oc_same").isError())
          .isFalse();
    }
    try (Connection connection = proxy.connect("oc_alias")) {
      assertThat(Transcript.of(connection, "CREATE DATABASE oc_alias").head())
          .contains("error 1007")
          .contains("database 'oc_alias'");
    }
  }
}
