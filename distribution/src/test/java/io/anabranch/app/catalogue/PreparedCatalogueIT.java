package io.anabranch.app.catalogue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What libraries ask the catalogue, with the database's name as a parameter, where it may be that
 * of any of several servers: columns are called and typed as by the server itself.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class PreparedCatalogueIT {

  private static final String NAME = "pc_alias";
  private static final String SCHEMA = "pc_schema";
  private static final String FAR = "pc_far";
  private static final String[] TABLE = {
    "CREATE TABLE %s.note (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,"
        + " told DATETIME(3) NULL, text VARCHAR(50) COMMENT 'it''s', done TINYINT(1), KEY by_text (text))",
    "CREATE TABLE %s.line (id INT PRIMARY KEY, note BIGINT UNSIGNED, price DECIMAL(9,2) DEFAULT 1,"
        + " FOREIGN KEY (note) REFERENCES note (id))"
  };

  private static DatabaseServer near;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    near = servers.primaryA();
    make(near, NAME);
    make(near, SCHEMA);
    make(servers.primaryB(), FAR);
    proxy =
        RunningProxy.start(
            List.of(),
            RunningProxy.passThrough(NAME, near).replace("/" + NAME, "/" + SCHEMA),
            RunningProxy.passThrough(FAR, servers.primaryB()).replace("ds_0", "ds_far"));
  }

  private static void make(DatabaseServer server, String schema) {
    server.execute("DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
    for (String table : TABLE) {
      server.execute("USE " + schema);
      server.execute(table.formatted(schema).replace("REFERENCES ", "REFERENCES " + schema + "."));
    }
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT column_name, column_default, is_nullable = 'YES', data_type,"
            + " character_maximum_length, column_type, column_key, extra, column_comment,"
            + " numeric_precision, numeric_scale FROM information_schema.columns"
            + " WHERE table_schema = ? AND table_name = 'note' ORDER BY ORDINAL_POSITION",
        "SELECT table_name, (table_type), t.engine AS kind, Table_Rows >= 0"
            + " FROM information_schema.tables t WHERE table_schema = ? ORDER BY table_name",
        "SELECT TABLE_NAME, COLUMN_NAME, INDEX_NAME, NON_UNIQUE, Seq_In_Index"
            + " FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = ? ORDER BY 1, 3, 5",
        "SELECT SCHEMA_NAME FROM Information_schema.SCHEMATA WHERE SCHEMA_NAME LIKE ?"
            + " ORDER BY SCHEMA_NAME = 'pc_alias' DESC, schema_name LIMIT 1",
        "SELECT DISTINCT k.constraint_name, k.referenced_table_name, c.column_name"
            + " FROM information_schema.key_column_usage k JOIN information_schema.columns c"
            + " USING (table_schema, table_name) WHERE k.table_schema = ?"
            + " AND k.column_name = c.column_name ORDER BY 1, 2, 3",
        "SELECT count(*) FROM information_schema.table_constraints"
            + " WHERE constraint_schema = ? AND constraint_type = 'PRIMARY KEY'",
        "SELECT table_name FROM information_schema.tables WHERE table_schema = ?"
            + " UNION SELECT column_name FROM information_schema.columns"
            + " WHERE table_schema = 'pc_alias' AND is_nullable = 'NO' ORDER BY 1",
      })
  void asOfTheServer(String sql) throws SQLException {
    for (String collation : List.of("utf8mb4_general_ci", "utf8mb4_bin", "utf8mb4_unicode_ci")) {
      for (String option : List.of("useServerPrepStmts=true", "useServerPrepStmts=false")) {
        try (Connection direct =
                Driver.MARIADB.connect(
                    near.port(), NAME, MariaDbServer.USER, MariaDbServer.PASSWORD, option);
            Connection proxied = proxy.connect(NAME, option)) {
          assertThat(answer(proxied, collation, sql))
              .as(collation + " " + option)
              .isEqualTo(answer(direct, collation, sql));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT DATABASE()",
        "SELECT SCHEMA() AS s, CONCAT(DATABASE(), 'x'), id FROM line",
        "SELECT DISTINCT DATABASE() FROM information_schema.schemata",
        "SELECT DISTINCT SCHEMA()",
        "SELECT CHARSET(DATABASE()), COERCIBILITY(SCHEMA()), COLLATION(USER()), COERCIBILITY(USER())",
        "SHOW VARIABLES LIKE 'autocommit'",
        "SHOW STATUS LIKE 'nosuch'",
        "SHOW DATABASES LIKE 'pc_alias'",
      })
  void whatTheProxyAnswersItselfIsTypedAsOfTheServer(String sql) throws SQLException {
    for (String names : List.of("SET NAMES utf8mb4", "SET NAMES utf8mb4 COLLATE utf8mb4_bin")) {
      try (Connection direct =
              Driver.MARIADB.connect(
                  near.port(), NAME, MariaDbServer.USER, MariaDbServer.PASSWORD);
          Connection proxied = proxy.connect(NAME)) {
        assertThat(Transcript.of(proxied, names)).isEqualTo(Transcript.of(direct, names));
        assertThat(Transcript.of(proxied, sql)).as(names).isEqualTo(Transcript.of(direct, sql));
      }
    }
  }

  private static List<String> answer(Connection on, String collation, String sql)
      throws SQLException {
    var answer = new ArrayList<String>();
    try (Statement session = on.createStatement()) {
      session.execute("SET NAMES utf8mb4 COLLATE " + collation);
    }
    try (PreparedStatement query = on.prepareStatement(sql)) {
      query.setString(1, NAME);
      try (ResultSet rows = query.executeQuery()) {
        ResultSetMetaData columns = rows.getMetaData();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          answer.add(columns.getColumnLabel(i));
        }
        while (rows.next()) {
          for (int i = 1; i <= columns.getColumnCount(); i++) {
            answer.add(typed(rows.getObject(i)));
          }
        }
      }
    }
    return answer;
  }

  /** Whole numbers of all widths are alike: a UNION with rows of another server makes them wide. */
  private static String typed(@Nullable Object value) {
    boolean isText = value instanceof String || value instanceof byte[];
    String type =
        value instanceof Integer || value instanceof Long || value instanceof BigInteger
            ? "number"
            : value == null || isText ? "" : value.getClass().getSimpleName();
    return type + " " + (value instanceof byte[] bytes ? new String(bytes, UTF_8) : value);
  }
}
