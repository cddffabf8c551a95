package io.anabranch.app.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A configuration without a password: all of them stand in files of their own. */
@ExtendWith(MariaDbServers.Resolver.class)
class SecretsIT {

  private static final String DATABASE =
      """
      databaseName: it_secrets
      dataSources:
        ds_0:
          url: ${file:secrets/url}
          username: ${file:secrets/account}
          password: ${file:secrets/password}
          connectionTimeoutMilliseconds: 1000
      rules: []
      """;

  @TempDir Path folder;
  private MariaDbServer server;

  @BeforeEach
  void prepare(MariaDbServers servers) throws IOException {
    server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS it_secrets", "CREATE DATABASE it_secrets");
    Files.createDirectory(folder.resolve("secrets"));
    secret("login", RunningProxy.PASSWORD);
    secret("url", server.url("it_secrets"));
    secret("account", MariaDbServer.USER);
    Files.writeString(
        folder.resolve("global.yaml"),
        """
        authority:
          users:
          - user: %s
            password: ${file:secrets/login}
        props: { proxy-admin-port: 0 }
        """
            .formatted(RunningProxy.USER));
    Files.writeString(folder.resolve("database-it.yaml"), DATABASE);
  }

  private void secret(String name, String content) throws IOException {
    Files.writeString(folder.resolve("secrets").resolve(name), content + "\n");
  }

  private static String read(RunningProxy proxy) throws SQLException {
    try (Connection client = proxy.connect("it_secrets");
        ResultSet row = client.createStatement().executeQuery("SELECT DATABASE()")) {
      row.next();
      return row.getString(1);
    }
  }

  private static String stack(Throwable thrown) {
    var text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @Test
  void logsInOnBothSides() throws IOException, SQLException {
    secret("password", MariaDbServer.PASSWORD);
    try (RunningProxy proxy = RunningProxy.startFrom(folder)) {
      assertThat(read(proxy)).isEqualTo("it_secrets");
    }
  }

  @Test
  void clientsDoNotSeeAWrongOne() throws IOException, SQLException {
    secret("password", "not-the-right-one");
    try (RunningProxy proxy = RunningProxy.startFrom(folder)) {
      assertThatThrownBy(() -> read(proxy))
          .isInstanceOf(SQLException.class)
          .hasStackTraceContaining("Access denied")
          .satisfies(told -> assertThat(stack(told)).doesNotContain("not-the-right-one"));
    }
  }

  @Test
  void doesNotStartWithoutOne() {
    assertThatThrownBy(() -> RunningProxy.startFrom(folder))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "database-it.yaml:6:15: dataSources.ds_0.password: the file `secrets/password` does not exist");
  }
}
