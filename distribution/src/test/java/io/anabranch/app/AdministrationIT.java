package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Words of administration that nobody knows do not go to a database. */
@ExtendWith(MariaDbServers.Resolver.class)
class AdministrationIT {

  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) {
    MariaDbServer server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS it_words", "CREATE DATABASE it_words");
    proxy = RunningProxy.start(List.of(), RunningProxy.passThrough("it_words", server));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "REGISTER STORAGE UNIT ds_1 (URL='jdbc:mysql://h/x', USER='root', PASSWORD='root')",
        "CREATE SHARDING TABLE RULE t (STORAGE_UNITS(ds_0), SHARDING_COLUMN=id)",
        "SHOW SHARDING TABLE RULES",
        "SET DIST VARIABLE sql_show = true",
        "COUNT SHARDING RULE",
      })
  void areRefusedByName(String sql) throws SQLException {
    String name = sql.substring(0, sql.indexOf(' ', sql.indexOf(' ') + 1));
    for (String option : List.of("useServerPrepStmts=false", "useServerPrepStmts=true")) {
      try (Connection client = proxy.connect("it_words", option)) {
        assertThatThrownBy(() -> client.prepareStatement(sql).execute())
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("AB2002: " + name)
            .hasMessageNotContaining("'root'");
      }
    }
  }
}
