package io.anabranch.app.plugin;

import static io.anabranch.app.fixture.ReloadFolder.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.check.InstalledAlgorithms;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.rules.account.AccountStoreProvider;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An account store that fails, or hangs, ends the logins that it is asked about, and no others. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class AccountStoreFailureIT {

  /** Does what the name says. */
  private static final String MOODY =
      """
      package org.example;

      import io.anabranch.rules.account.*;
      import java.util.List;
      import java.util.Map;

      public final class Moody implements AccountStoreProvider {
        static int deep(int depth) { return deep(depth + 1) + 1; }

        public String type() { return "MOODY"; }

        public AccountStore create(Map<String, String> properties) {
          return (name, address, password) -> {
            switch (name) {
              case "throws" -> throw new IllegalStateException("not told");
              case "checked" -> throw new Exception("not told");
              case "misses" -> throw new NoClassDefFoundError("org/example/Missing");
              case "deep" -> deep(0);
              case "interrupted" -> throw new InterruptedException("not told");
              case "null" -> { return null; }
              case "hangs" -> {
                while (true) {
                  try { Thread.sleep(1000); } catch (InterruptedException stubborn) { }
                }
              }
              default -> { }
            }
            return new AccountStore.Granted(List.of(name));
          };
        }
      }
      """;

  @TempDir Path folder;

  private void configure(int concurrent) throws IOException {
    Files.writeString(
        folder.resolve("conf/global.yaml"),
        """
        authority:
          users:
          - { user: %s, password: %s, admin: true }
          - { user: reader, role: true }
          accountStore:
            type: MOODY
            timeoutMilliseconds: 2000
            maxConcurrent: %d
            roles: { "*": reader }
        props:
          proxy-frontend-executor-size: 1
          proxy-frontend-ssl-enabled: true
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD, concurrent));
  }

  private static String login(RunningProxy proxy, String name) throws SQLException {
    try (Connection client =
        Driver.MYSQL.connect(proxy.port(), "", name, "typed", "sslMode=REQUIRED")) {
      return one(client, "SELECT CONCAT(USER(), ' ', CURRENT_USER())");
    }
  }

  private static void assertSilent(RunningProxy proxy, String name) {
    assertThatThrownBy(() -> login(proxy, name))
        .as(name)
        .isInstanceOfSatisfying(
            SQLException.class, failed -> assertThat(failed.getErrorCode()).isEqualTo(1105))
        .hasMessageContaining("AB2078")
        .hasMessageNotContaining("not told")
        .hasMessageNotContaining("org.example");
  }

  @Test
  void endsTheLoginAlone(DatabaseServers servers) throws Exception {
    PlugInJar.write(
        folder.resolve("ext-lib"),
        "moody",
        "1",
        MOODY,
        Map.of(AccountStoreProvider.class, List.of("org.example.Moody")));
    Path conf = Files.createDirectories(folder.resolve("conf"));
    configure(2);
    servers.primaryA().execute("CREATE DATABASE IF NOT EXISTS it_moody");
    Files.writeString(
        conf.resolve("database-0.yaml"), RunningProxy.passThrough("it_moody", servers.primaryA()));
    var loader = InstalledAlgorithms.loader(PlugIns.of(folder.resolve("ext-lib")));
    try (RunningProxy proxy = RunningProxy.startFrom(loader, conf);
        Connection open = proxy.connect("it_moody");
        Statement statement = open.createStatement();
        var clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (String name : List.of("throws", "checked", "misses", "deep", "interrupted", "null")) {
        assertSilent(proxy, name);
        assertThat(login(proxy, "ada")).startsWith("ada@127.0.0.1 reader@");
      }
      var hanging = new ArrayList<Future<?>>();
      for (int i = 0; i < 20; i++) {
        hanging.add(clients.submit(() -> assertSilent(proxy, "hangs")));
      }
      // the one event loop goes on, and so does who has a password of its own
      while (!hanging.stream().allMatch(Future::isDone)) {
        assertThat(one(open, "SELECT 1")).isEqualTo("1");
        proxy.connect("it_moody").close();
      }
      for (Future<?> each : hanging) {
        each.get();
      }
      // its threads are lost: a reload gives it others
      assertSilent(proxy, "ada");
      configure(3);
      statement.execute("RELOAD CONFIGURATION");
      assertThat(login(proxy, "ada")).startsWith("ada@127.0.0.1 reader@");
    }
  }
}
