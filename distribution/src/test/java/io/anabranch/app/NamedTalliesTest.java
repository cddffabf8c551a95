package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class NamedTalliesTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final LoopTallies tallies = new LoopTallies();
  private final NamedTallies users = new NamedTallies(registry, tallies, "user");
  private final LoopTally loop = tallies.tally();

  private double value(String metric, String user) {
    return registry.get(metric).tag("user", user).functionCounter().count();
  }

  @Test
  void countsByName() {
    users.add(loop, "app", 1_500_000_000, 0);
    users.add(loop, "app", 500_000_000, 1062);
    users.add(loop, "report", 1, 0);
    users.add(loop, null, 1, 0);

    assertThat(value("anabranch.user.statements", "app")).isEqualTo(2);
    assertThat(value("anabranch.user.errors", "app")).isEqualTo(1);
    assertThat(value("anabranch.user.time", "app")).isEqualTo(2);
    assertThat(value("anabranch.user.statements", "report")).isEqualTo(1);
  }

  @Test
  void whatIsForgottenBeginsAnew() {
    users.add(loop, "app", 1, 0);
    registry.getMeters().forEach(registry::remove);
    users.forget("app");
    users.add(loop, "app", 1, 0);

    assertThat(value("anabranch.user.statements", "app")).isEqualTo(1);
  }

  @Test
  void thereAreNotMoreThanSoMany() {
    for (int i = 0; i < 10 * NamedTallies.MOST; i++) {
      users.add(loop, "user" + i, 1, 0);
    }

    assertThat(registry.getMeters()).hasSize(3 * (NamedTallies.MOST + 1));
    assertThat(value("anabranch.user.statements", NamedTallies.OTHERS))
        .isEqualTo(9 * NamedTallies.MOST);
  }
}
