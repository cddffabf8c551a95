package io.anabranch.app.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.client.CommandProbe;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Drivers send many commands before they read the first answer. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class PipelineIT {

  private static final int COMMANDS = 5000;

  @Test
  void commandsRunInTheOrderTheyWereSent(DatabaseServers servers) throws IOException {
    DatabaseServer server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS it_pipeline", "CREATE DATABASE it_pipeline");
    var commands = new ArrayList<byte[]>();
    for (int i = 0; i < COMMANDS; i++) {
      String sql = "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'number %d.'".formatted(i);
      commands.add(("\u0003" + sql).getBytes(StandardCharsets.US_ASCII));
    }
    try (RunningProxy proxy =
            RunningProxy.start(
                List.of(),
                "databaseName: it_pipeline\ndataSources:\n"
                    + RunningProxy.source("ds_0", server, "it_pipeline")
                    + "rules: []\n");
        var probe =
            new CommandProbe(
                proxy.port(), RunningProxy.USER, RunningProxy.PASSWORD, "it_pipeline")) {
      List<String> answers = probe.pipelined(commands);
      for (int i = 0; i < COMMANDS; i++) {
        assertThat(answers.get(i)).endsWith("number " + i + ".");
      }
    }
  }
}
