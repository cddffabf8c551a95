package io.anabranch.app.write;

import io.anabranch.app.fixture.client.Comparison;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.app.fixture.table.ShardedFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows that an UPDATE of the sharding column moves to another node keep what is stored in them,
 * whatever the session's {@code sql_mode} would say of it; what the statement sets anew is checked.
 */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class MovedRowsIT {

  /** An hour that comes twice: from two hours ahead of UTC to one. */
  private static final List<String> ZONE =
      List.of(
          "REPLACE INTO mysql.time_zone VALUES (901, 'N')",
          "REPLACE INTO mysql.time_zone_name VALUES ('Test/Twice', 901)",
          "REPLACE INTO mysql.time_zone_transition VALUES (901, 1711846800, 1), (901, 1729990800, 0)",
          "REPLACE INTO mysql.time_zone_transition_type VALUES (901, 0, 3600, 0, 'ONE'),"
              + " (901, 1, 7200, 1, 'TWO')");

  private static ShardedFixture sharded;

  @BeforeAll
  static void start(DatabaseServers servers) {
    for (DatabaseServer server : List.of(servers.primaryA(), servers.primaryB())) {
      server.execute(ZONE.toArray(String[]::new));
    }
    sharded = ShardedFixture.start(servers, "it_moved", ShardedFixture.HALVES, List.of());
  }

  @AfterAll
  static void stop() {
    sharded.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TRADITIONAL",
        "STRICT_ALL_TABLES",
        "STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE",
        "STRICT_ALL_TABLES,ANSI_QUOTES,NO_BACKSLASH_ESCAPES",
        "NO_ZERO_DATE",
        "PAD_CHAR_TO_FULL_LENGTH",
        ""
      })
  void keepWhatTheyHave(String mode) throws SQLException {
    try (Connection proxied = sharded.throughProxy();
        Connection plain = sharded.onPlain()) {
      var both =
          new Comparison(
              proxied, plain, answer -> answer.replace(sharded.plainSchema(), sharded.schema()));
      for (Connection each : List.of(proxied, plain)) {
        Transcript.of(each, "DROP TABLE IF EXISTS f");
        Transcript.of(each, "SET sql_mode = 'ALLOW_INVALID_DATES,NO_AUTO_VALUE_ON_ZERO'");
        Transcript.of(each, "SET time_zone = '+00:00'");
      }
      both.same(
          "CREATE TABLE f (id INT PRIMARY KEY, d DATE, dt DATETIME(2), ts TIMESTAMP NULL, e ENUM('x',"
              + " 'y'), s SET('p', 'q'), y YEAR, b BIT(3), r FLOAT, c CHAR(4), v VARCHAR(5),"
              + " n INT NOT NULL)",
          "INSERT INTO f VALUES (4, '2024-01-01', NULL, NULL, 'x', 'q', 1999, b'1', 3.3, 'a', 'x', 3)");
      for (Connection each : List.of(proxied, plain)) {
        Transcript.of(
            each,
            "INSERT IGNORE INTO f VALUES (1, '0000-00-00', '0000-00-00 00:00:00', '2024-10-27 00:30:00',"
                + " '', '', 0, b'0', 0.1, '', '', 1), (2, '2024-00-10', '2024-02-31 10:00:00.25',"
                + " '2024-10-27 01:30:00', 'bad', 'p', 2001, b'101', 1e10, 'a\\\\', '\\'\"', 2),"
                + " (3, '2024-02-31', '2024-01-01', '0000-00-00 00:00:00', NULL, NULL, NULL, NULL,"
                + " NULL, NULL, NULL, 0)");
      }
      both.sameRows(
          "SET time_zone = 'Test/Twice'",
          "SET sql_mode = '%s'".formatted(mode),
          all(),
          "UPDATE f SET id = id + 101",
          all(),
          "UPDATE f SET id = id - 1, n = n + 1 WHERE id < 104",
          all());
      both.sameRowsAndCounts(
          "UPDATE f SET id = id + 1, d = '0000-00-00' WHERE id = 105",
          "UPDATE f SET id = id + 1, d = '2024-02-31' WHERE id = 105",
          "UPDATE f SET id = id + 1, e = '' WHERE id = 105",
          "UPDATE f SET id = id + 1, v = 'too long for it' WHERE id = 105",
          "UPDATE f SET id = id + 1, n = NULL WHERE id = 105",
          "UPDATE f SET id = 201, y = 3000 WHERE id = 104");
      both.sameRows(all(), "UPDATE f SET id = -id", all());
    }
  }

  /** With the numbers of what has no text, and moments as they are. */
  private static String all() {
    return "SELECT *, e + 0 AS number, UNIX_TIMESTAMP(ts) AS seconds FROM f ORDER BY id";
  }
}
