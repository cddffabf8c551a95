package io.anabranch.app.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * User variables that are NULL have the type that one server gives them, on each connection,
 * whatever other sessions have left there.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class NullVariablesIT {

  private static final List<String> FORMER =
      List.of(
          "NULL",
          "5",
          "CAST(5 AS UNSIGNED)",
          "1.5",
          "1e0",
          "'a' COLLATE utf8mb4_bin",
          "_latin1'a' COLLATE latin1_general_cs",
          "x'61'");

  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) throws SQLException {
    sharded = ShardedFixture.start(servers, "it_nulls", ShardedFixture.HALVES, List.of());
    for (Connection each : List.of(sharded.onPlain(), sharded.throughProxy())) {
      try (each;
          var statement = each.createStatement()) {
        statement.execute("CREATE TABLE f (id INT PRIMARY KEY, v VARCHAR(20))");
        statement.execute("INSERT INTO f VALUES (1, 'a'), (2, 'b')");
      }
    }
  }

  @AfterAll
  static void stop() {
    sharded.close();
  }

  /** Leaves the variable on connections of one data source. */
  private static void leave(String value) throws SQLException {
    try (Connection other = sharded.throughProxy()) {
      Transcript.of(other, "SET @v = " + value);
      Transcript.of(other, "SELECT * FROM f WHERE id = 1");
    }
  }

  private static String types(Connection client) throws SQLException {
    try (var statement = client.createStatement();
        ResultSet rows = statement.executeQuery("SELECT @v, f.id FROM f")) {
      var meta = rows.getMetaData();
      return meta.getColumnTypeName(1) + " " + meta.isSigned(1) + " " + meta.getScale(1);
    }
  }

  @Test
  void columnsAreOfTheTypeOfOneServer() throws SQLException {
    var soft = new SoftAssertions();
    for (String left : List.of("'left'", "7")) {
      for (String former : FORMER) {
        leave(left);
        var told = new ArrayList<String>();
        for (Connection each : List.of(sharded.onPlain(), sharded.throughProxy())) {
          try (each) {
            Transcript.of(each, "SET @v = " + former);
            Transcript.of(each, "SET @v = NULL");
            told.add(types(each));
          }
        }
        soft.assertThat(told.get(1)).as("%s, %s", left, former).isEqualTo(told.get(0));
      }
    }
    soft.assertAll();
  }

  @Test
  void rowsAreInserted() throws SQLException {
    for (String left : List.of("'left'", "7")) {
      for (String set : List.of("SET @w = 1", "SET @v = NULL", "SET @v = 5, @v = NULL")) {
        leave(left);
        try (Connection client = sharded.throughProxy()) {
          Transcript.of(client, set);
          Transcript answer =
              Transcript.of(client, "INSERT INTO f (id, v) SELECT id + 10, @v FROM f");
          assertThat(answer.isError()).as("%s %s: %s", left, set, answer).isFalse();
          assertThat(Transcript.of(client, "SELECT id FROM f WHERE v IS NULL ORDER BY id").rows())
              .hasSize(2);
          Transcript.of(client, "DELETE FROM f WHERE id > 10");
        }
      }
    }
  }
}
