package io.anabranch.app.definition;

import io.anabranch.app.fixture.table.ShardedPair;
import io.anabranch.testkit.MySqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** On MySQL: skipped where no MySQL server is (see {@link MySqlServer}). */
@Tag("long")
class MySqlShardCheckIT extends ShardCheckCases {

  private static MySqlServer server;
  private static ShardedPair pair;

  @BeforeAll
  static void start() {
    MySqlServer.assumeInstalled();
    server = MySqlServer.start("shardcheck");
    pair = ShardedPair.start(ShardedPair.of(server), "it_check");
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
