package io.anabranch.app.definition;

import io.anabranch.app.fixture.table.ShardedPair;
import io.anabranch.testkit.MySqlServer;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** On MySQL: skipped where no MySQL server is (see {@link MySqlServer}). */
@Tag("long")
class MySqlSchemaDriftIT extends SchemaDriftCases {

  private static MySqlServer server;
  private static ShardedPair pair;

  @BeforeAll
  static void start() throws SQLException {
    MySqlServer.assumeInstalled();
    server = MySqlServer.start("drift");
    pair = ShardedPair.start(ShardedPair.of(server), "it_drift");
    pair.run(
        "CREATE TABLE made (id BIGINT PRIMARY KEY, user_id INT, code INT)",
        "CREATE TABLE word (w VARCHAR(20) COLLATE utf8mb4_bin PRIMARY KEY, n INT)");
  }

  @AfterAll
  static void stop() {
    if (pair != null) {
      pair.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @Override
  ShardedPair pair() {
    return pair;
  }
}
