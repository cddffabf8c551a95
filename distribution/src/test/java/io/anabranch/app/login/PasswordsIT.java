package io.anabranch.app.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two passwords of one account, and those that clients sign with. */
@ExtendWith(MariaDbServers.Resolver.class)
class PasswordsIT {

  private static final String SCHEMA = "it_passwords";

  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) {
    MariaDbServer server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    String global =
        """
        authority:
          users:
            - { user: "rotating@%", password: new-one, retainedPassword: old-one }
            - { user: "modern@%", password: new-one, retainedPassword: old-one, authenticationMethodName: sha2 }
            - { user: "hashed@%", password: "*14E65567ABDB5135D0CFD9A70B3032C179A49EE7", retainedPassword: old-one }
            - { user: "signing@%", password: "a password of any length, gr\u00fcn", retainedPassword: old-one, authenticationMethodName: signed }
          authenticators:
            sha2: { type: CACHING_SHA2_PASSWORD }
            signed: { type: ED25519 }
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2 }
        """;
    proxy = RunningProxy.startWith(global, RunningProxy.passThrough(SCHEMA, server));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  private static void login(RunningProxy.Driver driver, String user, String password)
      throws SQLException {
    try (Connection connection = driver.connect(proxy.port(), SCHEMA, user, password)) {
      assertThat(connection.isValid(5)).isTrue();
    }
  }

  private static void isDenied(RunningProxy.Driver driver, String user, String password) {
    assertThatThrownBy(() -> login(driver, user, password))
        .isInstanceOfSatisfying(
            SQLException.class, denied -> assertThat(denied.getErrorCode()).isEqualTo(1045));
  }

  @ParameterizedTest
  @EnumSource(RunningProxy.Driver.class)
  void bothPasswordsAreGood(RunningProxy.Driver driver) throws SQLException {
    // MySQL's driver takes a MariaDB of before 11 for too old to have caching_sha2_password
    boolean isMariaDb = driver == RunningProxy.Driver.MARIADB;
    for (String user : isMariaDb ? List.of("rotating", "modern") : List.of("rotating")) {
      login(driver, user, "new-one");
      login(driver, user, "old-one");
      isDenied(driver, user, "another");
      isDenied(driver, user, "");
    }
    login(driver, "hashed", "secret");
    login(driver, "hashed", "old-one");
    isDenied(driver, "hashed", "another");
  }

  @Test
  void mariaDbsDriverSigns() throws SQLException {
    RunningProxy.Driver driver = RunningProxy.Driver.MARIADB;
    login(driver, "signing", "a password of any length, gr\u00fcn");
    login(driver, "signing", "old-one");
    isDenied(driver, "signing", "another");
    isDenied(driver, "signing", "");
  }

  @Test
  void clientsThatCannotSignAreToldThatTheyMust() {
    assertThatThrownBy(() -> login(RunningProxy.Driver.MYSQL, "signing", "old-one"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("client_ed25519");
  }
}
