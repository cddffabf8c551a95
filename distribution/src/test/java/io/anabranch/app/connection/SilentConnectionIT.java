package io.anabranch.app.connection;

import static io.anabranch.app.fixture.table.XaFixture.one;
import static io.anabranch.app.fixture.table.XaFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.Cutter;
import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.table.XaFixture;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One connection's bytes are swallowed, while the database is well and says so. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
@Tag("long")
class SilentConnectionIT {

  private static final String SCHEMA = "it_silent";

  private static Cutter link;
  private static RunningProxy proxy;

  @BeforeAll
  static void start(DatabaseServers servers) throws IOException {
    DatabaseServer server = servers.primaryA();
    server.execute(
        "DROP DATABASE IF EXISTS " + SCHEMA,
        "CREATE DATABASE " + SCHEMA,
        "CREATE TABLE " + SCHEMA + ".account (a INT)",
        "INSERT INTO " + SCHEMA + ".account VALUES (1)");
    link = Cutter.to(server.port());
    String url = server.url(SCHEMA).replace(":" + server.port(), ":" + link.port());
    proxy =
        RunningProxy.start(
            List.of("proxy-backend-silence-seconds: 1"),
            """
            databaseName: %s
            dataSources:
              ds_0: { url: "%s", username: %s, password: %s, maxPoolSize: 4, minPoolSize: 1 }
            rules: []
            """
                .formatted(SCHEMA, url, MariaDbServer.USER, MariaDbServer.PASSWORD));
    Eventually.holds("the proxy reaches the database", () -> XaFixture.reaches(proxy, SCHEMA));
  }

  @AfterAll
  static void stop() {
    proxy.close();
    link.close();
  }

  /** The command, or its answer, never arrives. */
  @ParameterizedTest
  @ValueSource(strings = {"", "BEGIN"})
  void aSwallowedAnswerEnds(String before) throws SQLException {
    try (Connection client = proxy.connect(SCHEMA)) {
      run(client, "SELECT a FROM account");
      if (!before.isEmpty()) {
        run(client, before, "SELECT a FROM account");
      }
      link.arm(Cutter.Step.DURING_STATEMENT, Cutter.Way.SILENCE, () -> {});
      assertThatThrownBy(() -> run(client, "UPDATE account SET a = 2"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1430));
      run(client, "ROLLBACK");
      assertThat(one(client, "SELECT COUNT(*) FROM account")).isEqualTo("1");
    }
  }

  /** What takes longer than the limit, with a server that works, is not touched. */
  @Test
  void aLongStatementLives() throws SQLException {
    try (Connection client = proxy.connect(SCHEMA)) {
      assertThat(one(client, "SELECT SLEEP(7) FROM account")).isEqualTo("0");
    }
  }
}
