package io.anabranch.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(MariaDbServers.Resolver.class)
class MariaDbServerTest {

  @Test
  void answersInUtf8mb4(MariaDbServers servers) {
    assertThat(servers.primaryA().queryOne("SELECT @@character_set_server")).isEqualTo("utf8mb4");
    assertThat(servers.primaryA()).isSameAs(servers.primaryA()).isNotSameAs(servers.primaryB());
  }

  @Test
  void replicaFollowsItsPrimary() {
    try (MariaDbServer primary = MariaDbServer.start("kit-primary");
        MariaDbServer replica = primary.startReplica("kit-replica")) {
      primary.execute(
          "CREATE DATABASE kit_replica",
          "CREATE TABLE kit_replica.t (id INT PRIMARY KEY)",
          "INSERT INTO kit_replica.t VALUES (7)");
      primary.awaitReplica(replica);
      assertThat(replica.queryOne("SELECT id FROM kit_replica.t")).isEqualTo("7");
      assertThat(replica.queryOne("SELECT @@read_only")).isEqualTo("1");
    }
  }

  @Test
  void keepsItsDataOverAKill() {
    try (MariaDbServer server = MariaDbServer.start("kit-kill")) {
      server.execute("CREATE DATABASE kept");
      server.kill();
      assertThatThrownBy(() -> server.execute("SELECT 1"))
          .isInstanceOf(IllegalStateException.class);
      server.startAgain();
      assertThat(server.queryOne("SHOW DATABASES LIKE 'kept'")).isEqualTo("kept");
    }
  }

  @Test
  void saysWhyAServerDoesNotStart() {
    assertThatThrownBy(() -> MariaDbServer.start("kit-broken", "--no-such-option"))
        .hasMessageContaining("kit-broken ended at start")
        .hasMessageContaining("no-such-option");
  }
}
