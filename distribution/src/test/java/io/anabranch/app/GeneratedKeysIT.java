package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.RunningProxy.Driver;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys that the proxy makes, as JDBC drivers tell them. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class GeneratedKeysIT {

  private static WritesFixture fixture;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    fixture = WritesFixture.start(servers, "it_generated");
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @CsvSource({"MARIADB, false", "MARIADB, true", "MYSQL, false", "MYSQL, true"})
  void areThoseOfTheRows(Driver driver, boolean prepared) throws SQLException {
    String[] options = prepared ? driver.serverPrepare() : new String[0];
    try (Connection connection =
        driver.connect(
            fixture.proxy.port(),
            fixture.schema,
            RunningProxy.USER,
            RunningProxy.PASSWORD,
            options)) {
      String one = "INSERT INTO t_key (name) VALUES (?)";
      try (PreparedStatement insert =
          connection.prepareStatement(one, Statement.RETURN_GENERATED_KEYS)) {
        var seen = new HashSet<Long>();
        for (String name : List.of("a", "b", "c")) {
          insert.setString(1, name);
          insert.executeUpdate();
          List<Long> keys = keys(insert);
          assertThat(keys).hasSize(1);
          assertThat(names(connection, keys)).containsExactly(name);
          assertThat(seen.addAll(keys)).isTrue();
        }
        for (String name : List.of("d", "e", "f")) {
          insert.setString(1, name);
          insert.addBatch();
        }
        insert.executeBatch();
        assertThat(names(connection, keys(insert))).containsExactly("d", "e", "f");
      }
    }
  }

  /** The MySQL driver counts on from the first key; the MariaDB driver tells the first alone. */
  @ParameterizedTest
  @CsvSource({"MARIADB, 1", "MYSQL, 200"})
  void followOneAnotherInOneStatement(Driver driver, int told) throws SQLException {
    try (Connection connection =
            driver.connect(
                fixture.proxy.port(), fixture.schema, RunningProxy.USER, RunningProxy.PASSWORD);
        Statement statement = connection.createStatement()) {
      var names = new ArrayList<String>();
      for (int i = 0; i < 200; i++) {
        names.add("n" + i);
      }
      String sql = "INSERT INTO t_key (name) VALUES ('" + String.join("'), ('", names) + "')";
      for (int round = 0; round < 5; round++) {
        statement.executeUpdate(sql, Statement.RETURN_GENERATED_KEYS);
        List<Long> keys = keys(statement);
        assertThat(keys).hasSize(told);
        assertThat(names(connection, keys)).containsExactlyElementsOf(names.subList(0, told));
      }
    }
  }

  private static List<Long> keys(Statement statement) throws SQLException {
    var keys = new ArrayList<Long>();
    try (ResultSet rows = statement.getGeneratedKeys()) {
      while (rows.next()) {
        keys.add(rows.getLong(1));
      }
    }
    return keys;
  }

  private static List<String> names(Connection connection, List<Long> keys) throws SQLException {
    var names = new ArrayList<String>();
    try (PreparedStatement select =
        connection.prepareStatement("SELECT name FROM t_key WHERE id = ?")) {
      for (long key : keys) {
        select.setLong(1, key);
        try (ResultSet rows = select.executeQuery()) {
          while (rows.next()) {
            names.add(rows.getString(1));
          }
        }
      }
    }
    return names;
  }
}
