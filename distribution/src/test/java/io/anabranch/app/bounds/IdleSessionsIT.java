package io.anabranch.app.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sessions that do nothing: 9,000 of one user filled a heap of 128 MB. */
@ExtendWith(MariaDbServers.Resolver.class)
class IdleSessionsIT {

  /** Of heap, of which one user may have a half: 42 sessions of 12 KB. */
  private static final int BUDGET = 1 << 20;

  private static final int FIT = 42;

  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) {
    servers.primaryA().execute("CREATE DATABASE IF NOT EXISTS it_idle");
    proxy =
        RunningProxy.startWith(
            """
            authority:
              users:
              - { user: hog, password: secret, admin: true }
              - { user: other, password: secret, admin: true }
            props:
              proxy-admin-port: 0
              proxy-frontend-executor-size: 2
              proxy-memory-heap-bytes: %d
              proxy-memory-user-percent: 50
            """
                .formatted(BUDGET),
            RunningProxy.passThrough("it_idle", servers.primaryA()));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static Connection connect(String user) throws SQLException {
    return RunningProxy.Driver.MARIADB.connect(proxy.port(), "it_idle", user, "secret");
  }

  /** The error; 0: it is in. */
  private static int tried(String user, List<Connection> in) {
    try {
      in.add(connect(user));
      return 0;
    } catch (SQLException refused) {
      return refused.getErrorCode();
    }
  }

  @Test
  void ofOneUserFitItsShare() throws SQLException {
    var sessions = new ArrayList<Connection>();
    while (tried("hog", sessions) == 0) {
      assertThat(sessions.size()).isLessThanOrEqualTo(FIT);
    }
    assertThat(sessions.size()).isBetween(FIT / 2, FIT);
    assertThat(tried("hog", sessions)).isEqualTo(ErrorCatalogue.MEMORY_SHARE.errno());
    assertThat(tried("other", sessions)).isZero();
    for (Connection each : sessions) {
      each.close();
    }
    Eventually.holds("there is room again", () -> tried("hog", sessions) == 0);
    sessions.getLast().close();
  }
}
