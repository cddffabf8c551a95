package io.anabranch.app.configuration;

import static io.anabranch.app.fixture.ReloadFolder.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Files that change are put in force by themselves. */
@ExtendWith(MariaDbServers.Resolver.class)
class ConfigurationWatchIT {

  private static final String WATCH = "SET DIST VARIABLE proxy_configuration_watch_seconds = ";

  @TempDir Path temporary;
  private MariaDbServer server;
  private ReloadFolder folder;
  private RunningProxy proxy;

  @BeforeEach
  void start(MariaDbServers servers) throws IOException {
    server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS it_watch", "CREATE DATABASE it_watch");
    folder = new ReloadFolder(temporary);
    folder.global("");
    shop(9);
    proxy = RunningProxy.startFrom(temporary);
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  private void shop(int most) throws IOException {
    folder.write(
        "database-shop.yaml",
        "databaseName: shop\ndataSources:\n"
            + ReloadFolder.source("ds_0", server, "it_watch", most)
            + "rules: []\n");
  }

  private static void run(Connection client, String sql) throws SQLException {
    try (Statement statement = client.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Who wanted it, what it changed; the latest first. */
  private static List<String> history(Connection admin) throws SQLException {
    var versions = new ArrayList<String>();
    try (Statement statement = admin.createStatement();
        ResultSet rows = statement.executeQuery("SHOW CONFIGURATION HISTORY")) {
      while (rows.next()) {
        versions.add(rows.getString("author") + ": " + rows.getString("changes"));
      }
    }
    return versions;
  }

  private static void awaitLatest(Connection admin, String version) {
    Eventually.holds(
        version,
        () -> {
          try {
            return history(admin).getFirst().equals(version);
          } catch (SQLException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void changesAreTakenAndBadOnesAreNot() throws Exception {
    try (Connection admin = proxy.connect("shop")) {
      run(admin, WATCH + "1");
      folder.global(", proxy-configuration-watch-seconds: 1");
      shop(8);
      awaitLatest(admin, "watch: database shop: dataSources.ds_0.maxPoolSize: 9 -> 8");
      folder.write("database-bad.yaml", "databaseName: bad\ndataSource: {}\n");
      shop(7);
      assertThat(column(admin, "SHOW DATABASES")).doesNotContain("bad");
      Files.delete(temporary.resolve("database-bad.yaml"));
      awaitLatest(admin, "watch: database shop: dataSources.ds_0.maxPoolSize: 8 -> 7");
    }
  }

  @Test
  void secretsAreTakenAndWhatIsNotSavedStays() throws Exception {
    folder.write("secret", "first");
    folder.write(
        "global.yaml",
        Files.readString(temporary.resolve("global.yaml"))
            .replace("password: plain", "password: \"${file:secret}\""));
    try (Connection admin = proxy.connect("shop")) {
      column(admin, "RELOAD CONFIGURATION");
      run(admin, WATCH + "1");
      run(admin, "SET DIST VARIABLE sql_show = true");
      folder.write("secret", "second");
      awaitLatest(
          admin,
          "watch: global: authority.users[plain].password: what a reference stands for has changed");
      Driver.MARIADB.connect(proxy.port(), "shop", "plain", "second").close();
      assertThat(column(admin, "SHOW CONFIGURATION DIFF"))
          .containsExactlyInAnyOrder(
              "global: props.sql-show is gone",
              "global: props.proxy-configuration-watch-seconds is gone");
      run(admin, WATCH + "0");
      column(admin, "SAVE CONFIGURATION");
      assertThat(column(admin, "SHOW CONFIGURATION DIFF")).isEmpty();
    }
  }
}
