package io.anabranch.app.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.Transcript;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The tutorial, from its first block to its last. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class TutorialIT {

  private static final String SCHEMA = "it_tutorial";

  @TempDir Path temporary;

  /** The reader's servers are the suite's. */
  private static String here(String yaml, List<DatabaseServer> servers) {
    String text =
        yaml.replace("username: proxy", "username: " + MariaDbServer.USER)
            .replace("password: secret", "password: " + MariaDbServer.PASSWORD);
    for (int i = 0; i < servers.size(); i++) {
      text =
          text.replace(
              "jdbc:mysql://10.0.0.1" + (i + 1) + ":3306/shop", servers.get(i).url(SCHEMA));
    }
    return text;
  }

  @Test
  void isTrue(DatabaseServers databases) throws Exception {
    List<DatabaseServer> servers = List.of(databases.primaryA(), databases.primaryB());
    for (DatabaseServer server : servers) {
      server.execute("DROP DATABASE IF EXISTS it_tutorial", "CREATE DATABASE it_tutorial");
    }
    List<Example> blocks =
        Example.all().stream().filter(each -> each.page().equals(StatementsIT.TUTORIAL)).toList();
    Example first = blocks.getFirst();
    try (Connection direct = servers.getFirst().connect(SCHEMA)) {
      for (String sql : first.lines()) {
        assertThat(Transcript.of(direct, sql).head()).as(sql).doesNotStartWith("error");
      }
    }
    var folder = new ReloadFolder(temporary);
    folder.global("");
    folder.write("database-shop.yaml", here(blocks.get(1).text(), servers));
    var sums = new ArrayList<String>();
    try (RunningProxy proxy = RunningProxy.startFrom(temporary);
        Connection client = proxy.connect("shop")) {
      for (Example block : blocks.subList(1, blocks.size())) {
        if (block.language().equals("yaml")) {
          folder.write("database-shop.yaml", here(block.text(), servers));
          run(client, "RELOAD CONFIGURATION");
        } else {
          for (String sql : block.lines()) {
            String rows = run(client, sql);
            if (sql.startsWith("SELECT COUNT(*)")) {
              sums.add(rows);
            }
          }
        }
      }
    }
    assertThat(sums).hasSize(3).containsOnly(sums.getFirst());
    assertThat(sums.getFirst()).contains("5", "136.55");
    assertThat(servers.getLast().queryOne("SELECT COUNT(*) FROM it_tutorial.t_order_part_1"))
        .as("that of user 7 are there")
        .isEqualTo("2");
  }

  private static String run(Connection client, String sql) {
    Transcript answer = Transcript.of(client, sql);
    assertThat(answer.head()).as(sql).doesNotStartWith("error");
    return answer.rows().toString();
  }
}
