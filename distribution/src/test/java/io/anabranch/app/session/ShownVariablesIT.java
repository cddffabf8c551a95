package io.anabranch.app.session;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SHOW VARIABLES shows the session's own values, whatever connection it has. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class ShownVariablesIT {

  private static final String SCHEMA = "it_shown";

  private static final List<String> QUESTIONS =
      List.of(
          "SHOW VARIABLES LIKE 'autocommit'",
          "SHOW VARIABLES LIKE '%commit'",
          "SHOW SESSION VARIABLES LIKE 'last\\_insert%'",
          "SHOW LOCAL VARIABLES WHERE Variable_name IN ('identity', 'sql_mode', 'autocommit')"
              + " AND Value <> 'x' AND Variable_name <> 'sql_mode'",
          "SHOW VARIABLES WHERE Value = 'OFF' AND Variable_name LIKE 'autoc%'",
          "SHOW VARIABLES WHERE variable_name = 'in_transaction'",
          "SHOW VARIABLES LIKE 'session\\_track\\_%'",
          "SHOW VARIABLES LIKE 'time_zone'",
          "SHOW VARIABLES WHERE nonsense = 1",
          "SHOW VARIABLES LIKE 'no_such_variable'",
          "SELECT @@session_track_state_change");

  private static DatabaseServer plain;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) {
    plain = servers.primaryA();
    plain.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    proxy = RunningProxy.start(List.of(), RunningProxy.passThrough(SCHEMA, plain));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET @none = 1",
        "SET autocommit = 0, time_zone = '+03:00'",
        "SELECT LAST_INSERT_ID(7)",
        "BEGIN",
        "SET session_track_state_change = 1",
        "SET session_track_state_change = 1, session_track_state_change = 0",
      })
  void answersAreTheServers(String before) throws SQLException {
    try (Connection proxied = proxy.connect(SCHEMA);
        Connection direct =
            Driver.MARIADB.connect(
                plain.port(), SCHEMA, MariaDbServer.USER, MariaDbServer.PASSWORD)) {
      Transcript.of(proxied, before);
      Transcript.of(direct, before);
      var softly = new SoftAssertions();
      for (String sql : QUESTIONS) {
        softly
            .assertThat(Transcript.of(proxied, sql))
            .as(sql)
            .isEqualTo(Transcript.of(direct, sql));
      }
      softly.assertAll();
    }
  }
}
