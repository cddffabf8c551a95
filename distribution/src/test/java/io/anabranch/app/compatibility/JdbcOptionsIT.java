package io.anabranch.app.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The two JDBC drivers with the options that change what they send: batches that become several
 * rows or several statements, statements prepared on the server, cursors, several statements per
 * packet, streamed results, found instead of changed rows. Each case gives the same through the
 * proxy as on the database.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class JdbcOptionsIT {

  private static final String SCHEMA = "it_jdbc";

  private static DatabaseServer plain;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    plain = servers.primaryA();
    DatabaseServer behind = servers.primaryB();
    plain.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    behind.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    proxy = RunningProxy.start(List.of(), RunningProxy.passThrough(SCHEMA, behind));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  static Stream<Arguments> options() {
    var all = new ArrayList<Arguments>();
    for (Driver driver : Driver.values()) {
      for (String options :
          List.of(
              "",
              "useServerPrepStmts=true",
              "useServerPrepStmts=true cachePrepStmts=true prepStmtCacheSize=2",
              "rewriteBatchedStatements=true allowMultiQueries=true",
              "rewriteBatchedStatements=true useServerPrepStmts=true",
              "useCursorFetch=true defaultFetchSize=3 useServerPrepStmts=true",
              "useAffectedRows=true",
              "useCompression=true",
              "allowMultiQueries=true useServerPrepStmts=true")) {
        all.add(Arguments.of(driver, options));
      }
    }
    all.add(Arguments.of(Driver.MARIADB, "useBulkStmts=true useServerPrepStmts=true"));
    all.add(Arguments.of(Driver.MARIADB, "useBulkStmtsForInserts=true disablePipeline=true"));
    all.add(Arguments.of(Driver.MYSQL, "elideSetAutoCommits=true useLocalSessionState=true"));
    all.add(Arguments.of(Driver.MYSQL, "cacheServerConfiguration=true useUsageAdvisor=false"));
    return all.stream();
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("options")
  void sameAsOnTheDatabase(Driver driver, String options) throws SQLException {
    String[] each = options.isEmpty() ? new String[0] : options.split(" ", -1);
    List<String> there;
    List<String> here;
    try (Connection direct =
        driver.connect(plain.port(), SCHEMA, MariaDbServer.USER, MariaDbServer.PASSWORD, each)) {
      there = transcript(direct);
    }
    try (Connection proxied =
        driver.connect(proxy.port(), SCHEMA, RunningProxy.USER, RunningProxy.PASSWORD, each)) {
      here = transcript(proxied);
    }
    assertThat(there).hasSizeGreaterThan(20);
    assertThat(here).isEqualTo(there);
  }

  private static List<String> transcript(Connection connection) throws SQLException {
    var seen = new ArrayList<String>();
    schema(connection);
    batches(connection, seen);
    largeValues(connection, seen);
    cursors(connection, seen);
    transactions(connection, seen);
    procedures(connection, seen);
    severalStatements(connection, seen);
    metadata(connection, seen);
    return seen;
  }

  private static void schema(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS items");
      statement.execute(
          "CREATE TABLE items (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) UNIQUE,"
              + " price DECIMAL(12,4), data LONGBLOB, made TIMESTAMP(6) NULL)");
      statement.execute("DROP PROCEDURE IF EXISTS twice");
      statement.execute(
          "CREATE PROCEDURE twice(IN a INT, INOUT b INT, OUT c VARCHAR(10)) BEGIN SELECT a AS first;"
              + " SELECT a + b AS second; SET b = b * 2; SET c = 'done'; END");
    }
  }

  private static void batches(Connection connection, List<String> seen) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO items (name, price) VALUES (?, ?)", Statement.RETURN_GENERATED_KEYS)) {
      for (int i = 1; i <= 10; i++) {
        insert.setString(1, "item " + i);
        insert.setBigDecimal(2, new BigDecimal(i + ".25"));
        insert.addBatch();
      }
      seen.add("batch " + Arrays.toString(insert.executeBatch()));
      seen.add("keys " + rows(insert.getGeneratedKeys()));
    }
    try (PreparedStatement twice =
        connection.prepareStatement("INSERT INTO items (id, name) VALUES (?, ?)")) {
      for (int id : new int[] {20, 1, 21}) {
        twice.setInt(1, id);
        twice.setString(2, null);
        twice.addBatch();
      }
      twice.executeBatch();
      seen.add("a duplicate was taken");
    } catch (BatchUpdateException e) {
      seen.add("duplicate " + e.getErrorCode() + " " + Arrays.toString(e.getUpdateCounts()));
    }
    try (Statement statement = connection.createStatement()) {
      seen.add("ids " + rows(statement.executeQuery("SELECT id FROM items WHERE id > 15")));
      statement.execute("DELETE FROM items WHERE id > 15");
    }
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE items SET price = price + ? WHERE id = ?")) {
      for (int i = 1; i <= 4; i++) {
        update.setInt(1, i % 2);
        update.setLong(2, i);
        update.addBatch();
      }
      seen.add("updates " + Arrays.toString(update.executeBatch()));
    }
    try (Statement statement = connection.createStatement()) {
      statement.addBatch("INSERT INTO items (name) VALUES ('batched')");
      statement.addBatch("UPDATE items SET price = 1 WHERE name = 'batched'");
      statement.addBatch("INSERT INTO items (name) VALUES ('batched')");
      statement.executeBatch();
      seen.add("a duplicate was taken");
    } catch (SQLException e) {
      seen.add("batch " + e.getErrorCode() + " " + e.getSQLState());
    }
  }

  private static void largeValues(Connection connection, List<String> seen) throws SQLException {
    byte[] large = new byte[300_000];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i * 31);
    }
    try (PreparedStatement insert =
        connection.prepareStatement("UPDATE items SET data = ? WHERE id = ?")) {
      insert.setBinaryStream(1, new ByteArrayInputStream(large));
      insert.setLong(2, 1);
      seen.add("stream " + insert.executeUpdate());
    }
    try (PreparedStatement select =
        connection.prepareStatement("SELECT data FROM items WHERE id = ?")) {
      select.setLong(1, 1);
      try (ResultSet row = select.executeQuery()) {
        seen.add("read " + row.next() + " " + Arrays.equals(large, row.getBytes(1)));
      }
    }
  }

  private static void cursors(Connection connection, List<String> seen) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT id, name, price FROM items WHERE id > ? ORDER BY id")) {
      select.setFetchSize(2);
      select.setLong(1, 0);
      try (ResultSet result = select.executeQuery()) {
        seen.add("cursor " + rows(result));
      }
      select.setLong(1, 5);
      try (ResultSet abandoned = select.executeQuery()) {
        seen.add("first of some " + abandoned.next() + " " + abandoned.getString("name"));
      }
    }
    try (PreparedStatement count = connection.prepareStatement("SELECT COUNT(*) FROM items")) {
      seen.add("count " + rows(count.executeQuery()));
    }
  }

  private static void transactions(Connection connection, List<String> seen) throws SQLException {
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    try (Statement statement = connection.createStatement()) {
      seen.add("deleted " + statement.executeUpdate("DELETE FROM items WHERE id > 8"));
      var savepoint = connection.setSavepoint("here");
      seen.add("deleted " + statement.executeUpdate("DELETE FROM items"));
      connection.rollback(savepoint);
      connection.commit();
      seen.add("deleted " + statement.executeUpdate("DELETE FROM items"));
      connection.rollback();
      seen.add("left " + rows(statement.executeQuery("SELECT COUNT(*) FROM items")));
    }
    connection.setAutoCommit(true);
    seen.add("isolation " + connection.getTransactionIsolation());
    connection.setReadOnly(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT 1");
      seen.add("read only " + connection.isReadOnly());
    }
    connection.setReadOnly(false);
  }

  private static void procedures(Connection connection, List<String> seen) throws SQLException {
    try (CallableStatement call = connection.prepareCall("{call twice(?, ?, ?)}")) {
      call.setInt(1, 4);
      call.setInt(2, 5);
      call.registerOutParameter(2, Types.INTEGER);
      call.registerOutParameter(3, Types.VARCHAR);
      boolean hasRows = call.execute();
      while (hasRows) {
        seen.add("call " + rows(call.getResultSet()));
        hasRows = call.getMoreResults();
      }
      seen.add("out " + call.getInt(2) + " " + call.getString(3));
    }
  }

  private static void severalStatements(Connection connection, List<String> seen)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean hasRows =
          statement.execute("SELECT 1; UPDATE items SET price = 0 WHERE id < 3; SELECT 'x', 2");
      for (int i = 0; i < 3; i++) {
        seen.add(
            hasRows
                ? "rows " + rows(statement.getResultSet())
                : "count " + statement.getUpdateCount());
        hasRows = statement.getMoreResults();
      }
    } catch (SQLException e) {
      seen.add("several " + e.getErrorCode() + " " + e.getSQLState());
    }
  }

  private static void metadata(Connection connection, List<String> seen) throws SQLException {
    DatabaseMetaData about = connection.getMetaData();
    seen.add("columns " + rows(about.getColumns(SCHEMA, null, "items", "%")));
    seen.add("keys " + rows(about.getPrimaryKeys(SCHEMA, null, "items")));
    seen.add("version " + about.getDatabaseMajorVersion());
    seen.add("catalog " + connection.getCatalog());
    seen.add("valid " + connection.isValid(10));
  }

  private static String rows(ResultSet result) throws SQLException {
    var text = new StringBuilder();
    try (result) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        for (int i = 1; i <= columns; i++) {
          Object value = result.getObject(i);
          text.append(value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value)
              .append(i == columns ? '\n' : '|');
        }
      }
    }
    return text.toString();
  }
}
