package io.anabranch.app.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.table.ShardedPair;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** On MariaDB, and in a database of one data source. */
@ExtendWith(MariaDbServers.Resolver.class)
class ShardCheckIT extends ShardCheckCases {

  private static ShardedPair pair;
  private static MariaDbServers all;

  @BeforeAll
  static void start(MariaDbServers servers) {
    all = servers;
    pair = ShardedPair.start(ShardedPair.of(servers), "it_check");
  }

  @AfterAll
  static void stop() {
    pair.close();
  }

  @Override
  ShardedPair pair() {
    return pair;
  }

  @Test
  void aDatabaseOfOneDataSourceHasNothingToCompare() throws SQLException {
    String schema = pair.actual(0);
    try (RunningProxy proxy =
            RunningProxy.start(List.of(), RunningProxy.passThrough(schema, all.primaryA()));
        Connection connection = proxy.connect(schema);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("CHECK TABLE alone ACROSS SHARDS")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(3)).isEqualTo("note");
      assertThat(rows.getString(4)).contains("one data source");
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(4)).isEqualTo("OK");
    }
  }
}
